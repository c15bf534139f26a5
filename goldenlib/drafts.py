"""Drafts: the reasoning that a model writes around its answer, in the markup of its family, and what is left without it.

Rule: a draft is not the answer and satisfies no fact, in whatever dialect it is marked.
"""

from __future__ import annotations

import re

THINK_TAG = re.compile(r"<(/?)think(?:ing)?>", re.I)

_NAME = r"(?:think(?:ing)?|thoughts?|reason(?:ing)?(?:_content)?|reflection|scratch_?pad|analysis|(?:inner|internal)_monologue)"
_TOKEN = r"(?:thought|think(?:ing)?|reasoning)"
_MARK = re.compile(
    "(?P<open>"
    rf"(?:<|&lt;)(?:[\w-]+:)?{_NAME}(?:\s[^<>&]*)?(?:>|&gt;)"  # <think>, <seed:think>, also escaped
    r"|<details\s[^<>]{0,300}type=.reasoning.[^<>]{0,300}>"
    r"|\[(?:think(?:ing)?|reasoning)\]|◁think▷"
    rf"|<\|(?:begin_of_|start_)?{_TOKEN}(?:_start)?\|>"
    r"|<\|channel\|?>(?!\s*final\b)\s*[\w-]*"  # harmony, and what is like it
    ")|(?P<close>"
    rf"(?:<|&lt;)/(?:[\w-]+:)?{_NAME}\s*(?:>|&gt;)"
    r"|\[/(?:think(?:ing)?|reasoning)\]|◁/think▷"
    rf"|<\|(?:end_of_|end_|/){_TOKEN}\|>|<\|{_TOKEN}_end\|>"
    r"|<channel\|>|<\|channel\|?>\s*final\b"
    r")|(?P<end></details>|<\|(?:end|return|call)\|>)|(?P<token><\|(?:start\|>\w*|message\|>|constrain\|>\w*))",
    re.IGNORECASE,
)
_WORDS = ("think", "thought", "reason", "reflection", "scratch", "analysis", "monologue", "channel")  # one stands in each opening mark
_BARE_HARMONY = re.compile(r"\s*(?:assistant)?analysis.*assistantfinal", re.DOTALL)  # what is left of it without its special tokens


def without_drafts(text: str) -> str:
    """Return `text` without the drafts in it.

    Some templates put the opening mark into the prompt, so that only the closing one comes back: all before it is a draft.
    A draft that never closes hides all that follows.

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
    for mark in _MARK.finditer(text, at):
        kind = mark.lastgroup
        if kind == "end" and (mark[0] == "</details>") != opened.startswith("<details"):
            continue
        if not opened:
            kept.append(text[at : mark.start()])
        if kind == "close" and not opened:
            kept.clear()
        if kind != "token":
            opened = opened or mark[0].lower() if kind == "open" else ""
        at = mark.end()
    return "".join(kept if opened else [*kept, text[at:]])


def draft_mark(text: str) -> str:
    """Return the first mark of a draft in a text, as it stands there; "" where there is none."""
    if not _may_hold_a_draft(text):
        return ""
    marks = (mark[0] for mark in _MARK.finditer(text) if mark.lastgroup in ("open", "close"))
    return next(marks, "assistantfinal" if _BARE_HARMONY.match(text) else "")


def _may_hold_a_draft(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _WORDS)
