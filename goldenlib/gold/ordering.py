"""Order: whether the order a gold asks for is the order its SQL gives.

Rule: a tie is shown, never supposed. Keys that the result does not hold are asked for beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import pairwise

from sqlglot import exp

from goldenlib.gold.goldfindings import GoldFinding, Severity
from goldenlib.gold.goldsubject import Gold, Row
from goldenlib.gold.keys import column_of

_RANKING = re.compile(
    r"""\b(?: rank(?:s|ed|ing)?\b | leader\s?board\b
    | sort(?:ed)?\ (?:them\ |it\ |these\ |the\ \w+\ )?by\b | order(?:ed)?\ (?:them\ |it\ |these\ )?by\b
    | in\ (?:descending|ascending|chronological|alphabetical|reverse|that|this)\ order\b
    | (?:descending|ascending|alphabetically|chronologically)\b
    | (?:first|highest|largest|biggest|most|best|top|oldest|newest|earliest|latest|strongest|monday|january)\ (?:\w+\ )?
      to\ (?:the\ )?(?:last|lowest|smallest|least|worst|bottom|newest|oldest|latest|earliest|weakest|sunday|december)\b
    | peringkat\w*\b | (?:di)?urutkan\b | terurut\b | berurutan\b | secara\ berurut\b | menurut\ urutan\b
    | dari\ (?:yang\ )?(?:paling\ \w+|ter\w+)\ (?:sampai|hingga|ke)\b )""",
    re.IGNORECASE | re.VERBOSE,
)


# An order that is asked for without a word for sorting.
_FIRST = re.compile(
    r"""\b(?: (?:highest|largest|biggest|most|best|top|lowest|smallest|least|worst|newest|oldest|earliest|latest|longest|shortest)
      (?:\ \w+)?\ first\b
    | (?:starting|beginning)\ with\ the\ \w+est\b
    | (?:mulai|dimulai)\ dari\ yang\ (?:paling\ \w+|ter\w+)\b
    | yang\ (?:paling\ \w+|ter\w+)\ (?:lebih\ |ter)?dahulu\b )""",
    re.IGNORECASE | re.VERBOSE,
)


def asked_order_is_there(gold: Gold) -> Iterator[GoldFinding]:
    """A question that asks for an order has a gold with one."""
    if gold.order_matters or not gold.is_answer or gold.reading is None or gold.reading.keys:
        return
    asked = _FIRST.search(gold.question) or _RANKING.search(gold.question)
    if asked is not None and gold.result is not None and gold.result.row_count > 1:
        message = f"the question asks for an order (“{asked[0]}”), and the golden SQL has no ORDER BY: rows in any order would match"
        yield gold.finding("order-asked-for", message, "add ORDER BY at the end of the golden SQL and set order_matters = true")


def order_has_order_by(gold: Gold) -> Iterator[GoldFinding]:
    """An ordered gold says what it is ordered by."""
    if not gold.order_matters or gold.result is None or gold.result.row_count < 2 or gold.reading is None:
        return
    if not gold.reading.keys:
        message = "order_matters is set, and the outermost SELECT of the golden SQL has no ORDER BY: its order is chance"
        yield gold.finding("order-matters-without-order-by", message, "add ORDER BY at the end of the golden SQL, or remove order_matters")


def order_by_matters(gold: Gold) -> Iterator[GoldFinding]:
    """A question that asks for an order gets it compared."""
    if gold.order_matters or not gold.is_answer or gold.reading is None or not gold.reading.keys:
        return
    if gold.result is None or gold.result.row_count < 2:
        return
    asked = _FIRST.search(gold.question) or _RANKING.search(gold.question)
    if asked is not None:
        message = f"the question asks for an order (“{asked[0]}”) and the golden SQL has one, but rows in any order would match"
        yield gold.finding("order-by-without-order-matters", message, "set order_matters = true", severity=Severity.WARNING)
    elif gold.reading.limit is None:
        message = "the golden SQL sorts its rows, and rows in any order match"
        yield gold.finding(
            "order-by-without-order-matters", message, "set order_matters = true if the question asks for an order, or drop ORDER BY"
        )


def no_tied_rows(gold: Gold) -> Iterator[GoldFinding]:
    """The rows of an ordered gold have one order. Where its columns hold the keys, scoring lets tied rows come in any order."""
    if not gold.order_matters or gold.keyed is None or gold.result is None:
        return
    keyed, shown = gold.keyed, min(gold.result.row_count, len(gold.keyed.rows))
    tied = [place for place in range(1, shown) if keyed.keys[place] == keyed.keys[place - 1] and keyed.rows[place] != keyed.rows[place - 1]]
    if not tied:
        return
    first = tied[0]
    message = f"rows {first} and {first + 1} tie on what the golden SQL sorts by ({_told(keyed.keys[first])})"
    rows = keyed.rows[first - 1 : first + 1]
    if gold.sort_keys is not None:
        way_out = "nothing to do if any order of them is right: they may come in any; else add the key that decides to ORDER BY"
        yield gold.finding("ordered-with-tied-keys", message, way_out, severity=Severity.NOTE, sql=keyed.sql, rows=rows)
    else:
        message += ", and the result does not hold the sort keys, so that only this order matches"
        way_out = "add the key that decides to ORDER BY, or select what it is sorted by"
        yield gold.finding("ordered-with-tied-keys", message, way_out, sql=keyed.sql, rows=rows)


def limit_cuts_no_tie(gold: Gold) -> Iterator[GoldFinding]:
    """The first row that a LIMIT leaves out sorts behind the last one it keeps."""
    if gold.reading is None or gold.reading.limit is None or gold.keyed is None:
        return
    last, keyed = gold.reading.limit, gold.keyed
    if last < 1 or len(keyed.rows) <= last or keyed.keys[last - 1] != keyed.keys[last]:
        return
    kept, left_out = keyed.rows[last - 1], keyed.rows[last]
    if gold.compare([left_out], [kept]):
        return
    message = f"LIMIT {last} cuts through a tie: rows {last} and {last + 1} are the same in what it sorts by ({_told(keyed.keys[last])})"
    way_out = "add the key that decides to ORDER BY and to the question, or keep all that tie, as rank() <= n does"
    yield gold.finding("limit-through-tie", message, way_out, sql=keyed.sql, rows=[kept, left_out])


def texts_sort_as_numbers(gold: Gold) -> Iterator[GoldFinding]:
    """Numbers that are kept as text are not sorted as text, where 10 comes before 9."""
    if gold.keyed is None or gold.reading is None or not gold.keyed.keys:
        return
    for place, key in enumerate(gold.reading.keys[: len(gold.keyed.keys[0])]):
        values = [row[place] for row in gold.keyed.keys if row[place] is not None]
        numbers = _numbers(values)
        if numbers is None:
            continue
        pair = _misplaced(values, numbers)
        if pair is not None:
            written = gold.reading.sql(_meant(key, gold))
            kind = "BIGINT" if all(number == int(number) for number in numbers) else "DOUBLE PRECISION"
            message = f"the golden SQL sorts numbers as text: by {written}, {pair[0]!r} comes before {pair[1]!r}"
            rows = [row for row, keys in zip(gold.keyed.rows, gold.keyed.keys, strict=True) if keys[place] in pair][:2]
            yield gold.finding("numbers-sorted-as-text", message, f"sort by the number: ORDER BY CAST({written} AS {kind})", rows=rows)
            return


def _meant(key: exp.Expr, gold: Gold) -> exp.Expr:
    """Return the expression that a sort key stands for, where it is a position or the name of an output."""
    if gold.reading is None or gold.result is None:
        return key
    index = column_of(key, gold.reading, gold.result.columns)
    return (gold.reading.output_at(index, len(gold.result.columns)) if index is not None else None) or key


def _numbers(values: Sequence[object]) -> list[Decimal] | None:
    """The numbers that texts spell; None when one is no text or spells none."""
    numbers = []
    for value in values:
        try:
            number = Decimal(value.strip()) if isinstance(value, str) else None
        except InvalidOperation:
            return None
        if number is None or not number.is_finite():
            return None
        numbers.append(number)
    return numbers


def _misplaced(values: Sequence[str], numbers: Sequence[Decimal]) -> tuple[str, str] | None:
    """Return two texts, the first of which sorts before the other and is the larger number."""
    by_text = sorted(zip(values, numbers, strict=True))
    for before, after in pairwise(by_text):
        if before[1] > after[1]:
            return before[0], after[0]
    return None


def _told(key: Row) -> str:
    return ", ".join(str(value) for value in key)
