"""What packages bring along: docs/examples/office, built, installed and used as a user would, and what is said of what cannot be used."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from goldenlib.answers import Answer, Score
from goldenlib.config.settings import Settings, load_settings
from goldenlib.errors import GoldenError, InputError, ReportError, SettingsError, TargetError
from goldenlib.golden_set import GoldenSet
from goldenlib.items import Item
from goldenlib.plugins import GROUPS, Choices
from goldenlib.reporting.files import ReportFiles
from goldenlib.running import evaluate
from goldenlib.scoring.scorer import Asking, Scorer
from goldenlib.scoring.scorers import SCORERS, scorers_of
from goldenlib.storage import Store
from tests.builders import a_report, a_result

OFFICE = Path(__file__).parents[1] / "docs" / "examples" / "office"
CONFIG = """\
rag_quality:
  judge_url: "off"
  warehouse: register
  golden_scorers: [brevity]
  targets: {public: {kind: office, options: {greeting: Selamat pagi.}}}
"""
SET = """\
items:
  - id: akta
    question: Apakah PT perorangan memerlukan akta notaris?
    expected: {must_include: [Selamat pagi, tidak memerlukan akta notaris]}
  - id: biaya
    question: Berapa biayanya?
    expected: {must_include: [Rp50.000]}
"""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example package installed in it."""
    folder = tmp_path_factory.mktemp("office")
    installed = folder / "site"
    words = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(installed), str(OFFICE)]
    environment = os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run([sys.executable, "-m", "pip", *words], check=True, env=environment, capture_output=True, timeout=120)
    (folder / "config.yaml").write_text(CONFIG, encoding="utf-8")
    (folder / "set.yaml").write_text(SET, encoding="utf-8")
    return folder


def golden(office: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")}
    environment |= {"PYTHONPATH": str(office / "site")}
    command = [sys.executable, "-m", "goldenlib", *words]
    return subprocess.run(command, cwd=office, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "store.db")) as opened:
        yield opened


@pytest.mark.xdist_group("office")
class TestTheExamplePackage:
    """Chosen by name in the configuration and on the command line."""

    def test_its_target_scorer_and_report_take_part_in_a_run(self, office: Path) -> None:
        words = ["run", "set.yaml", "--config", "config.yaml", "--allow-unverified", "--run-id", "r1", "--report", "csv=report.csv"]
        done = golden(office, *words, "--json", "report.json")
        assert done.returncode == 0, done.stderr
        assert (office / "report.csv").read_text(encoding="utf-8").splitlines() == [
            "item,status,passed,reason",
            "akta,scored,True,all 2 facts are present; not judged",
            "biaya,error,,the office knows nothing of this",
        ]
        assert '"axis": "brevity"' in (office / "report.json").read_text(encoding="utf-8")

    def test_its_report_of_a_stored_run_is_written_by_show(self, office: Path) -> None:
        golden(office, "run", "set.yaml", "--config", "config.yaml", "--allow-unverified", "--run-id", "r2")
        assert golden(office, "show", "r2", "--report", "csv=shown.csv").returncode == 0
        assert "akta,scored,True" in (office / "shown.csv").read_text(encoding="utf-8")

    def test_its_importer_reads_a_file(self, office: Path) -> None:
        (office / "notes.txt").write_text("Berapa biayanya? | Rp50.000\n", encoding="utf-8")
        done = golden(office, "import", "notes.txt", "notes.yaml", "--format", "lines")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Rp50.000" in (office / "notes.yaml").read_text(encoding="utf-8")

    def test_its_warehouse_answers_golden_sql(self, office: Path) -> None:
        toml = '[[questions]]\nid = "n"\nquestion = "How many companies?"\ngolden_sql = "SELECT count(*) FROM companies"\n'
        (office / "questions.toml").write_text(toml, encoding="utf-8")
        done = golden(office, "check", "questions.toml", "--config", "config.yaml")
        assert "all can score" in done.stdout, done.stdout + done.stderr


def test_a_kind_of_target_that_nobody_offers_is_refused_with_those_there_are(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("rag_quality: {judge_url: off, targets: {public: {kind: ofice}}}", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"'ofice' should be 'orchestrate', .* or 'schema-only'"):
        load_settings(path, environ={})


def test_a_scorer_that_nobody_offers_is_refused_before_anybody_is_asked(fresh: Store) -> None:
    golden_set = GoldenSet.of([{"id": "a", "question": "?", "expected": {"must_include": ["x"]}}])
    with pytest.raises(SettingsError, match="golden_scorers: no installed package offers a scorer 'brevty'"):
        evaluate(golden_set, Settings(judge_url="off", golden_scorers=("brevty",)), fresh, target=str)
    assert fresh.runs() == ()


def test_ours_stand_in_the_table_and_are_in_every_run() -> None:
    assert [*SCORERS][:4] == ["data", "facts", "judge", "mishaps"]
    assert scorers_of(["facts"]) == scorers_of()


def test_a_report_that_nobody_offers_is_refused_before_anybody_is_asked(office: Path) -> None:
    done = golden(office, "run", "set.yaml", "--allow-unverified", "--report", "xls=report.xls")
    assert done.returncode == 2
    assert "there is no report 'xls'; choose html, json, junit, markdown, csv" in done.stderr


def test_what_cannot_be_loaded_is_told_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("broken", "goldenlib_nowhere:Thing", GROUPS["report"])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: (broken,))
    with pytest.raises(
        SettingsError, match=r"the report 'broken' of a package \(goldenlib_nowhere:Thing\) cannot be loaded: ModuleNotFound"
    ):
        Choices("report", {})["broken"]


def test_ours_cannot_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = EntryPoint("html", "builtins:str", GROUPS["report"])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: (theirs,))
    assert Choices("report", {"html": len})["html"] is len
    assert [*Choices("report", {"html": len})] == ["html"]


# --- a set and a target made in Python ---


def test_a_set_of_items_made_in_python_gives_each_by_its_id() -> None:
    item = Item.model_validate({"id": "b", "question": "?", "expected": {"rubric": "x"}})
    golden_set = GoldenSet.of([{"id": "a", "question": "Apa?", "expected": {"must_include": ["x"]}}, item], name="dua")
    assert (golden_set.name, golden_set.all_ids, golden_set["b"]) == ("dua", ("a", "b"), item)
    with pytest.raises(KeyError):
        golden_set["c"]


def test_everything_wrong_with_items_made_in_python_is_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        GoldenSet.of([{"id": "a"}, {"id": "b", "question": "?", "expected": {"rubrik": "x"}}])
    assert len(caught.value.problems) >= 2
    assert {problem.path for problem in caught.value.problems} == {"item 1", "item 2"}
    twice = {"id": "a", "question": "?", "expected": {"rubric": "x"}}
    with pytest.raises(InputError, match="item 'a': 2 items have this id"):
        GoldenSet.of([twice, twice])
    with pytest.raises(InputError, match="holds no items"):
        GoldenSet.of([])


def test_what_is_no_target_is_refused(fresh: Store) -> None:
    golden_set = GoldenSet.of([{"id": "a", "question": "?", "expected": {"must_include": ["x"]}}])
    with pytest.raises(TargetError, match="target is int; give a function from question to answer"):
        evaluate(golden_set, Settings(judge_url="off"), fresh, target=3)  # type: ignore[arg-type]
    assert issubclass(TargetError, GoldenError)


def test_a_run_of_an_own_target_is_no_demo_and_names_it(fresh: Store) -> None:
    def my_bot(question: str) -> str:
        return f"x {question}"

    golden_set = GoldenSet.of([{"id": "a", "question": "?", "expected": {"must_include": ["x"]}}])
    report = evaluate(golden_set, Settings(judge_url="off"), fresh, target=my_bot)
    assert report.results[0].passed
    assert not report.run.is_demo
    assert (report.run.target[:9], report.run.target[-6:]) == ("function:", "my_bot")


class Polite(Scorer):
    """A scorer of one's own that lets everything pass."""

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        return [Score("polite", None, True, "polite enough")]


class Fussy(Scorer):
    """A scorer of one's own that fails everything."""

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        return [Score("fussy", None, False, "too many words")]


class Silent(Scorer):
    """A scorer of one's own that cannot tell."""

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        return [Score("silent", None, None, "no idea")]


@pytest.mark.parametrize(("scorer", "status", "passed"), [(Polite, "scored", True), (Fussy, "scored", False), (Silent, "error", None)])
def test_an_own_scorer_decides_beside_the_contract(fresh: Store, scorer: type[Scorer], status: str, passed: bool | None) -> None:
    golden_set = GoldenSet.of([{"id": "a", "question": "?", "expected": {"must_include": ["x"]}}])
    (result,) = evaluate(golden_set, Settings(judge_url="off"), fresh, target=lambda _question: "x", scorers=[scorer]).results
    assert (str(result.status), result.passed) == (status, passed)


def test_an_own_scorer_does_not_stand_in_for_the_contract(fresh: Store) -> None:
    """An item of a rubric alone is skipped without a judge (contract 4.6): that its answer is polite makes it no pass."""
    golden_set = GoldenSet.of([{"id": "a", "question": "?", "expected": {"rubric": "Names the fee."}}])
    report = evaluate(golden_set, Settings(judge_url="off"), fresh, target=lambda _question: "x", scorers=[Polite])
    assert str(report.results[0].status) == "skipped"
    assert report.run.scorer_version.endswith("+Polite")


class Broken:
    """A target of one's own that raises, or gives what is no answer."""

    def __init__(self, gives: Any) -> None:
        self.gives = gives

    async def __aenter__(self) -> Broken:
        return self

    async def __aexit__(self, *error: object) -> None:
        return None

    async def ask(self, item: Item, session_id: str, on_text: object = None) -> Any:
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives


@pytest.mark.parametrize(
    ("gives", "told"),
    [
        (KeyError("x"), "raised KeyError: 'x'"),
        (None, "gave NoneType, which is no answer"),
        ("WNI", "gave str, which is no answer"),
        (Answer(None), "gave NoneType, which is no answer"),  # type: ignore[arg-type]
        (Answer(" "), "the answer is empty"),
    ],
)
def test_what_goes_wrong_in_an_own_target_is_the_items_error_and_ends_no_run(fresh: Store, gives: Any, told: str) -> None:
    golden_set = GoldenSet.of([{"id": name, "question": "?", "verified": True, "expected": {"must_include": ["x"]}} for name in "ab"])
    report = evaluate(golden_set, Settings(judge_url="off"), fresh, target=Broken(gives))
    assert [(str(result.status), told in result.reason, result.fault) for result in report.results] == [("error", True, False)] * 2


class Raising(Scorer):
    """A scorer of one's own that raises."""

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        raise ZeroDivisionError("division by zero")


class Garbage(Scorer):
    """A scorer of one's own that gives what is no score."""

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        return [True]  # type: ignore[list-item]


class Nothing(Scorer):
    """A scorer of one's own that forgot its return."""

    async def score(self, item: Item, answer: Answer, asking: Asking) -> Sequence[Score]:
        return None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("scorer", "told"),
    [
        (Raising, "the scorer Raising raised ZeroDivisionError: division by zero"),
        (Garbage, "the scorer Garbage gave something else than scores"),
        (Nothing, "the scorer Nothing raised TypeError"),
    ],
)
def test_what_goes_wrong_in_an_own_scorer_is_the_items_error(fresh: Store, scorer: type[Scorer], told: str) -> None:
    golden_set = GoldenSet.of([{"id": "a", "question": "?", "expected": {"must_include": ["x"]}}])
    (result,) = evaluate(golden_set, Settings(judge_url="off"), fresh, target=lambda _question: "x", scorers=[scorer]).results
    assert (str(result.status), result.passed, result.fault) == ("error", None, False)
    assert told in result.reason


@pytest.mark.parametrize("gives", [None, ZeroDivisionError("x")])
def test_an_own_report_that_cannot_be_made_is_told_and_the_others_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gives: Exception | None
) -> None:
    def broken(_report: object) -> Any:
        if gives is not None:
            raise gives

    monkeypatch.setattr(Choices, "__getitem__", lambda self, name: self.ours.get(name, broken))
    files = ReportFiles(json=tmp_path / "a.json", others=(("mine", tmp_path / "a.mine"),))
    with pytest.raises(ReportError, match=r"the report 'mine' (cannot be made: ZeroDivisionError: x|gave NoneType, which is no text)"):
        files.write(a_report(a_result("a")))
    assert (tmp_path / "a.json").exists()
