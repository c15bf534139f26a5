"""How fast hazards are found: while somebody types, and over a whole set. `python -m tests.bench.hazards`.

The answers are made of sentences of the demo's knowledge base, so that phrases occur in many of them.
"""

from __future__ import annotations

import random
import re
import statistics
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from goldenlib.files.shipped import shipped
from goldenlib.hazards import OtherItems, StoredAnswer, StoredEvidence, WordList, lint_item, lint_set
from goldenlib.items import Item

T = TypeVar("T")
ANSWERS = ITEMS = 10_000
TYPED = (
    "PT perorangan wajib akta notaris bermeterai",
    "berusia paling rendah 17 tahun",
    "Rp150.000 per dokumen",
    "tidak",
    "pengesahan",
    "sistem administrasi badan hukum",
    "dilarang dialihkan",
)


def main() -> None:
    chance = random.Random(1)
    pages = " ".join(path.read_text(encoding="utf-8") for path in sorted(shipped("golden", "demo", "kb").glob("*.md")))
    sentences = [sentence for sentence in re.split(r"(?<=[.])\s+", " ".join(pages.split())) if len(sentence) > 30]
    items = [an_item(number, sentences, chance) for number in range(ITEMS)]
    answers = [StoredAnswer(f"item-{number}", " ".join(chance.sample(sentences, 6)), chance.random() < 0.8) for number in range(ANSWERS)]

    words = timed("word list read", WordList.load)
    evidence = timed(f"{ANSWERS:,} stored answers indexed", lambda: StoredEvidence(answers))
    others = timed(f"{ITEMS:,} other items indexed", lambda: OtherItems(items))
    typing("word list and stored answers", lambda item: lint_item(item, words=words, evidence=evidence))
    typing("and other items", lambda item: lint_item(item, words=words, evidence=evidence, others=others))
    timed(f"{ITEMS:,} items linted", lambda: lint_set(items, words=words))
    timed(f"{ITEMS:,} items linted, with stored answers", lambda: lint_set(items, words=words, evidence=evidence))


def an_item(number: int, sentences: list[str], chance: random.Random) -> Item:
    """An item with phrases cut from sentences; some are single words, some begin with a number, some with what is denied."""
    required = [a_phrase(sentences, chance), a_phrase(sentences, chance)]
    forbidden = [a_phrase(sentences, chance)]
    if number % 10 == 0:
        required.append(chance.choice(chance.choice(sentences).split()))
    if number % 7 == 0:
        required.append(f"{number % 90} hari")
    if number % 5 == 0:
        forbidden.append(f"wajib {a_phrase(sentences, chance)}")
    expected = {"must_include": required, "must_not_include": forbidden, "rubric": "Jawaban menyebut ketentuannya."}
    return Item.model_validate({"id": f"item-{number}", "question": f"{chance.choice(sentences)[:80]} {number}?", "expected": expected})


def a_phrase(sentences: list[str], chance: random.Random) -> str:
    words = chance.choice(sentences).split()
    length = chance.randint(2, 5)
    start = chance.randrange(max(1, len(words) - length))
    return " ".join(words[start : start + length]).strip(".,;: ") or "akta pendirian"


def typing(name: str, lint: Callable[[Item], object]) -> None:
    """Lint after each keystroke, as the panel does."""
    times = []
    for item in keystrokes():
        started = time.perf_counter()
        lint(item)
        times.append((time.perf_counter() - started) * 1000)
    times.sort()
    median, late = statistics.median(times), times[int(0.95 * len(times))]
    print(f"typing, {name}: median {median:.2f} ms, 95 of 100 below {late:.1f} ms, longest {times[-1]:.1f} ms ({len(times)} keystrokes)")


def keystrokes() -> Iterator[Item]:
    for field in ("must_include", "must_not_include"):
        for text in TYPED:
            for length in range(1, len(text) + 1):
                expected = {"must_include": ["pernyataan pendirian"], "must_not_include": ["didirikan oleh dua orang"], "rubric": "r"}
                yield Item.model_validate(
                    {
                        "id": "item-7",
                        "question": "Apakah PT perorangan perlu akta notaris?",
                        "expected": expected | {field: [*expected[field], text[:length]]},
                    }
                )


def timed(name: str, work: Callable[[], T]) -> T:
    started, cpu = time.perf_counter(), time.process_time()
    result = work()
    print(f"{name}: {time.perf_counter() - started:.2f} s ({time.process_time() - cpu:.2f} s CPU)")
    return result


if __name__ == "__main__":
    main()
