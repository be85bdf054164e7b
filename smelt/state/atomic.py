"""The one function that writes under ``.smelt/``: a reader sees the old file or the new one, never a part."""

import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from smelt.failpoints import failpoint
from smelt.state.errors import StateError
from smelt.state.rules import disk_full, unreadable, unwritable

TEMP_SUFFIX = ".tmp"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write(path: Path, data: bytes) -> None:
    """Put ``data`` at ``path``, through a temporary file beside it, and make it last.

    Raises:
        StateError: the disk is full or the folder cannot be written; the old file is as it was and the
            temporary one is gone.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, data)
        _sync_folder(path.parent)
    except OSError as error:
        raise refusal(path, error) from error


def _replace(path: Path, data: bytes) -> None:
    temp = path.with_name(f".{path.name}.{secrets.token_hex(4)}{TEMP_SUFFIX}")
    descriptor = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _crash_points("before-rename", path)
        temp.replace(path)
    except BaseException:
        temp.unlink(missing_ok=True)
        raise
    _crash_points("after-rename", path)


def _crash_points(point: str, path: Path) -> None:
    """``before-rename``, and ``before-rename:intervals`` or ``before-rename:runs`` for one kind of file."""
    failpoint(point)
    failpoint(f"{point}:{path.parent.name if path.parent.name in ('runs', 'reports', 'schemas') else path.stem}")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems have no fsync of folders; the rename stands
            raise
    finally:
        os.close(descriptor)


def refusal(path: Path, error: OSError) -> StateError:
    """The named error for a write that the operating system refused."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return disk_full.error(path, reason)
    return unwritable.error(path, reason)


def remove(path: Path) -> None:
    """Delete a file, if it is there. One that a power cut brings back is deleted again when it is met again.

    Raises:
        StateError: it cannot be deleted.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise refusal(path, error) from error


def move(source: Path, destination: Path) -> None:
    """Move a file or folder within one file system by a rename, and make that last. Nothing may be there yet.

    Raises:
        StateError: it cannot be moved.
    """
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        failpoint(f"before-move:{source.name}")
        source.rename(destination)
        failpoint(f"after-move:{source.name}")
        _sync_folder(destination.parent)
        _sync_folder(source.parent)
    except OSError as error:
        raise refusal(destination, error) from error


def remove_folder(path: Path) -> None:
    """Delete an empty folder, if it is there; of a link to one the link, as the folder may be anybody's.

    Raises:
        StateError: it cannot be deleted.
    """
    try:
        if path.is_dir():
            if path.is_symlink():
                path.unlink()
            else:
                path.rmdir()
            failpoint(f"after-rmdir:{path.name}")
    except OSError as error:
        raise refusal(path, error) from error


def remove_leftovers(folder: Path) -> None:
    """Delete what killed processes left in ``folder``. Only for the holder of the lock.

    Raises:
        StateError: the folder cannot be read, or one cannot be deleted.
    """
    try:
        left = tuple(leftovers(folder))
    except OSError as error:
        raise unreadable.error(folder, error.strerror or str(error)) from error
    for path in left:
        remove(path)


def leftovers(folder: Path) -> Iterator[Path]:
    """The temporary files in ``folder``, subfolders not included."""
    if folder.is_dir():
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") and entry.name.endswith(TEMP_SUFFIX):
                    yield Path(entry.path)
