"""The commands, as processes: exit codes, the last line, and what is written where."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from xml.etree import ElementTree

import pytest

from goldenlib.files.shipped import shipped
from goldenlib.storage import Store
from tests.storage.scenes import play

EXAMPLE = str(shipped("golden", "example.yaml"))
GOLDEN = [sys.executable, "-m", "goldenlib"]
ON_PURPOSE = "rag_quality:\n  chatbot_url: demo\n  judge_url: demo\n"  # a configuration that asks the demo, and says so
ONE_ITEM = """\
items:
  - id: a
    question: Apa itu apostille?
    expected:
      must_include: ["pengesahan tanda tangan pejabat"]
    verified: true
"""


def golden(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GOLDEN_")}
    return subprocess.run([*GOLDEN, *words], cwd=folder, env=clean | environment, capture_output=True, text=True, timeout=120)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout.rstrip("\n").rsplit("\n", 1)[-1]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the example set was run on the demo, healthy (run-1) and degraded (run-2), with all reports."""
    folder = tmp_path_factory.mktemp("played")
    for run_id, words, code in (("run-1", [], 0), ("run-2", ["--demo-degraded"], 1)):
        reports = [word for kind in ("json", "html", "junit", "markdown") for word in (f"--{kind}", f"{run_id}.{kind}")]
        done = golden(folder, "run", EXAMPLE, "--allow-unverified", "--run-id", run_id, *words, *reports)
        assert done.returncode == code, done.stderr
        (folder / f"{run_id}.out").write_text(done.stdout, encoding="utf-8")
    return folder


def test_a_passing_run_ends_with_the_decision(played: Path) -> None:
    assert re.match(r"PASS: 31 of 34 ", (played / "run-1.out").read_text().rstrip().rsplit("\n", 1)[-1])


def test_a_blocked_run_ends_with_the_decision_and_all_reasons(played: Path) -> None:
    assert re.match(r"BLOCK: pass rate [\d.]+ % \(\d+/34\) < 80 %", (played / "run-2.out").read_text().rstrip().rsplit("\n", 1)[-1])


def test_regressions_of_unverified_items_are_printed_and_do_not_gate(played: Path) -> None:
    report = json.loads((played / "run-2.json").read_text())
    assert len(report["regressions"]) >= 5
    assert not any(regression["gates"] for regression in report["regressions"])
    assert "apostille-biaya" in (played / "run-2.out").read_text()


def test_the_json_report_has_the_shape_of_the_contract(played: Path) -> None:
    report = json.loads((played / "run-1.json").read_text())
    assert {
        "run_id",
        "run_at",
        "set",
        "series",
        "decision",
        "exit_code",
        "reasons",
        "totals",
        "unverified",
        "regressions",
        "results",
    } <= set(report)
    assert {"name", "digest", "items"} <= set(report["set"])
    assert {"items", "driven", "scored", "passed", "failed", "errors", "skipped", "pass_rate"} <= set(report["totals"])
    assert {
        "item_id", "surface", "domain", "verified", "status", "judge_status", "passed", "score", "reason", "missing", "forbidden", "scores",
        "answer", "seconds",
    } <= set(report["results"][0])  # fmt: skip


def test_every_report_says_that_it_is_no_quality_verdict(played: Path) -> None:
    for name in ("run-1.out", "run-1.html", "run-1.markdown", "run-1.json"):
        assert "ot a quality verdict" in (played / name).read_text(), name


def test_junit_tells_unverified_items_apart_from_failures(played: Path) -> None:
    suite = ElementTree.parse(played / "run-2.junit").getroot()
    failures = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert failures == ["gate"]


def test_the_gate_answers_from_the_stored_decision(played: Path) -> None:
    for run_id, code in (("run-1", 0), ("run-2", 1)):
        done = golden(played, "gate", run_id)
        assert done.returncode == code
        assert last_line(done) == (played / f"{run_id}.out").read_text().rstrip().rsplit("\n", 1)[-1]


def test_the_gate_of_a_missing_run_is_an_error(played: Path) -> None:
    done = golden(played, "gate", "run-9")
    assert done.returncode == 3
    assert last_line(done).startswith("ERROR: ")
    assert "run-9" in last_line(done)


def test_the_gate_without_a_store_is_an_error_and_makes_none(tmp_path: Path) -> None:
    assert golden(tmp_path, "gate", "run-1").returncode == 3
    assert list(tmp_path.iterdir()) == []


def test_the_gate_takes_latest_only_by_that_name(played: Path) -> None:
    assert golden(played, "gate", "latest").returncode == 1
    assert golden(played, "gate").returncode == 2


def test_show_shows_a_stored_run_as_it_was_decided(played: Path) -> None:
    done = golden(played, "show", "run-2", "--json", "again.json")
    assert last_line(done) == (played / "run-2.out").read_text().rstrip().rsplit("\n", 1)[-1]
    assert json.loads((played / "again.json").read_text()) == json.loads((played / "run-2.json").read_text())


def test_runs_lists_the_newest_first(played: Path) -> None:
    output = golden(played, "runs").stdout
    assert output.index("run-2") < output.index("run-1")
    assert "older ones" not in output
    assert golden(played, "runs", "--limit", "1").stdout.endswith("... and older ones; --limit shows more than 1\n")


def test_a_run_without_an_id_says_the_one_that_was_made_before_anything_is_asked(tmp_path: Path) -> None:  # field/ci-owner E
    (tmp_path / "set.yaml").write_text(ONE_ITEM, encoding="utf-8")
    first, *_ = golden(tmp_path, "run", "set.yaml", "--json", "r.json").stdout.splitlines()
    assert first == f"run {json.loads((tmp_path / 'r.json').read_text())['run_id']}"
    assert "run r1\n" not in golden(tmp_path, "run", "set.yaml", "--run-id", "r1").stdout


def test_runs_and_show_say_how_far_a_run_came_that_did_not_finish(tmp_path: Path) -> None:
    """fd-021: it said 4 of 4."""
    with Store.open(str(tmp_path / "golden.db")) as store:
        play(store, "killed", {f"i{number}": "pass" for number in range(4)}, hour=0, finish=False, set_size=9, selected=9)
        play(store, "part", {"i1": "pass"}, hour=1, finish=False, set_size=9, selected=2, selection="select i*")
        play(store, "old-part", {"i1": "pass"}, hour=2, finish=False, set_size=9, selection="select i*")
    told = golden(tmp_path, "runs").stdout
    for words in ("unfinished, 4 of 9", "unfinished, 1 of 2", "unfinished, 1 so far"):
        assert words in told
    assert "4 of 4" not in told
    assert "run killed did not finish, so there is no report (unfinished, 4 of 9)" in golden(tmp_path, "show", "killed").stderr


def test_a_regression_is_accepted_with_name_and_reason(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "golden.db")) as store:
        play(store, "r1", {"a": "pass", "b": "pass"}, hour=0)
        play(store, "r2", {"a": "fail", "b": "pass"}, hour=1)
    words = ["accept", "r2", "a", "--by", "Ani", "--reason"]
    refused = golden(tmp_path, *words, " ")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "the word after '--reason' is empty" in refused.stderr
    assert golden(tmp_path, "accept", "r9", "a", "--by", "Ani", "--reason", "known").returncode == 3
    done = golden(tmp_path, *words, "the fee is being changed")
    assert done.returncode == 0
    assert last_line(done) == "accepted: Ani lets 'a' fail, as in run r2, until it next passes: the fee is being changed"
    assert "a: failing, which Ani let stand in r2 on " in golden(tmp_path, "show", "r2").stdout


def test_items_that_the_target_cannot_be_asked_are_wrong_use(tmp_path: Path) -> None:  # fd-013
    (tmp_path / "set.yaml").write_text(ONE_ITEM + "  - {id: b, turns: [satu, dua], expected: {must_include: [x]}}\n", encoding="utf-8")
    done = golden(tmp_path, "run", "set.yaml", "--allow-unverified")
    assert done.returncode == 2
    assert "1 item of several turns cannot be asked of a target that takes one question: b; choose the others with --select" in done.stderr
    assert golden(tmp_path, "run", "set.yaml", "--select", "a").returncode == 0


def test_rescore_says_what_an_edit_would_change_and_drives_nothing(played: Path, tmp_path: Path) -> None:
    edited = tmp_path / "edited.yaml"
    edited.write_text(Path(EXAMPLE).read_text().replace('"Rp150.000"', '"Rp100.000"'), encoding="utf-8")
    done = golden(
        played, "rescore", "run-1", "--set", str(edited), "--json", str(tmp_path / "out.json"), GOLDEN_CHATBOT_URL="http://127.0.0.1:9"
    )
    assert done.returncode == 0
    assert json.loads((tmp_path / "out.json").read_text())["flipped"] == ["apostille-biaya"]


def test_rescoring_under_the_same_contracts_changes_nothing(played: Path) -> None:
    assert "0 of 34 stored answers would get another verdict" in golden(played, "rescore", "run-1", "--set", EXAMPLE).stdout


def test_validate_tells_every_problem_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(ONE_ITEM.replace("must_include", "must_inlcude").replace("verified: true", "verified: ya"), encoding="utf-8")
    done = golden(tmp_path, "validate", "bad.yaml")
    assert done.returncode == 2
    assert "bad.yaml:5:7: item 'a': unknown key 'must_inlcude'" in done.stderr
    assert "did you mean 'must_include'?" in done.stderr
    assert "bad.yaml:6:" in done.stderr


def test_validate_of_a_good_set_is_zero(tmp_path: Path) -> None:
    assert golden(tmp_path, "validate", EXAMPLE).returncode == 0


def test_schema_is_json_schema(tmp_path: Path) -> None:
    assert "items" in json.loads(golden(tmp_path, "schema").stdout)["properties"]


def test_an_unverified_set_blocks_unless_that_is_acknowledged(tmp_path: Path) -> None:
    done = golden(tmp_path, "run", EXAMPLE, "--select", "apostille-biaya")
    assert done.returncode == 1
    assert "not verified by an expert" in last_line(done)


def test_a_partial_run_says_so_in_its_decision(tmp_path: Path) -> None:
    done = golden(tmp_path, "run", EXAMPLE, "--select", "apostille-*", "--allow-unverified")
    assert last_line(done).startswith("PASS (partial run: select apostille-*)")


def test_a_selection_that_matches_nothing_is_wrong_use(tmp_path: Path) -> None:
    assert golden(tmp_path, "run", EXAMPLE, "--select", "nichts", "--allow-unverified").returncode == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--config", "missing.yaml"], "missing.yaml"),
        (["--html", "nowhere/report.html"], "nowhere"),
        (["--resume"], "--run-id"),
        (["--concurrency", "0"], "golden_concurrency"),
        (["--judge", "ftp://judge"], "judge_url"),
        (["--label", "production"], "demo"),
        (["--run-id", "a b"], "run id"),
        (["--store", "postgresql://golden:hunter2@127.0.0.1/golden"], "GOLDEN_STORE"),
    ],
)
def test_wrong_use_stops_before_anything_is_driven(words: list[str], said: str, tmp_path: Path) -> None:
    done = golden(tmp_path, "run", EXAMPLE, "--allow-unverified", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "hunter2" not in done.stderr
    assert not (tmp_path / "golden.db").exists() or b"pt-syarat" not in (tmp_path / "golden.db").read_bytes()


def test_a_limit_that_is_not_a_number_stops_before_anything_is_driven(tmp_path: Path) -> None:
    done = golden(tmp_path, "run", EXAMPLE, "--allow-unverified", GOLDEN_MIN_PASS_RATE="nan")
    assert done.returncode == 2
    assert "golden_min_pass_rate" in done.stderr


def test_nothing_scored_is_an_error_and_still_reported(tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text(ONE_ITEM, encoding="utf-8")
    environment = {"GOLDEN_CHATBOT_URL": "http://127.0.0.1:9", "GOLDEN_CHATBOT_RETRIES": "0", "GOLDEN_JUDGE_URL": "demo"}
    done = golden(tmp_path, "run", "set.yaml", "--json", "report.json", **environment)
    assert done.returncode == 3
    assert last_line(done).startswith("ERROR: nothing was scored")
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["decision"], report["totals"]["pass_rate"]) == ("ERROR", None)


def test_an_unusable_store_is_an_error_and_still_reported(tmp_path: Path) -> None:
    (tmp_path / "golden.db").write_text("this is no database, and long enough to be looked at" * 50, encoding="utf-8")
    done = golden(tmp_path, "run", EXAMPLE, "--allow-unverified", "--json", "report.json")
    assert done.returncode == 3
    assert last_line(done).startswith("ERROR: ")
    assert json.loads((tmp_path / "report.json").read_text())["exit_code"] == 3


def test_a_run_with_the_judge_off_says_that_nothing_was_judged(tmp_path: Path) -> None:
    done = golden(
        tmp_path, "run", EXAMPLE, "--allow-unverified", "--judge", "off", "--html", "r.html", "--markdown", "m.md", "--json", "r.json"
    )
    assert "nothing was judged" in last_line(done)
    for name in ("r.html", "m.md", "r.json"):
        assert "othing was judged" in (tmp_path / name).read_text(), name


@pytest.mark.notebook
def test_an_interrupted_notebook_run_says_so_in_a_line(tmp_path: Path) -> None:
    """field/ci-owner E: a traceback about sockets stood above it."""
    with subprocess.Popen(
        [*GOLDEN, "demo", "serve", "--port", "0", "--judge-port", "0", "--delay", "0.3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            urls = [re.findall(r"http://\S+", server.stdout.readline())[0] for _ in range(2)]
            environment = os.environ | {"GOLDEN_CHATBOT_URL": urls[0], "GOLDEN_JUDGE_URL": urls[1], "GOLDEN_JUDGE_MODEL": "demo"}
            words = ["run", EXAMPLE, "--allow-unverified", "--run-id", "r1", "--concurrency", "1", "--notebook", "out.ipynb"]
            process = subprocess.Popen([*GOLDEN, *words], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
            deadline = time.monotonic() + 60
            while not _scored(tmp_path) and time.monotonic() < deadline:
                time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            told = process.communicate(timeout=60)[1]
        finally:
            server.terminate()  # SIGINT is ignored by what a script starts in the background
    assert process.returncode == 130
    assert told.splitlines() == ["interrupted; what was scored is kept, go on with the same command and --run-id r1 --resume"]


def _scored(folder: Path) -> int:
    if not (folder / "golden.db").exists():
        return 0
    with Store.open(str(folder / "golden.db")) as store:
        return store.runs()[0].scored if store.runs() else 0


def test_the_alias_of_the_seeds_runs_the_gate(tmp_path: Path) -> None:
    (tmp_path / "observatory.yaml").write_text(f"server: {{port: 1}}\n{ON_PURPOSE}  golden_min_pass_rate: 0.5\n", encoding="utf-8")
    alias = [sys.executable, "-c", "from goldenlib.cli import goldeneval; goldeneval()"]
    words = ["-set", EXAMPLE, "-config", "observatory.yaml"]
    blocked = subprocess.run([*alias, *words], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    passed = subprocess.run([*alias, *words, "-allow-unverified"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (blocked.returncode, passed.returncode) == (1, 0)


@pytest.mark.parametrize(
    "command",
    [["run"], ["gate"], ["show"], ["runs"], ["rescore"], ["validate"], ["lint"], ["schema"], ["import"], ["export"], ["demo", "serve"]],
)
def test_every_command_explains_itself(command: list[str], tmp_path: Path) -> None:
    done = golden(tmp_path, *command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_help_loads_none_of_what_runs_need(tmp_path: Path) -> None:
    heavy = ("aiohttp", "sqlalchemy", "papermill", "jinja2")
    code = f"import sys; import goldenlib.cli, goldenlib.files.loading; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "[]"


def test_lint_of_the_example_set_finds_no_errors(tmp_path: Path) -> None:
    done = golden(tmp_path, "lint", EXAMPLE, "--json", "--language", "en")
    assert done.returncode == 0
    findings = json.loads(done.stdout)["findings"]
    assert set(findings[0]) == {"item_id", "code", "severity", "field", "phrase", "message", "evidence", "suggestion"}
    assert not [finding for finding in findings if finding["severity"] == "error"]


def test_lint_fails_on_an_item_that_can_never_pass(tmp_path: Path) -> None:
    contradiction = ONE_ITEM.replace("    verified", "      must_not_include: [tanda tangan pejabat]\n    verified")
    (tmp_path / "set.yaml").write_text(contradiction, encoding="utf-8")
    done = golden(tmp_path, "lint", "set.yaml")
    assert done.returncode == 1
    assert "forbidden-in-required" in done.stdout


def test_a_set_goes_to_a_spreadsheet_and_back(tmp_path: Path) -> None:
    assert golden(tmp_path, "export", EXAMPLE, "set.xlsx").returncode == 0
    assert golden(tmp_path, "import", "set.xlsx", "back.yaml").returncode == 0
    digests = [golden(tmp_path, "validate", path).stdout.split("digest ")[1] for path in (EXAMPLE, "back.yaml")]
    assert digests[0] == digests[1]


def test_a_column_that_means_nothing_known_is_refused_and_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text("Pertanyaan,Rahasia\nApa itu apostille?,Pengesahan tanda tangan\n", encoding="utf-8")
    assert golden(tmp_path, "import", "set.csv", "a.yaml").returncode == 2
    assert golden(tmp_path, "import", "set.csv", "a.yaml", "--column", "Rahasia=answer").returncode == 0


@pytest.mark.parametrize("path", ["golden.db", "set.yaml", "golden.yaml", "report.html"])
def test_a_report_takes_the_place_of_nothing_that_the_run_uses(path: str, tmp_path: Path) -> None:
    (tmp_path / "set.yaml").write_text(ONE_ITEM, encoding="utf-8")
    (tmp_path / "golden.yaml").write_text(f"{ON_PURPOSE}  golden_min_pass_rate: 0.5\n", encoding="utf-8")
    done = golden(tmp_path, "run", "set.yaml", "--config", "golden.yaml", "--html", "report.html", "--json", path)
    assert done.returncode == 2
    assert "uses already" in done.stderr
    assert (tmp_path / "set.yaml").read_text(encoding="utf-8") == ONE_ITEM


def test_the_gate_refuses_the_decision_of_an_earlier_attempt(played: Path) -> None:
    """fd-016: a job that was tried again got the PASS of the attempt before."""
    from goldenlib.storage import Store

    with Store.open(str(played / "golden.db")) as store:
        began = store.run("run-1").run_at
    for earlier in (began - timedelta(seconds=2), began):
        for text in (earlier.isoformat(), earlier.astimezone(timezone(timedelta(hours=7))).isoformat(), f"{earlier.timestamp():.6f}"):
            done = golden(played, "gate", "run-1", "--started-after", text)
            assert (done.returncode, last_line(done)[:5]) == (0, "PASS:"), text
    for later in (began + timedelta(seconds=2), began + timedelta(days=400)):
        for text in (later.isoformat(), f"{later:%Y-%m-%dT%H:%M:%S}Z", f"{later.timestamp():.0f}"):
            done = golden(played, "gate", "run-1", "--started-after", text)
            assert done.returncode == 3, text
            assert last_line(done).startswith("ERROR: run run-1 began at ")
            assert "PASS" not in done.stdout


@pytest.mark.parametrize(
    "text", ["2026-11-29T08:14:00", "2026-11-29", "20261129", "1764403200000", "yesterday", "0", "-1764403200", "1e9", "١٧٦٤٤٠٣٢٠٠"]
)
def test_a_time_that_could_be_meant_otherwise_is_refused(text: str, played: Path) -> None:
    done = golden(played, "gate", "run-1", f"--started-after={text}")
    assert done.returncode == 2
    assert "--started-after" in done.stderr


def test_a_resumed_run_began_when_its_first_attempt_did(tmp_path: Path) -> None:
    words = ["run", EXAMPLE, "--select", "apostille-biaya", "--allow-unverified", "--run-id", "r1"]
    assert golden(tmp_path, *words).returncode == 0
    between = f"{datetime.now(UTC).isoformat()}"
    assert golden(tmp_path, *words, "--resume").returncode == 0
    assert golden(tmp_path, "gate", "r1").returncode == 0
    assert golden(tmp_path, "gate", "r1", "--started-after", between).returncode == 3  # its answers are from before


@pytest.mark.notebook
def test_a_notebook_run_imports_nothing_of_the_working_folder(tmp_path: Path) -> None:
    """fd-075: modules of somebody else ran in the kernel, which holds the tokens."""
    for name in ("json", "pydantic", "goldenlib", "ipykernel"):
        (tmp_path / f"{name}.py").write_text(
            f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r})\nraise SystemExit(9)\n", encoding="utf-8"
        )
    words = ["run", EXAMPLE, "--allow-unverified", "--judge", "off", "--notebook", "out.ipynb"]
    golden = Path(sys.executable).with_name("golden")  # `python -m` would put the folder first itself
    process = subprocess.run([golden, *words], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert not (tmp_path / "ran").exists()
    assert process.returncode in (0, 1), process.stderr
