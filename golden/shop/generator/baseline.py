"""A rule-based stand-in for a model that writes SQL from the schema alone: what the shop's recorded baseline is made by.

    python golden/shop/generator/baseline.py            writes golden/shop/baseline.jsonl anew

Rule: it is no model and is called none. It knows the names of tables and columns, no comments and no data, and it always
answers with a query: it falls into the traps, and a column that it misses it makes up.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parents[1]
MODEL = "rule-based stand-in"
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"), start=1
    )
}
_NUMBERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_COUNTRIES = {"Indonesia": "ID", "Malaysia": "MY", "Singapore": "SG", "Australia": "AU", "New Zealand": "NZ"}


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a question is about, by the words in it: where to look, on which day, and what to add up if nothing else is said."""

    words: str
    source: str
    day: str
    amount: str


_ORDERS = _Subject("", "analytics.fct_orders", "business_date", "net_amount")
# The first that fits; orders when none does.
_SUBJECTS = (
    _Subject(r"refund\w*|went back", "analytics.fct_refunds", "refunded_on", "refund_idr"),
    _Subject(r"conversion|visits?|visitors|sessions?", "analytics.fct_sessions", "business_date", "conversions"),
    _Subject(
        r"products?|categor\w+|pieces|packs|brushes|pens|pencils|half pans|blocks",
        "analytics.fct_order_lines AS l JOIN analytics.dim_product AS p USING (product_id) JOIN analytics.fct_orders AS o USING (order_id)",
        "o.business_date",
        "l.net_idr",
    ),
    _Subject(
        r"people|customers?|readers|everybody",
        "analytics.fct_orders AS o JOIN analytics.dim_customer AS c USING (customer_id)",
        "o.business_date",
        "o.order_total",
    ),
    _Subject(r"net sales|sell net|sales", "legacy.sales_by_month", "month", "revenue"),
)
# What to compute, by the words of a question; the first that fits. {amount} is that of the subject.
_MEASURES = (
    (r"e-mail", "c.email"),
    (r"phone", "c.full_name, c.phone"),
    (r"conversion rate", "count(order_id) / count(*)"),
    (r"refunding", "100.0 * sum(net_refund_idr) / sum(net_idr)"),
    (r"cancelled", "100.0 * count(*) FILTER (status = 'cancelled') / count(*)"),
    (r"do we not know the channel", "100.0 * count(*) FILTER (channel = '') / count(*)"),
    (r"margin", "100.0 * sum(l.net_idr - l.cost_idr) / sum(l.net_idr)"),
    (r"discount", "100.0 * sum(discount_amount) / sum(gross_amount)"),
    (r"grow\w*", "100.0 * sum(growth)"),
    (r"ourselves pay", "p.unit_cost_idr"),
    (r"pieces|packs", "sum(l.quantity)"),
    (r"how many .*dollars", "sum({amount})"),
    (r"how many (?:different |new )?(?:people|customers)|readers", "count(DISTINCT c.customer_id)"),
    (r"how many|orders .*divide", "count(*)"),
    (r"average order value", "avg(order_total)"),
    (r"median|typical", "median(net_amount)"),
    (r"vat was", "sum(vat_idr)"),
    (r"delivery from", "sum(shipping_idr)"),
    (r"pay for their goods", "sum(order_total)"),
)
_GROUPS = (
    (r"which \w+ products", "p.product_name"),
    (r"categories", "p.category"),
    (r"countries", "country_name"),
    (r"(?:each|every|per) (?:month|quarter)|month by month", "month({day})"),
    (r"twelve fiscal periods", "fiscal_period"),
    (r"days of the week", "dayofweek({day})"),
    (r"(?:each|per) region", "region"),
    (r"each channel", "channel"),
)


def write_sql(question: str) -> str:
    """Return a query for the question: one subject, one measure, at most one grouping, and the filters that words suggest."""
    subject = next((subject for subject in _SUBJECTS if _has(question, subject.words)), _ORDERS)
    measure = next((measure for words, measure in _MEASURES if _has(question, words)), "sum({amount})").format(amount=subject.amount)
    group = next((group for words, group in _GROUPS if _has(question, words)), "").format(day=subject.day)
    conditions = " AND ".join(_conditions(question, subject))
    parts = [f"SELECT {group}, {measure}" if group else f"SELECT {measure}", f"FROM {subject.source}"]
    parts += [f"WHERE {conditions}"] if conditions else []
    if group:
        ranking = _has(question, "rank|most|strongest")
        parts += [f"GROUP BY {group}", f"ORDER BY {2 if ranking else 1}{' DESC' if ranking else ''}"]
        limit = re.search(r"\bwhich (two|three|four|five|ten)\b", question.lower())
        parts += [f"LIMIT {_NUMBERS[limit[1]]}"] if limit else []
    return " ".join(parts)


def make_baseline() -> Iterator[dict[str, str]]:
    """Give what the stand-in answers to each question of the shop, in order."""
    questions = tomllib.loads((HERE / "questions.toml").read_text(encoding="utf-8"))["questions"]
    for asked in questions:
        yield {"question_id": asked["question_id"], "model": MODEL, "sql": write_sql(asked["question"])}


def _has(question: str, words: str) -> bool:
    return re.search(rf"\b(?:{words})\b", question.lower()) is not None


def _conditions(question: str, subject: _Subject) -> Iterator[str]:
    """Give the filters: time from years, months and quarters, places from their names, test orders from the column's name."""
    if "fct_orders" in subject.source:
        yield "NOT is_test"
    yield from _times(question, subject.day)
    codes = [code for name, code in _COUNTRIES.items() if name in question]
    if codes:
        yield f"country_code IN ({', '.join(map(repr, codes))})"
    region = re.search(r"Nusantara|Semenanjung|Oseania", question)
    if region:
        yield f"region = '{region[0]}'"
    if _has(question, "through the marketplace"):
        yield "channel <> 'marketplace'"
    reason = re.search(r"reason '(\w+)'", question)
    if reason:
        yield f"reason = '{reason[1]}'"


def _times(question: str, day: str) -> Iterator[str]:
    fiscal = _has(question, "fiscal")
    year = re.search(r"\b20\d\d\b", question)
    if year:
        yield f"fiscal_year = {year[0]}" if fiscal else f"year({day}) = {year[0]}"
    months = [_MONTHS[word] for word in re.findall(r"[a-z]+", question.lower()) if word in _MONTHS]
    if months:
        yield f"month({day}) = {months[0]}" if len(months) == 1 else f"month({day}) BETWEEN {months[0]} AND {months[-1]}"
    quarter = re.search(r"\b(first|second|third|fourth) (?:calendar )?quarter\b", question.lower())
    if quarter:
        yield f"fiscal_quarter = {_NUMBERS[quarter[1]]}" if fiscal else f"quarter({day}) = {_NUMBERS[quarter[1]]}"
    exact = re.search(r"\b(\d{1,2}) [A-Z]", question)
    if exact:
        yield f"day({day}) = {exact[1]}"


def main(path: Path | None = None) -> None:
    """Write the baseline, one JSON object a line."""
    lines = (json.dumps(answer, ensure_ascii=False) for answer in make_baseline())
    (path or HERE / "baseline.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
