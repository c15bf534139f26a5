"""The view: what the page is told, as plain JSON values. One function a part; parts are sent when they change.

Rule: every text from an answer or a file leaves here with its active characters made visible, and never as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from goldenlib.answers import JUDGE_AXIS as JUDGE
from goldenlib.answers import EvidenceKind, Result
from goldenlib.config.identity import label_of
from goldenlib.config.settingtypes import DEMO
from goldenlib.errors import GoldenError
from goldenlib.folding import fold
from goldenlib.hazards import Finding, try_out
from goldenlib.items import Expected, Review
from goldenlib.reporting.passages import plain, visible
from goldenlib.scoring.facts import AXIS as FACTS
from goldenlib.workbench import itemlist, marking, pagestate
from goldenlib.workbench.drafts import Draft, Left
from goldenlib.workbench.effects import loss
from goldenlib.workbench.fields import EDITABLE, form_of, several, title_of
from goldenlib.workbench.foresight import flips_of
from goldenlib.workbench.itemlist import ListRow
from goldenlib.workbench.memory import complete, when
from goldenlib.workbench.phrasing import Wording
from goldenlib.workbench.preview import Attempt, Phase, PreviewVerdict
from goldenlib.workbench.standing import is_signed
from goldenlib.workbench.state import Workbench

FLIPS_SHOWN = 6
MOST_BASES = 50
MOST_NAMES = 6
# What is signed beside question, phrases and rubric, in the order of the form.
REVIEWED = (
    "kind",
    "decline_type",
    "role",
    "region",
    "context",
    "expected.answer",
    "traps",
    "note",
    "expected.sql.golden",
    "expected.sql.check",
    "expected.sql.tolerance",
    "expected.sql.absolute",
    "expected.sql.order_matters",
)


def head(bench: Workbench) -> pagestate.Head:
    """The bar above: file, counts, chatbot, judge, what is not saved."""
    states = [row.state for row in bench.rows()]
    settings = bench.settings
    return {
        "path": plain(str(bench.path)),
        "name": plain("/".join(bench.path.parts[-2:])),
        "new_file": bench.source.is_new,
        "first_step": not bench.source.items and not states,
        "items": len(states),
        "verified": sum(state in (itemlist.ItemState.VERIFIED, itemlist.ItemState.DUE) for state in states),
        "demo": settings.is_demo,
        "chatbot": label_of(settings),
        "judge": "" if settings.judge_is_off else settings.judge_model,
        "judge_demo": settings.judge_url == DEMO,
        "timeout": settings.chatbot_timeout_s,
        "language": str(bench.language),
        "unsaved": [{"key": draft.key, "id": plain(str(draft.values.get("id") or "")) or draft.key} for draft in bench.unsaved()],
        "restored": bench.restored,
        "restored_from": [_left(left) for left in bench.restored_from],
        "offered": [_left(left) for left in bench.offered if left.session not in bench.hidden],
        "taken_by": plain(bench.draft_file.taken_by) if bench.draft_file.taken_by is not None else None,
        "session": bench.draft_file.session,
        "account": bench.account,
        "draft_file": plain(str(bench.draft_file.path or "")),
        "draft_problem": Wording.of(bench.language).retell(bench.draft_problem),
        "learned": bench.words is not None,
        "undo": bench.can_undo.split(":")[0],
        "redo": bench.can_redo.split(":")[0],
        "problems": [plain(Wording.of(bench.language).retell(problem), 300) for problem in bench.file.problems],
        "open": bench.open_key,
        "conflicts": len(bench.conflicts),
    }


def rows(bench: Workbench) -> pagestate.AllRows:
    """Every row of the list by key, and what the filters offer."""
    all_rows = bench.rows()
    domains = sorted({row.domain for row in all_rows if row.domain})
    return {"rows": {row.key: _row(row) for row in all_rows}, **shown(bench), "domains": domains}


def row(bench: Workbench, keys: Sequence[str]) -> pagestate.ChangedRows:
    """Some rows, and what the filters leave now."""
    return {"changed": {row.key: _row(row) for row in bench.rows() if row.key in keys}, **shown(bench)}


def shown(bench: Workbench) -> pagestate.ShownKeys:
    """The keys that search and filters leave, in order."""
    return {
        "keys": [row.key for row in bench.shown_rows()],
        "counts": itemlist.counts(bench.rows()),
        "filter": {name: getattr(bench.filter, name) for name in ("text", "domain", "surface", "state")},
    }


def editor(bench: Workbench, key: str | None = None) -> pagestate.Editor:
    """The form of the open item, or of another."""
    key = key or bench.open_key
    if key is None:
        return {"key": None}
    draft = bench.drafts.get(key)
    entry = bench.file.entries.get(key)
    words = Wording.of(bench.language)
    return {
        "key": key,
        "form": {name: value for name, value in form_of(bench.values(key)).items() if name in EDITABLE or name == "accepted"},
        "several": several(bench.values(key)),
        "is_new": draft is not None and draft.is_new,
        "deleted": draft is not None and draft.deleted,
        "carry": draft is not None and draft.carry_history,
        "id_locked": key in bench.file.entries,
        "results": len(bench.answers(key)),
        "review": review_of(bench.values(key), words),
        "file_problems": [plain(words.retell(problem), 400) for problem in (entry.problems if entry is not None else ())],
        "reviewer": bench.reviewer,
        **derived(bench, key),
    }


def derived(bench: Workbench, key: str | None = None) -> pagestate.Derived:
    """What follows from the form as it is: problems, hazards, flips, strength, the lines of the file."""
    key = key or bench.open_key
    if key is None:
        return {}
    words = Wording.of(bench.language)
    item = bench.shown_item(key)
    return {
        "for": key,
        "state": str(bench.rows_by_key(key).state),
        "marks": bench.rows_by_key(key).marks,
        "problems": [
            {"field": problem.field, "text": words.say(problem.name, message=words.retell(problem.message))}
            for problem in bench.problems(key)
        ],
        "hazards": [_hazard(finding) for finding in bench.hazards(key)],
        "flips": _flips(bench, key),
        "strength": [
            {"kind": one.kind, "tried": one.tried, "passed": one.passed, "example": plain(one.example, 160)}
            for one in (try_out(item, bench.others()) if item is not None else ())
            if one.tried
        ],
        "diff": _diff(bench, key),
        "is_draft": key in bench.drafts,
        "loss": visible(loss(bench.drafts.get(key), words)),
        "review": review_of(bench.values(key), words),
        "signed": is_signed(bench.base_of(key)) and not (key in bench.drafts and bench.drafts[key].withdrawn is not None),
    }


def review_of(values: Mapping[str, Any] | None, words: Wording) -> pagestate.ShownReview:
    """Who reviewed an item, as texts; with the account beside a name that is not its own. None where nobody did."""
    review = values.get("review") if values is not None else None
    if not isinstance(review, Mapping):
        return None
    told = {str(name): plain(str(text or "")) for name, text in review.items()}
    is_other = Review(by=told.get("by") or "?", account=told.get("account", "")).is_of_another_name
    return told | {"other": words.say("other_account", account=told["account"]) if is_other else ""}


def legal_bases(bench: Workbench) -> list[str]:
    """The legal bases that signatures in this set rest on, for choosing one again."""
    items = (entry.item for entry in bench.file.entries.values() if entry.item is not None)
    found = dict.fromkeys([bench.legal_basis, *(item.review.source for item in items if item.review is not None)])
    return [plain(text) for text in found if text][:MOST_BASES]


def preview(bench: Workbench, key: str | None = None) -> pagestate.ShownPreview:
    """The answers that the chatbot gave for the open item, marked by the contract as it is now."""
    key = key or bench.open_key
    if key is None:
        return {"key": None, "attempts": [], "table": [], "running": False}
    item = bench.shown_item(key)
    expected = item.expected if item is not None else Expected()
    attempts, words = bench.preview.attempts(key), Wording.of(bench.language)
    done = [attempt.text for attempt in attempts if attempt.phase is Phase.DONE]
    return {
        "key": key,
        "attempts": [_attempt(attempt, expected, words) for attempt in attempts],
        "table": marking.phrase_table(done, expected) if done else [],
        "running": bench.preview.is_running(key),
        "unchecked": item is None,
    }


def history(bench: Workbench) -> pagestate.ItemHistory:
    """The stored results of the open item, newest first, without their answers."""
    key = bench.open_key
    results = bench.answers(key) if key is not None else ()
    words = Wording.of(bench.language)
    return {"key": key, "results": [_result(result, words) for result in results], "series": words.retell(bench.memory.series[0])}


def stored_answer(bench: Workbench, run_id: str) -> pagestate.StoredAnswerShown | None:
    """One stored answer of the open item, marked, and against the one before it."""
    key = bench.open_key
    results = bench.answers(key) if key is not None else ()
    index = next((number for number, result in enumerate(results) if result.run_id == run_id), None)
    item = bench.shown_item(key) if key is not None else None
    if index is None or results[index].answer is None:
        return None
    result = results[index]
    text = result.answer.in_full if result.answer is not None else ""
    older = next((other.answer.in_full for other in results[index + 1 :] if other.answer is not None), None)
    expected = item.expected if item is not None else Expected()
    return {
        **_result(result, Wording.of(bench.language)),
        "segments": marking.segments(text, expected),
        "findings": marking.findings(text, expected),
        "diff": marking.word_diff(older, text) if older is not None else None,
    }


def latest_answer(bench: Workbench, key: str) -> pagestate.LatestAnswer | None:
    """A recent answer to the question as it is now, of the preview or else of the store; None when there is none."""
    item, asked = bench.shown_item(key), fold(title_of(bench.values(key)))
    expected = item.expected if item is not None else Expected()
    attempts = bench.preview.attempts(key)
    done = [attempt.text for attempt in attempts if attempt.phase is Phase.DONE and fold(attempt.question) == asked]
    stored = next(iter(complete(bench.answers(key))), None)
    if done:
        source, at, text = "preview", "", done[0]
    elif stored is not None and stored.answer is not None:
        source, at, text = "store", when(stored), stored.answer.in_full
    else:
        return None
    return {"from": source, "at": at, "segments": marking.segments(text, expected), "findings": marking.findings(text, expected)}


def reviewed(bench: Workbench, key: str) -> list[pagestate.LabelledText]:
    """What an item says beside question, phrases and rubric, each with its label, so that nothing is signed unseen."""
    words, values = Wording.of(bench.language), bench.values(key)
    form: dict[str, Any] = form_of(values)
    found: list[pagestate.LabelledText] = []
    for path in REVIEWED:
        value = form[path]
        if not value or (path, value) == ("kind", "answer"):
            continue
        text = words.texts.get(f"choice_{value}", value) if path in ("kind", "decline_type") else value
        text = "✓" if text is True else "\n".join(text) if isinstance(text, list) else text
        name = path.removeprefix("expected.").replace(".", "_")
        found.append({"label": words.say(f"field_{name}"), "text": visible(text)})
    for one in form["accepted"]:
        phrase = f" “{one['phrase']}”" if one["phrase"] else ""
        found.append({"label": words.say("field_accepted"), "text": visible(f"{one['code']}{phrase}: {one['reason']}")})
    return found


def _left(left: Left) -> pagestate.LeftDrafts:
    """Drafts of another session: whose, from when, of what."""
    return {
        "session": left.session,
        "who": ", ".join(sorted({plain(draft.by or left.who) for draft in left.drafts if draft.by or left.who})),
        "at": plain(left.at),
        "count": len(left.drafts),
        "names": [plain(str(draft.values.get("id") or draft.key), 60) for draft in left.drafts][:MOST_NAMES],
        "open": left.is_open,
    }


def _row(row: ListRow) -> pagestate.ShownRow:
    return {
        "key": row.key,
        "id": row.id,
        "title": row.title,
        "domain": row.domain,
        "surface": row.surface,
        "state": str(row.state),
        "draft": row.is_draft,
        "fresh": row.is_new,
        "errors": row.errors,
        "warnings": row.warnings,
        "marks": row.marks,
    }


def _hazard(finding: Finding) -> pagestate.ShownHazard:
    field = f"expected.{finding.field}" if f"expected.{finding.field}" in EDITABLE else finding.field
    return {
        "code": finding.code,
        "severity": str(finding.severity),
        "field": field,
        "phrase": finding.phrase,
        "message": visible(finding.message),
        "evidence": [visible(line) for line in finding.evidence],
        "suggestion": visible(finding.suggestion),
    }


def _flips(bench: Workbench, key: str) -> pagestate.ShownFlips:
    saved, edited = bench.saved_item(key), bench.item(key)
    is_going = key in bench.drafts and bench.drafts[key].deleted
    answers = complete(bench.answers(key)) if saved is not None and not is_going else ()
    words = Wording.of(bench.language)
    if saved is None or edited is None or not answers:
        return {"total": len(answers), "to_pass": 0, "to_fail": 0, "changed": 0, "shown": []}
    found = flips_of(saved, edited, answers)
    return {
        "total": found.total,
        "to_pass": found.to_pass,
        "to_fail": found.to_fail,
        "changed": len(found.flipped),
        "shown": [
            {
                "run_id": plain(flip.result.run_id),
                "at": when(flip.result),
                "then": flip.then.passed,
                "now": flip.now.passed,
                "reason": _violations(_pairs(marking.findings(flip.result.answer.text, edited.expected)), words),
                "segments": marking.segments(flip.result.answer.text[:1200], edited.expected),
            }
            for flip in found.flipped[:FLIPS_SHOWN]
            if flip.result.answer is not None
        ],
    }


def _diff(bench: Workbench, key: str) -> pagestate.FileDiff:
    if key not in bench.drafts or bench.problems(key):  # what is missing is said beside its field
        return {"text": "", "error": ""}
    return diff_of(bench, [key])


def diff_of(bench: Workbench, keys: Sequence[str]) -> pagestate.FileDiff:
    """What saving these drafts would change in the file, or why they cannot be saved."""
    try:
        return {"text": visible(bench.preview_of_file(keys).diff), "error": ""}
    except GoldenError as error:
        return {"text": "", "error": visible(Wording.of(bench.language).retell(str(error)))}


def _attempt(attempt: Attempt, expected: Expected, words: Wording) -> pagestate.ShownAttempt:
    text = attempt.text
    found = marking.findings(text, expected) if attempt.phase is Phase.DONE else []
    verdict = attempt.verdict
    return {
        "number": attempt.number,
        "phase": str(attempt.phase),
        "segments": marking.segments(text, expected) if text else [],
        "findings": found,
        "ok": attempt.phase is Phase.DONE and not found,
        "seconds": round(attempt.seconds, 1),
        "error": visible(words.retell(attempt.error)),
        "verdict": _verdict(verdict, words) if verdict is not None else None,
    }


def _verdict(verdict: PreviewVerdict, words: Wording) -> pagestate.ShownVerdict:
    reason = visible(words.retell(verdict.reason))
    return {"asking": verdict.asking, "passed": verdict.passed, "value": verdict.value, "reason": reason}


def _pairs(found: Iterable[pagestate.ShownViolation]) -> Iterator[tuple[str, str]]:
    return ((one["kind"], one["phrase"]) for one in found)


def _violations(found: Iterable[tuple[str, str]], words: Wording) -> str:
    """Which phrases an answer violates, in the language of the page."""
    names = {EvidenceKind.MISSING: "missing", EvidenceKind.FORBIDDEN: "says"}
    return plain(" · ".join(words.say(names[EvidenceKind(kind)], phrase=phrase) for kind, phrase in found), 300)


def _why(result: Result, words: Wording) -> str:
    """Why a result is as it is: nothing for a pass, the phrases or the judge's reason for a fail, and what went wrong otherwise."""
    if not result.is_scored or result.passed is None:
        return plain(words.retell(result.reason), 300)
    if result.passed:
        return ""
    scores = {score.axis: score for score in result.scores}
    kinds = (EvidenceKind.MISSING, EvidenceKind.FORBIDDEN)
    evidence = scores[FACTS].evidence if FACTS in scores else ()
    found = [(str(part.kind), part.phrase) for part in evidence if part.kind in kinds]
    if found:
        return _violations(found, words)
    return plain(words.retell(scores[JUDGE].reason if JUDGE in scores else result.reason), 300)


def _result(result: Result, words: Wording) -> pagestate.StoredResult:
    return {
        "run_id": plain(result.run_id),
        "at": when(result),
        "passed": result.passed if result.is_scored else None,
        "status": str(result.status),
        "score": result.score,
        "reason": _why(result, words),
    }


def draft_names(drafts: Sequence[Draft]) -> list[str]:
    """The ids of drafts, for a list of them."""
    return [plain(str(draft.values.get("id") or draft.key)) for draft in drafts]
