"""A chainlist inside a link: `#z=` and the zipped text in base64url. A fragment never reaches a server's log."""

from __future__ import annotations

import base64
import binascii
import zlib

from chainlist.app.workbench.files import plain_lines

LONGEST_LINK = 100_000  # characters
LONGEST_TEXT = 1_000_000  # characters behind it


def fragment_of(text: str) -> str:
    """The fragment that carries a text."""
    zipped = zlib.compress(text.encode("utf-8"), 9)
    return "z=" + base64.urlsafe_b64encode(zipped).decode("ascii").rstrip("=")


def is_link(fragment: str) -> bool:
    """True for a fragment that was meant to carry a text, perhaps a damaged one."""
    return fragment.removeprefix("#").startswith("z=")


def text_of(fragment: str) -> str | None:
    """The text that a fragment carries; None where it carries none, or one that is too long to be honest."""
    fragment = fragment.removeprefix("#")
    if not is_link(fragment) or len(fragment) > LONGEST_LINK:
        return None
    body = fragment.removeprefix("z=")
    try:
        zipped = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        unzip = zlib.decompressobj()
        data = unzip.decompress(zipped, LONGEST_TEXT)
        if not unzip.eof:
            return None
        return plain_lines(data.decode("utf-8"))
    except (binascii.Error, zlib.error, ValueError):
        return None
