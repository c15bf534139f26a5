"""The opened set: a golden set file, the drafts on it, and what is known of its items; all that is only looked at.

Rule: reading never changes what is kept. What an item says is what its draft says.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from goldenlib.answers import Result
from goldenlib.config.identity import label_of
from goldenlib.config.settings import Settings
from goldenlib.editing import SourceFile
from goldenlib.hazards import Finding, OtherItems, WordList, lint_item, lint_set
from goldenlib.items import Item
from goldenlib.languages import Language
from goldenlib.storage import Store
from goldenlib.workbench import itemlist
from goldenlib.workbench.accounts import account_of
from goldenlib.workbench.drafts import Draft, DraftFile, Left
from goldenlib.workbench.entries import read_golden_file
from goldenlib.workbench.fields import FieldProblem, Values, build, is_empty, problems_of, provisional, title_of
from goldenlib.workbench.itemlist import Filter, ListRow
from goldenlib.workbench.memory import Memory
from goldenlib.workbench.preview import Preview


class OpenedSet:
    """One golden set file with the drafts on it, and what is known of its items. `lock` is for callers with several threads."""

    def __init__(
        self,
        path: Path,
        settings: Settings,
        *,
        store: Store | None = None,
        language: Language | str = Language.INDONESIAN,
        draft_file: DraftFile | None = None,
        today: Callable[[], date] = date.today,
        account: str | None = None,
    ) -> None:
        self.lock = threading.RLock()
        self.path, self.settings = path, settings
        self.language = Language(language)
        self.today = today
        self.file = read_golden_file(path)
        self.memory = Memory(store, path, label_of(settings))
        self.preview = Preview(settings, store)
        self.words: WordList | None = None
        self.filter = Filter()
        self.reviewer = self.legal_basis = ""
        self.account = account_of(path.absolute().parent) if account is None else account
        self.draft_problem = ""
        self._others: OtherItems | None = None
        self._rows: dict[str, ListRow] = {}
        self.draft_file = draft_file if draft_file is not None else DraftFile(path)
        self.draft_file.who = self.account
        self.drafts: dict[str, Draft] = {}
        self.restored_from: tuple[Left, ...] = ()
        self.offered: tuple[Left, ...] = ()
        self.hidden: set[str] = set()  # the sessions whose drafts are not to be offered any more
        self.open_key: str | None = next(iter(self.file.entries), None)
        for key, entry in self.file.entries.items():
            self._rows[key] = (
                itemlist.row_of_item(entry.item, today())
                if entry.item is not None
                else itemlist.row_of(key, self.values(key), None, today())
            )
        self._begin()

    def _begin(self) -> None:
        """What those that build on this set up, once all is read."""

    # --- reading ---

    @property
    def source(self) -> SourceFile:
        """The file as it was read or saved last."""
        return self.file.source

    @property
    def all_keys(self) -> set[str]:
        """The keys of all items."""
        return {*self.file.entries, *self.drafts}

    def keys(self) -> list[str]:
        """Return the keys of all items in order, new ones behind the item that they are to follow."""
        keys = list(self.file.entries)
        for draft in self.drafts.values():
            if draft.is_new:
                keys.insert(keys.index(draft.after) + 1 if draft.after in keys else len(keys), draft.key)
        return keys

    def values(self, key: str) -> Values:
        """Return what an item says, with its draft."""
        draft = self.drafts.get(key)
        return draft.values if draft is not None else self.source.values(key)

    def base_of(self, key: str) -> Values | None:
        """Return what the file says of an item; None for one that it does not have."""
        draft = self.drafts.get(key)
        return draft.base if draft is not None else self.source.values(key) if key in self.file.entries else None

    def saved_item(self, key: str) -> Item | None:
        """Return the item as it is on the disk."""
        entry = self.file.entries.get(key)
        return entry.item if entry is not None else None

    def item(self, key: str) -> Item | None:
        """Return the item with its draft; None when it is not complete."""
        return build(self.draft_values(key)) if key in self.drafts else self.saved_item(key)

    def draft_values(self, key: str) -> Values:
        """Return the values of a draft."""
        return self.drafts[key].values

    def shown_item(self, key: str) -> Item | None:
        """Return the item for hazards and marks, with gaps filled while it is being written."""
        return self.item(key) or provisional(self.values(key))

    def answers(self, key: str) -> tuple[Result, ...]:
        """Return the stored results of an item for the question as it is now, newest first; none of a new item."""
        return self.memory.answers(key, title_of(self.values(key))) if key in self.file.entries else ()

    def has_history(self, key: str) -> bool:
        """Whether there are stored results of the item."""
        return bool(self.answers(key))

    def problems(self, key: str, values: Values | None = None) -> tuple[FieldProblem, ...]:
        """Return what keeps the item from being saved, or would if it had these values."""
        draft = self.drafts.get(key)
        if draft is not None and draft.deleted:
            return ()
        return problems_of(values if values is not None else self.values(key), self._other_ids(key))

    def hazards(self, key: str) -> tuple[Finding, ...]:
        """Return the hazards of an item as it is being written, with what is known by now."""
        item = self.shown_item(key)
        if item is None:
            return ()
        if key in self.file.entries and item.id != key:
            item = item.model_copy(update={"id": key})  # stored answers and the other items know it by its saved id
        return lint_item(item, words=self.words, evidence=self.memory.evidence, others=self.others(), language=self.language)

    def others(self) -> OtherItems:
        """Return all items of the file, for comparing."""
        if self._others is None:
            self._others = OtherItems(entry.item for entry in self.file.entries.values() if entry.item is not None)
        return self._others

    @property
    def is_blank(self) -> bool:
        """Whether the open item is a new one in which nothing was written yet."""
        draft = self.drafts.get(self.open_key) if self.open_key is not None else None
        given = ("surface", "domain", "verified")
        return draft is not None and draft.is_new and all(is_empty(value) for name, value in draft.values.items() if name not in given)

    def rows(self) -> list[ListRow]:
        """Return the list, all of it."""
        return [self._rows[key] for key in self.keys()]

    def rows_by_key(self, key: str) -> ListRow:
        """Return one row of the list."""
        return self._rows[key]

    def shown_rows(self) -> list[ListRow]:
        """Return what search and filters leave."""
        return itemlist.matching(self.rows(), self.filter)

    @property
    def restored(self) -> int:
        """How many drafts were taken over from other sessions, until that was read."""
        return sum(len(one.drafts) for one in self.restored_from)

    def unsaved(self) -> list[Draft]:
        """Return the drafts that would change the file."""
        return [draft for draft in self.drafts.values() if draft.changes_something]

    # --- what is slow, done once in the background ---

    def learn(self) -> None:
        """Read the word list, the stored answers and the hazards of all items. Slow: for a thread of its own."""
        words = WordList.load()
        entries = [entry for entry in self.file.entries.values() if entry.item is not None]
        self.memory.read_all(entry.item_id for entry in entries)
        items = [entry.item for entry in entries if entry.item is not None]
        found: dict[str, list[Finding]] = {item.id: [] for item in items}
        for finding in lint_set(items, words=words, evidence=self.memory.evidence, language=self.language):
            found[finding.item_id].append(finding)
        with self.lock:
            self.words = words
            for key, findings in found.items():
                if key in self._rows and key not in self.drafts:
                    self._rows[key] = replace(itemlist.with_hazards(self._rows[key], findings), marks=self._marks(key))
            for key in self.drafts:
                self._renew_row(key)

    # --- steps ---

    def _renew_row(self, key: str) -> None:
        if key not in self.drafts and key not in self.file.entries:
            self._rows.pop(key, None)
            return
        draft = self.drafts.get(key)
        item = self.item(key)
        row = itemlist.row_of(key, self.values(key), item, self.today()) if item is None else itemlist.row_of_item(item, self.today())
        row = replace(row, key=key, is_draft=draft is not None, is_new=draft is not None and draft.is_new, marks=self._marks(key))
        if draft is not None and draft.deleted:
            row = replace(row, state=itemlist.ItemState.DELETED)
        elif item is None and draft is not None:
            row = replace(row, state=itemlist.ItemState.UNVERIFIED)
        self._rows[key] = itemlist.with_hazards(row, self.hazards(key)) if self.words is not None else row

    def _marks(self, key: str) -> str | None:
        return self.memory.known_marks(key, title_of(self.values(key))) if key in self.file.entries else ""

    def _other_ids(self, key: str) -> set[str]:
        ids = {str(draft.values.get("id")) if not draft.deleted else "" for draft in self.drafts.values() if draft.key != key}
        return ids | {item_id for item_id in self.file.entries if item_id != key and item_id not in self.drafts}
