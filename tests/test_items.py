"""Items and sets: what decides a verdict, what a review is bound to, and what an item must have."""

from __future__ import annotations

import hashlib
import json
import string
from datetime import date
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from goldenlib.golden_set import GoldenSet
from goldenlib.items import DeclineType, Expected, ExpectedResult, Item, Kind, Review
from tests.builders import an_item

SQL = ExpectedResult(golden="select 1")


def a_signed(item: Item, **review: Any) -> Item:
    """The item with an expert's review of it as it is."""
    return item.model_copy(
        update={"verified": True, "review": Review(**{"by": "Budi", "at": "2026-07-10", "digest": item.digest} | review)}
    )


# --- digest (contract 2.5) ---


@pytest.mark.parametrize(
    "changes",
    [
        {"question": "Apa saja syarat mendirikan PT?"},
        {"question": None, "turns": ("Apa saja syarat mendirikan PT perorangan?", "Dan biayanya?")},
        {"kind": Kind.FORBIDDEN},
        {"role": "staf"},
        {"expected": Expected(must_include=("WNI", "17 tahun"))},
        {"expected": Expected(must_not_include=("WNI",))},
        {"expected": Expected(must_include=("WNI",), rubric="r")},
        {"expected": Expected(must_include=("WNI",), answer="a")},
        {"expected": Expected(must_include=("WNI",), sql=SQL)},
        {"expected": Expected(must_include=("WNI",), sql=SQL.model_copy(update={"tolerance": 0.0}))},
    ],
)
def test_what_decides_the_verdict_changes_the_digest(changes: dict[str, Any]) -> None:
    item = an_item()
    assert item.model_copy(update=changes).digest != item.digest


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "other"},
        {"domain": "apostille"},
        {"surface": "internal"},
        {"verified": True},
        {"review": Review(by="Budi")},
        {"split": "dev"},
        {"tags": ("a",)},
        {"traps": ("a",)},
        {"note": "n"},
        {"region": "Aceh"},
        {"question": "  Apa SAJA syarat\nmendirikan\u00a0PT per\u00adorangan?"},
        {"expected": Expected(must_include=(" wni ",))},
        {"expected": Expected(must_include=("WNI",), rubric="", answer="")},
    ],
)
def test_what_does_not_decide_the_verdict_leaves_the_digest(changes: dict[str, Any]) -> None:
    item = an_item()
    assert item.model_copy(update=changes).digest == item.digest


DECIDING = [
    *({"kind": Kind.DECLINE, "decline_type": why} for why in (None, DeclineType.AMBIGUOUS, DeclineType.UNANSWERABLE)),
    *(
        {"expected": Expected(must_include=("WNI",), sql=SQL.model_copy(update=rule))}
        for rule in (
            {},
            *({name: limit} for name in ("tolerance", "absolute") for limit in (0.0, 0.01, 0.02)),
            *({"check": check} for check in ("select 2", "select 3")),
            {"order_matters": True},
        )
    ),
]


def test_any_two_contracts_that_decide_differently_have_digests_of_their_own() -> None:
    """field/tests C9: a looser tolerance, or another reason to decline, does not stay signed."""
    items = [an_item().model_copy(update=changes) for changes in DECIDING]
    assert [(one.contract, other.contract) for one, other in combinations(items, 2) if one.digest == other.digest] == []


def test_the_order_of_phrases_counts() -> None:
    assert an_item(must_include=["a", "b"]).digest != an_item(must_include=["b", "a"]).digest


@settings(deadline=None)
@given(
    st.lists(st.text(string.ascii_letters + '|,"[]', min_size=1), min_size=1, max_size=3),
    st.lists(st.text(string.ascii_letters, min_size=1), max_size=3),
)
def test_the_digest_tells_any_two_contracts_apart(required: list[str], forbidden: list[str]) -> None:
    """No phrase can pose as the border between two."""
    one, other = an_item(must_include=required, must_not_include=forbidden), an_item(must_include=[*required, *forbidden])
    assert (one.digest == other.digest) is (not forbidden)


def test_the_digest_is_the_same_everywhere_and_for_ever() -> None:
    """Reviews and stored runs hold it: when this test fails, the scorer's version has to change, and reviews are lost."""
    item = Item(id="a", question="Apa  SAJA?", role="staf", expected=Expected(must_include=("WNI",), sql=SQL))
    canonical = '{"expected":{"must_include":["wni"],"sql":{"golden":"select 1"}},"messages":["apa saja?"],"role":"staf"}'
    assert item.digest == hashlib.sha256(canonical.encode()).hexdigest()


# --- reviews ---


def test_a_signed_item_is_verified_until_its_contract_changes() -> None:
    item = a_signed(an_item())
    assert item.is_verified
    assert item.changed_note == ""
    changed = Item(**item.model_dump() | {"question": "Apa syaratnya?"})
    assert changed.changed_since_review
    assert not changed.is_verified
    assert changed.changed_note == "changed since verified on 2026-07-10 by Budi"


def test_a_signature_without_a_date_says_who() -> None:
    assert a_signed(an_item(), at=None, digest="0" * 64).changed_note == "changed since verified by Budi"


def test_verified_without_a_review_counts_as_verified() -> None:
    assert an_item(verified=True).is_verified
    assert an_item(verified=True, review=Review(by="Budi")).is_verified


def test_a_review_alone_verifies_nothing() -> None:
    item = an_item()
    reviewed = an_item(review=Review(by="Budi", digest=item.digest))
    assert not reviewed.is_verified
    assert not reviewed.changed_since_review


@pytest.mark.parametrize(("due", "is_due"), [(None, False), ("2026-11-28", True), ("2026-11-29", False), ("2026-11-28T23:00:00Z", True)])
def test_a_review_is_due_after_its_date_and_the_item_stays_verified(due: str | None, is_due: bool) -> None:
    item = a_signed(an_item(), due=due)
    assert item.review_is_due(date(2026, 11, 29)) is is_due
    assert item.is_verified


def test_an_item_without_a_review_is_never_due() -> None:
    assert not an_item().review_is_due(date(2026, 11, 29))


# --- what an item must have ---


def test_all_gaps_of_an_item_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as caught:
        Item(id="a", decline_type="ambiguous")
    message = str(caught.value)
    assert "has no question" in message
    assert "has nothing to check" in message
    assert "has a decline_type but is not of kind decline" in message


def test_an_item_has_a_question_or_turns_and_not_both() -> None:
    assert an_item(turns=("satu", "dua")).messages == ("satu", "dua")
    assert an_item().messages == (an_item().title,)
    with pytest.raises(ValidationError, match="has both 'question' and 'turns'"):
        an_item(question="x", turns=("satu",))


@pytest.mark.parametrize("expected", [Expected(rubric="r"), Expected(answer="a"), Expected(sql=SQL), Expected(must_not_include=("x",))])
def test_anything_that_can_be_checked_is_enough(expected: Expected) -> None:
    assert not an_item(expected=expected).expected.is_empty


def test_an_item_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        an_item().question = "x"


# --- sets ---


def a_set(*items: Item, **changes: Any) -> GoldenSet:
    return GoldenSet("ahu", items, **{"all_ids": tuple(item.id for item in items)} | changes)


def test_a_set_is_its_items_in_order() -> None:
    golden_set = a_set(an_item("b"), an_item("a", verified=True))
    assert [item.id for item in golden_set] == ["b", "a"]
    assert len(golden_set) == 2
    assert [item.id for item in golden_set.unverified] == ["b"]
    assert not golden_set.is_partial
    assert a_set(an_item("b"), all_ids=("a", "b")).is_partial


def test_the_digest_of_a_set_covers_ids_contracts_order_and_who_stands_behind_them() -> None:
    one, two = an_item("a"), an_item("b")
    digest = a_set(one, two).digest
    assert a_set(one, two.model_copy(update={"domain": "x"})).digest == digest
    assert (
        len(
            {
                digest,
                a_set(two, one).digest,
                a_set(one).digest,
                a_set(one, an_item("c")).digest,
                a_set(one, an_item("b", must_include=["x"])).digest,
                a_set(one, an_item("b", verified=True)).digest,
                a_set(one, an_item("b", surface="internal")).digest,
                a_set(one, an_item("b", context="latar")).digest,
            }
        )
        == 8
    )


def test_a_gold_that_is_one_text_has_the_digest_that_it_had() -> None:
    """Contract 9.5a: signatures under older items hold."""
    one = Item.model_validate({"id": "q", "question": "How many?", "expected": {"sql": {"golden": "SELECT 1"}}})
    assert json.loads(one.contract) == {"expected": {"sql": {"golden": "select 1"}}, "messages": ["how many?"]}


def sql_digest(golden: str, **more: object) -> str:
    return Item.model_validate({"id": "q", "question": "?", "expected": {"sql": {"golden": golden} | more}}).digest


@pytest.mark.parametrize(
    ("sql", "other"),
    [
        ("SELECT n FROM t WHERE a = 'North'", "SELECT n FROM t WHERE a = 'north'"),
        ("SELECT n FROM t WHERE a = 'a  b'", "SELECT n FROM t WHERE a = 'a b'"),
        ('SELECT "Net" FROM t', 'SELECT "net" FROM t'),
        ("SELECT 1 -- one\n+ 1", "SELECT 1 -- one + 1"),
        ("SELECT 'it''s', 'A'", "SELECT 'it''s', 'a'"),
        ("SELECT $$A$$", "SELECT $$a$$"),
        ("SELECT E'\\'A'", "SELECT E'\\'a'"),
        ("SELECT [A] FROM t", "SELECT [a] FROM t"),
        ("SELECT 'A", "SELECT 'a"),
        ("SELECT `A` FROM t", "SELECT `a` FROM t"),
        ("/* a /* b */ ' */ SELECT 'A' /* ' */", "/* a /* b */ ' */ SELECT 'a' /* ' */"),
        ("SELECT 1 */ 'A'", "SELECT 1 */ 'a'"),
        ("SELECT n FROM Orders", "SELECT n FROM orders"),
        ("SELECT n AS Total FROM t", "SELECT n AS total FROM t"),
        ("SELECT n FROM straße", "SELECT n FROM strasse"),
        ("SELECT n FROM a\u200bb", "SELECT n FROM ab"),
        ("SELECT n\u00a0FROM t", "SELECT n FROM t"),
        ("SELECT n FROM caf\u00e9", "SELECT n FROM cafe\u0301"),
    ],
)
def test_what_sql_holds_to_the_letter_is_part_of_the_digest(sql: str, other: str) -> None:
    assert sql_digest(sql) != sql_digest(other)
    assert sql_digest("SELECT 1", check=sql) != sql_digest("SELECT 1", check=other)
    assert sql_digest(["SELECT 1", sql]) != sql_digest(["SELECT 1", other])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sql", "other"),
    [
        ("SELECT  n\nFROM t\n", "select n from t"),
        ("SELECT 'A'\r\nFROM t", "select 'A' from t"),
        ("SELECT n FROM t WHERE a = 'north'", "select n from t where a = 'north'"),
    ],
)
def test_layout_and_letter_case_around_that_are_not(sql: str, other: str) -> None:
    assert sql_digest(sql) == sql_digest(other)


def test_an_item_without_sql_background_and_note_of_a_decline_has_the_digest_that_it_had() -> None:
    """Signatures of before hold."""
    item = Item.model_validate(
        {"id": "a", "question": "Berapa Biayanya?", "note": "x", "expected": {"must_include": ["Rp 50.000"], "rubric": "Sopan."}}
    )
    assert item.digest == "1ae6f94b25d5c9a431ecb97f34a60046a83eb7fe851d4b249b5b923a8020f6d9"


def test_what_the_judge_is_told_beside_the_contract_is_part_of_the_digest() -> None:
    def digest(**more: object) -> str:
        return Item.model_validate({"id": "a", "question": "?", "expected": {"must_include": ["x"]}} | more).digest

    assert len({digest(), digest(context="Warga asing."), digest(context="Warga sendiri.")}) == 3
    assert digest(context=" \n") == digest()
    decline = {"kind": "decline", "decline_type": "ambiguous", "expected": {}}
    assert digest(**decline, note="Two years are meant.") != digest(**decline)
    assert digest(note="Net of VAT.") == digest()


UNENDED_FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0065"


@pytest.mark.parametrize("hidden", ["\U000e0041\U000e0042", "\u200b\u200c" * 4, UNENDED_FLAG, "\U000e0110\U000e0111"])
@pytest.mark.parametrize("field", ["question", "context", "note", "role", "region", "domain"])
def test_text_that_nobody_can_see_is_refused(field: str, hidden: str) -> None:
    written = {"id": "a", "question": "Berapa?", "expected": {"must_include": ["x"]}}
    with pytest.raises(ValidationError, match="that nobody can see"):
        Item.model_validate(written | {field: f"Berapa?{hidden}"})
    with pytest.raises(ValidationError, match="that nobody can see"):
        Item.model_validate(written | {"expected": {"must_include": [f"x{hidden}"]}})


def test_flags_and_single_joiners_are_no_hidden_text() -> None:
    scotland = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
    assert Item.model_validate({"id": "a", "question": f"Di {scotland}, \u200bberapa?", "expected": {"must_include": ["x"]}})


def test_alternatives_and_limits_by_column_are_part_of_the_digest() -> None:
    def digest(**rule: object) -> str:
        return Item.model_validate({"id": "q", "question": "How many?", "expected": {"sql": {"golden": "SELECT 1"} | rule}}).digest

    rules: list[dict[str, object]] = [
        {},
        {"golden": ["SELECT 1", "SELECT 2"]},
        {"golden": ["SELECT 2", "SELECT 1"]},
        {"tolerance": {"n": 0.1}},
        {"tolerance": {"n": 0.1, "*": 0}},
        {"absolute": {"n": 0.1}},
        {"allow_null": True},
        {"allow_empty": True},
    ]
    assert len({digest(**rule) for rule in rules}) == len(rules)
    assert digest(golden=["SELECT 1"]) == digest()


def test_the_region_belongs_to_the_digest_where_a_role_has_one() -> None:
    """field/analyst, suspicion: south became north, and the signature still held."""

    def digest(**parts: str) -> str:
        return an_item(**parts).digest

    assert digest(role="manager", region="north") != digest(role="manager", region="south")
    assert digest(role="manager", region="") == digest(role="manager")
    assert digest(region="north") == digest(region="south") == digest()


def test_what_an_item_holds_is_given_as_a_file_holds_it() -> None:
    """Contract 9.5a: what is written out again can be read again."""
    written = {"golden": ["SELECT 1", "SELECT 2"], "tolerance": {"n": 0.1, "*": 0.0}, "absolute": {"n": 1.0}, "allow_null": True}
    item = Item.model_validate({"id": "q", "question": "How many?", "expected": {"sql": written}})
    assert item.expected.model_dump(exclude_defaults=True) == {"sql": written}
    assert Item.model_validate(item.model_dump()) == item


@pytest.mark.parametrize(
    ("expected", "kind", "asks_for_data"),
    [
        ({"sql": {"golden": "SELECT 1"}}, Kind.ANSWER, True),
        ({}, Kind.DECLINE, True),
        ({"must_include": ["x"]}, Kind.ANSWER, False),
        ({"must_include": ["x"]}, Kind.DECLINE, False),
    ],
)
def test_a_question_for_data_has_golden_sql_or_nothing_but_that_it_is_declined(expected: Any, kind: Kind, asks_for_data: bool) -> None:
    assert Item(id="a", question="?", kind=kind, expected=expected).is_data_question is asks_for_data


def test_a_signature_that_lapsed_is_told_though_the_digest_fits() -> None:
    signed = Item(id="a", question="?", expected={"must_include": ["x"]}, verified=True)
    review = Review(by="Sari", at="2026-11-29", digest=signed.digest, lapsed="2026-11-30")
    item = signed.model_copy(update={"review": review})
    assert (item.is_verified, item.changed_note) == (False, "changed since verified on 2026-11-29 by Sari")


def test_the_region_that_an_agent_is_told_is_part_of_the_digest_without_a_role_too() -> None:
    written = {"id": "q", "question": "?", "expected": {"sql": {"golden": "SELECT 1"}}}
    assert len({Item.model_validate(written | {"region": region}).digest for region in ("", "North", "South")}) == 3
