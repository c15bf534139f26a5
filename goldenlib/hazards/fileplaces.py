"""The raw text of a YAML file: what only it shows, because the loaded item no longer has it.

Rule: a file that cannot be parsed has no hazards; loading says what is wrong with it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from goldenlib.errors import InputError
from goldenlib.files.yamltext import PLAIN, compose_yaml
from goldenlib.folding import fold
from goldenlib.hazards.findings import Fact, Finding, Hit, Severity
from goldenlib.hazards.linting import Found
from goldenlib.hazards.rules import COMMA_IN_LIST, CUT_BY_YAML
from goldenlib.hazards.sentences import FindingWording
from goldenlib.hazards.vocabulary import MONTHS_EN, MONTHS_ID
from goldenlib.languages import Language

TEXTS = frozenset(("question", "rubric", "answer", "golden_answer", "note", "context"))
LISTS = frozenset(("must_include", "must_not_include", "turns", "traps"))
WORDS_OF_A_CLAUSE = 3

_COMMENT = re.compile(r"[ \t]+#([^\r\n]*)")
_UNFINISHED = re.compile(r"(?:^|\s)(?:nomor|no|no\.|number|formulir|form|pasal|dan|atau|and|or|dengan|yang|of)$", re.IGNORECASE)
_MONTH_AND_DAY = re.compile(rf"\b(?:{'|'.join(MONTHS_EN)}) \d{{1,2}}$", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d\b.*")
_PLACE, _DATE = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?"), re.compile(rf"\d{{1,2}} (?:{'|'.join(MONTHS_ID)})\b", re.IGNORECASE)
_CONTINUES = re.compile(
    r"(?:dan|atau|serta|tetapi|tapi|karena|sebab|sehingga|maka|yang|kecuali|namun|melainkan|sedangkan|jika|bila|apabila|kalau|agar|supaya"
    r"|yaitu|yakni|termasuk|ayat|huruf|tbk|s\.h|m\.h|m\.kn|inc\b|ltd\b|and|or|but|because|so|which|unless|except|if|when)\b",
    re.IGNORECASE,
)


def lint_source(source: str | bytes, *, language: Language | str = Language.INDONESIAN) -> tuple[Finding, ...]:
    """Return what YAML took from a file's texts: cut at " #", or split at a comma; each with line and column.

    Takes the text of a set, or of a part of one. Hazards that an item accepts are left out.
    """
    wording = FindingWording.of(language)
    text = _decoded(source)
    accepted = _accepted(text)
    return tuple(
        wording.tell(item_id, code, hit)
        for item_id, found in source_hits(text).items()
        for code, hit in found
        if (item_id, code, fold(hit.phrase)) not in accepted
    )


def source_hits(source: str | bytes) -> Mapping[str, Sequence[Found]]:
    """Return the same by item id, untold; "" stands for what is outside of any item."""
    text = _decoded(source)
    hits: defaultdict[str, list[Found]] = defaultdict(list)
    for item_id, key, node in _texts(text):
        if isinstance(node, ScalarNode):
            hits[item_id].extend(_cut(text, key, node))
        elif isinstance(node, SequenceNode):
            for part in node.value:
                if isinstance(part, ScalarNode):
                    hits[item_id].extend(_cut(text, key, part))
            if node.flow_style:
                hits[item_id].extend(_split(text, key, node.value))
    return {item_id: found for item_id, found in hits.items() if found}


def _cut(text: str, key: str, node: ScalarNode) -> Iterator[Found]:
    """Give a hit for plain text behind which a comment stands that was probably meant to be read."""
    comment = _COMMENT.match(text, node.end_mark.index) if node.style == PLAIN and node.value else None
    if comment is not None and _was_meant(node.value, comment[1]):
        lost = f"#{comment[1].rstrip()}"
        yield CUT_BY_YAML, _hit(Severity.WARNING, key, node, lost=lost, whole=f"{node.value} {lost}")


def _was_meant(kept: str, comment: str) -> bool:
    """Whether what follows " #" is text and no remark: no blank after the sign, or a sentence that goes on there."""
    goes_on = comment.rstrip().endswith("?") and not kept.endswith(("?", ".", "!"))
    return bool(comment[:1].strip(" \t#")) or goes_on or bool(_UNFINISHED.search(kept))


def _split(text: str, key: str, parts: Sequence[Node]) -> Iterator[Found]:
    """Give a hit for each pair of unquoted list entries that a comma may have made of one text."""
    for first, second in pairwise(parts):
        if not all(isinstance(part, ScalarNode) and part.style == PLAIN for part in (first, second)):
            continue
        between = text[first.end_mark.index : second.start_mark.index]
        digits = between == "," and first.value[-1:].isdigit() and second.value[:1].isdigit()
        digits = digits or bool(_MONTH_AND_DAY.search(first.value) and _YEAR.fullmatch(second.value))
        if digits or _CONTINUES.match(second.value):
            severity = Severity.WARNING
        elif (
            (key == "turns" and second.value[:1].islower())
            or (_PLACE.fullmatch(first.value) and _DATE.match(second.value))
            or min(len(first.value.split()), len(second.value.split())) >= WORDS_OF_A_CLAUSE
        ):
            severity = Severity.NOTE
        else:
            continue
        yield COMMA_IN_LIST, _hit(severity, key, second, first=first.value, whole=f"{first.value}{between}{second.value}")


def _hit(severity: Severity, key: str, node: Node, **values: object) -> Hit:
    line, column = node.start_mark.line + 1, node.start_mark.column + 1
    return Hit(severity, key, node.value, values=values, evidence=(Fact("at", {"line": line, "column": column}),), place=(line, column))


def _texts(text: str) -> Iterator[tuple[str, str, Node]]:
    """Give each value that holds an author's text, with the id of its item and its key."""
    for item_id, mapping in _mappings(text):
        for key, value in mapping.value:
            if isinstance(key, ScalarNode) and key.value in TEXTS | LISTS:
                yield item_id, key.value, value


def _accepted(text: str) -> set[tuple[str, str, str]]:
    """Return (item id, code, folded phrase) of what items accept."""
    found = set()
    for item_id, mapping in _mappings(text):
        parts = {key.value: value.value for key, value in mapping.value if isinstance(key, ScalarNode) and isinstance(value, ScalarNode)}
        if {"code", "reason"} <= set(parts):
            found.add((item_id, parts["code"], fold(parts.get("phrase", ""))))
    return found


def _mappings(text: str) -> Iterator[tuple[str, MappingNode]]:
    """Give every mapping of a file once, with the id of the item it stands in."""
    try:
        root = compose_yaml(text, "")
    except InputError:
        return
    waiting: list[tuple[str, Node | None]] = [("", root)]
    seen: set[int] = set()
    while waiting:
        item_id, node = waiting.pop()
        if node is None or id(node) in seen or isinstance(node, ScalarNode):
            continue
        seen.add(id(node))
        if isinstance(node, MappingNode):
            ids = [value.value for key, value in node.value if key.value == "id" and isinstance(value, ScalarNode)]
            item_id = ids[0] if ids else item_id
            yield item_id, node
            children = [part for pair in node.value for part in pair]
        else:
            children = node.value
        waiting.extend((item_id, child) for child in reversed(children))


def _decoded(source: str | bytes) -> str:
    return source if isinstance(source, str) else source.decode("utf-8-sig", "replace")
