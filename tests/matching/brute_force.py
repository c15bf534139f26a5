"""The rule of contract 9, written down as it stands: every injection of columns, every pairing of rows. For small tables only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

Rows = Sequence[Sequence[Any]]


def agree(answer: Any, golden: Any, tolerance: float, absolute: float) -> bool:
    """Whether two cells agree (contract 9.2)."""
    if answer is None or golden is None:
        return answer is golden
    if isinstance(answer, list) or isinstance(golden, list):
        both = isinstance(answer, list) and isinstance(golden, list) and len(answer) == len(golden)
        return both and all(agree(a, g, tolerance, absolute) for a, g in zip(answer, golden, strict=True))
    if isinstance(answer, bool) or isinstance(golden, bool):
        return isinstance(answer, int | float | Decimal) and isinstance(golden, int | float | Decimal) and answer == golden
    if isinstance(answer, int | float | Decimal) and isinstance(golden, int | float | Decimal):
        return _numbers_agree(answer, golden, tolerance, absolute)
    if isinstance(answer, date) and isinstance(golden, date):
        return _moment(answer) == _moment(golden)
    for text, day in ((answer, golden), (golden, answer)):
        if isinstance(text, str) and type(day) is date:
            return text == day.isoformat()
    return type(answer) is type(golden) and bool(answer == golden)


def _numbers_agree(answer: Any, golden: Any, tolerance: float, absolute: float) -> bool:
    if math.isnan(answer) or math.isnan(golden):
        return math.isnan(answer) and math.isnan(golden)
    if math.isinf(answer) or math.isinf(golden):
        return bool(answer == golden)
    a, g = _exact(answer), _exact(golden)
    return abs(a - g) <= Fraction(str(tolerance)) * abs(g) + Fraction(str(absolute))


def _exact(number: Any) -> Fraction:
    return Fraction(str(number)) if isinstance(number, float) and not number.is_integer() else Fraction(number)


def _moment(day: date) -> datetime:
    return day if isinstance(day, datetime) else datetime(day.year, day.month, day.day)


def matches(rows: Rows, golden: Rows, order_matters: bool = False, tolerance: float = 0.0005, absolute: float = 0.005) -> bool:
    """Whether some injection of columns and some pairing of rows make every cell agree."""
    if len(rows) != len(golden):
        return False
    if not rows:
        return True
    for columns in itertools.permutations(range(len(rows[0])), len(golden[0])):
        lined_up = [[row[column] for column in columns] for row in rows]
        partners = [
            [all(agree(a, g, tolerance, absolute) for a, g in zip(row, golden_row, strict=True)) for row in lined_up]
            for golden_row in golden
        ]
        if order_matters:
            if all(partners[place][place] for place in range(len(golden))):
                return True
        elif _has_pairing(partners):
            return True
    return False


def _has_pairing(partners: list[list[bool]]) -> bool:
    partner_of: dict[int, int] = {}

    def place(golden: int, seen: set[int]) -> bool:
        for row, fits in enumerate(partners[golden]):
            if fits and row not in seen:
                seen.add(row)
                if row not in partner_of or place(partner_of[row], seen):
                    partner_of[row] = golden
                    return True
        return False

    return all(place(golden, set()) for golden in range(len(partners)))
