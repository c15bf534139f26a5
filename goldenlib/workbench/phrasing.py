"""Wording: every sentence of the page, in the expert's language.

Rule: a sentence has a name and stands in both languages, in goldenlib/languages; a test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from goldenlib.languages import Language, texts, translator


@dataclass(frozen=True, slots=True)
class Wording:
    """The sentences of one language by name; {gaps} are filled by `say` here, and by the page."""

    language: Language
    texts: Mapping[str, str]

    @staticmethod
    @cache
    def of(language: Language | str) -> Wording:
        """Return the wording of a language. Raises ValueError for one that is not offered."""
        return Wording(Language(language), texts("workbench", language))

    def retell(self, text: str) -> str:
        """Return what the library, a judge or a system said in English in this language, line by line; what is not known stays."""
        return "\n".join(map(translator(self.language), text.split("\n")))

    def say(self, name: str, **values: object) -> str:
        """Return a sentence with its gaps filled."""
        text = self.texts[name]
        for gap, value in values.items():
            text = text.replace(f"{{{gap}}}", str(value))
        return text
