"""Files that appear whole: written beside their place under another name, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path with the suffix of `path`; what was written there takes its place when the block ends well.

    The old file or the new one, never a part. Follows a symbolic link.
    """
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}.", suffix=target.suffix)
    os.close(handle)
    temporary = Path(name)
    try:
        temporary.chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        yield temporary
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def replace_file(path: Path, data: bytes) -> None:
    """Write a whole file at once."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def _umask() -> int:
    """The permissions that new files must not get; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
