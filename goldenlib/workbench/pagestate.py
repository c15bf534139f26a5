"""Page state: the shapes of what goes to the page, part by part, as `panel.js` reads it. `view` makes them.

Rule: only texts, numbers, booleans, None, and lists and mappings of these: what goes out is JSON. Texts from elsewhere are made visible.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

# Pairs of a text and what it is: a mark of a phrase, or a sign of a difference.
Pieces = list[list[str]]


class LeftDrafts(TypedDict):
    """Drafts of another session: whose, from when, of what."""

    session: str
    who: str
    at: str
    count: int
    names: list[str]
    open: bool


class UnsavedItem(TypedDict):
    """A draft that is not saved, by the key of its item and the id that it has now."""

    key: str
    id: str


class Head(TypedDict):
    """The bar above: file, counts, chatbot, judge, what is not saved."""

    path: str
    name: str
    new_file: bool
    first_step: bool
    items: int
    verified: int
    demo: bool
    chatbot: str
    judge: str
    judge_demo: bool
    timeout: float
    language: str
    unsaved: list[UnsavedItem]
    restored: Any
    restored_from: list[LeftDrafts]
    offered: list[LeftDrafts]
    taken_by: str | None
    session: str
    account: str
    draft_file: str
    draft_problem: str
    learned: bool
    undo: str
    redo: str
    problems: list[str]
    open: str | None
    conflicts: int


class ShownRow(TypedDict):
    """A row of the list."""

    key: str
    id: str
    title: str
    domain: str
    surface: str
    state: str
    draft: bool
    fresh: bool
    errors: int
    warnings: int
    marks: str | None


class ShownKeys(TypedDict):
    """The keys that search and filters leave, in order."""

    keys: list[str]
    counts: dict[str, int]
    filter: dict[str, str]


class AllRows(ShownKeys):
    """Every row of the list by key, and what the filters offer."""

    rows: dict[str, ShownRow]
    domains: list[str]


class ChangedRows(ShownKeys):
    """Some rows, and what the filters leave now."""

    changed: dict[str, ShownRow]


class ShownProblem(TypedDict):
    """What is wrong in a field of the form."""

    field: str
    text: str


class ShownHazard(TypedDict):
    """A hazard beside its field."""

    code: str
    severity: str
    field: str
    phrase: str
    message: str
    evidence: list[str]
    suggestion: str


class ShownFlip(TypedDict):
    """A stored answer whose verdict the edit would change."""

    run_id: str
    at: str
    then: bool | None
    now: bool | None
    reason: str
    segments: Pieces


class ShownFlips(TypedDict):
    """What the edit would have done to stored answers."""

    total: int
    to_pass: int
    to_fail: int
    changed: int
    shown: list[ShownFlip]


class Strength(TypedDict):
    """How many wrong answers of a kind the contract lets pass."""

    kind: str
    tried: int
    passed: int
    example: str


class FileDiff(TypedDict):
    """What saving changes in the file, or why it cannot be saved."""

    text: str
    error: str


# The review as it stands, key by key; with `other`, the account that is not of that name.
ShownReview = dict[str, str] | None


# What follows from the form as it is. `for` is a word of Python, hence the call.
Derived = TypedDict(
    "Derived",
    {
        "for": str,
        "state": str,
        "marks": str | None,
        "problems": list[ShownProblem],
        "hazards": list[ShownHazard],
        "flips": ShownFlips,
        "strength": list[Strength],
        "diff": FileDiff,
        "is_draft": bool,
        "loss": str,
        "review": ShownReview,
        "signed": bool,
    },
    total=False,
)


class Editor(Derived, total=False):
    """The form of an item; `key` alone, and None, where none is open."""

    key: str | None
    form: dict[str, Any]
    several: Any
    is_new: bool
    deleted: bool
    carry: bool
    id_locked: bool
    results: int
    file_problems: list[str]
    reviewer: str


class ShownViolation(TypedDict):
    """A phrase that an answer violates, with the passage that nearly says it."""

    kind: str
    phrase: str
    near: str


class ShownVerdict(TypedDict):
    """What the judge said of an answer of the preview."""

    asking: bool
    passed: bool | None
    value: float | None
    reason: str


class ShownAttempt(TypedDict):
    """An answer of the preview, as far as it came."""

    number: int
    phase: str
    segments: Pieces
    findings: list[ShownViolation]
    ok: bool
    seconds: float
    error: str
    verdict: ShownVerdict | None


class PhraseCount(TypedDict):
    """In how many answers of the preview a phrase stood."""

    phrase: str
    forbidden: bool
    found: int
    total: int


class ShownPreview(TypedDict):
    """The answers that the chatbot gave for an item."""

    key: str | None
    attempts: list[ShownAttempt]
    table: list[PhraseCount]
    running: bool
    unchecked: NotRequired[bool]


class StoredResult(TypedDict):
    """A stored result without its answer."""

    run_id: str
    at: str
    passed: bool | None
    status: str
    score: float | None
    reason: str


class ItemHistory(TypedDict):
    """The stored results of an item, newest first."""

    key: str | None
    results: list[StoredResult]
    series: str


class StoredAnswerShown(StoredResult):
    """A stored answer, marked, and against the one before it."""

    segments: Pieces
    findings: list[ShownViolation]
    diff: Pieces | None


# A recent answer. `from` is a word of Python, hence the call.
LatestAnswer = TypedDict("LatestAnswer", {"from": str, "at": str, "segments": Pieces, "findings": list[ShownViolation]})


class LabelledText(TypedDict):
    """A field of an item with its label."""

    label: str
    text: str


class SaveEffect(TypedDict):
    """What saving does, in a sentence; `lost` says that it ends a signature."""

    lost: bool
    text: str
