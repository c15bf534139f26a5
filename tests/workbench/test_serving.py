"""Serving: the page as `make author` gives it, asked over HTTP; the kernels, sockets and files behind it are real."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from goldenlib.workbench.serving import listen, main, own_notebook
from tests.kernels import connection_file, eventually, processes
from tests.workbench.scenes import SET
from tests.workbench.served import CONFIG, ENVIRONMENT, serving, started

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


def listening_ports(pid: int) -> int:
    """On how many TCP ports a process listens."""
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            inodes.add(os.readlink(link))
    lines = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]]
    return sum(f"socket:[{line[9]}]" in inodes for line in lines if line[3] == "0A")


def test_a_page_that_is_closed_ends_its_kernel_and_nobody_else_does(tmp_path: Path) -> None:
    """field/workbench 3, field/security 6: the page sends the cookie that it was given; without it the kernel stays."""
    with serving(tmp_path) as server:
        _, first = server.page()
        assert len(server.kernels) == 1
        assert server.post(f"/voila/api/shutdown/{first}") == 403
        (cookie,) = [cookie.value for cookie in server.cookies if cookie.name == "_xsrf"]
        assert server.post(f"/voila/api/shutdown/{first}", _xsrf=cookie or "") == 204
        assert eventually(lambda: not server.kernels)
        for _ in range(3):
            kernel = server.page()[1]
            assert server.post(f"/voila/api/shutdown/{kernel}", _xsrf=cookie or "") == 204
        assert eventually(lambda: not server.kernels)


def test_a_kernel_that_no_page_is_connected_to_is_ended(tmp_path: Path) -> None:
    """field/security 6: a page that was loaded and never connected left 98 MB behind."""
    with serving(tmp_path, "--MappingKernelManager.cull_idle_timeout=10", "--MappingKernelManager.cull_interval=1") as server:
        server.page()
        assert eventually(lambda: not server.kernels, 60)


def test_kernels_listen_in_a_folder_of_their_owner_and_on_no_port(tmp_path: Path) -> None:
    """field/security 6: on ports, any account could have read what passes."""
    with serving(tmp_path) as server:
        server.page()
        (kernel,) = server.kernels
        connection = connection_file(kernel)
        channels = json.loads(connection.read_text())
        assert channels["transport"] == "ipc"
        assert stat.S_ISSOCK(Path(f"{channels['ip']}-{channels['iopub_port']}").stat().st_mode)
        assert stat.S_IMODE(connection.parents[1].stat().st_mode) == 0o700
        assert (
            listening_ports(kernel) <= 1
        )  # ipykernel's own, for the output of forked children: it takes, gives nothing, and asks for a key
        assert Path(f"/proc/{kernel}/cwd").resolve() == tmp_path.resolve()
    assert not connection.parents[1].exists()


def test_a_module_in_the_folder_of_the_start_is_not_run(tmp_path: Path) -> None:
    """field/security 2: a folder that somebody sent holds a set, and a file called like a library."""
    for name in ("anywidget", "sqlalchemy", "duckdb", "filelock", "json", "goldenlib"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'was-run')!r}, 'w')\n", encoding="utf-8")
    with serving(tmp_path) as server:
        assert "pt-akta" in server.page()[0]
    assert not (tmp_path / "was-run").exists()


def test_the_page_works_in_the_checkout_that_is_installed_as_editable(tmp_path: Path) -> None:
    """Its folder is the working folder and the place of the code at once: without it the page was "No module named 'goldenlib'"."""
    (tmp_path / "ahu.yaml").write_text(SET, encoding="utf-8")
    (tmp_path / "config.yaml").write_text(CONFIG, encoding="utf-8")
    files = [str(tmp_path / "ahu.yaml"), "--config", str(tmp_path / "config.yaml")]
    command = [sys.executable, "-P", "-m", "goldenlib.workbench.serving", *files]
    with started(tmp_path, *command, within=ROOT) as server:
        html, _ = server.page()
    assert "ModuleNotFoundError" not in html
    assert "pt-akta" in html


def test_two_starts_in_one_folder_keep_their_own_set_and_port(tmp_path: Path) -> None:
    """fd-060, field/workbench 4: the second start wrote over the first one's notebook."""
    with serving(tmp_path) as first:
        (tmp_path / "lain.yaml").write_text(SET.replace("id: ", "id: lain-"), encoding="utf-8")
        command = [sys.executable, "-P", "-m", "goldenlib.workbench.serving", "lain.yaml", "--config", "config.yaml"]
        with started(tmp_path, *command) as second:
            assert first.url.partition("/?")[0] != second.url.partition("/?")[0]
            for _ in range(2):
                assert "lain-" not in first.page()[0]
                assert "lain-" in second.page()[0]
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.skipif(shutil.which("make") is None, reason="make is missing")
def test_make_author_shows_no_token_on_a_command_line_and_finds_the_store_of_the_runs(tmp_path: Path) -> None:
    """fd-061, field/security 6: in a copy of the checkout's Makefile, as `make run` and `make author` are called there."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    (tmp_path / "ahu.yaml").write_text(SET, encoding="utf-8")
    golden = [str(Path(sys.executable).parent / "golden"), "run", "ahu.yaml", "--allow-unverified", "--judge", "off"]
    subprocess.run(golden, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, check=False, timeout=120)
    assert (tmp_path / "golden.db").exists()
    with socket.create_server(("127.0.0.1", 0)) as free:  # not the first free one, which others that start now take
        port = str(free.getsockname()[1])
    with started(tmp_path, "make", "-o", "env", "author", "SET=ahu.yaml", "LANGUAGE=en", f"PORT={port}") as server:
        token = urllib.parse.parse_qs(urllib.parse.urlsplit(server.url).query)["token"][0]
        assert urllib.parse.urlsplit(server.url).port == int(port)
        server.page()
        assert [words for _, _, words in processes() if token in words] == []
        (kernel,) = server.kernels
        opened = [os.readlink(link) for link in Path(f"/proc/{kernel}/fd").iterdir() if link.exists()]
        assert str((tmp_path / "golden.db").resolve()) in opened


def test_a_port_that_is_taken_is_told_or_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main([str(tmp_path / "a.yaml"), "--port", str(port)]) == 2
        assert f"port {port} cannot be used (Address already in use); choose another with PORT=" in capsys.readouterr().err


def test_two_servers_that_start_at_once_never_take_the_same_port() -> None:
    with listen(None) as one, listen(None) as other:
        assert one.getsockname() != other.getsockname()


def test_what_a_start_is_given_is_text_in_its_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with own_notebook(golden_set="a'; import os #\n.yaml", config=None, language="id") as notebook:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        values: dict[str, object] = {}
        exec(next(cell["source"] for cell in cells if cell["id"] == "given"), values)
        assert (values["golden_set"], values["config"]) == ("a'; import os #\n.yaml", None)
        assert [cell["id"] for cell in cells].index("given") < [cell["id"] for cell in cells].index("panel")
    assert list((tmp_path / "out").iterdir()) == []
