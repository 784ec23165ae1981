"""Which browser the tests use: Debian's chromium, driven by Playwright.

Its headless shell has no window and no menus to paint: the same pages take a third less work in it.
"""

import os
import shutil

FLAGS = (
    "--no-sandbox",  # chromium refuses to start as root with its sandbox
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def hurry(tab) -> None:
    """What fades or slides in a tab is there at once: each of its pictures is work, without a graphics card."""
    motions = tab.context.new_cdp_session(tab)
    motions.send("Animation.enable")
    motions.send("Animation.setPlaybackRate", {"playbackRate": 50})


def chromium() -> str | None:
    """Where the browser is, if there is one."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
