"""The limit of a number: exact, and on the golden number's terms (contract 9.1, 9.4)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from goldenlib.matching import results_match
from goldenlib.matching.tolerances import MatchRule


def agree(answer: Any, golden: Any, tolerance: Any = 0.0005, absolute: Any = 0.005) -> bool:
    return bool(results_match([(answer,)], [(golden,)], False, tolerance, absolute))


@pytest.mark.parametrize(
    ("answer", "golden", "tolerance", "absolute"),
    [
        (0.125, 0.12, 0, 0.005),  # floats put 0.125 - 0.12 above 0.005
        (100.055, 100.0, 0.0005, 0.005),
        (12.506, 12, 0.0005, 0.5),
        (1.1, 1.0, 0.1, 0),
        (Decimal("0.3"), 0.1, 2, 0),
        (-1.1, -1.0, 0.1, 0),
        (0.005, 0, 0.0005, 0.005),
        (2**63 + 1, 2**63, 0, 1),
        (Decimal("12345678901234567890.05"), Decimal("12345678901234567890"), 0, Decimal("0.05")),
    ],
)
def test_a_number_on_the_limit_agrees_and_one_just_beyond_does_not(answer: Any, golden: Any, tolerance: Any, absolute: Any) -> None:
    assert agree(answer, golden, tolerance, absolute)
    beyond = Fraction(str(answer)) + Fraction(1 if answer > golden else -1, 10**12)
    assert not agree(beyond, golden, tolerance, absolute)


def test_the_tolerance_is_a_share_of_the_golden_number() -> None:
    assert agree(90.4, 100.0, 0.1, 0)
    assert not agree(100.0, 90.4, 0.1, 0)


@pytest.mark.parametrize(
    ("answer", "golden"), [(1e308, 1.0002e308), (-1e308, -1.0002e308), (10**5000, 10**5000 + 10**4996)], ids=["high", "low", "beyond"]
)
def test_numbers_at_the_end_of_the_floats_have_their_share(answer: Any, golden: Any) -> None:
    assert agree(answer, golden)
    assert not agree(answer, golden * 2 if isinstance(golden, int) else golden / 2)
    assert not agree(answer, -golden)


def test_a_share_that_overflows_allows_everything_finite() -> None:
    assert agree(-1e308, 1e308, 1e300, 0)
    assert not agree(float("inf"), 1e308, 1e300, 0)


def test_a_tolerance_above_one_is_complete_too() -> None:
    # 4 reaches from -6 to 14, 1 from -1.5 to 3.5: the first may take either answer, the second only 3.
    assert results_match([(3,), (13,)], [(4,), (1,)], False, 2.5, 0)
    assert not results_match([(13,), (13,)], [(4,), (1,)], False, 2.5, 0)


def test_zero_means_exact() -> None:
    assert agree(0.1, Decimal("0.1"), 0, 0)
    assert not agree(0.1 + 1e-17 + 1e-16, 0.1, 0, 0)


@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), Decimal("NaN"), "0.1", None, True])
@pytest.mark.parametrize("name", ["tolerance", "absolute"])
def test_a_limit_that_is_no_size_is_refused_with_the_way_out(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"{name} must be a finite number of 0 or more, not .*; give .* or 0 for none"):
        results_match([], [], **{name: value})


@pytest.mark.parametrize("value", [0, 0.5, Decimal("0.5"), Fraction(1, 2), np.float64(0.5)])
def test_a_limit_may_be_any_kind_of_number(value: Any) -> None:
    assert MatchRule.read(value, value).absolute in (0, Fraction(1, 2))


class TestLimitsPerColumn:
    """Contract 9.5a: a limit may be given for each golden column."""

    GOLDEN: ClassVar = [(2024, 100.0), (2025, 200.0)]

    @pytest.mark.parametrize(
        ("rows", "is_match"),
        [
            ([(2024, 100.4), (2025, 199.5)], True),
            ([(100.4, 2024), (199.5, 2025)], True),
            ([(2024.5, 100), (2025, 200)], False),
            ([(2024, 101), (2025, 200)], False),
            ([(2024, 100.4, 2025, 7), (2025, 199.5, 2024, 8)], True),
        ],
    )
    def test_each_column_goes_by_its_own(self, rows: list[Any], is_match: bool) -> None:
        for order_matters in (False, True):
            found = results_match(rows, self.GOLDEN, order_matters, [0, 0.005], [0, 0])
            assert bool(found) is is_match
        assert bool(results_match(rows, self.GOLDEN, False, 0, [0, 0.5])) is (is_match and rows[0] != (2024, 101))

    def test_a_large_result_does_too(self) -> None:
        golden = [(place, place * 1000.0) for place in range(3000)]
        near = [(place, place * 1000.0 + 0.4) for place in reversed(range(3000))]
        assert results_match(near, golden, False, 0, [0, 0.5])
        assert not results_match(near, golden, False, 0, [0, 0.3])
        assert not results_match([(place + 0.1, money) for place, money in near], golden, False, 0, [0, 0.5])

    def test_as_many_as_there_are_golden_columns_are_needed(self) -> None:
        with pytest.raises(ValueError, match="limits for 3 columns, and there are 2 golden ones"):
            results_match(self.GOLDEN, self.GOLDEN, False, [0, 0, 0])
