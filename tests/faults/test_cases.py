"""Cases that describe runs, played: tests/cases/gate.jsonl, and judge.jsonl 83 and 87, from the questions asked to what the reports say."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from goldenlib.errors import InputError
from goldenlib.files.loading import load_set
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Surface
from goldenlib.reporting.markdown import render_markdown
from goldenlib.reporting.page import render_html
from goldenlib.reporting.report import Report
from goldenlib.reporting.terminal import PatientConsole, print_report
from goldenlib.storage import Store
from tests.builders import an_item
from tests.faults.actors import RIGHT, Chatbot, JudgeServer, on_stage
from tests.faults.processes import golden, write_function, write_set
from tests.faults.scenes import played, settings_for
from tests.servers import Script, completion, content, reply, stream, verdict

FOLDER = Path(__file__).parents[1] / "cases"
SAID: Mapping[str, Script] = {
    "pass": stream(content(RIGHT)),
    "fail": stream(content("Siapa saja boleh.")),
    "error": reply('{"error": "down"}', 500),
}


def cases(name: str) -> dict[int, dict[str, Any]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").split("\n")[:-1]
    return {case["n"]: case for case in map(json.loads, lines)}


GATE, JUDGE = cases("gate.jsonl"), cases("judge.jsonl")


def of_kind(*kinds: str) -> list[Any]:
    """The numbers of the gate's cases of these kinds, named by number and source."""
    return [pytest.param(n, id=f"{n} {case['source']}") for n, case in GATE.items() if case["input"]["kind"] in kinds]


def test_every_case_is_played() -> None:
    assert {case["input"]["kind"] for case in GATE.values()} == {"gate", "threshold", "history", "load_set", "aa_test"}


def a_set(ids: Iterable[str], all_ids: Iterable[str] | None = None, **changes: Mapping[str, Any]) -> GoldenSet:
    """A set of items whose answer must hold 'WNI'; `changes` are by id. What is not in `ids` is left out by a selection."""
    items = tuple(an_item(item_id, verified=True, **{"question": item_id} | dict(changes.get(item_id, {}))) for item_id in ids)
    everything = tuple(all_ids) if all_ids is not None else tuple(item.id for item in items)
    return GoldenSet("ahu", items, everything, selection="" if len(everything) == len(items) else "select some")


def as_printed(report: Report) -> str:
    """What people read: the terminal's report, the page and the summary, each piece of text on a line."""
    terminal = io.StringIO()
    print_report(report, PatientConsole(file=terminal, width=300, highlight=False))
    page = re.sub(r"<style>.*?</style>|<[^>]*>", "\n", render_html(report), flags=re.DOTALL)
    return html.unescape(f"{terminal.getvalue()}\n{page}\n{render_markdown(report)}")


def run_once(folder: Path, outcomes: Mapping[str, str], **settings: Any) -> Report:
    """One run in which each item passes, fails, ends in an error or is skipped, as it is said."""
    internal = {item_id: {"surface": Surface.INTERNAL} for item_id, word in outcomes.items() if word == "skipped"}
    chatbot, judge = Chatbot({item_id: [SAID[word]] for item_id, word in outcomes.items() if word in SAID}), JudgeServer()
    with on_stage(chatbot, judge), Store.open(str(folder / "golden.db")) as store:
        return played(store, a_set(outcomes, **internal), settings_for(chatbot.url, judge.judge_url, **settings)).report


@pytest.mark.parametrize("number", of_kind("gate"))
def test_a_case_of_the_gate(number: int, tmp_path: Path) -> None:
    given, expected = GATE[number]["input"], GATE[number]["expect"]
    outcomes = given.get("results") or {f"i{n:03d}": "pass" if n < given["passed"] else "fail" for n in range(given["scored"])}
    report = run_once(tmp_path, outcomes, golden_min_pass_rate=given["min_pass_rate"])
    decision, said = report.decision, as_printed(report)
    rate = decision.totals.pass_rate
    assert decision.exit_code != 0
    if "pass_rate" in expected:
        assert (None if rate is None else round(float(rate), 4)) == expected["pass_rate"]
    assert expected.get("reason", "") in decision.line
    assert expected.get("report", "") in said
    if "display" in expected:
        assert expected["display"] in decision.line
    if rate is None:
        assert "not measured" in said
        assert not re.search(r"(?<![\d.])(100|0|0\.0) ?%", said)  # neither all nor none
    low, high = expected.get("exit_code_range", (1, 125))
    assert low <= decision.exit_code <= high


@pytest.mark.parametrize("number", of_kind("threshold"))
def test_a_case_of_the_threshold(number: int, tmp_path: Path) -> None:
    pairs, meets = GATE[number]["input"]["pairs_passed_scored_limit"], GATE[number]["expect"]["meets"]
    for place, ((passed, scored, limit), expected) in enumerate(zip(pairs, meets, strict=True)):
        folder = tmp_path / str(place)
        folder.mkdir()
        outcomes = {f"i{n:03d}": "pass" if n < passed else "fail" for n in range(scored)}
        decision = run_once(folder, outcomes, golden_min_pass_rate=limit).decision
        assert (decision.exit_code == 0) is expected, decision.line


def play_history(folder: Path, given: Mapping[str, Any]) -> dict[str, Report]:
    """The runs of a case, one after another into one new store."""
    runs = [run if "results" in run else run | {"results": {run["item"]: run["result"]}} for run in given["runs"]]
    everything = list(dict.fromkeys(item_id for run in runs for item_id in run["results"]))
    scripts: dict[str, list[Script]] = {}
    sets = {}
    for run in runs:
        questions = {item_id: run.get("question", item_id) for item_id in run["results"]}
        for item_id, word in run["results"].items():
            scripts.setdefault(questions[item_id], []).append(SAID[word])
        in_the_set = given.get(f"set_{run['run']}", everything)
        changes = {item_id: {"question": question} for item_id, question in questions.items()}
        sets[run["run"]] = a_set(run["results"], in_the_set, **changes)
    chatbot, judge = Chatbot(scripts), JudgeServer()
    with on_stage(chatbot, judge), Store.open(str(folder / "golden.db")) as store:
        settings = settings_for(chatbot.url, judge.judge_url)
        return {name: played(store, golden_set, settings, name).report for name, golden_set in sets.items()}


@pytest.mark.parametrize("number", of_kind("history"))
def test_a_case_of_history(number: int, tmp_path: Path) -> None:
    given, expected = GATE[number]["input"], GATE[number]["expect"]
    reports = play_history(tmp_path, given)
    last = reports[given["runs"][-1]["run"]]
    for key, value in expected.items():
        what, _, name = key.rpartition("_")
        if what == "regressed_in":
            assert [found.item_id for found in reports[name].decision.regressions if found.gates] == value
            assert (f"{len(value)} verified item regressed" in reports[name].decision.line) is bool(value)
        elif what == "baseline_of":
            assert [found.baseline_run_id for found in last.decision.regressions if found.item_id == name] == [value]
        elif what == "report" or key == "report":
            report = reports.get(name, last)
            assert value in report.decision.notes
            assert value in as_printed(report)
        else:
            assert key == "never"
            assert value.strip("'") not in as_printed(last).casefold()


@pytest.mark.parametrize("number", of_kind("load_set"))
def test_a_case_of_loading(number: int, tmp_path: Path) -> None:
    ids = GATE[number]["input"]["ids"]
    write_set(tmp_path, ids)
    done = golden(tmp_path, "run", "set.yaml", "--config", str(write_function(tmp_path)))
    assert done.returncode == 2
    assert not (tmp_path / "golden.db").exists()
    with pytest.raises(InputError) as refused:
        load_set([tmp_path / "set.yaml"])
    assert {problem.item_id for problem in refused.value.problems} >= {"PT-a"}  # by case; and the blank by itself


@pytest.mark.parametrize("number", of_kind("aa_test"))
def test_a_case_of_identical_answers(number: int, tmp_path: Path) -> None:
    given, expected = GATE[number]["input"], GATE[number]["expect"]
    ids = [f"i{n:02d}" for n in range(given["items"])]
    wavering = [completion(verdict(0.9)), completion(verdict(0.5, False, "too short"))]
    chatbot, judge = Chatbot(), JudgeServer(dict.fromkeys(ids[: given["flips"]], wavering))
    with on_stage(chatbot, judge), Store.open(str(tmp_path / "golden.db")) as store:
        settings = settings_for(chatbot.url, judge.judge_url)
        *_, report = [played(store, a_set(ids), settings, f"r{n + 1}").report for n in range(given["runs"])]
    assert expected["report"] in report.decision.notes
    assert expected["report"] in as_printed(report)


def test_case_83_a_judge_that_moves_on_the_same_answer_is_told_beside_the_regression(tmp_path: Path) -> None:
    given, expected = JUDGE[83]["input"], JUDGE[83]["expect"]
    item_id = given["item"]
    chatbot = Chatbot({item_id: [stream(content(run["answer"])) for run in given["runs"]]})
    judge = JudgeServer({item_id: [completion(verdict(run["score"], run["passed"])) for run in given["runs"]]})
    golden_set = a_set([item_id], **{item_id: {"rubric": "menyebut biayanya"}})
    with on_stage(chatbot, judge), Store.open(str(tmp_path / "golden.db")) as store:
        settings = settings_for(chatbot.url, judge.judge_url)
        *_, report = [played(store, golden_set, settings, run["run"]).report for run in given["runs"]]
    assert [found.item_id for found in report.decision.regressions if found.gates] == expected["regressed"]
    assert report.decision.exit_code != 0
    assert expected["report_notes"] in as_printed(report)


def test_case_87_a_broken_fact_stays_in_the_denominator_when_the_judge_is_down(tmp_path: Path) -> None:
    given, expected = JUDGE[87]["input"], JUDGE[87]["expect"]
    first, second = given["items"]
    contracts = {"a": {"must_not_include": tuple(first["must_not_include"])}, "b": {"rubric": "menjawab"}}
    chatbot = Chatbot({item["id"]: [stream(content(item["answer"]))] for item in given["items"]})
    judge = JudgeServer({"a": [reply("down", first["judge_http"])], "b": [completion(json.dumps(second["judge"] | {"reason": "ok"}))]})
    with on_stage(chatbot, judge), Store.open(str(tmp_path / "golden.db")) as store:
        settings = settings_for(chatbot.url, judge.judge_url, golden_min_pass_rate=given["min_pass_rate"])
        decision = played(store, a_set(["a", "b"], **contracts), settings).report.decision
    totals = decision.totals
    assert (totals.scored, totals.passed) == (expected["scored"], expected["passed"])
    assert float(totals.pass_rate or 0) == expected["pass_rate"]
    assert decision.exit_code != 0
