"""What is pasted by mistake: told in the page's language, at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.workbench.scenes import a_handler


@pytest.mark.parametrize(("language", "told"), [("id", "Frasa ini terlalu panjang (paling banyak 1000"), ("en", "This phrase is too long")])
def test_a_pasted_page_is_no_phrase_and_is_told_at_once(tmp_path: Path, language: str, told: str) -> None:
    """fd-077, field/security 5: a phrase of 12,000 letters cost seconds with every message."""
    handler = a_handler(tmp_path)
    handler.bench.language = language
    start = time.process_time()
    patch = handler.handle({"action": "edit", "key": "pt-akta", "path": "expected.must_include", "value": ["a" * 40_000]})
    assert time.process_time() - start < 1
    (problem,) = patch["derived"]["problems"]
    assert problem["text"].startswith(told)
    assert problem["field"] == "expected.must_include"
