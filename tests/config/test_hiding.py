"""Secrets that come back in another form than they were sent in."""

from __future__ import annotations

import base64
import json
import time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.config.hiding import hide, hide_in_message

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
