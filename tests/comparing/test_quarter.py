"""What an engineer asks of three months of runs, each held against what is true of them (tests/bench/quarter)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from goldenlib.comparing import noise
from goldenlib.comparing.decided import DecidedRun, decided_run
from goldenlib.comparing.runpairs import compare_runs
from goldenlib.comparing.timeline import ItemTimeline, timeline_of
from goldenlib.errors import StoreError
from goldenlib.reporting.historymap import MOST_ROWS, history_as_html, legend, shown_rows
from goldenlib.reporting.incidents import incident_note, write_note
from goldenlib.reporting.sidebyside import decided_as_html
from goldenlib.storage import Store
from tests.bench.quarter import EDIT_RUN, JUDGE_RUN, OUTAGE_RUN, RUNS, STALE, STALE_RUN, Quarter
from tests.storage.test_store import a_new_run

pytestmark = pytest.mark.xdist_group("quarter")


@pytest.fixture(scope="module")
def store(quarter: Quarter) -> Iterator[Store]:
    with Store.open_existing(str(quarter.path)) as opened:
        yield opened


@pytest.fixture(scope="module")
def latest(store: Store) -> DecidedRun:
    return decided_run(store)


def night(number: int) -> str:
    return f"night-{number:02d}"


def test_what_blocked_is_what_the_gate_decided_the_night_after_an_outage_too(store: Store) -> None:
    decided = decided_run(store, night(OUTAGE_RUN + 1))
    regressions = {each.item_id: each.gates for each in decided.decision.regressions}
    assert regressions
    assert {item.item_id: item.gates for item in decided.items if item.item_id in regressions} == regressions


def test_items_that_were_not_scored_are_named(store: Store) -> None:
    decided = decided_run(store, night(OUTAGE_RUN))
    assert len(decided.unscored) == 200 - decided.decision.totals.scored > 100
    assert decided.unscored[0] in decided_as_html(decided)


def test_flaky_items_are_told_from_broken_ones(quarter: Quarter, latest: DecidedRun) -> None:
    assert {item.item_id for item in latest.timeline.flaky} == quarter.truth.flaky
    assert not quarter.truth.flaky & {item.item_id for item in latest.timeline.broken}
    for item in latest.items:
        assert item.since.startswith("flaky") == (item.item_id in quarter.truth.flaky)


def test_since_when_an_item_fails_is_told(quarter: Quarter, latest: DecidedRun) -> None:
    truth = {item_id: number for item_id, number in quarter.truth.broke.items() if number != OUTAGE_RUN}
    onsets = {item.item_id: item.onset for item in latest.timeline.broken}
    assert {item_id: onsets[item_id] for item_id in truth} == truth


def test_what_broke_together_is_one_group(quarter: Quarter, latest: DecidedRun) -> None:
    group = next(group for group in latest.timeline.groups if group.run.run_id == night(STALE_RUN))
    assert {item.item_id for item in group.items} == quarter.truth.stale


def test_the_violated_phrase_is_the_reason_and_marked(store: Store, quarter: Quarter) -> None:
    decided = decided_run(store, night(STALE_RUN))
    stale = [item for item in decided.items if item.item_id in quarter.truth.stale]
    assert [(item.since, item.gates, item.why) for item in stale] == [("new", True, (f"says '{STALE}'",))] * 8
    assert decided_as_html(decided).count(f"<mark>{STALE}</mark>") == 8


def test_the_judge_is_blamed_for_what_it_alone_failed_and_nothing_else(store: Store, quarter: Quarter) -> None:
    for flips in (decided_run(store, night(JUDGE_RUN)).items, compare_runs(store, night(RUNS - 1), night(0)).flips):
        by_judge = {
            flip.item_id for flip in flips if any("the judge was" in cause for cause in (getattr(flip, "why", None) or flip.causes))
        }  # type: ignore[union-attr]
        assert by_judge == quarter.truth.by_judge


def test_what_else_happened_stands_on_the_axis_of_time(latest: DecidedRun) -> None:
    assert [(sign, run) for sign, run, _ in legend(latest.timeline)] == [
        ("C", night(EDIT_RUN)),
        ("J", night(JUDGE_RUN)),
        ("O", night(OUTAGE_RUN)),
    ]


def test_the_decline_of_a_domain_is_seen(latest: DecidedRun) -> None:
    rates = latest.timeline.rates("badan-hukum-pt")
    assert rates[0][0] > 40 > 25 > rates[-1][0]


def test_a_night_of_noise_is_told_from_a_decline(store: Store, latest: DecidedRun) -> None:
    assert "may be chance" in latest.noise
    assert "hardly chance" in compare_runs(store, night(RUNS - 1), night(0)).noise


def test_an_outage_is_nothing_to_be_compared_with(store: Store) -> None:
    assert decided_run(store, night(OUTAGE_RUN + 1)).noise.startswith(f"since {night(OUTAGE_RUN - 1)}")


def test_the_note_names_every_item_and_what_is_not_known(quarter: Quarter, latest: DecidedRun) -> None:
    note = incident_note(latest)
    assert all(item.item_id in note for item in latest.items)
    assert note.index("## Flaky") < note.index("## Still failing") < note.index("## Broke together") < note.index("## Not known")
    assert "<h2>Not known</h2>" in write_note(note)


def test_the_picture_has_its_table(latest: DecidedRun) -> None:
    shown = history_as_html(latest.timeline)
    assert "data:image/png;base64" in shown
    assert all(f"<td>{item.item_id}</td>" in shown for item in latest.timeline.items if item.ever_failed)
    assert len(shown_rows(latest.timeline)) <= MOST_ROWS


def test_a_run_that_did_not_finish_was_not_decided(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Store.open(str(tmp_path_factory.mktemp("unfinished") / "golden.db")) as store:
        store.create_run(a_new_run("r1"))
        with pytest.raises(StoreError, match="did not finish, so nothing was decided"):
            decided_run(store)


def test_a_timeline_shows_so_many_runs_as_are_asked_for(store: Store) -> None:
    assert [run.run_id for run in timeline_of(store, night(50), limit=3).runs] == [night(48), night(49), night(50)]


@given(st.lists(st.sampled_from([True, False, None])))
def test_errors_neither_begin_nor_end_a_row_of_failures(marks: list[bool | None]) -> None:
    item, measured = ItemTimeline("a", "", tuple(marks)), ItemTimeline("a", "", tuple(mark for mark in marks if mark is not None))
    assert (item.changes, item.longest_failing, item.onset is None) == (measured.changes, measured.longest_failing, measured.onset is None)
    if item.onset is not None:
        assert not any(item.marks[item.onset :])
        assert item.marks[item.onset] is False


@given(st.integers(0, 300), st.integers(0, 300))
def test_noise_is_the_exact_paired_test(worse: int, better: int) -> None:
    oracle = binomtest(worse, worse + better).pvalue if worse + better else 1.0
    assert noise.paired_p(worse, better) == pytest.approx(oracle, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(("items", "least"), [(0, None), (5, None), (6, 6), (1000, 6)])
def test_the_smallest_drop_that_a_set_can_show(items: int, least: int | None) -> None:
    assert noise.smallest_drop(items) == least
