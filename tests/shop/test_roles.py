"""Roles: everybody can answer their own questions from what they may see, and nobody the forbidden ones."""

from __future__ import annotations

import duckdb
import pytest

from goldenlib.errors import SettingsError
from goldenlib.warehouse.shop import SCOPES, describe_shop, narrow_shop
from tests.shop.conftest import Narrowed
from tests.shop.questions import ANSWERS, FORBIDDEN, Question, name_of

pytestmark = pytest.mark.xdist_group("shop")


@pytest.mark.parametrize("question", ANSWERS, ids=name_of)
def test_an_answer_lies_within_what_its_asker_may_see(question: Question, shop: duckdb.DuckDBPyConnection, narrowed: Narrowed) -> None:
    own = narrowed(question.role, question.region).execute(question.golden_sql).fetchall()
    assert question.agrees(own, shop.execute(question.golden_sql).fetchall())


@pytest.mark.parametrize("question", FORBIDDEN, ids=name_of)
def test_a_forbidden_result_cannot_be_had_from_what_its_asker_may_see(
    question: Question, shop: duckdb.DuckDBPyConnection, narrowed: Narrowed
) -> None:
    golden = shop.execute(question.golden_sql).fetchall()
    try:
        own = narrowed(question.role, question.region).execute(question.golden_sql).fetchall()
    except duckdb.BinderException:
        return  # what it takes is not there
    assert not question.agrees(own, golden)


@pytest.mark.parametrize("region", ["nusantara", "semenanjung", "oseania"])
def test_a_regional_lead_has_rows_of_the_own_region_only(region: str, narrowed: Narrowed) -> None:
    own = narrowed("regional_lead", region)
    for table in ("dim_country", "dim_customer", "fct_orders", "fct_sessions"):
        assert own.execute(f"SELECT DISTINCT region FROM analytics.{table}").fetchall() == [(region,)]
    for table in ("fct_order_lines", "fct_refunds"):
        assert own.execute(f"SELECT count(*) > 0 FROM analytics.{table}").fetchall() == [(True,)]
        orphans = f"SELECT count(*) FROM analytics.{table} WHERE order_id NOT IN (SELECT order_id FROM analytics.fct_orders)"
        assert own.execute(orphans).fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("role", "region", "absent"),
    [
        ("analyst", None, ["full_name", "email", "phone"]),
        ("finance", None, ["full_name", "email", "phone"]),
        ("marketing", None, ["full_name", "email", "phone", "cost_idr", "legacy."]),
        ("regional_lead", "oseania", ["full_name", "email", "phone", "cost_idr", "legacy."]),
        ("support", None, ["net_idr", "gross_", "_total", "vat_idr", "discount_", "shipping_", "cost_idr", "price_idr", "legacy."]),
    ],
)
def test_what_a_role_may_not_see_is_not_in_its_schema(role: str, region: str | None, absent: list[str], narrowed: Narrowed) -> None:
    described = describe_shop(narrowed(role, region), with_comments=False)
    assert [name for name in absent if name in described] == []


def test_the_roles_are_five() -> None:
    assert sorted(SCOPES) == ["analyst", "finance", "marketing", "regional_lead", "support"]


@pytest.mark.parametrize(
    ("role", "region", "told"), [("boss", None, "the roles are analyst"), ("regional_lead", "java", "the regions are nusantara")]
)
def test_an_unknown_role_or_region_is_refused_with_those_there_are(role: str, region: str | None, told: str) -> None:
    with duckdb.connect() as connection, pytest.raises(SettingsError, match=told):
        narrow_shop(connection, role, region)
