"""The run notebook, executed by papermill in a real kernel, and the checks of its parameters."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldenlib.config.parameters import AuthorParameters, GoldParameters, InvestigateParameters, Parameters
from goldenlib.errors import SettingsError
from goldenlib.files.shipped import shipped
from goldenlib.notebook import RunParameters, check_parameters
from tests.notebooks.executing import ENVIRONMENT, papermill

NOTEBOOKS = sorted(shipped("notebooks").glob("*.ipynb"))
RUN = "run.ipynb"


def outputs(folder: Path) -> str:
    cells = json.loads((folder / "out.ipynb").read_text(encoding="utf-8"))["cells"]
    return json.dumps([cell.get("outputs", []) for cell in cells], ensure_ascii=False)


@pytest.fixture(scope="module")
def passed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("passed")
    return folder, papermill(RUN, folder, "-p", "allow_unverified", "true", "-p", "run_id", "nb-1", "-p", "html", "r.html", "--log-output")


@pytest.fixture(scope="module")
def blocked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("blocked")
    return folder, papermill(RUN, folder, "-p", "allow_unverified", "false", "-p", "select", "apostille-*")


Executed = tuple[Path, subprocess.CompletedProcess[str]]


def test_a_passing_run_leaves_papermill_green(passed: Executed) -> None:
    assert passed[1].returncode == 0, passed[1].stderr


def test_no_cell_of_a_passing_run_has_an_error(passed: Executed) -> None:
    cells = json.loads((passed[0] / "out.ipynb").read_text())["cells"]
    assert not [output for cell in cells for output in cell.get("outputs", []) if output["output_type"] == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_no_notebook_asks_a_shell(path: Path) -> None:  # case 174: a shell line that fails leaves its cell green
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    lines = [line for cell in cells if cell["cell_type"] == "code" for line in cell["source"]]
    assert not [line for line in lines if line.lstrip().startswith(("!", "%%", "%sx", "%system"))]


def test_the_output_notebook_shows_results_as_plain_html(passed: Executed) -> None:  # case 182
    shown = outputs(passed[0])
    assert "text/html" in shown
    assert "apostille-biaya" in shown
    assert "VBox(" not in shown


def test_the_report_file_is_written(passed: Executed) -> None:
    assert "<html" in (passed[0] / "r.html").read_text()


def test_progress_is_visible_with_log_output(passed: Executed) -> None:
    assert "34" in passed[1].stderr
    assert "36" in passed[1].stderr


def test_a_blocked_run_fails_papermill_with_the_reasons_last(blocked: Executed) -> None:
    assert blocked[1].returncode == 1
    assert blocked[1].stderr.strip().rsplit("\n", 1)[-1].startswith("GateFailed: BLOCK (partial run: select apostille-*)")


def test_false_as_text_does_not_acknowledge_unverified_items(blocked: Executed) -> None:
    assert "not verified by an expert" in blocked[1].stderr


def test_the_output_notebook_is_complete_up_to_the_gate(blocked: Executed) -> None:
    cells = json.loads((blocked[0] / "out.ipynb").read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in code)
    assert [cell["id"] for cell in code if any(output["output_type"] == "error" for output in cell["outputs"])] == ["gate"]


def test_a_misspelt_parameter_stops_before_anything_is_driven(tmp_path: Path) -> None:
    done = papermill(RUN, tmp_path, "-p", "golden_min_passrate", "0.95")
    assert done.returncode == 1
    assert "unknown parameter golden_min_passrate (did you mean golden_min_pass_rate?)" in done.stderr
    assert not (tmp_path / "golden.db").exists()


def namespace(
    *injected: str, kind: type[Parameters] = RunParameters, given: dict[str, Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """What the kernel holds after the parameters cell and papermill's injected one, which gives `given`, or what is in force."""
    values = {name: field.get_default() for name, field in kind.model_fields.items()} | changes
    said = given or {name: values.get(name, 0) for name in injected}
    return values | {
        "In": ["", "golden_set: str = ''", "# Parameters\n" + "\n".join(f"{name} = {value!r}" for name, value in said.items())]
    }


def test_a_known_parameter_raises_no_alarm() -> None:
    assert check_parameters(namespace("golden_min_pass_rate", golden_min_pass_rate=0.95)).golden_min_pass_rate == 0.95


@pytest.mark.parametrize(("given", "flag"), [("false", False), ("False", False), ("true", True), (True, True)])
def test_a_flag_reads_the_words_that_papermill_leaves_as_text(given: object, flag: bool) -> None:
    assert check_parameters(namespace("allow_unverified", allow_unverified=given)).allow_unverified is flag


@pytest.mark.parametrize("given", ["no", "0", 1, 0, "", None])
def test_a_flag_takes_nothing_that_could_be_misread(given: object) -> None:
    with pytest.raises(SettingsError, match="allow_unverified"):
        check_parameters(namespace("allow_unverified", allow_unverified=given))


def test_an_id_that_papermill_made_a_number_of_is_refused_with_the_way_out() -> None:
    with pytest.raises(SettingsError, match=r"run_id.*-r keeps it as text"):
        check_parameters(namespace("run_id", run_id=7))


def test_a_secret_is_refused_and_not_shown() -> None:
    with pytest.raises(SettingsError, match="secrets are no parameters") as caught:
        check_parameters(namespace("judge_api_key", judge_api_key="sk-test-123"))
    assert "sk-test-123" not in str(caught.value)


def test_all_problems_of_the_parameters_are_told_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        check_parameters(namespace("labell", "run_id", run_id=7, resume="ya"))
    assert len(str(caught.value).splitlines()) == 3


def test_a_limit_that_is_no_number_is_refused_before_anything_is_driven(tmp_path: Path) -> None:
    from goldenlib.notebook import RunNotebook

    with pytest.raises(SettingsError, match="golden_min_pass_rate"):
        RunNotebook(namespace("golden_min_pass_rate", golden_min_pass_rate=float("nan")))


DEMO = {"GOLDEN_CHATBOT_URL": "demo", "GOLDEN_JUDGE_URL": "demo"}


def golden_run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "goldenlib", "run", str(shipped("golden", "example.yaml")), "--notebook", "out.ipynb", *words]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT | environment, capture_output=True, text=True, timeout=180)


def test_golden_run_returns_the_exit_code_of_the_decision_and_keeps_secrets_out_of_the_notebook(tmp_path: Path) -> None:
    done = golden_run(tmp_path, "--select", "apostille-*", "--json", "r.json", GOLDEN_JUDGE_API_KEY="sk-test-123", **DEMO)
    assert done.returncode == 1, done.stderr
    assert done.stdout.strip().rsplit("\n", 1)[-1].startswith("BLOCK (partial run: select apostille-*)")
    written = (tmp_path / "out.ipynb").read_text() + (tmp_path / "r.json").read_text() + done.stdout + done.stderr
    assert "sk-test-123" not in written
    assert b"sk-test-123" not in (tmp_path / "golden.db").read_bytes()


def test_golden_run_says_when_the_notebook_came_to_no_decision(tmp_path: Path) -> None:
    (tmp_path / "golden.db").write_text("no database at all, but long enough to be read as one" * 40, encoding="utf-8")
    done = golden_run(tmp_path, "--allow-unverified")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_are_committed_clean(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
    text = path.read_text(encoding="utf-8")
    assert "/home/" not in text
    assert "/root/" not in text
    assert set(notebook["metadata"]) <= {"kernelspec", "language_info"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_wire_and_do_not_compute(path: Path) -> None:
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        source = "".join(cell["source"])
        assert "def " not in source
        assert not any(line.startswith(("!", "%")) for line in source.splitlines())
        assert len(source.splitlines()) <= (12 if "parameters" not in cell["metadata"].get("tags", []) else 25)


KINDS = {"run": RunParameters, "check_gold": GoldParameters, "investigate": InvestigateParameters, "author": AuthorParameters}


@pytest.mark.parametrize("name", KINDS)
def test_the_parameters_cell_has_the_parameters_that_are_checked(name: str) -> None:
    cells = json.loads(shipped("notebooks", f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    (source,) = ["".join(cell["source"]) for cell in cells if "parameters" in cell["metadata"].get("tags", [])]
    names: dict[str, Any] = {}
    exec(source, names)  # the notebook's own cell
    fields = KINDS[name].model_fields
    assert {name: names[name] for name in fields} == {name: field.get_default() for name, field in fields.items()}
    for line in source.splitlines():
        assert line.endswith(f"# {fields[line.split(':')[0]].description}")


def test_the_parameters_of_every_notebook_are_checked() -> None:
    assert {path.stem for path in NOTEBOOKS} == set(KINDS)
    for path in NOTEBOOKS:
        assert re.search(r"(check_parameters|RunNotebook)\(globals\(\)", path.read_text(encoding="utf-8"))


# --- what was given is what is in force ---


def test_a_value_that_was_given_and_is_not_in_force_stops() -> None:
    """fd-022, fd-023"""
    with pytest.raises(SettingsError) as caught:
        check_parameters(namespace(given={"golden_set": "other.yaml", "golden_min_scored_rate": 0.9, "run_id": "r1"}, run_id="r1"))
    first, second = str(caught.value).splitlines()
    assert first.startswith(
        "parameter golden_set was given as other.yaml and is now golden/example.yaml; the given parameters have to come"
    )
    assert second.startswith("parameter golden_min_scored_rate was given as 0.9 and is now None; ")


@pytest.mark.parametrize(("given", "now"), [(1, True), (1, 1.0), ("1", 1), (None, "r1"), ("r1", None), ("true", True)])
def test_a_value_in_force_is_the_very_one_that_was_given(given: object, now: object) -> None:
    with pytest.raises(SettingsError, match=r"parameter run_id was given as .* and is now "):
        check_parameters(namespace(given={"run_id": given}, run_id=now))


def test_an_overwritten_address_is_not_shown() -> None:
    with pytest.raises(SettingsError, match=r"golden_store was given as \(not shown\)") as caught:
        check_parameters(namespace(given={"golden_store": "postgresql://u:s3cr3t-pw@h/d"}))
    assert "s3cr3t" not in str(caught.value)


def test_the_latest_injected_cell_says_what_was_given() -> None:
    values = namespace(run_id="second")
    values["In"] = ["", "# Parameters\nrun_id = 'first'", "# Parameters\nrun_id = 'second'\n", "# Parameters of ours\n((", 5]
    assert check_parameters(values).run_id == "second"


def test_a_value_that_is_no_literal_is_not_compared() -> None:
    values = namespace(golden_min_pass_rate=float("inf"))
    values["In"] = ["# Parameters\ngolden_min_pass_rate = float('inf')\n"]
    assert check_parameters(values).golden_min_pass_rate == float("inf")


@pytest.mark.parametrize("kind", KINDS.values())
def test_unknown_names_and_secrets_are_refused_in_every_notebook(kind: type[Parameters]) -> None:
    """fd-082: investigating took any name and any value."""
    with pytest.raises(SettingsError, match="unknown parameter runid"):
        check_parameters(namespace("runid", kind=kind), kind)
    with pytest.raises(SettingsError, match="secrets are no parameters") as caught:
        check_parameters(namespace(kind=kind, given={"store_password": "s3cr3t"}), kind)
    assert "s3cr3t" not in str(caught.value)
    text = next(name for name, field in kind.model_fields.items() if field.annotation is str)
    for value in (7, 0.5, None, True):
        with pytest.raises(SettingsError, match=f"parameter {text}: {value} is of type"):
            check_parameters(namespace(kind=kind, **{text: value}), kind)


NEEDED = [(kind, name) for kind in KINDS.values() for name in kind.model_fields if name not in kind.may_be_empty]


@pytest.mark.parametrize(("kind", "name"), NEEDED)
def test_an_empty_parameter_is_refused(kind: type[Parameters], name: str) -> None:
    """fd-001: an unset variable of a pipeline arrives as an empty text."""
    for empty in ("", " "):
        with pytest.raises(SettingsError, match=rf"parameter {name}( is empty|: '\s*' is of type)"):
            check_parameters(namespace(kind=kind, **{name: empty}), kind)


def test_the_way_out_of_a_number_names_both_ways_of_giving_it() -> None:
    """fd-025: in a parameter file quotes do it, on the command line -r."""
    with pytest.raises(SettingsError, match="parameter run_id: 12 is of type int") as caught:
        check_parameters(namespace("run_id", run_id=12))
    assert "-r keeps it as text" in str(caught.value)
    assert "in a parameter file (-f, -y) quotes do: run_id: '...'" in str(caught.value)


def a_copy(folder: Path, name: str, change: Callable[[list[Any]], None]) -> None:
    """A copy of a shipped notebook in the folder, its cells changed."""
    notebook = json.loads(shipped("notebooks", name).read_text(encoding="utf-8"))
    change(notebook["cells"])
    (folder / name).write_text(json.dumps(notebook), encoding="utf-8")


def papermill_here(folder: Path, name: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "papermill", name, "out.ipynb", *words]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=180)


def an_assignment(cells: list[Any]) -> None:
    place = next(number for number, cell in enumerate(cells) if "parameters" in cell["metadata"].get("tags", []))
    again = {"cell_type": "code", "id": "again", "metadata": {}, "outputs": [], "execution_count": None}
    cells.insert(place + 1, again | {"source": 'golden_set = "golden/example.yaml"'})


def no_tag(cells: list[Any]) -> None:
    for cell in cells:
        cell["metadata"].pop("tags", None)


def a_misplaced_tag(cells: list[Any]) -> None:
    no_tag(cells)
    cells[0]["metadata"]["tags"] = ["parameters"]


@pytest.mark.notebook
@pytest.mark.parametrize(
    ("change", "words", "said"),
    [
        (an_assignment, ["-p", "golden_set", "other.yaml"], "parameter golden_set was given as other.yaml and is now golden/example.yaml"),
        (no_tag, ["-p", "golden_min_scored_rate", "0.9"], "golden_min_scored_rate was given as 0.9 and is now None"),
        (a_misplaced_tag, ["-y", "{golden_min_scored_rate: 0.9}"], "golden_min_scored_rate was given as 0.9 and is now None"),
    ],
)
def test_a_changed_copy_stops_before_anything_is_asked(
    change: Callable[[list[Any]], None], words: list[str], said: str, tmp_path: Path
) -> None:
    """fd-022, fd-023, in a real kernel."""
    a_copy(tmp_path, RUN, change)
    done = papermill_here(tmp_path, RUN, *words)
    assert done.returncode == 1
    assert said in done.stderr
    assert not (tmp_path / "golden.db").exists()


@pytest.mark.notebook
@pytest.mark.parametrize(
    ("name", "parameter", "variable"), [("investigate", "golden_store", "GOLDEN_STORE"), ("check_gold", "warehouse", "GOLDEN_WAREHOUSE")]
)
def test_a_password_is_no_parameter_of_any_notebook(name: str, parameter: str, variable: str, tmp_path: Path) -> None:
    """fd-082"""
    done = papermill(f"{name}.ipynb", tmp_path, "-r", parameter, "postgresql://u:s3cr3t-pw@127.0.0.1/db")
    assert done.returncode == 1
    assert f"{parameter} holds a password; set {variable} in the environment instead" in done.stderr
    assert "s3cr3t" not in done.stderr.split("SettingsError")[-1]


@pytest.mark.notebook
def test_what_a_log_shows_of_a_notebook_is_no_command(tmp_path: Path) -> None:
    """fd-076: papermill prints what the cells print, and the error that ends it."""
    phrases = {"must_include": ["::stop-commands::x ##vso[y]"]}
    item = {"id": "##[add-mask]BLOCK", "domain": "::error::d", "question": "Apa?", "expected": phrases, "verified": True}
    (tmp_path / "##[group]set.json").write_text(json.dumps({"items": [item]}), encoding="utf-8")
    (tmp_path / "c.yaml").write_text("rag_quality: {chatbot_url: demo, judge_url: demo, '##[x]key': 1}\n", encoding="utf-8")
    done = papermill(RUN, tmp_path, "-y", "{golden_set: '##[group]set.json', config: c.yaml}", "--log-output")
    own = "\n".join(line for line in (done.stdout + done.stderr).splitlines() if "golden_set" not in line)  # papermill's own lines
    assert done.returncode == 1
    assert "## [group]set: 1 item," in own
    assert "## [x]key" in own
    assert not re.search(r"##(vso)?\[|(?m:^\s*::)", own)
