"""Drafting: the drafts on an opened set: how they come about, are taken back, found again, and put on top of a file that changed.

Rule: every method leaves a state that can be shown. A draft is kept in the draft file before the method returns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from goldenlib.editing import FieldConflict, SourceFile
from goldenlib.workbench.drafts import Draft, Left
from goldenlib.workbench.entries import read_golden_file, with_entries
from goldenlib.workbench.fields import value_at
from goldenlib.workbench.opened import OpenedSet
from goldenlib.workbench.rebasing import rebase
from goldenlib.workbench.standing import same_signature, settled, without_signature
from goldenlib.workbench.steps import Step, Steps, replayed


class Drafting(OpenedSet):
    """An opened set that can be changed, in drafts. `conflicts` holds what both a draft and the file changed."""

    def _begin(self) -> None:
        self.conflicts: tuple[FieldConflict, ...] = ()
        self.steps = Steps()
        self.refused = ""  # the item whose signature the last undo or redo could not bring back, or take back
        self._made = 0
        self._moved: dict[str, str] = {}
        self.restore()
        self.open_key = next(iter(self.drafts), None) or self.open_key

    @property
    def can_undo(self) -> str:
        """What undo would take back, as the name of an action; empty when nothing."""
        return self.steps.done[-1].what if self.steps.done else ""

    @property
    def can_redo(self) -> str:
        """What redo would do again, as the name of an action; empty when nothing."""
        return self.steps.undone[-1].what if self.steps.undone else ""

    def undo(self) -> bool:
        """Take the last edit back, also of an item that was saved since. False when there is none that can be, or it is `refused`."""
        return self._replay(self.steps.done, self.steps.undone)

    def redo(self) -> bool:
        """Do again what was taken back last. False when there is nothing."""
        return self._replay(self.steps.undone, self.steps.done)

    def key_now(self, key: str) -> str:
        """Return the key of an item that may have got its id by saving since."""
        return key if key in self.all_keys else self._moved.get(key, key)

    # --- drafts of other sessions ---

    def restore(self, left: Collection[str] = ()) -> None:
        """Take over what this account left unsaved: in sessions that have ended, and in those `left` whose page is known to be gone.

        What others typed, or is open elsewhere, is only offered.
        """
        for one in self.draft_file.others():
            if (not one.is_open or one.session in left) and one.who in ("", self.account):
                self._take(one)
        self.look_for_others()

    def look_for_others(self) -> None:
        """See which drafts of other sessions there are to offer."""
        self.offered = self.draft_file.others()

    def take_over(self, session: str) -> bool:
        """Take over the drafts of another session; of an item that is changed here too, they stay offered. False when they are gone."""
        found = next((one for one in self.draft_file.others() if one.session == session), None)
        is_taken = found is not None and self._take(found)
        self.look_for_others()
        return is_taken

    def _take(self, one: Left) -> bool:
        """Take what can be taken of a session's drafts; False when that is nothing."""
        wanted = [draft.key for draft in one.drafts if draft.is_new or draft.key not in self.drafts]
        taken = self.draft_file.take(one.session, wanted) if wanted else None
        if taken is None:
            return False
        for draft in taken.drafts:
            key = self._new_key() if draft.is_new else draft.key
            self.drafts[key] = replace(draft, key=key)
            self._moved |= {draft.key: key} if key != draft.key else {}
        self.restored_from = (*self.restored_from, taken)
        self._rebase_drafts()
        self._keep(set(self.drafts) | {draft.key for draft in taken.drafts if not draft.is_new})
        return True

    # --- the file ---

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

    # --- steps ---

    def _draft_of(self, key: str) -> Draft:
        draft = self.drafts.get(key)
        if draft is not None:
            return draft
        values = self.source.values(key)
        return Draft(key, values, values)

    def _new_key(self) -> str:
        """A key for an item that the file does not have; none is used twice."""
        self._made += 1
        while f"new:{self._made}" in self.all_keys:
            self._made += 1
        return f"new:{self._made}"

    def _put(self, draft: Draft, what: str) -> None:
        before = self._draft_of(draft.key) if draft.key in self.all_keys else None
        draft = settled(draft, before.values if before is not None else None, self.today())
        self.draft_file.hold()
        if draft != before:
            draft = replace(draft, by=self.account)
            self.steps.note(Step(draft.key, before, draft, what))
        self._set(draft.key, draft)
        self._keep([draft.key])

    def _set(self, key: str, draft: Draft | None) -> None:
        """Let this be the draft of an item; none where there is nothing to save."""
        if draft is not None and (draft := settled(draft, draft.values, self.today())).changes_something:
            self.drafts[key] = draft
        else:
            self.drafts.pop(key, None)

    def _forget(self, key: str, what: str) -> None:
        self.draft_file.hold()
        draft = self.drafts.pop(key)
        self.steps.note(Step(key, draft, None if draft.is_new else self._draft_of(key), what))
        if draft.is_new:
            self.open_key = draft.after if draft.after in self.file.entries else next(iter(self.keys()), None)
        self._keep([key])

    def _replay(self, steps: list[Step], others: list[Step]) -> bool:
        """Take back the newest of some steps that still can be, and note it among the others."""
        self.refused = ""
        while steps:
            step = steps.pop()
            if self._is_of_another_signature(step):
                self.refused = self.open_key = step.key
                return False
            key = self._revert(step)
            if key is not None:
                others.append(replace(step.turned(), key=key))
                self.open_key = key if key in self.all_keys else next(iter(self.keys()), None)
                self._keep([step.key, key])
                return True
        return False

    def _is_of_another_signature(self, step: Step) -> bool:
        """Whether a step is a withdrawal, or one taken back, and the file bears another signature by now, or none: it was saved."""
        then, now = step.before, step.after
        if then is None or now is None or then.withdrawn == now.withdrawn or step.key not in self.all_keys:
            return False
        return not same_signature(then.base, self._draft_of(step.key).base)

    def _revert(self, step: Step) -> str | None:
        """Make of an item what it was before a step, and return its key; None when somebody else changed that meanwhile."""
        key, then, now = step.key, step.before, step.after
        if key not in self.all_keys:
            if then is None or not (now is None or now.deleted):
                return None
            key = key if key.startswith("new:") else self._new_key()
            self.steps.moved({step.key: key})
            after = then.after or (now.after if now is not None else None)
            self._set(key, replace(then, key=key, base=None, deleted=False, after=after))
        elif then is None:
            self._set(key, replace(self._draft_of(key), deleted=True) if key in self.file.entries else None)
        else:
            current = self._draft_of(key)
            now = now if now is not None else replace(current, deleted=True)
            values = replayed(current.values, now.values, then.values)
            if values is None:
                return None
            is_other = then.withdrawn != now.withdrawn and same_signature(then.base, current.base)
            draft = replace(
                current,
                values=values,
                deleted=then.deleted if then.deleted != now.deleted else current.deleted,
                auto_id=then.auto_id and current.is_new,
                carry_history=then.carry_history or now.carry_history if values.get("id") != key else False,
                withdrawn=then.withdrawn if is_other else current.withdrawn,
            )
            self._set(key, settled(draft, then.values, self.today()))
        return key

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
        """Put the drafts on top of the file; of a signature only one that is bound to its text goes along."""
        conflicts: list[FieldConflict] = []
        for key, draft in list(self.drafts.items()):
            there = self.source.values(key) if key in self.file.entries else None
            rebased = rebase(without_signature(draft), there)
            conflicts += rebased.conflicts
            kept = rebased.draft
            if kept is None and there is not None and not draft.deleted:
                kept = Draft(key, there, there)  # where the signature is all that is other
            if kept is not None:
                taken_back = draft.withdrawn if same_signature(draft.base, there) else None
                before = draft.values if value_at(draft.values, "review.digest") else None
                kept = settled(replace(kept, withdrawn=taken_back), before, self.today())
            if kept is not None and kept.changes_something:
                self.drafts[key] = kept
            else:
                del self.drafts[key]
        self.conflicts = tuple(conflicts)
