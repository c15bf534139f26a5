"""Secrets that come back in another form than they were sent in."""

from __future__ import annotations

import base64
import json
import time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.config.hiding import Hider, hide, hide_in_message
from goldenlib.config.settings import Settings

SECRET = "sk-Test/123+abc=XYZ"


@pytest.mark.parametrize("function", [hide, hide_in_message])
@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        SECRET.lower(),
        SECRET.upper(),
        quote(SECRET, safe=""),
        quote(SECRET, safe="").lower(),
        "".join(f"%{ord(char):02X}" for char in SECRET),
        base64.b64encode(SECRET.encode()).decode(),
        base64.b64encode(f"user:{SECRET}".encode()).decode(),
        base64.urlsafe_b64encode(f"Bearer {SECRET} and more".encode()).decode(),
        base64.b64encode(json.dumps({"t": SECRET}).encode()).decode().rstrip("="),
    ],
)
def test_a_secret_is_hidden_in_every_form_in_which_it_comes_back(form: str, function: type[str]) -> None:
    """field/security 9: aiohttp lower-cases content types, gateways encode what they quote."""
    shown = function(f"HTTP 401 for {form}, sorry", SECRET)  # type: ignore[call-arg]
    assert "***" in shown
    assert shown.startswith("HTTP 401 for ")
    assert shown.endswith(", sorry") or "and more" in form
    assert form not in shown


@given(st.binary(max_size=5), st.binary(max_size=5))
def test_base64_hides_wherever_the_secret_begins(before: bytes, after: bytes) -> None:
    encoded = base64.b64encode(before + SECRET.encode() + after).decode()
    assert hide(encoded, SECRET) != encoded


@pytest.mark.parametrize("text", ["", "25 % of them", "a%20b", "c2stVGVzd", "sk-Tes", "ｓｋ-Test", "straße İ sk-test"])
def test_other_texts_are_left_as_they_are(text: str) -> None:
    assert hide(text, SECRET) == text


def test_the_beginning_of_a_secret_in_other_case_is_hidden_in_a_message() -> None:
    assert hide_in_message("straße İ: SK-TEST/12", SECRET) == "straße İ: ***"


def test_a_large_answer_is_searched_in_little_time() -> None:
    started = time.perf_counter()
    hide("Biaya 25 % dari harga. " * 50_000, SECRET)
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize("text", ["x s3cr! y", "(s3cr!)", "https://h/?a=s3cr!&b", "Authorization: Bearer s3cr!", "a_s3cr!_b", "pre.s3cr!"])
def test_a_short_secret_is_hidden_where_it_stands_by_itself(text: str) -> None:
    assert "s3cr!" not in hide(text, "s3cr!")
    assert hide(text, "s3cr!") == text.replace("s3cr!", "***")


def test_a_short_secret_within_a_word_changes_no_answer() -> None:
    assert hide("Ijin usaha: kunci, kuncinya", "kunc") == "Ijin usaha: kunci, kuncinya"


@pytest.mark.parametrize(
    "text", ["Bearer ab1", "token=ab1", '{"api_key": "ab1"}', "postgresql://u:ab1@h/d", "X-Api-Key: ab1", "authorization: ab1"]
)
def test_a_secret_of_three_characters_is_hidden_where_it_is_told_to_be_one(text: str) -> None:
    assert hide(text, "ab1") == text.replace("ab1", "***")
    assert hide("Pasal ab1 dan 17", "ab1") == "Pasal ab1 dan 17"


def test_the_passwords_of_store_and_warehouse_are_hidden_in_results() -> None:
    settings = Settings(
        golden_store="postgresql://golden:gudang%2B77xy@h/d", warehouse="postgresql://h/d?user=u&password=rahasia99&sslmode=require"
    )
    assert Hider(settings).hide("gudang+77xy, gudang%2B77xy, rahasia99, require") == "***, ***, ***, require"
