"""Items: what an expert writes about one golden question.

Rule: an item holds what its author typed, unchanged; nothing downstream knows the file format it came from.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from goldenlib.folding import fold, hidden_text


class Surface(StrEnum):
    """Which of the office's chatbots a question goes to (seed 000)."""

    PUBLIC = "public"
    INTERNAL = "internal"


class Kind(StrEnum):
    """What a right answer looks like (seed 002)."""

    ANSWER = "answer"
    DECLINE = "decline"
    FORBIDDEN = "forbidden"


class DeclineType(StrEnum):
    """Why a right answer declines (seed 002)."""

    AMBIGUOUS = "ambiguous"
    UNANSWERABLE = "unanswerable"


class Split(StrEnum):
    """The part of a set that may be tuned on, and the part that is held out (seed 002)."""

    DEV = "dev"
    TEST = "test"


def _written(
    limit: int | None = None, noun: str = "characters", way_out: str = "shorten it", *, may_be_blank: bool = False
) -> AfterValidator:
    """Return the check that a text says something, and is no longer than people write it: what is longer was pasted by mistake."""

    def check(value: Any) -> Any:
        if limit is not None and len(value) > limit:
            raise ValueError(f"has {len(value):,} {noun}, and {limit:,} are the most; {way_out}")
        if not may_be_blank and not fold(value):
            raise ValueError("is blank; write the text, or remove the entry")
        if isinstance(value, str) and (hidden := hidden_text(value)):
            code = f"U+{ord(hidden[0]):04X}"
            raise ValueError(f"holds {len(hidden)} characters in a row that nobody can see ({code}, ...), and programs read; delete them")
        return value

    return AfterValidator(check)


def _an_id(text: str) -> str:
    if not text:
        raise ValueError("is empty; give the item a short stable name such as 'pt-pendirian-syarat'")
    if any(char.isspace() or not char.isprintable() for char in text):
        raise ValueError("holds white space or control characters; use letters, digits and dashes, such as 'pt-pendirian-syarat'")
    return text


def _a_date(text: str) -> str:
    try:
        date.fromisoformat(text[:10])
        datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a date; write it as 2026-11-29") from None
    return text


# Far beyond what a phrase, a list of them and a text hold anywhere, and little enough to be looked at while somebody types.
MAX_PHRASE, MAX_PHRASES, MAX_TEXT = 1_000, 1_000, 100_000
_NOT_TOO_MANY = _written(MAX_PHRASES, "phrases", "keep those that a right answer must be checked for", may_be_blank=True)
Phrase = Annotated[str, _written(MAX_PHRASE, way_out="write the fact alone, as an answer would say it, and the rest in the rubric")]
Text = Annotated[str, _written()]
Label = Annotated[str, _written(may_be_blank=True)]
LongText = Annotated[str, _written(MAX_TEXT, may_be_blank=True)]
Message = Annotated[str, _written(MAX_TEXT)]
DateText = Annotated[str, AfterValidator(_a_date)]


class _WrittenModel(BaseModel):
    """Base of everything an author writes: frozen, and closed to keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)


Limit = Annotated[float, Field(ge=0, allow_inf_nan=False)]
ELSEWHERE = "*"  # among limits by column: that of the columns that are not named
# Parts of a golden result that are written otherwise in a file: as a list, and as keys below another one.
WRITTEN_AS = {"others": "golden", "tolerances": "tolerance", "absolutes": "absolute"}


class ExpectedResult(_WrittenModel):
    """The golden result of a data question: SQL that gives it, and how closely an answer must agree (contract 9)."""

    golden: Text = Field(description="SQL that gives the golden result")
    check: Text | None = Field(None, description="A second, independent SQL that must agree with the golden one")
    order_matters: bool = Field(False, description="Rows must come in the golden order")
    allow_empty: bool = Field(False, description="The golden result may have no rows; an answer without rows is then right")
    allow_null: bool = Field(False, description="The golden result may hold NULL")
    tolerance: float = Field(0.0005, ge=0, allow_inf_nan=False, description="Relative tolerance of numbers")
    absolute: float = Field(0.005, ge=0, allow_inf_nan=False, description="Absolute slack of numbers, in the unit of the column")
    others: tuple[Text, ...] = Field((), description="What else is right, where `golden` is written as a list")
    tolerances: Mapping[str, Limit] = Field(default_factory=dict, description="`tolerance` by column, where it is written so")
    absolutes: Mapping[str, Limit] = Field(default_factory=dict, description="`absolute` by column, where it is written so")

    @model_validator(mode="before")
    @classmethod
    def _is_spread(cls, values: Any) -> Any:
        """Take a list of golden SQL, and limits by column, apart: everything else sees one gold and one limit."""
        if not isinstance(values, dict):
            return values
        spread = dict(values)
        if isinstance(golden := values.get("golden"), list | tuple) and golden:
            spread |= {"golden": golden[0], "others": tuple(golden[1:])}
        for name, by_column in (("tolerance", "tolerances"), ("absolute", "absolutes")):
            if isinstance(limit := values.get(name), Mapping):
                spread |= {by_column: {column: part for column, part in limit.items() if column != ELSEWHERE}}
                del spread[name]
                if ELSEWHERE in limit:
                    spread[name] = limit[ELSEWHERE]
        return spread

    @model_serializer(mode="wrap")
    def _as_written(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Give it as a file holds it: golden SQL as a list, limits by column below their key."""
        values: dict[str, Any] = dump(self)
        others, tolerances, absolutes = (values.pop(name, None) for name in WRITTEN_AS)
        if others and "golden" in values:
            values["golden"] = [values["golden"], *others]
        for name, by_column in (("tolerance", tolerances), ("absolute", absolutes)):
            if by_column:
                values[name] = dict(by_column) | ({ELSEWHERE: values[name]} if name in values else {})
        return values

    @property
    def alternatives(self) -> tuple[ExpectedResult, ...]:
        """Each golden SQL with the rule of all; one where there is one."""
        return tuple(self.model_copy(update={"golden": sql, "others": ()}) for sql in (self.golden, *self.others))

    def limits(self, columns: Sequence[str]) -> tuple[list[float], list[float]]:
        """Return tolerance and absolute slack of each golden column by its name."""
        tolerances = [self.tolerances.get(column, self.tolerance) for column in columns]
        return tolerances, [self.absolutes.get(column, self.absolute) for column in columns]

    def loosest(self, columns: Sequence[str]) -> ExpectedResult:
        """Return the rule with one limit for all columns: the largest of theirs."""
        if not (self.tolerances or self.absolutes) or not columns:
            return self
        tolerances, absolutes = self.limits(columns)
        return self.model_copy(update={"tolerance": max(tolerances), "absolute": max(absolutes), "tolerances": {}, "absolutes": {}})


class Expected(_WrittenModel):
    """What the expert wrote about a right answer."""

    must_include: Annotated[tuple[Phrase, ...], _NOT_TOO_MANY] = Field(
        (), description="Facts a right answer must contain, searched as written"
    )
    must_not_include: Annotated[tuple[Phrase, ...], _NOT_TOO_MANY] = Field((), description="Known-wrong claims that must not appear")
    rubric: LongText = Field("", description="What the judge should look for, in free text")
    answer: LongText = Field("", description="An ideal answer, shown to the judge (golden_answer in JSON sets)")
    sql: ExpectedResult | None = Field(None, description="Golden result of a data question")

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that an answer could be checked against."""
        return not (self.must_include or self.must_not_include or fold(self.rubric) or fold(self.answer) or self.sql)


class Review(_WrittenModel):
    """An expert's signature under an item. It holds while `digest` fits the item, and nothing ended it (contract 2.5)."""

    by: Text = Field(description="Who reviewed the item")
    account: str = Field("", description="The account that the workbench was used from, such as 'sari (JupyterHub)'")
    at: DateText | None = Field(None, description="Date of the review")
    source: str = Field("", description="Regulation and article the contract rests on")
    due: DateText | None = Field(None, description="Date by which the item is to be reviewed again")
    digest: str | None = Field(None, description="Digest of the item when it was reviewed")
    lapsed: DateText | None = Field(None, description="Date on which the item was changed, which ended the review")
    withdrawn: DateText | None = Field(None, description="Date on which the signature was withdrawn")
    withdrawn_by: str = Field("", description="The account that it was withdrawn from")
    reason: str = Field("", description="Why it was withdrawn")

    @property
    def has_ended(self) -> bool:
        """Whether the signature holds no more, whatever the item says by now."""
        return self.lapsed is not None or self.withdrawn is not None

    @property
    def is_of_another_name(self) -> bool:
        """Whether the name typed is not that of the account; False where no account is known.

        The account's words have to be among those of the name: "Ibu Sari" is sari's, "Direktur Jenderal" is not.
        """
        account = _words(self.account.rpartition(" (")[0] or self.account)
        return bool(account) and not account <= _words(self.by)

    @property
    def signer(self) -> str:
        """Who signed: the name, with the account behind it where that is another's."""
        return f"{self.by} [account: {self.account}]" if self.is_of_another_name else self.by


class AcceptedHazard(_WrittenModel):
    """A hazard that the author has looked at and lets stand. It silences that hazard for one phrase and decides no verdict."""

    code: Text = Field(description="Code of the hazard, such as own-denial")
    phrase: str = Field("", description="The phrase it is accepted for; left out for a hazard of the whole item")
    reason: Text = Field(description="Why it may stand")


class Item(_WrittenModel):
    """One golden question with its contract."""

    id: Annotated[str, AfterValidator(_an_id)] = Field(description="Stable unique name; an item's history hangs on it")
    surface: Surface = Field(Surface.PUBLIC, description="Which chatbot the question goes to")
    domain: Label = Field("", description="Free grouping for reports, such as badan-hukum-pt")
    question: Message | None = Field(None, description="The question as a citizen would type it")
    turns: tuple[Message, ...] = Field((), description="Several user messages instead of one question")
    context: LongText = Field("", description="Background that the judge should know about the question")
    expected: Expected = Field(default_factory=Expected, description="What a right answer must and must not say")
    verified: bool = Field(False, description="true only after an expert has reviewed the item")
    review: Review | None = Field(None, description="Who reviewed the item, when, and on what grounds")
    kind: Kind = Field(Kind.ANSWER, description="What a right answer does: answer, decline, or refuse (forbidden)")
    decline_type: DeclineType | None = Field(None, description="Why a right answer declines")
    role: Label = Field("", description="Who asks")
    region: Label = Field("", description="The asker's region, where the role has one")
    split: Split | None = Field(None, description="dev may be tuned on, test is held out")
    traps: tuple[Text, ...] = Field((), description="Traps of the data that the question tests")
    tags: tuple[Text, ...] = Field((), description="Free labels, for --select")
    note: Label = Field("", description="The definition that the expected answer follows")
    accepted: tuple[AcceptedHazard, ...] = Field((), description="Hazards that the author has looked at and lets stand, each with a reason")

    @model_validator(mode="after")
    def _is_complete(self) -> Item:
        """Refuse an item with gaps, all of them at once, one a line."""
        gaps = []
        if self.question is None and not self.turns:
            gaps.append("has no question; add 'question:' with the text a citizen would type")
        if self.question is not None and self.turns:
            gaps.append("has both 'question' and 'turns'; keep one of them")
        if self.expected.is_empty and self.kind is Kind.ANSWER:  # of the other kinds, a decline or a refusal is what is checked
            gaps.append("has nothing to check; give it must_include, must_not_include or a rubric under 'expected'")
        if self.decline_type is not None and self.kind is not Kind.DECLINE:
            gaps.append("has a decline_type but is not of kind decline; set 'kind: decline' or remove decline_type")
        if gaps:
            raise ValueError("\n".join(gaps))
        return self

    @property
    def is_data_question(self) -> bool:
        """Whether it asks an agent for data: its answer is a golden result, or that there is none to be had (seed 002)."""
        return self.expected.sql is not None or (self.kind is not Kind.ANSWER and self.expected.is_empty)

    @property
    def messages(self) -> tuple[str, ...]:
        """The user's messages in order; one for an ordinary question."""
        return self.turns or (self.question or "",)

    @property
    def title(self) -> str:
        """The first message, for tables and lists."""
        return self.messages[0]

    @cached_property
    def contract(self) -> str:
        """The parts that decide the verdict, in canonical form, as a JSON object (contract 2.5).

        Covers question or turns (`messages`), expected, the background that the judge is told, kind (and why it declines), role, and region
        where there is a role or SQL; texts folded, lists in order, absent parts left out, so that a corrected trailing space changes
        nothing and an added or reordered phrase does. SQL stands as it is, but for its layout and the letter case of its keywords.
        """
        contract: dict[str, Any] = {"messages": self.messages, "expected": self.expected.model_dump(exclude_defaults=True)}
        if fold(self.context):
            contract["context"] = self.context
        if self.kind is not Kind.ANSWER and self.is_data_question and fold(self.note):  # the judge of a decline is told why it is right
            contract["note"] = self.note
        if self.kind is not Kind.ANSWER:
            contract["kind"] = str(self.kind)
        if self.decline_type is not None:
            contract["decline_type"] = str(self.decline_type)
        if self.role:
            contract["role"] = self.role
        if self.region and (self.role or self.expected.sql is not None):  # what a role may see, it may see there; an agent is told both
            contract["region"] = self.region
        folded = _folded(contract)
        if self.expected.sql is not None:
            folded["expected"]["sql"] |= {key: _folded_sql(sql) for key, sql in contract["expected"]["sql"].items() if key in _SQL}
        return json.dumps(folded, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """What results are counted by besides the domain: who asks, from where, and the traps that the question tests."""
        asker = (("role", self.role), ("region", self.region))
        return (*((kind, name) for kind, name in asker if name), *(("trap", trap) for trap in self.traps))

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, of the contract: what reviews are bound to, and what tells that it has changed."""
        return hashlib.sha256(self.contract.encode()).hexdigest()

    @property
    def changed_since_review(self) -> bool:
        """Whether the item was signed and its contract has changed since (contract 2.5)."""
        return self.verified and self.review is not None and self.review.digest is not None and self.review.digest != self.digest

    @property
    def is_verified(self) -> bool:
        """Whether an expert stands behind the item as it is now."""
        return self.verified and not self.changed_since_review and not (self.review is not None and self.review.has_ended)

    @property
    def changed_note(self) -> str:
        """ "changed since verified on DATE by NAME", "signature of NAME withdrawn on DATE", or empty."""
        review = self.review
        if review is None or not (self.changed_since_review or review.has_ended):
            return ""
        if review.withdrawn is not None:
            return f"signature of {review.signer} withdrawn on {review.withdrawn}" + (f": {review.reason}" if review.reason else "")
        on = f" on {review.at}" if review.at else ""
        return f"changed since verified{on} by {review.signer}"

    def review_is_due(self, today: date) -> bool:
        """Whether the date by which the item should be reviewed again has passed. The item stays verified."""
        return self.review is not None and self.review.due is not None and date.fromisoformat(self.review.due[:10]) < today


def _words(name: str) -> set[str]:
    """The words of a name or an account, without an address behind it."""
    return set(re.findall(r"[^\W_]+", fold(re.split("[<@]", name.lstrip("<"))[0])))


_SQL = ("golden", "check")
# What stands in SQL to the letter: texts, quoted names and comments. Where other signs may quote, in the one or the other engine, all does.
_TO_THE_LETTER = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*\n?|/\*.*?\*/)""", re.DOTALL)
_QUOTES_OF_SOME = re.compile(r"[\\$#\[]|/\*(?:(?!\*/).)*/\*", re.DOTALL)  # a comment in a comment ends here in one engine, there in another
_LEFT_OPEN = re.compile(r"""['"`]|/\*|\*/""")
_SPACES = re.compile(r"[ \t\n]+")
# Words that are a name in no engine. Of any other word the case may tell two tables or columns apart, as in MySQL.
_KEYWORDS = re.compile(
    r"\b(?:SELECT|DISTINCT|FROM|WHERE|AND|OR|NOT|IN|IS|NULL|AS|ON|USING|JOIN|LEFT|RIGHT|INNER|OUTER|CROSS|GROUP|BY|HAVING|ORDER|ASC|DESC|LIMIT"
    r"|UNION|ALL|CASE|WHEN|THEN|ELSE|WITH|BETWEEN|LIKE|EXISTS)\b",
    re.IGNORECASE | re.ASCII,
)


def _folded_sql(sql: Any) -> Any:
    """SQL in canonical form: as it is, but for its layout and the letter case of keywords. In names and texts, case decides what is found.

    >>> _folded_sql("SELECT  n FROM Orders WHERE a = 'North  A'")
    "select n from Orders where a = 'North  A'"
    """
    if isinstance(sql, list | tuple):
        return [_folded_sql(one) for one in sql]
    sql = re.sub(r"\r\n?", "\n", sql).strip(" \t\n")
    pieces = _TO_THE_LETTER.split(sql)
    if _QUOTES_OF_SOME.search(sql) or any(map(_LEFT_OPEN.search, pieces[::2])):
        return sql
    return "".join(piece if number % 2 else _plain_sql(piece) for number, piece in enumerate(pieces)).strip(" ")


def _plain_sql(text: str) -> str:
    return _KEYWORDS.sub(lambda word: word[0].lower(), _SPACES.sub(" ", text))


def _folded(value: Any) -> Any:
    if isinstance(value, str):
        return fold(value)
    if isinstance(value, Mapping):
        return {key: _folded(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_folded(part) for part in value]
    return value
