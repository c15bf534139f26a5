"""The state of the workbench, without widgets: a golden set file that is being written.

Rule: every method leaves a state that can be shown. What is not saved is kept in the draft file before the method returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from goldenlib.editing import ConflictError, SourceFile, save
from goldenlib.errors import StoreError
from goldenlib.workbench import itemlist, reviewing
from goldenlib.workbench.drafting import Drafting
from goldenlib.workbench.drafts import Draft
from goldenlib.workbench.fields import Values, with_field
from goldenlib.workbench.naming import free_id, suggest_id
from goldenlib.workbench.rebasing import choose
from goldenlib.workbench.savedialog import with_drafts
from goldenlib.workbench.standing import is_signed, settled, withdrawal, without_signature


class Workbench(Drafting):
    """One golden set file, open for authoring. Methods may be called from one thread at a time; `lock` is for those with more."""

    # --- writing ---

    def set_field(self, key: str, path: str, value: Any) -> None:
        """Change one field of an item. A new item's id follows its question until it is set by hand."""
        self.set_fields(key, {path: value}, f"edit:{path}")

    def set_fields(self, key: str, fields: Mapping[str, Any], what: str) -> None:
        """Change several fields of an item in one step."""
        draft = self._draft_of(key)
        values, auto_id = draft.values, draft.auto_id
        for path, value in fields.items():
            values = with_field(values, draft.base, path, value)
            auto_id = auto_id and path != "id"
            if auto_id and path == "question":
                values = {**values, "id": suggest_id(str(value), self._other_ids(key))}
        self._put(replace(draft, values=values, auto_id=auto_id), what)

    def add_item(self, like: str | None = None) -> str:
        """Begin a new item behind the open one, empty or as a copy of another, and open it. Returns its key."""
        key = self._new_key()
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
            self._forget(key, "delete")
        else:
            keys = list(self.file.entries)
            self._put(replace(draft, deleted=True, after=keys[max(keys.index(key) - 1, 0)]), "delete")

    def discard(self, key: str) -> None:
        """Give up what was changed in an item; undo brings it back."""
        if key in self.drafts:
            self._forget(key, "discard")

    def withdraw(self, key: str, reason: str = "") -> None:
        """Take the signature under an item back, when it is saved. Raises ValueError when there is none."""
        draft = self._draft_of(key)
        if not is_signed(draft.base):
            raise ValueError("the item bears no signature")
        self._put(replace(draft, withdrawn=withdrawal(self.today(), self.account, reason)), "withdraw")

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
        moved = {key: name for key, name in names.items() if key != name}
        self.steps.moved(moved)
        self._moved = {key: name for key, name in (self._moved | moved).items() if name not in moved} | moved
        self._open_file(saved, renewed=[*names, *names.values()])
        self._carry(drafts)

    def sign(self, key: str, signature: reviewing.Signature) -> None:
        """Sign an item and save it. When saving fails, the item is as unverified as before, and its draft as it was."""
        before = self.drafts.get(key)
        draft = self._draft_of(key)
        values = reviewing.signed(draft.values, signature, self.today(), self.account)
        self.drafts[key] = replace(draft, values=values, withdrawn=None)
        try:
            self.save([key])
        except BaseException:
            self._unsign(key, before)
            raise
        self.reviewer, self.legal_basis = signature.by.strip(), signature.source.strip()

    def next_unverified(self) -> str | None:
        """Open the next item that nobody stands behind, of those that search and filters leave, beginning behind the open one."""
        keys, unverified = self.keys(), itemlist.STATES["unverified"]
        start = keys.index(self.open_key) + 1 if self.open_key in keys else 0
        left = {row.key for row in self.shown_rows() if unverified(row)} - {self.open_key}
        found = next((key for key in (*keys[start:], *keys[:start]) if key in left), None)
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
                self._set(conflict.item_id, choose(draft, conflict, mine=choices[number]))
        touched = [conflict.item_id for conflict in self.conflicts]
        self.conflicts = tuple(left)
        if self.open_key not in self.keys():
            self.open_key = next(iter(self.keys()), None)
        self._keep(touched)

    def close(self) -> None:
        """End what runs in the background, and let another session have the drafts."""
        self.preview.close()
        self.draft_file.close()

    # --- steps ---

    def _unsign(self, key: str, before: Draft | None) -> None:
        draft = self.drafts.get(key)
        if draft is not None:
            draft = replace(without_signature(draft), withdrawn=before.withdrawn if before is not None else None)
            if draft.is_new and before is not None:
                draft = replace(draft, values=before.values)
            self.drafts[key] = settled(draft, before.values if before is not None else None, self.today())
            if not self.drafts[key].changes_something:
                del self.drafts[key]
            self._keep([key])

    def _carry(self, drafts: Iterable[Draft]) -> None:
        for draft in drafts:
            new_id = str(draft.values.get("id"))
            if draft.carry_history and draft.key != new_id and self.memory.store is not None:
                try:
                    self.memory.store.rename_item(draft.key, new_id, of_sets=self.memory.names)
                finally:
                    self.memory.renamed(draft.key, new_id)
                    self._keep([new_id])
            elif draft.carry_history:
                raise StoreError("there is no store, so there is no history to carry over")
