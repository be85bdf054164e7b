from pathlib import Path, PurePosixPath

import pytest

from smelt.state.filesystem import mounted_type, network_file_system

TABLE = r"""/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
tmpfs /home/me/fast tmpfs rw 0 0
//box/share /mnt/my\040share cifs rw 0 0
/dev/sdb1 /data ext4 rw 0 0
server:/data /data nfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/project", "ext4"),
        ("/home/me/project", "nfs4"),
        ("/home/me/fast/project", "tmpfs"),
        ("/homely/project", "ext4"),
        ("/mnt/my share/project", "cifs"),
        ("/data/project", "nfs"),
    ],
)
def test_the_nearest_mount_above_decides(path: str, kind: str) -> None:
    assert mounted_type(TABLE, PurePosixPath(path)) == kind


def test_only_network_file_systems_are_named(tmp_path: Path) -> None:
    table = tmp_path / "mounts"
    assert network_file_system(tmp_path, table) is None
    table.write_text(f"server:/x {tmp_path} nfs rw 0 0\n/dev/sda1 / ext4 rw 0 0\n")
    assert network_file_system(tmp_path / "project", table) == "nfs"
    table.write_text("/dev/sda1 / ext4 rw 0 0\n")
    assert network_file_system(tmp_path, table) is None
    table.write_text("")
    assert network_file_system(tmp_path, table) is None
