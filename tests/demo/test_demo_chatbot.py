"""The demo chatbot: the orchestrate protocol over a real socket, and what it answers."""

from __future__ import annotations

import asyncio
import json
import time
from functools import cache
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from goldenlib.answers import Answer
from goldenlib.demo.chatbot import NOTHING_FOUND
from goldenlib.demo.demoservers import demo_chatbot
from goldenlib.demo.knowledge import KnowledgeBase, read_sections
from goldenlib.driving.orchestrate import OrchestrateTarget
from goldenlib.errors import TargetError
from goldenlib.files.shipped import shipped
from goldenlib.folding import fold
from goldenlib.items import Item
from goldenlib.scoring.facts import check_facts
from goldenlib.wire.sse import SseParser
from goldenlib.wire.transport import CallFailed, Endpoint
from tests.builders import an_item
from tests.driving.asking import quick

NOT_MET = {"pt-perorangan-pemilik-meninggal", "pt-ganti-nama", "yayasan-gaji-pengurus"}
RESTS_ON_THE_OLD_PAGE = {
    "apostille-biaya",
    "apostille-cara-mengajukan",
    "apostille-lama-proses",
    "apostille-tempat-cetak",
    "apostille-pengambilan-kuasa",
    "apostille-tiongkok",
    "apostille-dokumen-dikecualikan",
    "apostille-spesimen",
}


@cache
def public_items() -> tuple[Item, ...]:
    written = yaml.load(shipped("golden", "example.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)["items"]
    return tuple(item for item in map(Item.model_validate, written) if item.surface == "public")


def answers(*items: Item, degraded: bool = False, delay_s: float = 0.0) -> list[Answer]:
    async def main() -> list[Answer]:
        async with (
            demo_chatbot(degraded=degraded, delay_s=delay_s) as url,
            OrchestrateTarget(url, quick(chatbot_done_event="done"), surface="public") as target,
        ):
            return await asyncio.gather(*(target.ask(item, f"s-{item.id}") for item in items))

    return asyncio.run(main())


def answer(question: str, *, degraded: bool = False, delay_s: float = 0.0) -> Answer:
    return answers(an_item(question=question), degraded=degraded, delay_s=delay_s)[0]


def unmet(*, degraded: bool) -> set[str]:
    items = public_items()
    scores = {
        item.id: check_facts(item.expected, given.text) for item, given in zip(items, answers(*items, degraded=degraded), strict=True)
    }
    return {item_id for item_id, score in scores.items() if score is not None and not score.passed}


def post(path: str, body: object) -> bytes:
    async def main() -> bytes:
        async with demo_chatbot() as url, Endpoint(f"{url}{path}", total_s=5) as endpoint, endpoint.post(body) as response:
            return await response.read(1_000_000)

    return asyncio.run(main())


# --- the protocol ---


def test_an_answer_comes_as_several_frames_of_the_protocol() -> None:
    raw = post("/api/orchestrate", {"surface": "public", "sessionId": "s", "message": "Berapa biaya apostille?"})
    events = list(SseParser().feed(raw))
    names = [event.name for event in events]
    assert names[:-2] == ["content"] * (len(events) - 2)
    assert len(names) > 5
    assert names[-2:] == ["sources", "done"]
    assert all(list(json.loads(event.data)) == ["delta"] for event in events[:-2])
    assert json.loads(events[-2].data) == [{"title": "Apostille", "section": "Biaya apostille"}]
    text = "".join(json.loads(event.data)["delta"] for event in events[:-2])
    assert text == answer("Berapa biaya apostille?").text


def test_an_answer_is_typed_when_a_delay_is_set() -> None:
    begun = time.monotonic()
    given = answer("Berapa biaya apostille?", delay_s=0.01)
    assert given.text == answer("Berapa biaya apostille?").text
    assert given.first_content_seconds is not None
    assert 0.05 < given.seconds < time.monotonic() - begun
    assert given.first_content_seconds < given.seconds


@pytest.mark.parametrize("body", [None, [], "x", {}, {"message": None}, {"message": 7}, {"message": ["x"]}])
def test_a_request_without_a_message_is_refused(body: object) -> None:
    with pytest.raises(CallFailed, match="HTTP 400: expected JSON with surface, sessionId and message"):
        post("/api/orchestrate", body)


def test_another_address_is_not_found() -> None:
    with pytest.raises(CallFailed, match="HTTP 404"):
        post("/api/other", {"message": "x"})


def test_a_reader_who_leaves_disturbs_nobody() -> None:
    async def main() -> str:
        async with demo_chatbot(delay_s=0.01) as url, OrchestrateTarget(url, quick(), surface="public") as target:
            leaving = asyncio.create_task(target.ask(an_item(question="Berapa biaya apostille?"), "s"))
            await asyncio.sleep(0.05)
            leaving.cancel()
            return (await target.ask(an_item(question="Berapa biaya apostille?"), "s")).text

    assert "Rp150.000" in asyncio.run(main())


def test_a_port_that_is_taken_is_told() -> None:
    async def main() -> None:
        async with demo_chatbot() as url:
            port = int(url.rpartition(":")[2])
            with pytest.raises(TargetError, match=f"the demo cannot serve on port {port}: .*; take another port"):
                async with demo_chatbot(port=port):
                    pass

    asyncio.run(main())


def test_the_chatbot_listens_on_the_loopback_interface_only() -> None:
    async def main() -> str:
        async with demo_chatbot() as url:
            return url

    assert asyncio.run(main()).startswith("http://127.0.0.1:")


# --- what it answers ---


def test_as_shipped_all_but_three_public_items_are_met() -> None:
    assert len(public_items()) == 34
    assert unmet(degraded=False) == NOT_MET


def test_degraded_those_that_rest_on_the_old_page_are_not_met_either() -> None:
    assert unmet(degraded=True) == NOT_MET | RESTS_ON_THE_OLD_PAGE


def test_the_readme_tells_the_same_numbers() -> None:
    readme = shipped("golden", "demo", "README.md").read_text(encoding="utf-8")
    total, healthy = len(public_items()), len(public_items()) - len(NOT_MET)
    assert f"public items met, of {total}" in readme
    assert f"| as shipped | {healthy} |" in readme
    assert f"| {healthy - len(RESTS_ON_THE_OLD_PAGE)} |" in readme


def test_the_same_question_gets_the_same_answer() -> None:
    assert answer("Apa itu pemilik manfaat?").text == answer("Apa itu pemilik manfaat?").text


def test_an_answer_is_words_of_the_pages_and_nothing_else() -> None:
    pages = fold(" ".join(section.text for section in read_sections(shipped("golden", "demo", "kb"))))
    texts = [each.text for each in answers(*public_items())]
    assert all(fold(part.removesuffix(" …")) in pages for text in texts for part in text.split("\n\n"))


@pytest.mark.parametrize(
    "question",
    [
        "zzz qqq xxy",
        "Cuaca besok?",
        "apa saja yang bisa",
        '""" *',
        "___",
        "½ ²",
        "\x00",
        "OR AND NOT NEAR",
        "?",
        "😀",
        "'; DROP TABLE pages; --",
    ],
)
def test_an_unknown_question_gets_an_honest_answer(question: str) -> None:
    assert answer(question).text == NOTHING_FOUND


@pytest.mark.parametrize(
    "question", ['"Berapa" biaya* (apostille)?', "biaya:apostille^2 + -{x}", "BIAYA  \n APOSTILLE", "NEAR(biaya apostille, 2)"]
)
def test_signs_of_the_query_language_are_only_text(question: str) -> None:
    assert "Rp150.000 per dokumen" in answer(question).text


@pytest.mark.parametrize("words", [10_000, 60_000])
def test_a_question_of_very_many_words_is_answered(words: int) -> None:
    begun = time.monotonic()
    question = "apostille biaya " + " ".join(f"kata{number}" for number in range(words))
    stream = post("/api/orchestrate", {"message": question}).decode()  # longer than the question of an item may be
    assert "event: content" in stream
    assert "event: error" not in stream
    assert time.monotonic() - begun < 20


def test_an_empty_message_gets_an_honest_answer() -> None:
    assert NOTHING_FOUND.split()[0] in post("/api/orchestrate", {"message": ""}).decode()


@given(question=st.text(max_size=60))
def test_no_question_breaks_the_search(question: str) -> None:
    found = knowledge().find(question)
    assert len(found) <= 2
    assert len({section.page for section in found}) <= 1


@cache
def knowledge() -> KnowledgeBase:
    return KnowledgeBase.shipped()


# --- the pages ---


def test_pages_are_cut_at_their_headings(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# Judul\n> catatan\n## Satu\nTeks\n satu.\n### bukan bagian\n\n## Dua\n\nTeks dua.\n", encoding="utf-8")
    (tmp_path / "a.md").write_text("tanpa judul\n## Tiga\n", encoding="utf-8")
    sections = read_sections(tmp_path)
    assert [(section.title, section.heading, section.text) for section in sections] == [
        ("a", "Tiga", ""),
        ("Judul", "Satu", "Teks satu. ### bukan bagian"),
        ("Judul", "Dua", "Teks dua."),
    ]


def test_a_page_of_the_overlay_takes_the_place_of_the_one_with_its_name() -> None:
    healthy, degraded = (
        {section.page: section.text for section in read_sections(shipped("golden", "demo", "kb"), overlay)}
        for overlay in (None, shipped("golden", "demo", "kb-degraded"))
    )
    assert [page for page in healthy if healthy[page] != degraded[page]] == ["apostille"]
    assert list(healthy) == list(degraded)


def test_a_long_section_is_cut_and_says_so() -> None:
    section = max(read_sections(shipped("golden", "demo", "kb")), key=lambda section: len(section.text))
    assert KnowledgeBase([section], words_per_section=5).passage(section) == " ".join(section.text.split()[:5]) + " …"
    assert KnowledgeBase([section], words_per_section=500).passage(section) == section.text
