"""For each question and each trap it claims: the query of somebody who falls into that trap and no other.

A fall is a list of (right, naive) pieces of the golden SQL, or a whole query where another is the natural one.
"""

from __future__ import annotations

Fall = list[tuple[str, str]] | str

_CANCELLED: Fall = [("o.status <> 'cancelled' AND ", "")]
_TESTS: Fall = [(" AND NOT o.is_test", "")]
_CALENDAR_YEAR = ("d.fiscal_year", "d.calendar_year")
_CALENDAR_QUARTER = ("d.fiscal_quarter", "d.calendar_quarter")
_PER_ACCOUNT: Fall = [("c.person_id", "c.customer_id")]
_UTC_DAY: Fall = [("o.business_date", "o.ordered_at_utc::DATE")]
_GROSS: Fall = [("o.net_idr", "o.gross_idr")]
_ONCE_PER_LINE: Fall = [("sum(l.net_idr)", "sum(o.net_idr)")]


def _refund_month(first: str, last: str) -> Fall:
    return [("r.order_id IN (SELECT order_id FROM sold)", f"r.refunded_on BETWEEN DATE '{first}' AND DATE '{last}'")]


FALLS: dict[str, dict[str, Fall]] = {
    "shop-001": {
        "fiscal-calendar": [_CALENDAR_YEAR, ("d.fiscal_period", "month(o.business_date)")],
        "cancelled-orders": _CANCELLED,
        "test-orders": _TESTS,
    },
    "shop-002": {
        "fiscal-calendar": [_CALENDAR_YEAR, _CALENDAR_QUARTER],
        "currency": [("o.net_idr", "o.net_amount")],
    },
    "shop-003": {"local-business-day": _UTC_DAY, "test-orders": _TESTS},
    "shop-004": {"duplicate-customers": _PER_ACCOUNT, "cancelled-orders": _CANCELLED},
    "shop-005": {
        "late-refunds": _refund_month("2025-11-01", "2025-11-30"),
        "fan-out": """
            SELECT round(100.0 * sum(r.net_refund_idr) / sum(o.net_idr), 2)
            FROM analytics.fct_orders AS o LEFT JOIN analytics.fct_refunds AS r USING (order_id)
            WHERE o.status <> 'cancelled' AND NOT o.is_test AND o.business_date BETWEEN DATE '2025-11-01' AND DATE '2025-11-30'""",
    },
    "shop-006": {
        "vat": [("sum(o.vat_idr)", "round(sum((o.gross_idr - o.discount_idr) * 9 / 109))")],
        "cancelled-orders": _CANCELLED,
        "test-orders": _TESTS,
    },
    "shop-007": {
        "fan-out": _ONCE_PER_LINE,
        "net-vs-gross": [("l.net_idr", "l.gross_idr")],
        "fiscal-calendar": [_CALENDAR_YEAR],
    },
    "shop-008": {
        "definition": [("o.net_idr", "o.net_idr + o.vat_idr + o.shipping_idr")],
        "net-vs-gross": _GROSS,
        "test-orders": _TESTS,
    },
    "shop-009": {"null-channel": [("IS DISTINCT FROM", "<>")]},
    "shop-010": {
        "null-channel": [("WHERE NOT s.is_bot", "WHERE s.channel <> '' AND NOT s.is_bot")],
        "definition": [("NOT s.is_bot AND ", "")],
    },
    "shop-011": {
        "role-scope": [("o.region = 'semenanjung' AND ", "")],
        "fiscal-calendar": [_CALENDAR_YEAR, _CALENDAR_QUARTER],
    },
    "shop-012": {
        "late-refunds": """
            SELECT count(*) FROM analytics.fct_refunds AS r JOIN analytics.fct_orders AS o USING (order_id)
            WHERE r.reason = 'damaged' AND o.business_date BETWEEN DATE '2026-03-01' AND DATE '2026-03-31'""",
    },
    "shop-013": {
        "legacy-table": "SELECT sum(orders) FROM legacy.sales_by_month WHERE year(month) = 2024 GROUP BY month ORDER BY month",
        "cancelled-orders": _CANCELLED,
        "test-orders": _TESTS,
    },
    "shop-014": {
        "fan-out": [("AS o\n", "AS o JOIN analytics.fct_order_lines AS l USING (order_id)\n")],
        "currency": [("o.shipping_idr", "o.shipping_amount")],
        "cancelled-orders": _CANCELLED,
    },
    "shop-015": {"duplicate-customers": _PER_ACCOUNT, "test-orders": _TESTS},
    "shop-016": {
        "legacy-table": """
            SELECT sum(revenue) FROM legacy.sales_by_month
            WHERE market IN ('Australia', 'New Zealand') AND month = DATE '2025-01-01'""",
        "vat": [("o.net_idr", "o.gross_idr - o.discount_idr")],
        "local-business-day": _UTC_DAY,
    },
    "shop-017": {
        "fan-out": """
            SELECT sum(l.quantity)
            FROM analytics.fct_order_lines AS l
            JOIN analytics.fct_orders AS o USING (order_id) JOIN analytics.fct_refunds AS r USING (order_id)
            WHERE o.status <> 'cancelled' AND NOT o.is_test AND o.business_date BETWEEN DATE '2025-05-01' AND DATE '2025-05-31'""",
        "late-refunds": [("AS r)", "AS r WHERE r.refunded_on BETWEEN DATE '2025-05-01' AND DATE '2025-05-31')")],
    },
    "shop-025": {
        "fiscal-calendar": [_CALENDAR_YEAR, ("d.fiscal_period", "month(o.business_date)")],
        "test-orders": _TESTS,
    },
    "shop-026": {
        "local-business-day": _UTC_DAY,
        "cancelled-orders": _CANCELLED,
        "fiscal-calendar": [_CALENDAR_YEAR],
    },
    "shop-027": {
        "duplicate-customers": _PER_ACCOUNT,
        "definition": """
            SELECT region, count(DISTINCT person_id) FROM analytics.dim_customer
            WHERE year(signed_up_on) = 2025 AND account_kind <> 'internal' GROUP BY region""",
    },
    "shop-028": {
        "late-refunds": _refund_month("2025-12-01", "2025-12-31"),
        "fan-out": """
            SELECT sum(o.net_idr - coalesce(r.net_refund_idr, 0))
            FROM analytics.fct_orders AS o LEFT JOIN analytics.fct_refunds AS r USING (order_id)
            WHERE o.status <> 'cancelled' AND NOT o.is_test AND o.business_date BETWEEN DATE '2025-12-01' AND DATE '2025-12-31'""",
    },
    "shop-029": {
        "late-refunds": """
            SELECT sum(r.refund_idr) FROM analytics.fct_refunds AS r JOIN analytics.fct_orders AS o USING (order_id)
            WHERE o.business_date BETWEEN DATE '2026-01-01' AND DATE '2026-01-31'""",
        "currency": [("r.refund_idr", "r.refund_amount")],
        "legacy-table": "SELECT sum(refunded) FROM legacy.refunds_by_month WHERE month = DATE '2026-01-01'",
    },
    "shop-030": {
        "definition": [("/ sum(l.net_idr)", "/ sum(l.cost_idr)")],
        "vat": [("l.net_idr", "(l.gross_idr - l.discount_idr)")],
    },
    "shop-031": {
        "net-vs-gross": [("o.gross_idr", "o.net_idr")],
        "currency": [("o.discount_idr", "o.discount_amount"), ("o.gross_idr", "o.gross_amount")],
    },
    "shop-032": {
        "definition": [(" * p.pieces_per_pack", "")],
        "cancelled-orders": _CANCELLED,
        "local-business-day": _UTC_DAY,
    },
    "shop-033": {
        "cancelled-orders": [("/ count(*)", "/ count(*) FILTER (o.status <> 'cancelled')")],
        "test-orders": [("NOT o.is_test AND ", "")],
    },
    "shop-034": {"null-channel": [("o.channel IS NULL", "o.channel = 'unknown'")], "test-orders": _TESTS},
    "shop-035": {"role-scope": [("o.region = 'oseania' AND ", "")], "fan-out": _ONCE_PER_LINE},
    "shop-036": {
        "legacy-table": """
            SELECT sum(revenue) FROM legacy.sales_by_month
            WHERE month BETWEEN DATE '2025-10-01' AND DATE '2026-03-01' GROUP BY month ORDER BY month""",
        "net-vs-gross": _GROSS,
    },
    "shop-037": {
        "vat": [(" + o.vat_idr", "")],
        "currency": [("o.net_idr + o.vat_idr", "o.net_amount + o.vat_amount")],
    },
    "shop-038": {"currency": [("o.net_amount", "o.net_idr")], "cancelled-orders": _CANCELLED},
    "shop-039": {
        "fiscal-calendar": [_CALENDAR_YEAR, _CALENDAR_QUARTER],
        "test-orders": _TESTS,
        "net-vs-gross": _GROSS,
    },
    "shop-040": {
        "duplicate-customers": [
            ("c.person_id) AS", "c.customer_id) AS"),
            ("c.person_id IN (SELECT n.person_id FROM analytics.dim_customer AS n WHERE n.has_newsletter)", "c.has_newsletter"),
        ],
        "fiscal-calendar": [_CALENDAR_YEAR],
    },
    "shop-041": {
        "fan-out": [("DISTINCT ", "")],
        "late-refunds": [("o.business_date", "r.refunded_on")],
    },
}


def naive_query(golden_sql: str, fall: Fall) -> str:
    """Return the query that falls; each piece has to stand in the golden SQL."""
    if isinstance(fall, str):
        return fall
    for right, naive in fall:
        assert right in golden_sql, f"{right!r} does not stand in the golden SQL"
        golden_sql = golden_sql.replace(right, naive)
    return golden_sql
