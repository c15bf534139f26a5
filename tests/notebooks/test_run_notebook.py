"""The run notebook, executed by papermill in a real kernel, and the checks of its parameters."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from goldenlib.errors import SettingsError
from goldenlib.notebook import RunParameters, check_parameters
from goldenlib.shipped import shipped
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


def test_the_output_notebook_shows_results_as_plain_html(passed: Executed) -> None:
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


def namespace(*injected: str, **changes: Any) -> dict[str, Any]:
    """What the kernel holds after the parameters cell and papermill's injected one."""
    values = {name: field.get_default() for name, field in RunParameters.model_fields.items()}
    return values | changes | {"In": ["", "golden_set: str = ''", "# Parameters\n" + "\n".join(f"{name} = 0" for name in injected)]}


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


def golden_run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "goldenlib", "run", str(shipped("golden", "example.yaml")), "--notebook", "out.ipynb", *words]
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT | environment, capture_output=True, text=True, timeout=180)


def test_golden_run_returns_the_exit_code_of_the_decision_and_keeps_secrets_out_of_the_notebook(tmp_path: Path) -> None:
    done = golden_run(tmp_path, "--select", "apostille-*", "--json", "r.json", GOLDEN_JUDGE_API_KEY="sk-test-123")
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


def test_the_parameters_cell_has_the_parameters_that_are_checked() -> None:
    cells = json.loads(shipped("notebooks", RUN).read_text(encoding="utf-8"))["cells"]
    (source,) = ["".join(cell["source"]) for cell in cells if "parameters" in cell["metadata"].get("tags", [])]
    names: dict[str, Any] = {}
    exec(source, names)  # the notebook's own cell
    assert {name: names[name] for name in RunParameters.model_fields} == {
        name: field.get_default() for name, field in RunParameters.model_fields.items()
    }
    for line in source.splitlines():
        name = line.split(":")[0]
        assert line.endswith(f"# {RunParameters.model_fields[name].description}")
