"""The folder of drafts: left out of version control, and nothing is written where a link leads."""

from __future__ import annotations

from pathlib import Path

from goldenlib.workbench.drafts import FOLDER, DraftFile
from tests.workbench.scenes import a_set


def test_drafts_are_left_out_of_version_control(tmp_path: Path) -> None:
    drafts = DraftFile(a_set(tmp_path), tmp_path / "state")
    assert (tmp_path / FOLDER / ".gitignore").read_text(encoding="utf-8") == "*\n"
    drafts.close()


def test_a_link_in_the_folder_of_drafts_is_not_followed(tmp_path: Path) -> None:
    """field/security 10: a link that led nowhere made a file wherever it pointed."""
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / ".gitignore").symlink_to(tmp_path / "elsewhere")
    drafts = DraftFile(a_set(tmp_path), tmp_path / "state")
    assert drafts.path is not None
    assert not (tmp_path / "elsewhere").exists()
    drafts.close()
