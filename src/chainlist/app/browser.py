"""Opening a page where there is a screen to open it on."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

from chainlist.app.terminal import say


def has_screen() -> bool:
    """Whether a browser with a window can be expected."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def show_page(path: Path) -> None:
    """Open a file in the user's browser; without a screen say where it is. (A text browser would only take the terminal.)"""
    if has_screen():
        webbrowser.open(path.resolve().as_uri())
    else:
        say(f"no screen here: open {path} in a browser")
