"""Drafts: reasoning in the markup of its family, and what is left without it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.drafts import draft_mark, without_drafts


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ya.", "Ya."),
        ("<think>a</think>Ya.", "Ya."),
        ("<think>a</think>\n\nYa.<think>b</think>", "\n\nYa."),
        ("<THINKING>a</Thinking>Ya.", "Ya."),
        ("a</think>Ya.", "Ya."),
        ("a<think>b</think>c</think>Ya.", "Ya."),
        ("<think>a<think>b</think>c</think>Ya.", "Ya."),
        ("<think>a<think>b</think>Ya.", "Ya."),
        ("<think>a", ""),
        ("Ya.<think>a", "Ya."),
        ("<think></think>", ""),
        ("1 < 2 and <thinker> and < think>", "1 < 2 and <thinker> and < think>"),
    ],
)
def test_thinking_is_left_aside(text: str, left: str) -> None:
    assert without_drafts(text) == left


@given(parts=st.lists(st.sampled_from(["<think>", "</think>", "a", "b", "<", "{"]), max_size=30))
def test_nothing_is_left_of_the_tags(parts: list[str]) -> None:
    assert "think>" not in without_drafts("".join(parts))


def test_a_model_that_opens_tags_without_end_costs_no_time() -> None:
    begun = time.process_time()
    assert without_drafts("<think>" * 100_000) == ""
    assert time.process_time() - begun < 1


DRAFT, SAID = "Mungkin Rp75.000?", "Saya tidak tahu."
DIALECTS = [
    f"<think>{DRAFT}</think>{SAID}",
    f"<THINK >{DRAFT}</think >{SAID}",
    f'<think duration="3">{DRAFT}</think>{SAID}',
    f"<thinking>{DRAFT}</thinking>{SAID}",
    f"<thought>{DRAFT}</thought>{SAID}",
    f"<reasoning>{DRAFT}</reasoning>{SAID}",
    f"<reasoning_content>{DRAFT}</reasoning_content>{SAID}",
    f"<reflection>{DRAFT}</reflection>{SAID}",
    f"<scratchpad>{DRAFT}</scratchpad>{SAID}",
    f"<seed:think>{DRAFT}</seed:think>{SAID}",
    f"&lt;think&gt;{DRAFT}&lt;/think&gt;{SAID}",
    f"[THINK]{DRAFT}[/THINK]{SAID}",
    f"◁think▷{DRAFT}◁/think▷{SAID}",
    f"<|begin_of_thought|>{DRAFT}<|end_of_thought|>{SAID}",
    f"<|START_THINKING|>{DRAFT}<|END_THINKING|>{SAID}",
    f'<details type="reasoning" done="true"><summary>x</summary>{DRAFT}</details>{SAID}',
    f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{SAID}",
    f"<|start|>assistant<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{SAID}<|return|>",
    f"<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary to=functions.cari <|constrain|>json<|message|>"
    f"{DRAFT}<|call|><|start|>assistant<|channel|> final<|message|>{SAID}",
    f"<|channel|>analysis<|message|>{DRAFT}<|end|>{SAID}",
    f"<|channel>thought\n{DRAFT}<channel|>{SAID}",
    f"analysis{DRAFT}assistantfinal{SAID}",
    f"{DRAFT}</think>{SAID}",
    f"{DRAFT}[/THINK]{SAID}",
    f"{SAID}<think>{DRAFT}",
    f"{SAID}<|channel|>analysis<|message|>{DRAFT}",
]


@pytest.mark.parametrize("text", DIALECTS)
def test_every_dialect_is_left_aside(text: str) -> None:
    """fd-030, and its kin."""
    assert without_drafts(text).strip() == SAID


@pytest.mark.parametrize("text", DIALECTS)
def test_the_mark_is_named(text: str) -> None:
    assert draft_mark(text) in text
    assert draft_mark(text)


@pytest.mark.parametrize(
    "text",
    [
        "Menurut analysis kami, final.",
        "Lihat [1] dan <b>thinking</b> and reasoning.",
        "<details><summary>reasoning</summary>Rp50.000</details>",
        "I think <strong>so</strong>.",
        "a < b, thoughts > c",
        "[analysis] Rp50.000 [/analysis]",
        "<|im_start|>Ya.",
        "channel final",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert without_drafts(text) == text
    assert draft_mark(text) == ""


@pytest.mark.parametrize(
    "unit", ["<think ", "&lt;think ", "<details type='reasoning' ", "<|channel|>", "<a-b", "[think", "think", "</details>", "analysis"]
)
def test_hostile_marks_cost_no_time(unit: str) -> None:
    begun = time.process_time()
    without_drafts("analysis think" + unit * (400_000 // len(unit)))
    assert time.process_time() - begun < 3
