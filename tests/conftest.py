"""What all tests share: an empty store on each engine, and real PostgreSQL and MariaDB servers from the system's own binaries."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from uuid import uuid4

import pytest
from hypothesis import settings
from sqlalchemy import make_url

from goldenlib.storage import Store
from tests.bench.quarter import Quarter, make_quarter

# A busy machine is no failure: examples have no deadline, only the whole test has (pytest-timeout). In CI as anywhere: other examples in
# each run, where Hypothesis by itself would try the same ones for ever.
settings.register_profile("golden", settings.get_profile("default"), deadline=None, derandomize=False, print_blob=True)
settings.load_profile("golden")

# Tests on PostgreSQL go to one worker, so that one server is started.
ENGINES = [
    "sqlite",
    pytest.param("postgresql", marks=[pytest.mark.postgres, pytest.mark.xdist_group("postgres")]),
]
START_TIMEOUT_S = 60


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Draw what the examples of property tests are made from, once for all workers, so that a red run can be repeated."""
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(secrets.randbelow(10**9))


def pytest_report_header(config: pytest.Config) -> str:
    return _how_to_repeat(config)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
    if exitstatus:  # with -q there is no header
        terminalreporter.write_line(_how_to_repeat(terminalreporter.config))


def _how_to_repeat(config: pytest.Config) -> str:
    return f"property tests: --hypothesis-seed={config.option.hypothesis_seed} tries the same examples again"


@pytest.fixture(scope="session")
def quarter(tmp_path_factory: pytest.TempPathFactory) -> Quarter:
    """A store of sixty runs with a known truth. What asks for it belongs into the xdist group of the same name, for it is made once."""
    path = tmp_path_factory.mktemp("quarter") / "golden.db"
    with Store.open(str(path)) as store:
        return Quarter(path, make_quarter(store))


@pytest.fixture(params=ENGINES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store can be opened, on each engine in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/golden.db"
    url: str = request.getfixturevalue("postgres_store_url")
    return url


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An empty store, on each engine in turn."""
    with Store.open(store_url) as opened:
        yield opened


@pytest.fixture
def postgres_store_url(postgres_url: str) -> Iterator[str]:
    """The URL of a schema of its own on the server; a schema takes a millisecond, a database a hundred."""
    import psycopg

    schema = f"golden_{uuid4().hex}"
    plain = make_url(postgres_url).set(drivername="postgresql")
    with psycopg.connect(plain.render_as_string(hide_password=False), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        try:
            yield plain.update_query_dict({"options": f"-csearch_path={schema}"}).render_as_string(hide_password=False)
        finally:
            connection.execute("SET lock_timeout = '10s'")  # a test that leaves a transaction open fails here and does not hang
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a PostgreSQL server: GOLDEN_TEST_PG_URL, or one that is started for this session."""
    given = os.environ.get("GOLDEN_TEST_PG_URL")
    if given:
        yield given
        return
    with _postgres_server(_postgres_binaries()) as server:
        yield server.url


@pytest.fixture
def restartable_postgres() -> Iterator[RestartableServer]:
    """A PostgreSQL server of the test's own, which it may restart."""
    with _postgres_server(_postgres_binaries()) as server:
        yield server


def _skip(reason: str) -> NoReturn:
    """Skip a test for want of a server; where the system has to have it, fail."""
    if os.environ.get("GOLDEN_REQUIRE_SYSTEM"):
        pytest.fail(reason)
    pytest.skip(reason)


def _postgres_binaries() -> Path:
    """The folder with initdb and postgres; Debian keeps them off the path, one folder a version. Skips where there is none."""
    on_path = shutil.which("initdb")
    if on_path is not None:
        return Path(on_path).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if versions:
        return versions[-1].parent
    _skip("no PostgreSQL server here: apt-get install postgresql, or set GOLDEN_TEST_PG_URL")


@dataclass
class RestartableServer:
    """A PostgreSQL server on a loopback port, and the process that it is."""

    binaries: Path
    folder: Path
    port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def restart(self) -> None:
        """End it and its sessions in order, as an upgrade does, and start it again on the same port."""
        self.stop(signal.SIGINT)
        self.process = _start(self.binaries, self.folder, self.port)

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:  # PostgreSQL's immediate shutdown
        self.process.send_signal(how)
        self.process.wait(timeout=30)


@contextmanager
def _postgres_server(binaries: Path) -> Iterator[RestartableServer]:
    """Run a throw-away server on a loopback port. It ends with this process, even when that is killed."""
    folder = Path(tempfile.mkdtemp(prefix="golden-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        options = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        initdb = [*_as_server_user("postgres"), binaries / "initdb", "-D", folder / "data", *options]
        subprocess.run(initdb, cwd="/", check=True, capture_output=True, timeout=START_TIMEOUT_S)
        port = _free_port()
        server = RestartableServer(binaries, folder, port, _start(binaries, folder, port))
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def reader_of(url: str, schema: str = "public") -> Iterator[str]:
    """The URL of the same server for a login that only reads, which goes with the block. A superuser is no login for a warehouse."""
    import psycopg

    name, password = f"golden_reader_{uuid4().hex}", uuid4().hex
    made = make_url(url).set(drivername="postgresql")
    with psycopg.connect(made.render_as_string(hide_password=False), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        connection.execute(f"GRANT USAGE ON SCHEMA {schema} TO {name}")
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {name}")
        try:
            yield made.set(username=name, password=password).render_as_string(hide_password=False)
        finally:
            connection.execute(f"DROP OWNED BY {name}")
            connection.execute(f"DROP ROLE {name}")


@pytest.fixture(scope="session")
def mariadb_url() -> Iterator[str]:
    """The URL of a MariaDB server, as its administrator: GOLDEN_TEST_MARIADB_URL, or one that is started for this session."""
    given = os.environ.get("GOLDEN_TEST_MARIADB_URL")
    if given:
        yield given
        return
    server, install = (shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") for name in ("mariadbd", "mariadb-install-db"))
    if server is None or install is None:
        _skip("no MariaDB server here: apt-get install mariadb-server, or set GOLDEN_TEST_MARIADB_URL")
    with _mariadb_server(server, install) as url:
        yield url


@contextmanager
def _mariadb_server(server: str, install: str) -> Iterator[str]:
    """Run a throw-away server on a loopback port. It ends with this process, even when that is killed."""
    import pymysql

    folder = Path(tempfile.mkdtemp(prefix="golden-mariadb-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "mysql", "mysql")
        prepare = [install, "--no-defaults", f"--datadir={folder}/data", "--auth-root-authentication-method=normal", "--skip-test-db"]
        subprocess.run([*_as_server_user("mysql"), *prepare], cwd="/", check=True, capture_output=True, timeout=START_TIMEOUT_S)
        port = _free_port()
        options = [f"--datadir={folder}/data", f"--port={port}", "--bind-address=127.0.0.1", f"--socket={folder}/socket"]
        options += [f"--pid-file={folder}/pid", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M"]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen([*_as_server_user("mysql"), server, "--no-defaults", *options], cwd="/", stdout=log, stderr=log)
        try:
            _until_it_answers(process, lambda: pymysql.connect(host="127.0.0.1", port=port, user="root").close(), folder / "log")
            yield f"mysql://root@127.0.0.1:{port}/"
        finally:
            process.kill()
            process.wait(timeout=30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_server_user(user: str) -> list[str]:
    """The words before a command that run it as somebody who may run a server, and end it when this process ends."""
    if shutil.which("setpriv") is None:
        return []
    drop_root = [f"--reuid={user}", f"--regid={user}", "--init-groups"] if os.geteuid() == 0 else []
    return ["setpriv", *drop_root, "--pdeathsig", "QUIT"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _start(binaries: Path, folder: Path, port: int) -> subprocess.Popen[bytes]:
    import psycopg

    settings = ["listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories=", "max_connections=60"]
    settings += ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
    command = [binaries / "postgres", "-D", folder / "data", *(word for setting in settings for word in ("-c", setting))]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([*_as_server_user("postgres"), *command], cwd="/", stdout=log, stderr=log)
    url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
    _until_it_answers(process, lambda: psycopg.connect(url, connect_timeout=2).close(), folder / "log")
    return process


def _until_it_answers(process: subprocess.Popen[bytes], connect: Callable[[], object], log: Path) -> None:
    """Wait until a server that was started takes connections. Raises RuntimeError with the end of its log when it does not."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            connect()
        except Exception as error:  # whatever its driver raises meanwhile
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                process.wait()
                raise RuntimeError(f"the server did not start: {error}: {log.read_text(errors='replace')[-2000:]}") from None
            time.sleep(0.02)
        else:
            return
