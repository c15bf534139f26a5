"""Hazards: what will misfire in an item's contract, with evidence, before the chatbot is blamed for it.

Rule: it only ever warns. The fact gate stays the plain search that contract 4.1 says it is.
"""

from goldenlib.hazards.fileplaces import lint_source
from goldenlib.hazards.findings import Finding, Severity
from goldenlib.hazards.linting import lint_item, lint_set
from goldenlib.hazards.mutations import Mutation, try_out
from goldenlib.hazards.others import OtherItems
from goldenlib.hazards.rules import CODES
from goldenlib.hazards.stored import StoredAnswer, StoredEvidence, evidence_of, read_evidence
from goldenlib.hazards.words import WordList
from goldenlib.languages import Language

__all__ = [
    "CODES",
    "Finding",
    "Language",
    "Mutation",
    "OtherItems",
    "Severity",
    "StoredAnswer",
    "StoredEvidence",
    "WordList",
    "evidence_of",
    "lint_item",
    "lint_set",
    "lint_source",
    "read_evidence",
    "try_out",
]
