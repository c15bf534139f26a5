"""Run benchmarks: python -m tests.bench [NAME...]. Prints figures and ratios; each ratio is within one benchmark run."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.measuring import HERE, in_turn, load_server, machine, measure

GOLDEN = str(Path(sys.executable).with_name("golden"))
Benchmark = Callable[[Path], None]


def dataset(folder: Path, items: int) -> Path:
    """Make the neutral data set of the load server, and the golden set of the same questions."""
    data = folder / f"data-{items}"
    subprocess.run([sys.executable, str(HERE / "make_dataset.py"), "--items", str(items), "--out", str(data)], check=True)
    lines = ["items:"]
    for line in (data / "golden.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        lines += [
            f"  - id: {item['id']}",
            f"    question: {json.dumps(item['question'])}",
            "    expected:",
            "      must_include:",
            *(f"        - {json.dumps(fact)}" for fact in item["facts"]),
            f"      rubric: {json.dumps(item['expected'])}",
            "    verified: true",
        ]
    (data / "golden.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return data


def commands(folder: Path, data: Path, url: str, concurrency: int) -> dict[str, list[str]]:
    """The bare loop and a whole golden run over the same data, each with its store."""
    config = folder / f"config-{concurrency}.yaml"
    config.write_text(
        f"rag_quality:\n  chatbot_url: {url}\n  judge_url: {url}/v1\n  judge_model: judge\n  golden_concurrency: {concurrency}\n",
        encoding="utf-8",
    )
    bare = [sys.executable, str(HERE / "bare_loop.py"), "--client", "aiohttp", "--data", str(data), "--url", url]
    return {
        "bare": [*bare, "--concurrency", str(concurrency), "--store", str(folder / "bare.db")],
        "golden": [GOLDEN, "run", str(data / "golden.yaml"), "--config", str(config), "--store", str(folder / "golden.db")],
    }


def zero_latency(folder: Path) -> None:
    """5,000 items without any waiting: what the product itself costs."""
    data = dataset(folder, 5000)
    with load_server() as server:
        medians = in_turn(commands(folder, data, server.url, 32), runs=3)
    bare, ours = medians["bare"], medians["golden"]
    print(f"zero latency, 5,000 items: CPU {ours.cpu:.2f} s, {ours.cpu / bare.cpu:.2f}x the bare loop ({bare.cpu:.2f} s)")
    print(f"  wall {ours.wall:.2f} s, {ours.wall / bare.wall:.2f}x ({bare.wall:.2f} s)")
    print(f"  peak {ours.peak_mb:.0f} MB (bare loop {bare.peak_mb:.0f} MB)")


def latency(folder: Path) -> None:
    """500 items, 100 ms chatbot and 100 ms judge, concurrency 32."""
    data = dataset(folder, 500)
    with load_server("--bot-latency-ms", "100", "--judge-latency-ms", "100") as server:
        medians = in_turn(commands(folder, data, server.url, 32), runs=3)
    bare, ours = medians["bare"], medians["golden"]
    print(f"100 ms + 100 ms, 500 items, 32 at once: wall {ours.wall:.2f} s, {ours.wall / bare.wall:.2f}x the bare loop ({bare.wall:.2f} s)")


def streams(folder: Path) -> None:
    """One-second streams of 20 frames, 128 at once, judge at 100 ms."""
    data = dataset(folder, 1280)
    with load_server("--bot-latency-ms", "1000", "--judge-latency-ms", "100") as server:
        command = commands(folder, data, server.url, 128)["golden"]
        rates = []
        for _ in range(3):
            server.reset()
            measure(command)
            stats = server.stats()
            rates.append(stats["completed"]["bot"] / stats["first_to_last_s"])
    rate = sorted(rates)[1]
    print(f"1 s streams, 128 at once: {rate:.0f} streams/s, {rate / 128:.2f}x of the ideal 128")


def loading(folder: Path) -> None:
    """Loading and validating 10,000 items against the bare parse of the same file."""
    lines = ["items:"]
    for number in range(10_000):
        lines += [
            f"  # item {number}, checked by nobody",
            f"  - id: item-{number:05d}",
            "    surface: public",
            "    domain: badan-hukum-pt",
            f'    question: "Apa saja syarat mendirikan PT perorangan nomor {number}?"',
            "    expected:",
            "      must_include:",
            f'        - "berusia paling rendah {number} tahun"',
            "        - pernyataan pendirian",
            '      must_not_include: ["wajib memakai akta notaris"]',
            "      rubric: >",
            "        Jawaban menyebut bahwa pendiri adalah warga negara Indonesia yang cakap hukum,",
            "        dan bahwa akta notaris tidak diperlukan.",
            "    verified: false",
        ]
    path = folder / "big.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    parse = f"import yaml,gc; yaml.compose(open({str(path)!r},'rb').read(), Loader=yaml.CSafeLoader)"
    load = f"from goldenlib.files.loading import load_set; load_set([{str(path)!r}])"
    medians = in_turn({"bare": [sys.executable, "-c", parse], "golden": [sys.executable, "-c", load]}, runs=3)
    bare, ours = medians["bare"], medians["golden"]
    print(f"10,000 items loaded and validated: CPU {ours.cpu:.2f} s, {ours.cpu / bare.cpu:.2f}x the bare C parse ({bare.cpu:.2f} s)")


def starting(folder: Path) -> None:
    """How long the commands take that people wait for."""
    example = str(HERE.parent.parent / "golden" / "example.yaml")
    demo = [GOLDEN, "run", example, "--allow-unverified", "--store", str(folder / "demo.db")]
    medians = in_turn(
        {"golden --help": [GOLDEN, "--help"], "golden validate": [GOLDEN, "validate", example], "golden run (demo)": demo}, runs=5
    )
    for name, figures in medians.items():
        print(f"{name}: CPU {figures.cpu:.2f} s, wall {figures.wall:.2f} s")


BENCHMARKS: dict[str, Benchmark] = {"zero": zero_latency, "latency": latency, "streams": streams, "loading": loading, "starting": starting}


def main(names: list[str]) -> None:
    print(machine())
    for name in names or list(BENCHMARKS):
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            BENCHMARKS[name](Path(folder))
        print(f"  ({name} took {time.perf_counter() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
