"""docs/gold-checks.md: a section for every code, whose examples are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from goldenlib.files.loading import load_set
from goldenlib.gold import CODES, GoldFinding, check_golds
from goldenlib.warehouse import Warehouse
from tests.gold.conftest import PAGE
from tests.gold.golds import TODAY

SECTIONS = dict(re.findall(r"^## ([a-z-]+)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
WITHOUT_EXAMPLE = {"check-undecided"}
WITH_EXAMPLES = [code for code in CODES if code not in WITHOUT_EXAMPLE]


def check_example(code: str, number: int, folder: Path, warehouse: Warehouse) -> tuple[GoldFinding, ...]:
    """What is found in the bad (0) or the good (1) example of a section."""
    examples = re.findall(r"^```toml\n(.*?)^```$", SECTIONS[code], re.DOTALL | re.MULTILINE)
    assert len(examples) == 2
    path = folder / "questions.toml"
    path.write_text(examples[number], encoding="utf-8")
    return check_golds(load_set(path), warehouse, today=TODAY).findings


def test_there_is_a_section_for_every_code_and_no_other() -> None:
    assert list(SECTIONS) == list(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_section_says_the_severity_of_its_code(code: str) -> None:
    assert str(CODES[code]) in SECTIONS[code].split("—")[0]


@pytest.mark.parametrize("code", WITH_EXAMPLES)
def test_the_bad_example_really_is_one(code: str, tmp_path: Path, warehouse: Warehouse) -> None:
    findings = check_example(code, 0, tmp_path, warehouse)
    assert {finding.code for finding in findings} - {"check-missing"} <= {code}
    assert code in {finding.code for finding in findings}


@pytest.mark.parametrize("code", WITH_EXAMPLES)
def test_the_good_example_is_clean(code: str, tmp_path: Path, warehouse: Warehouse) -> None:
    assert check_example(code, 1, tmp_path, warehouse) == ()
