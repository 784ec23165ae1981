"""Files that appear whole: written beside their place under another name, then renamed."""

from __future__ import annotations

import errno
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
    temporary = target
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}.", suffix=target.suffix)
        os.close(handle)
        temporary = Path(name)
        temporary.chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        yield temporary
        os.replace(temporary, target)
    except BaseException as error:
        if temporary != target:
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None  # the name that was asked for, not the temporary one
        raise


def replace_file(path: Path, data: bytes) -> None:
    """Write a whole file at once."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def writable_folder(folder: Path) -> None:
    """Make a folder, and try it out: better to know before a run than after it. Raises `OSError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, "this is a file, and a folder is wanted", str(folder)) from None
    except NotADirectoryError:
        file = next(parent for parent in folder.parents if parent.exists() and not parent.is_dir())
        what = f"{file} is a file, and no folder can be made in it"
        raise NotADirectoryError(errno.ENOTDIR, what, str(folder)) from None
    except FileNotFoundError:  # parents are made where there are none: the system makes no folder here
        raise PermissionError(errno.EACCES, "no folder can be made here", str(folder)) from None
    except OSError as error:
        error.filename, error.filename2 = str(folder), None
        raise


def _umask() -> int:
    """The permissions that new files must not get; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
