"""Data questions: whether an agent that answers with SQL, rows, text or a decline was right (seed 002, contract 9).

Where to read on: `questions` is the scoring as a story; `agentreplies` reads what the agent gave, `declines` recognises a decline, `leaks`
finds what must not be shown, `prose` and `enumerations` compare answers in words; `short_answers` compares two texts, as DABstep does.
"""

from __future__ import annotations

from goldenlib.scoring.data.questions import DataScorer, Word

__all__ = ["DataScorer", "Word"]
