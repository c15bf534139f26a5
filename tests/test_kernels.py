"""Kernels of goldenlib's notebooks: they listen where only their owner can reach them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from goldenlib.files.shipped import shipped
from goldenlib.kernels import one_kernel, private_sockets
from tests.kernels import connection_file, eventually, kernels_below
from tests.notebooks.executing import ENVIRONMENT


def test_the_kernel_of_a_run_in_a_notebook_listens_on_no_port(tmp_path: Path) -> None:
    """field/security 6: without a key, anybody on the machine could read what passed on its ports."""
    golden = [str(Path(sys.executable).parent / "golden"), "run", str(shipped("golden", "example.yaml"))]
    words = [*golden, "--allow-unverified", "--notebook", "run.ipynb"]
    with subprocess.Popen(words, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        seen: list[str] = []

        def transport() -> object:
            for kernel in kernels_below(process.pid):
                file = connection_file(kernel)
                seen.extend([json.loads(file.read_text())["transport"]] * file.exists())
            return seen or process.poll() is not None

        assert eventually(transport, 60)
        said = process.communicate(timeout=120)[0].decode()
    assert seen[:1] == ["ipc"]
    assert process.returncode == 0, said
    assert "tcp" not in said.casefold()


@pytest.mark.skipif(os.name != "posix", reason="sockets are files on Unix only")
def test_a_long_temporary_folder_is_not_too_long_for_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = tmp_path / ("x" * 80)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    with private_sockets() as sockets:
        assert len(str(one_kernel(sockets)["connection_file"])) < 40
        folder = Path(sockets.folder)
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()
