"""The state of the workbench, without widgets: a golden set file that is being written.

Rule: every method leaves a state that can be shown. What is not saved is kept in the draft file before the method returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from goldenlib.editing import ConflictError, FieldConflict, SourceFile, save
from goldenlib.errors import StoreError
from goldenlib.hazards import Language
from goldenlib.settings import Settings
from goldenlib.storage import Store
from goldenlib.workbench import listing, reviewing
from goldenlib.workbench.drafts import Draft, DraftFile
from goldenlib.workbench.entries import read_golden_file, with_entries
from goldenlib.workbench.fields import Values, with_field
from goldenlib.workbench.naming import free_id, suggest_id
from goldenlib.workbench.opened import OpenedSet
from goldenlib.workbench.rebasing import choose, rebase
from goldenlib.workbench.saving import with_drafts

MOST_UNDO = 100


@dataclass(frozen=True, slots=True)
class Step:
    """What undo goes back to: the drafts, and the item that was open."""

    drafts: dict[str, Draft]
    open_key: str | None
    what: str


class Workbench(OpenedSet):
    """One golden set file, open for authoring. Methods may be called from one thread at a time; `lock` is for those with more."""

    def __init__(
        self,
        path: Path,
        settings: Settings,
        *,
        store: Store | None = None,
        language: Language | str = Language.INDONESIAN,
        draft_file: DraftFile | None = None,
        today: Callable[[], date] = date.today,
    ) -> None:
        super().__init__(path, settings, store=store, language=language, draft_file=draft_file, today=today)
        self.conflicts: tuple[FieldConflict, ...] = ()
        self._undo: list[Step] = []
        left = list(self.drafts)
        self._rebase_drafts()
        if left:
            self._keep(left)

    @property
    def can_undo(self) -> str:
        """What undo would take back, as the name of an action; empty when nothing."""
        return self._undo[-1].what if self._undo else ""

    # --- writing ---

    def set_field(self, key: str, path: str, value: Any) -> None:
        """Change one field of an item. A new item's id follows its question until it is set by hand."""
        draft = self._draft_of(key)
        values = with_field(draft.values, draft.base, path, value)
        auto_id = draft.auto_id and path != "id"
        if auto_id and path == "question":
            values["id"] = suggest_id(str(value), self._other_ids(key))
        self._put(replace(draft, values=values, auto_id=auto_id), f"edit:{key}:{path}")

    def add_item(self, like: str | None = None) -> str:
        """Begin a new item behind the open one, empty or as a copy of another, and open it. Returns its key."""
        number = 1
        while f"new:{number}" in self.drafts or self.preview.attempts(f"new:{number}"):
            number += 1
        key = f"new:{number}"
        now = self.values(self.open_key) if self.open_key is not None else {}
        kept = {"id": "", "surface": "public", "domain": str(now.get("domain") or ""), "question": "", "expected": {}}
        values: dict[str, Any] = {name: value for name, value in kept.items() if value or name != "domain"}
        if like is not None:
            copied = dict(self.values(like))
            values = {name: value for name, value in copied.items() if name not in ("verified", "review")}
            values["id"] = free_id(str(copied.get("id") or "butir"), self._other_ids(key))
        after = self.open_key
        self._put(Draft(key, {**values, "verified": False}, None, after=after, auto_id=like is None), "new")
        self.open_key = key
        return key

    def delete(self, key: str) -> None:
        """Mark an item for deletion, or drop a new one. The file is not touched before it is saved."""
        draft = self._draft_of(key)
        if draft.is_new:
            self._forget([key], "delete")
            self.open_key = draft.after if draft.after in self.file.entries else next(iter(self.keys()), None)
        else:
            self._put(replace(draft, deleted=True), "delete")

    def undo(self) -> None:
        """Take the last change back."""
        if self._undo:
            step = self._undo.pop()
            touched = [*self.drafts, *step.drafts]
            self.drafts = dict(step.drafts)
            self.open_key = step.open_key
            self._keep(touched)

    def discard(self, key: str) -> None:
        """Give up what was changed in an item; undo brings it back."""
        draft = self.drafts.get(key)
        if draft is not None:
            self._forget([key], "discard")
            if draft.is_new:
                self.open_key = draft.after if draft.after in self.file.entries else next(iter(self.keys()), None)

    def rename(self, key: str, new_id: str, *, carry_history: bool) -> None:
        """Give an item another id when it is saved; with `carry_history` its stored results go with it."""
        draft = self._draft_of(key)
        self._put(replace(draft, values={**draft.values, "id": new_id}, carry_history=carry_history), "rename")

    def put_values(self, key: str, values: Values, what: str) -> None:
        """Replace all that an item says."""
        self._put(replace(self._draft_of(key), values=values), what)

    def preview_of_file(self, keys: Sequence[str]) -> SourceFile:
        """Return the file as it would be saved with the drafts of these keys. Raises EditError."""
        return with_drafts(self.source, [self.drafts[key] for key in keys if key in self.drafts])

    def save(self, keys: Sequence[str]) -> None:
        """Write the drafts of these keys to the file.

        Raises EditError when they cannot be written, and ConflictError when the file changed meanwhile: the new file is then
        open, the drafts are on top of it, and `conflicts` holds what both sides changed. Nothing was written in either case.
        """
        drafts = [self.drafts[key] for key in keys if key in self.drafts]
        try:
            saved = save(with_drafts(self.source, drafts))
        except ConflictError as conflict:
            if conflict.theirs is None:
                raise
            self._open_file(conflict.theirs)
            raise
        names = {draft.key: str(draft.values.get("id")) for draft in drafts}
        for draft in drafts:
            del self.drafts[draft.key]
            self.preview.move(draft.key, names[draft.key])
        if self.open_key in names:
            self.open_key = names[self.open_key]
        self._undo.clear()
        self._open_file(saved, renewed=[*names, *names.values()])
        self._carry(drafts)

    def sign(self, key: str, signature: reviewing.Signature) -> None:
        """Sign an item and save it. When saving fails, the item is as unverified as before, and its draft as it was."""
        before = self.drafts.get(key)
        draft = self._draft_of(key)
        values = reviewing.signed(draft.values, signature, self.today())
        self.drafts[key] = replace(draft, values=values)
        try:
            self.save([key])
        except BaseException:
            self._unsign(key, before)
            raise
        self.reviewer = signature.by.strip()

    def next_unverified(self) -> str | None:
        """Open the next item that nobody stands behind, beginning behind the open one; None when there is none."""
        keys = self.keys()
        start = keys.index(self.open_key) + 1 if self.open_key in keys else 0
        unverified = listing.STATES["unverified"]
        found = next((key for key in (*keys[start:], *keys[:start]) if key != self.open_key and unverified(self._rows[key])), None)
        self.open_key = found if found is not None else self.open_key
        return found

    def decide(self, choices: dict[int, bool]) -> None:
        """Settle conflicts by their number: True keeps mine, False takes theirs. The others stay."""
        left = []
        for number, conflict in enumerate(self.conflicts):
            draft = self.drafts.get(conflict.item_id)
            if number not in choices:
                left.append(conflict)
            elif draft is not None:
                settled = choose(draft, conflict, mine=choices[number])
                if settled is None or not settled.changes_something:
                    del self.drafts[conflict.item_id]
                else:
                    self.drafts[conflict.item_id] = settled
        touched = [conflict.item_id for conflict in self.conflicts]
        self.conflicts = tuple(left)
        if self.open_key not in self.keys():
            self.open_key = next(iter(self.keys()), None)
        self._keep(touched)

    def reload(self) -> bool:
        """Read the file again when it is not as it was read; drafts are put on top of it. Returns whether it had changed.

        Raises InputError and EditError when it cannot be edited any more, or lost all its items; what was read then stays open.
        """
        try:
            if self.path.read_bytes() == self.source.data and not self.source.is_new:
                return False
        except OSError:
            return False
        found = read_golden_file(self.path).source
        if self.source.items and not found.items:
            raise found.error("holds no items any more", "put them back, or open this page again to begin anew")
        self._open_file(found)
        return True

    def close(self) -> None:
        """End what runs in the background, and let another session have the drafts."""
        self.preview.close()
        self.draft_file.close()

    # --- steps ---

    def _draft_of(self, key: str) -> Draft:
        draft = self.drafts.get(key)
        if draft is not None:
            return draft
        values = self.source.values(key)
        return Draft(key, values, values)

    def _put(self, draft: Draft, what: str) -> None:
        self._remember(what)
        if draft.changes_something:
            self.drafts[draft.key] = draft
        else:
            self.drafts.pop(draft.key, None)
        self._keep([draft.key])

    def _forget(self, keys: Iterable[str], what: str) -> None:
        self._remember(what)
        touched = list(keys)
        for key in touched:
            self.drafts.pop(key, None)
        self._keep(touched)

    def _remember(self, what: str) -> None:
        """Note where undo goes back to. Typing in one field is one step."""
        if self._undo and what.startswith("edit:") and self._undo[-1].what == what:
            return
        self._undo.append(Step(dict(self.drafts), self.open_key, what))
        del self._undo[:-MOST_UNDO]

    def _keep(self, touched: Iterable[str]) -> None:
        for key in dict.fromkeys(touched):
            self._renew_row(key)
        try:
            self.draft_file.keep(self.unsaved())
            self.draft_problem = ""
        except OSError as error:
            self.draft_problem = str(error)

    def _open_file(self, source: SourceFile, renewed: Sequence[str] | None = None) -> None:
        """Take another state of the file; without `renewed` any item may have changed."""
        before = self.file.entries
        self.file = with_entries(source)
        self._others = None
        self._rebase_drafts()
        entries = self.file.entries
        stale = set(before) ^ set(entries) | {key for key in entries if key in before and entries[key].item != before[key].item}
        self._keep([*stale, *self.drafts, *(renewed or ())])
        if self.open_key not in self.keys():
            self.open_key = next(iter(self.keys()), None)

    def _rebase_drafts(self) -> None:
        conflicts: list[FieldConflict] = []
        for key, draft in list(self.drafts.items()):
            there = self.source.values(key) if key in self.file.entries else None
            rebased = rebase(draft, there)
            conflicts += rebased.conflicts
            if rebased.draft is None:
                del self.drafts[key]
            else:
                self.drafts[key] = rebased.draft
        self.conflicts = tuple(conflicts)

    def _unsign(self, key: str, before: Draft | None) -> None:
        draft = self.drafts.get(key)
        if draft is None:
            return
        kept = {name: value for name, value in draft.values.items() if name not in ("verified", "review")}
        was = before.values if before is not None else (draft.base or {})
        kept |= {name: was[name] for name in ("verified", "review") if name in was}
        restored = replace(draft, values=kept)
        if before is None and not restored.changes_something:
            del self.drafts[key]
        else:
            self.drafts[key] = restored
        self.conflicts = tuple(one for one in self.conflicts if tuple(one.field)[:1] not in (("verified",), ("review",)))
        self._keep([key])

    def _carry(self, drafts: Iterable[Draft]) -> None:
        for draft in drafts:
            new_id = str(draft.values.get("id"))
            if draft.carry_history and draft.key != new_id and self.memory.store is not None:
                try:
                    self.memory.store.rename_item(draft.key, new_id)
                finally:
                    self.memory.forget(draft.key, new_id)
                    self.memory.answers(new_id)
                    self._keep([new_id])
            elif draft.carry_history:
                raise StoreError("there is no store, so there is no history to carry over")
