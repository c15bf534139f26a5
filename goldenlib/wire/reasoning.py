"""Drafts: the reasoning that a model writes around its answer, in the markup of its family, and what is left without it.

Rule: a draft is not the answer and satisfies no fact, in whatever dialect it is marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

THINK_TAG = re.compile(r"<(/?)think(?:ing)?>", re.I)

# A name of a draft is made of words joined by _ or -, one of which says that somebody thinks, and none that it is the answer:
# thinking_process, chain_of_thought, inner-monologue. "Reason", "analysis" and the like are such names only between < and >.
_NOT_THE_ANSWER = r"(?![\w-]{0,60}(?:answer|final|result|summary|conclusion|response|jawaban|kesimpulan))"
_THOUGHT = r"(?:think(?:ing)?|thoughts?|reasoning|scratch[_-]?pad|monologue|pemikiran|penalaran|berpikir)"
_BROADLY = rf"(?:{_THOUGHT}|reason|reflect(?:ion|ing)?|analysis|deliberation|cot)"
_BEFORE, _AFTER = r"(?:[a-z]{1,20}[_-]){0,4}", r"(?:[_-][a-z\d]{1,20}){0,4}"
_NAME = rf"{_NOT_THE_ANSWER}{_BEFORE}(?:chain of )?{_BROADLY}(?:process|steps?)?{_AFTER}"
_TITLE = (  # "Thought for 5 seconds", "Chain of thought", "Proses berpikir"; not what the law's own reasoning is called
    rf"(?:(?:my|the|inner|internal|deep|chain[ _-]of|proses|alur)[ _-]){{0,2}}{_THOUGHT}"
    r"(?:[ _-](?:process|steps?|trace|block|mode|for[ _-][a-z\d .]{1,30}))?"
)
_TOKEN = r"(?:thought|think(?:ing)?|reasoning)"
_LT = r"(?:\\?<|&(?:amp;)?(?:lt|#0{0,5}60|#x0{0,5}3c);|\\u003c)"  # as it is, or escaped
_GT = r"(?:\\?>|&(?:amp;)?(?:gt|#0{0,5}62|#x0{0,5}3e);|\\u003e)"
_FENCE = r"^ {0,3}(?:`{3,9}|~{3,9})[ \t]*"
_LABEL = r"^[ \t>#*_]{0,12}"
_LABEL_ENDS = r"[*_]{0,3}[ \t]*:[*_]{0,3}"  # "Thinking:", "**Thinking:**"; without the colon only where it is a heading
_HEADING = r"^[ \t>]{0,6}(?:#{1,6}|[*_]{1,3})[ \t]?[*_]{0,3}"
_ANSWER = r"(?:(?:the |my )?(?:final )?(?:answer|response)|jawaban(?: akhir| saya| final)?)"
_MARK = re.compile(
    "(?P<open>"
    rf"{_LT}(?:[\w-]{{1,40}}:)?{_NAME}(?:\s[^<>&\\]{{0,300}})?{_GT}"  # <think>, <seed:think>, also escaped
    rf"|(?:\[|\{{)(?!/){_TITLE}(?:\](?!\()|\}})"
    rf"|<\|(?!end_){_BEFORE}{_TOKEN}(?:_(?!end\b)[a-z]{{1,20}}){{0,2}}\|>"
    r"|<\|channel\|?>(?!\s*final\b)\s*[\w-]*"  # harmony, and what is like it
    r")|(?P<open_details><details\s[^<>]{0,300}type=.reasoning.[^<>]{0,300}>"
    rf"|<details(?:\s[^<>]{{0,300}})?>\s{{0,20}}<summary(?:\s[^<>]{{0,300}})?>[^\w<>]{{0,20}}(?:<[a-z]{{1,9}}>)?{_TITLE}[^\w<>]{{0,20}}<)"
    rf"|(?P<open_fence>{_FENCE}\{{?\.?{_NOT_THE_ANSWER}{_BEFORE}{_THOUGHT}{_AFTER}\}}?[ \t]*$)"
    rf"|(?P<open_comment><!--\s{{0,9}}{_TITLE}\b)|(?P<end_comment>-->)"
    rf"|(?P<open_unused><unused\d{{1,4}}>\s{{0,9}}{_TOKEN}\b)"
    rf"|(?P<open_label>{_LABEL}{_TITLE}{_LABEL_ENDS}|{_HEADING}{_TITLE}[*_]{{0,3}}[ \t]*$)"
    "|(?P<close>"
    rf"{_LT}/(?:[\w-]{{1,40}}:)?{_NAME}\s{{0,9}}{_GT}"
    rf"|(?:\[|\{{)/{_TITLE}[\]}}]|^[ \t]{{0,9}}\.\.\.done thinking\.?[ \t]*$"
    rf"|<\|(?:end_|/){_BEFORE}{_TOKEN}{_AFTER}\|>|<\|{_BEFORE}{_TOKEN}_end\|>"
    r"|<channel\|>|<\|channel\|?>\s*final\b)"
    rf"|(?P<end_details></details>)|(?P<end_fence>{_FENCE}$)|(?P<end_unused><unused\d{{1,4}}>)"
    rf"|(?P<end_label>{_LABEL}{_ANSWER}{_LABEL_ENDS}|{_HEADING}{_ANSWER}[*_]{{0,3}}[ \t]*$)"
    r"|(?P<end><\|(?:end|return|call)\|>)|(?P<token><\|(?:start\|>\w*|message\|>|constrain\|>\w*))",
    re.IGNORECASE | re.MULTILINE,
)
# One of these stands in each opening mark.
_WORDS = (
    "think",
    "thought",
    "reason",
    "reflect",
    "scratch",
    "analysis",
    "monologue",
    "channel",
    "deliberation",
    "pemikiran",
    "penalaran",
    "berpikir",
    "cot",
)
_BARE_HARMONY = re.compile(r"\s*(?:assistant)?analysis.*assistantfinal", re.DOTALL)  # what is left of it without its special tokens
_BRACKETS = str.maketrans(  # one for one, so that places stay: full-width bars, angles of all kinds, square brackets
    "\uff5c\u2502\u2223\uffe8\u2581\u2039\u3008\uff1c\u27e8\u25c1\u203a\u3009\uff1e\u27e9\u25b7\uff3b\u3010\uff3d\u3011\uff0f",
    "||||_<<<<<>>>>>[[]]/",
)


def without_drafts(text: str) -> str:
    """Return `text` without the drafts in it.

    Some templates put the opening mark into the prompt, so that only the closing one comes back: all before it is a draft.
    A draft that never closes hides all that follows; one that is only headed ("Thinking:") is one where a heading of the answer follows.

    >>> without_drafts("<think>17 or 18?</think>17 tahun")
    '17 tahun'
    >>> without_drafts("<|channel|>analysis<|message|>17?<|end|><|start|>assistant<|channel|>final<|message|>18 tahun")
    '18 tahun'
    """
    if not _may_hold_a_draft(text):
        return text
    bare = _BARE_HARMONY.match(text)
    kept: list[str] = []
    opened, at = "", bare.end() if bare else 0
    for mark, kind, family in _marks(text, at):
        if kind == "end" and opened != family and (opened or family != _ANY):
            continue
        if not opened:
            kept.append(text[at : mark.start()])
        if kind == "close" and not opened:
            kept.clear()
        if kind != "token":
            opened = opened or family if kind == "open" else ""
        at = mark.end()
    return "".join(kept if opened else [*kept, text[at:]])


def draft_mark(text: str) -> str:
    """Return the first mark of a draft in a text, as it stands there; "" where there is none."""
    if not _may_hold_a_draft(text):
        return ""
    marks = (text[mark.start() : mark.end()].strip() for mark, kind, _ in _marks(text, 0) if kind in ("open", "close"))
    return next(marks, "assistantfinal" if _BARE_HARMONY.match(text) else "")


_ANY = "any"  # the family of marks that may end one another's drafts


def _marks(text: str, start: int) -> Iterator[tuple[re.Match[str], str, str]]:
    """Give the marks of a text, each with its kind and its family; a heading of a draft only where one of the answer follows."""
    found = list(_MARK.finditer(text.translate(_BRACKETS), start))
    answered = max((mark.start() for mark in found if mark.lastgroup == "end_label"), default=-1)
    for mark in found:
        kind, _, family = (mark.lastgroup or "").partition("_")
        if mark.lastgroup != "open_label" or mark.start() < answered:
            yield mark, kind, family or _ANY


def _may_hold_a_draft(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _WORDS)
