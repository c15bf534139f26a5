"""Agreement: which cells of a golden column agree with which cells of an answer's column, for whole arrays of places at once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from goldenlib.matching.cells import CellKind, cells_agree
from goldenlib.matching.columns import CLASS, Book, Column, Integers
from goldenlib.matching.tolerances import Flags, MatchRule


@dataclass(frozen=True)
class Agreement:
    """The rule for numbers, and the book that columns refer to. A golden column with a rule of its own goes by that."""

    rule: MatchRule
    book: Book

    def __call__(self, golden: Column, answer: Column, golden_rows: Integers | None = None, answer_rows: Integers | None = None) -> Flags:
        """Return whether golden_rows[i] of `golden` agrees with answer_rows[i] of `answer`; None stands for all rows in order."""
        golden = golden if golden_rows is None else golden.taken(golden_rows)
        answer = answer if answer_rows is None else answer.taken(answer_rows)
        if golden.kind == answer.kind == CellKind.NUMBER:
            return self._numbers(golden, answer)
        agree: Flags = golden.values == answer.values
        if golden.kind is None or golden.kind != answer.kind:
            agree &= CLASS[golden.kinds] == CLASS[answer.kinds]
        if golden.offsets is not None or answer.offsets is not None:
            agree &= _offsets(golden) == _offsets(answer)
        self._forbid_text_for_timestamps(golden, answer, agree)
        self._allow_near(golden, answer, agree)
        return agree

    def _numbers(self, golden: Column, answer: Column) -> Flags:
        same: Flags = golden.values == answer.values
        if golden.offsets is not None or answer.offsets is not None:
            same &= _offsets(golden) == _offsets(answer)
        rule = golden.rule or self.rule
        if rule.is_exact or same.all():
            return same
        golden_offsets, answer_offsets = _offsets(golden), _offsets(answer)
        different = np.flatnonzero(~same)
        near = different if len(different) < len(same) else slice(None)

        def exactly(place: int) -> tuple[Fraction | int, Fraction | int]:
            row = different[place]
            return (
                self.book.exact(float(golden.floats[row]), int(golden_offsets[row])),
                self.book.exact(float(answer.floats[row]), int(answer_offsets[row])),
            )

        same[near] = rule.agree(golden.floats[near], answer.floats[near], exactly)
        return same

    def _forbid_text_for_timestamps(self, golden: Column, answer: Column, agree: Flags) -> None:
        # A date meets both its midnight and its spelling, but these two do not meet.
        for text, moment in ((golden, answer), (answer, golden)):
            if CellKind.DATE_TEXT in text.present and CellKind.MIDNIGHT in moment.present:
                agree &= ~((text.kinds == CellKind.DATE_TEXT) & (moment.kinds == CellKind.MIDNIGHT))

    def _allow_near(self, golden: Column, answer: Column, agree: Flags) -> None:
        rule = golden.rule or self.rule
        if not rule.is_exact and CellKind.NUMBER in golden.present and CellKind.NUMBER in answer.present:
            numbers = np.flatnonzero((golden.kinds == CellKind.NUMBER) & (answer.kinds == CellKind.NUMBER) & ~agree)
            agree[numbers] = self._numbers(_only_numbers(golden, numbers), _only_numbers(answer, numbers))
        if self.book.has_loose_shapes and CellKind.NESTED in golden.present and CellKind.NESTED in answer.present:
            nested = np.flatnonzero((golden.kinds == CellKind.NESTED) & (answer.kinds == CellKind.NESTED) & ~agree)
            cells = self.book.nested
            agree[nested] = [
                cells_agree(cells[a], cells[g], rule)
                for g, a in zip(golden.values[nested].tolist(), answer.values[nested].tolist(), strict=True)
            ]


def _offsets(column: Column) -> Integers:
    return np.zeros(len(column.values), np.int64) if column.offsets is None else column.offsets


def _only_numbers(column: Column, rows: Integers) -> Column:
    offsets = None if column.offsets is None else column.offsets[rows]
    return Column(column.kinds[rows], column.values[rows], offsets, frozenset({CellKind.NUMBER}), column.rule)
