"""The second layer alone: the engine gets what the check would have refused, and still nothing is read or written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from goldenlib.warehouse import QueryFailed, QueryResult, Warehouse
from goldenlib.warehouse.duck import open_locked
from tests.warehouse.attacks import REFUSALS, Attack
from tests.warehouse.conftest import LIMITS, Surroundings

# Computes, waits until it is stopped, or tells what is no secret: the engine may run these, the check does not.
HARMLESS = {
    "read all settings", "read the catalogue", "read the information schema", "read the logs", "write the log", "sql in a text",
    "table in a text", "sql in json", "describe", "describe in a subquery", "show in a subquery", "summarize", "pragma as a table",
    "read a setting", "read a variable", "nested nots", "a text too long", "nested brackets", "nested subqueries", "lock rows",
}  # fmt: skip


@pytest.mark.parametrize("attack", REFUSALS, ids=str)
def test_without_the_check_the_engine_gives_nothing(small: Warehouse, surroundings: Surroundings, attack: Attack) -> None:
    outcome = small.run(surroundings.fill(attack.sql), trusted=True)
    assert isinstance(outcome, QueryFailed) or attack.tries in HARMLESS
    surroundings.check_untouched(str(outcome.tuples()) if isinstance(outcome, QueryResult) else outcome.reason)


@pytest.fixture(scope="module")
def instance(small_file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_locked(small_file, LIMITS) as opened:
        yield opened


@pytest.fixture
def locked(instance: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """A session of the engine itself: without the check, without the worker, and without the look at the kind of statement."""
    with instance.cursor() as session:
        yield session


# What may run on the bare connection: it changes nothing beyond the session, which every query has to itself.
OF_THE_SESSION = {
    "set variable", "create a temporary table", "begin", "explain", "prepare", "pragma", "call", "two selects", "use another schema",
    "checkpoint", "wait", "wait in milliseconds",
}  # fmt: skip


@pytest.mark.parametrize("attack", [attack for attack in REFUSALS if not attack.tries.startswith("wait")], ids=str)
def test_the_locked_connection_reads_and_writes_nothing(
    locked: duckdb.DuckDBPyConnection, surroundings: Surroundings, attack: Attack
) -> None:
    try:
        told = str(locked.execute(surroundings.fill(attack.sql)).fetchall())
    except duckdb.Error as error:
        told = str(error)
    else:
        assert attack.tries in HARMLESS | OF_THE_SESSION
    surroundings.check_untouched(told)
    with locked.cursor() as fresh:
        assert fresh.execute("SELECT count(*), sum(amount) FROM sales").fetchall() == [(6, 150)]


@pytest.mark.parametrize("setting", ["enable_external_access = true", "memory_limit = '1TB'", "lock_configuration = false", "threads = 8"])
def test_no_setting_can_be_opened_again(locked: duckdb.DuckDBPyConnection, setting: str) -> None:
    with pytest.raises(duckdb.Error, match=r"locked|cannot be"):
        locked.execute(f"SET {setting}")


def test_variables_of_the_program_are_no_tables(locked: duckdb.DuckDBPyConnection) -> None:
    hidden = duckdb.sql("SELECT 1 AS a")
    with pytest.raises(duckdb.CatalogException, match="hidden"):
        locked.execute("SELECT * FROM hidden")
    assert hidden is not None


def test_the_worker_can_write_no_file_and_sees_no_secret(small: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = small._idle[0].pid
    limits = Path(f"/proc/{pid}/limits").read_text()
    assert "Max file size             0                    0" in limits
    environment = Path(f"/proc/{pid}/environ").read_bytes()
    assert b"GOLDEN" not in environment
    assert b"HOME=" not in environment
