"""Wording: hits told in the expert's language.

Rule: a finding is the same in both languages but for its sentences, which stand in goldenlib/languages.
What an author typed is quoted and shortened, never parsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from goldenlib.hazards.findings import Fact, Finding, Hit, Severity
from goldenlib.languages import Language, texts

SHOWN_LENGTH = 70


@dataclass(frozen=True, slots=True)
class SaidFinding:
    """How a code is told: a sentence an expert understands, and what to do."""

    message: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class FindingWording:
    """The sentences of one language: per code the variants of its hits, the lines of evidence, and the names of severities."""

    language: Language
    codes: Mapping[str, Mapping[str, SaidFinding]]
    facts: Mapping[str, str]
    severities: Mapping[str, str]
    totals: str
    nothing: str
    no_words: str

    @staticmethod
    @cache
    def of(language: Language | str) -> FindingWording:
        """Return the wording of a language. Raises ValueError for one that is not offered."""
        language = Language(language)
        told = dict(texts("hazards", language))
        codes = {code: {variant: SaidFinding(**said) for variant, said in variants.items()} for code, variants in told.pop("codes").items()}
        return FindingWording(language, codes, **told)

    def tell(self, item_id: str, code: str, hit: Hit, more: Iterable[Fact] = ()) -> Finding:
        """Return a hit as a finding."""
        variants = self.codes[code]
        said = variants.get(hit.variant) or variants["usual"]
        values = {name: _shown(value) for name, value in hit.values.items()} | {"phrase": _shown(hit.phrase)}
        line, column = hit.place or (None, None)
        return Finding(
            item_id=item_id,
            code=code,
            severity=hit.severity,
            field=hit.field,
            phrase=hit.phrase,
            message=said.message.format_map(values),
            evidence=tuple(self.facts[fact.name].format_map(fact.values) for fact in (*hit.evidence, *more)),
            suggestion=said.suggestion.format_map(values),
            line=line,
            column=column,
        )

    def severity(self, severity: Severity) -> str:
        """The name of a severity."""
        return self.severities[severity.value]


def _shown(value: object) -> object:
    """A text on one line, cut; anything else as it is."""
    if not isinstance(value, str):
        return value
    line = " ".join(value.split())
    return line if len(line) <= SHOWN_LENGTH else line[: SHOWN_LENGTH - 1] + "…"
