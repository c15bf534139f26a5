"""What data questions add to the store, on both engines: parts of answers, details, outcome words, splits, and who looked at one."""

from __future__ import annotations

from dataclasses import replace

from goldenlib.answers import Answer, Event, EventKind, Result, RunRecord, Score
from goldenlib.storage import Store
from tests.builders import a_result, an_error
from tests.storage.scenes import a_new_run, play, write


def write_new(store: Store, run: RunRecord, *results: Result) -> None:
    """Store a new run with these results."""
    store.create_run(run)
    write(store, run, results)


def test_parts_details_words_and_splits_come_back_as_they_were(store: Store) -> None:
    parts = (Event(EventKind.QUERY, "SELECT '\u0000\U0001f600'"), Event(EventKind.ROWS, '{"columns":["a"],"rows":[[1.50]]}'))
    score = Score("result", 0.0, False, "does not match", word="wrong", details=(("definition", "Net."), ("golden query", "SELECT 1")))
    result = replace(
        a_result("q"),
        answer=Answer("42", events=parts, seconds=1.0),
        scores=(score,),
        split="test",
        kind="forbidden",
        word="wrong",
        run_id="r1",
    )
    run = a_new_run("r1", all_item_ids=("q",), started_by="ana")
    write_new(store, run, result)
    (stored,) = store.results("r1")
    assert stored.answer is not None
    assert (stored.answer.events, stored.scores, stored.split, stored.kind, stored.word) == (parts, (score,), "test", "forbidden", "wrong")
    assert store.run("r1").started_by == "ana"


def test_events_come_back_in_their_order_any_number_of_a_kind_with_their_turns(store: Store) -> None:
    events = (
        Event("tool_call", "{}"),
        Event(EventKind.QUERY, "SELECT 1"),
        Event("tool_call", '{"n": 2}', turn=2),
        Event("note", "", turn=2),
    )
    run = a_new_run("r1", all_item_ids=("q",))
    write_new(store, run, replace(a_result("q", run_id="r1"), answer=Answer("42", events=events, seconds=1.0)))
    (stored,) = store.results("r1")
    assert stored.answer is not None
    assert stored.answer.events == events
    assert stored.answer.of_kind("tool_call") == ("{}", '{"n": 2}')


def test_results_of_before_have_no_split_and_no_parts(store: Store) -> None:
    play(store, "r1", {"a": "pass"}, hour=0)
    (stored,) = store.results("r1")
    assert stored.answer is not None
    assert (stored.split, stored.kind, stored.word, stored.answer.events) == ("", "answer", "", ())


def test_the_scorings_of_a_split_are_counted_over_all_series_of_the_set(store: Store) -> None:
    for number, (series, split, set_name) in enumerate([("s1", "test", "x"), ("s2", "test", "x"), ("s1", "dev", "x"), ("s3", "test", "y")]):
        run_id = f"r{number}"
        run = a_new_run(run_id, series=series, set_name=set_name, all_item_ids=("a", "b"), started_by=f"u{number}")
        right = replace(a_result("a", digest=f"a of {set_name}"), run_id=run_id, split=split, word="correct")
        wrong = replace(a_result("b", digest=f"b of {set_name}", missing=["x"]), run_id=run_id, split=split, word="wrong")
        write_new(store, run, right, wrong)
    found = store.split_scorings("r2", "test")
    assert [(past.run_id, past.series, past.started_by, past.passed, past.scored, dict(past.words)) for past in found] == [
        ("r0", "s1", "u0", 1, 2, {"correct": 1, "wrong": 1}),
        ("r1", "s2", "u1", 1, 2, {"correct": 1, "wrong": 1}),
    ]


def test_a_run_in_which_nothing_of_the_split_was_scored_was_no_look_at_it(store: Store) -> None:
    run = a_new_run("r1", set_name="x", all_item_ids=("a",))
    write_new(store, run, replace(an_error("a"), run_id="r1", split="test"))
    assert store.split_scorings("r1", "test") == ()


def a_run_of(store: Store, run_id: str, set_name: str, *items: tuple[str, str, str]) -> None:
    """A run whose items, given with digest and split, were scored."""
    run = a_new_run(run_id, set_name=set_name, all_item_ids=tuple(name for name, _, _ in items))
    write_new(store, run, *(replace(a_result(name, digest=digest), run_id=run_id, split=split) for name, digest, split in items))


def test_another_name_for_the_file_wipes_no_scoring_out(store: Store) -> None:
    a_run_of(store, "r1", "questions", ("a", "1", "test"))
    a_run_of(store, "r2", "others", ("a", "9", "test"))
    a_run_of(store, "r3", "renamed", ("a", "1", "test"))
    assert [past.run_id for past in store.split_scorings("r3", "test")] == ["r1", "r3"]


def test_what_left_the_split_is_known_by_its_question_and_by_its_id(store: Store) -> None:
    for run_id in ("r1", "r2"):
        a_run_of(store, run_id, "questions", ("a", "1", "test"), ("b", "2", "test"), ("c", "3", "test"), ("d", "4", "dev"))
    moved = ("b-new", "2", "dev"), ("a", "1 edited", "dev")
    a_run_of(store, "r3", "questions", *moved, ("c", "3", "test"), ("d", "4", "dev"), ("e", "5", ""))
    a_run_of(store, "r4", "renamed", ("a", "1", ""), ("b", "2 edited", "dev"))
    assert [(item.item_id, item.runs) for item in store.moved_out("r3", "test")] == [("a", 2), ("b-new", 2)]
    assert [(item.item_id, item.runs) for item in store.moved_out("r4", "test")] == [("a", 2)]
