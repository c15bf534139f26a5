"""Accounts: who uses the workbench, as far as the server knows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from goldenlib.config.settings import load_settings
from goldenlib.items import Review
from goldenlib.workbench.accounts import account_of, name_in


def test_the_first_account_that_is_known_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    assert account_of(tmp_path, {}).endswith(" (system)")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for key, value in (("user.name", "Rina Wati"), ("user.email", "rina@example.org")):
        subprocess.run(["git", "-C", str(tmp_path), "config", key, value], check=True)
    assert account_of(tmp_path, {}) == "Rina Wati <rina@example.org> (git)"
    hub = {"JUPYTERHUB_USER": "rina"}
    assert account_of(tmp_path, hub) == "rina (JupyterHub)"
    proxy = hub | {"GOLDEN_ACCOUNT_FROM": "HTTP_X_REMOTE_USER", "HTTP_X_REMOTE_USER": "r.wati"}
    assert account_of(tmp_path, proxy) == "r.wati (proxy)"
    assert account_of(tmp_path, hub | {"GOLDEN_ACCOUNT_FROM": "HTTP_X_REMOTE_USER"}) == "rina (JupyterHub)"


def test_an_account_is_one_line_without_active_characters(tmp_path: Path) -> None:
    told = account_of(tmp_path, {"JUPYTERHUB_USER": "a\n\x1b[31m\u202eb" + "c" * 500})
    assert "\n" not in told
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert len(told) < 160


def test_the_variable_of_the_account_is_no_unknown_setting() -> None:
    assert load_settings(None, {}, environ={"GOLDEN_ACCOUNT_FROM": "HTTP_X_REMOTE_USER"})[1] == ()


@pytest.mark.parametrize(
    ("by", "account", "is_other"),
    [
        ("Ibu Sari", "sari (JupyterHub)", False),
        ("Rina Wati, S.H.", "Rina Wati <rina@example.org> (git)", False),
        ("RINA WATI", "rina.wati (proxy)", False),
        ("Rina Wati", "rina.wati@example.org (proxy)", False),
        ("Direktur Jenderal AHU", "rina (JupyterHub)", True),
        ("Rina", "Rina Wati <rina@example.org> (git)", True),
        ("Sarinah", "sari (JupyterHub)", True),
        ("Rina", "198501012010 (proxy)", True),
        ("Rina", "", False),
    ],
)
def test_a_name_that_is_not_the_accounts_is_marked(by: str, account: str, is_other: bool) -> None:
    review = Review(by=by, account=account)
    assert review.is_of_another_name is is_other
    assert review.signer == (f"{by} [account: {account}]" if is_other else by)


def test_only_git_knows_the_name_of_a_person() -> None:
    assert name_in("Rina Wati <rina@example.org> (git)") == "Rina Wati"
    assert name_in("rina (JupyterHub)") == ""
    assert name_in("root (system)") == ""
