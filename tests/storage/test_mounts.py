"""What a path lies on, by the kernel's table of mounts; and what the store does on a file system of a network."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from goldenlib.storage.connecting import connect, prefer_wal
from goldenlib.storage.mounts import network_filesystem


def table(folder: Path, *mounts: tuple[str, str]) -> Path:
    """A table of mounts as proc(5) describes it: the machine's own disk, and a place and a type each."""
    lines = [f"{number} 1 0:{number} / {place} rw shared:9 master:1 - {kind} source rw" for number, (place, kind) in enumerate(mounts)]
    path = folder / "mountinfo"
    path.write_text("\n".join(["22 1 254:1 / / rw,relatime - ext4 /dev/vda rw", *lines]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "fuse.s3fs", "ceph", "lustre", "vboxsf"])
def test_a_file_system_of_a_network_is_known_by_its_type(tmp_path: Path, kind: str) -> None:
    assert network_filesystem(tmp_path / "golden.db", table(tmp_path, (str(tmp_path), kind))) == kind


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "overlay", "tmpfs", "fuse.ntfs-3g", "fuseblk", "zfs"])
def test_a_disk_of_the_machine_is_none(tmp_path: Path, kind: str) -> None:
    assert network_filesystem(tmp_path / "golden.db", table(tmp_path, (str(tmp_path), kind))) is None


def test_the_deepest_mount_counts_and_of_two_at_one_place_the_later(tmp_path: Path) -> None:
    deep = tmp_path / "share" / "local disk"
    deep.mkdir(parents=True)
    mounts = table(tmp_path, (str(deep).replace(" ", "\\040"), "xfs"), (str(tmp_path / "share"), "ext4"), (str(tmp_path / "share"), "nfs4"))
    assert network_filesystem(tmp_path / "share" / "golden.db", mounts) == "nfs4"
    assert network_filesystem(deep / "golden.db", mounts) is None
    assert network_filesystem(tmp_path / "shared" / "golden.db", mounts) is None  # a name that begins alike is no folder below


def test_a_link_leads_to_where_the_file_lies(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "here").symlink_to(tmp_path / "share")
    assert network_filesystem(tmp_path / "here" / "golden.db", table(tmp_path, (str(tmp_path / "share"), "cifs"))) == "cifs"


def test_without_a_table_nothing_is_claimed(tmp_path: Path) -> None:
    assert network_filesystem(tmp_path / "golden.db", tmp_path / "none") is None


def test_the_machines_own_table_is_understood(tmp_path: Path) -> None:
    assert network_filesystem(tmp_path) is None


def test_on_a_network_a_store_is_not_written_ahead_although_the_pragma_would_say_yes(tmp_path: Path) -> None:
    """A file whose index of the log is shared memory is damaged when two machines write it."""
    path = tmp_path / "golden.db"
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    database = prefer_wal(connect(str(path)), table(tmp_path, (str(tmp_path), "nfs4")))
    database.close()
    (warning,) = database.warnings
    assert "is not safe on nfs4, a file system of a network, and not used here (journal mode is 'delete')" in warning
    assert "put the file on a local disk, or use PostgreSQL" in warning
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
