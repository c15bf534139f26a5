"""Drafts: reasoning in the markup of its family, and what is left without it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.wire.reasoning import draft_mark, without_drafts


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
    f"<unused94>thought\n{DRAFT}<unused95>{SAID}",
    *(
        f"<{name}>{DRAFT}</{name}>{SAID}"
        for name in ("thought_process", "thinking_process", "reasoning_step", "chain-of-thought", "my_thoughts")
    ),
    f"[THOUGHT]{DRAFT}[/THOUGHT]{SAID}",
    f"{{{{thinking}}}}{DRAFT}{{{{/thinking}}}}{SAID}".replace("{{", "{").replace("}}", "}"),
    f"<ThoughtProcess>{DRAFT}</ThoughtProcess>{SAID}",
    f"<chain of thought>{DRAFT}</chain of thought>{SAID}",
    f"<|thinking_process|>{DRAFT}<|/thinking_process|>{SAID}",
    f"<!-- thinking: {DRAFT} -->{SAID}",
    f"Thinking...\n{DRAFT}\n...done thinking.\n{SAID}",
    f"[thinking process]{DRAFT}[/thinking process]{SAID}",
    f"\u2039\uff5cthink\uff5c\u203a{DRAFT}\u2039\uff5c/think\uff5c\u203a{SAID}",
    f"\u2039\uff5cthink\uff5c>{DRAFT}\u2039\uff5cend\u2581of\u2581thinking\uff5c>{SAID}",
    f"\uff1cthink\uff1e{DRAFT}\uff1c\uff0fthink\uff1e{SAID}",
    f"&#60;think&#62;{DRAFT}&#60;/think&#62;{SAID}",
    f"&#x3C;think&#x3E;{DRAFT}&#x3c;/think&#x3e;{SAID}",
    f"\\<think\\>{DRAFT}\\</think\\>{SAID}",
    f"\\u003cthink\\u003e{DRAFT}\\u003c/think\\u003e{SAID}",
    f"<details><summary>Thinking</summary>{DRAFT}</details>{SAID}",
    f"<details>\n<summary><b>Thought for 5 seconds</b></summary>\n{DRAFT}\n</details>\n{SAID}",
    f"<details open>\n<summary>🤔 Proses berpikir</summary>{DRAFT}</details>{SAID}",
    *(f"```{name}\n{DRAFT}\n```\n{SAID}" for name in ("thinking", "thought", "reasoning", "thought_process")),
    f"~~~ thinking\n{DRAFT}\n~~~\n{SAID}",
    f"**Thinking:** {DRAFT}\n\n**Answer:** {SAID}",
    f"**Thinking**: {DRAFT}\n\n**Final Answer**: {SAID}",
    f"Pemikiran: {DRAFT}\nJawaban: {SAID}",
    f"## Thought process\n{DRAFT}\n## Answer\n{SAID}",
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
        "<details><summary>Alasan hukum</summary>Rp50.000</details>",
        "<details><summary>Analisis biaya</summary>Rp50.000</details> reasoning",
        "<details><summary>How to think about fees and about all else that the law asks</summary>Rp50.000</details>",
        "Jawaban: Rp50.000",
        "**Jawaban:** Rp50.000\n\n**Alasan:** reason, Pasal 153A.",
        "Analisis: biayanya Rp50.000.\n\nJawaban: Rp50.000, menurut analysis kami.",
        "Alasan: Rp50.000\nJawaban: ya, pemikiran itu benar.",
        "**Pemikiran:** Rp50.000 adalah biaya resmi.",
        "Jawaban: Rp50.000\n\nPemikiran: pasal 5 berlaku.",
        "Saya berpikir biayanya Rp50.000.\nJawaban: ya.",
        "Dasar pemikiran: Pasal 153A.\nJawaban: Rp50.000",
        "<details><summary>Dasar pemikiran Mahkamah</summary>Rp50.000</details>",
        "Rp50.000 adalah buah\npemikiran\nJawaban: ya",
        "[reasoning](https://x.example) Rp50.000",
        "```sql\nSELECT reasoning\n```\nRp50.000",
        "<reasoning_answer>Rp50.000</reasoning_answer>",
        "<final_thoughts_summary>Rp50.000",
        "think <unused95> Rp50.000",
        "[lihat pemikiran Mahkamah Konstitusi di bawah ini juga] Rp50.000",
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
    "unit",
    [
        "<think ",
        "&lt;think ",
        "<details type='reasoning' ",
        "<|channel|>",
        "<a-b",
        "[think",
        "think",
        "</details>",
        "analysis",
        "a-think-",
        "[a ",
        "[a think ",
        "```thinking\n",
        "```\n",
        "thinking:\n",
        "Thinking: a\nAnswer: b\n",
        "* ",
        "\n#",
        "a ",
        "&amp;",
        "<details><summary>",
        "<!-- ",
        "<|a_",
        "{a ",
    ],
)
def test_hostile_marks_cost_no_time(unit: str) -> None:
    begun = time.process_time()
    without_drafts("analysis think" + unit * (400_000 // len(unit)))
    assert time.process_time() - begun < 3
