from __future__ import annotations

import pytest

from goldenlib.files.suggesting import did_you_mean

KNOWN = ["must_include", "must_not_include", "rubric"]


@pytest.mark.parametrize("name", ["must_inlcude", "mustinclude", "must-include", "Must Include", "MUST_INCLUDE", " must_include"])
def test_a_misspelt_name_is_recognised(name: str) -> None:
    assert did_you_mean(name, KNOWN) == "must_include"


@pytest.mark.parametrize("name", ["", "colour", "question", "r"])
def test_another_word_is_left_alone(name: str) -> None:
    assert did_you_mean(name, KNOWN) is None


def test_the_known_name_is_given_as_it_is_spelt() -> None:
    assert did_you_mean("golden_store", ["GOLDEN-Store"]) == "GOLDEN-Store"


def test_the_cutoff_decides_how_alike_is_alike() -> None:
    assert did_you_mean("rubrik", KNOWN, 0.8) == "rubric"
    assert did_you_mean("rubrik", KNOWN, 0.9) is None
