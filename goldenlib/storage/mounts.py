"""Mounts: whether a file lies on this machine's disk or on a file system of a network.

Rule: the kernel's table of mounts is read, since a file system does not say so itself. Where there is no such table
(it is Linux's), nothing is known and nothing is claimed.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

MOUNTS = Path("/proc/self/mountinfo")

# Names as the table writes them (proc(5)); those of FUSE stand behind "fuse.". Shared folders of virtual machines are among
# them: there too, two systems would use one file without sharing memory.
_NETWORK = {
    *("9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "drvfs", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4"),
    *("ocfs2", "orangefs", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs"),
    *("blobfuse", "blobfuse2", "gcsfuse", "goofys", "juicefs", "mount-s3", "rclone", "s3fs", "sshfs", "vmhgfs-fuse"),
}


def network_filesystem(path: Path, mounts: Path = MOUNTS) -> str | None:
    """Return the type of the network file system that `path` lies on, such as 'nfs4'; None on a local one or where nothing is known."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    found = _filesystem(path.resolve(), lines)
    return found if found is not None and found.removeprefix("fuse.") in _NETWORK else None


def _filesystem(path: Path, lines: list[str]) -> str | None:
    """The type at the deepest mount above `path`; of two at one place the later one, which covers the other."""
    depth, kind = -1, None
    for line in lines:
        before, _, after = line.partition(" - ")  # mount id, parent, device, root, mount point, options … - type, source, options
        with suppress(IndexError):
            point = Path(_unescaped(before.split(" ")[4]))
            if path.is_relative_to(point) and len(point.parts) >= depth:
                depth, kind = len(point.parts), after.split(" ")[0]
    return kind


def _unescaped(text: str) -> str:
    """The kernel writes blanks and backslashes of a path as octal numbers."""
    for code in ("040", "011", "012", "134"):
        text = text.replace(f"\\{code}", chr(int(code, 8)))
    return text
