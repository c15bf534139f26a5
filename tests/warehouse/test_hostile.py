"""Hostile SQL through the front door: refused, or stopped within its limit, with nothing read, written or left running."""

from __future__ import annotations

import re
import time
from contextlib import suppress

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldenlib.warehouse import QueryFailed, QueryResult, Refusal, Warehouse, check_select
from tests.warehouse.attacks import REFUSALS, RUNAWAYS, Attack
from tests.warehouse.conftest import LIMITS, MARGIN_S, Surroundings


def test_there_are_enough_attacks() -> None:
    assert len({attack.sql for attack in REFUSALS}) >= 45
    assert len({attack.sql for attack in RUNAWAYS}) >= 10


@pytest.mark.parametrize("attack", REFUSALS + RUNAWAYS, ids=str)
def test_an_attack_is_an_outcome_with_a_reason(small: Warehouse, surroundings: Surroundings, attack: Attack) -> None:
    started = time.monotonic()
    outcome = small.run(surroundings.fill(attack.sql))
    assert time.monotonic() - started < LIMITS.seconds + MARGIN_S
    assert isinstance(outcome, QueryFailed)
    assert outcome.kind in attack.allowed_outcomes, outcome
    assert 10 < len(outcome.reason) <= 500
    assert outcome.reason.isprintable()
    surroundings.check_untouched(outcome.reason)


def test_after_all_attacks_the_warehouse_is_as_it_was(small: Warehouse, surroundings: Surroundings) -> None:
    for attack in REFUSALS:
        small.run(surroundings.fill(attack.sql))
    outcome = small.run("SELECT count(*), sum(amount), max(id) FROM sales")
    assert isinstance(outcome, QueryResult)
    assert outcome.tuples() == [(6, 150, 5)]


# The first layer alone.


@pytest.mark.parametrize("attack", REFUSALS, ids=str)
def test_the_check_refuses_by_reading(surroundings: Surroundings, attack: Attack) -> None:
    checked = check_select(surroundings.fill(attack.sql))
    assert isinstance(checked, Refusal)
    assert checked.kind == "refused"


@pytest.mark.parametrize("attack", RUNAWAYS, ids=str)
def test_the_check_leaves_cost_to_the_limits(attack: Attack) -> None:
    assert check_select(attack.sql) == attack.sql


PIECES = sorted({word for attack in REFUSALS if len(attack.sql) < 300 for word in re.findall(r"'[^']*'|\w+|[^\w\s]", attack.sql)})


@settings(max_examples=300)
@given(
    st.lists(st.sampled_from([*PIECES, "/*", "*/", "--", "\n", "$$", "E'", "\u00a0"]), min_size=1, max_size=12),
    st.sampled_from(["duckdb", "postgres"]),
)
def test_the_check_never_raises_and_passes_nothing_that_duckdb_reads_as_more_than_a_select(pieces: list[str], dialect: str) -> None:
    checked = check_select("SELECT " + " ".join(pieces), dialect)
    if isinstance(checked, str) and dialect == "duckdb":
        with suppress(duckdb.ParserException):
            assert [statement.type.name for statement in duckdb.extract_statements(checked)] in (["SELECT"], ["MULTI"])
