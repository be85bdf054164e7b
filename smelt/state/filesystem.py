"""What kind of file system a folder lies on: ``flock`` is not to be trusted across machines."""

from pathlib import Path, PurePosixPath

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = frozenset({"9p", "afs", "ceph", "cifs", "davfs", "fuse.sshfs", "glusterfs", "lustre", "nfs", "nfs4", "smb3"})


def network_file_system(folder: Path, mounts: Path = _MOUNTS) -> str | None:
    """The type of the network file system that ``folder`` lies on; None if it is local or cannot be told."""
    try:
        table = mounts.read_text("utf-8", "replace")
    except OSError:
        return None
    kind = mounted_type(table, PurePosixPath(folder.resolve()))
    return kind if kind in _NETWORK else None


def mounted_type(table: str, path: PurePosixPath) -> str | None:
    """The type of the file system that holds ``path``, by a mount table as the kernel prints it.

    The longest mount point above the path counts; of two on one point the later one, which hides the other.
    """
    found: tuple[int, str] | None = None
    for line in table.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = PurePosixPath(_unescaped(fields[1]))
        depth = len(point.parts)
        if path.is_relative_to(point) and (found is None or depth >= found[0]):
            found = (depth, fields[2])
    return None if found is None else found[1]


def _unescaped(text: str) -> str:
    """Blanks, tabs, newlines and backslashes stand in octal."""
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text
