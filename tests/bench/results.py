"""How fast and how lean `results_match` is, next to the public ways of comparing results. Run by hand:

    python tests/bench/results.py [--rows 1000000] [--rounds 3]

The public ways are the BIRD benchmark's `set(map(tuple, rows)) == set(map(tuple, golden))` and, where pandas is installed, a sorted
comparison of two frames (sort_values by all columns, reset_index, np.isclose or equals). Ratios below 1 mean that results_match is
faster. Times are the best of the rounds, wall and processor; on a busy machine the processor's ratio is the steadier one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).parents[2]))

from goldenlib.matching import results_match

try:
    import pandas as pd
except ImportError:
    pd = None

NOISE = 0.0004


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} processors, load {load:.1f}; {options.rows:,} rows x 5 columns, best of {options.rounds}")
    compare_long(options.rows, options.rounds)
    compare_wide(options.rounds)


def compare_long(rows: int, rounds: int) -> None:
    rng = np.random.default_rng(1)
    golden = a_table(rows, rng)
    order = pa.array(rng.permutation(rows))
    equal = golden.take(order)
    noisy = with_noise(equal, rng)
    golden_rows = to_rows(golden)
    shuffled = golden_rows[:]
    random.Random(1).shuffle(shuffled)

    def fetched() -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """Both results as a database hands them over: no cell has been looked at before, so none has its hash yet."""
        return to_rows(equal), to_rows(golden)

    bird = timed(fetched, lambda both: set(map(tuple, both[0])) == set(map(tuple, both[1])), rounds)
    report("BIRD's set, both results fetched", bird)
    report("results_match, both results fetched", timed(fetched, lambda both: results_match(*both), rounds), bird)
    again = timed(lambda: to_rows(equal), lambda rows: set(map(tuple, rows)) == set(map(tuple, golden_rows)), rounds)
    report("BIRD's set, the golden rows known", again)
    report(
        "results_match, the golden rows known", timed(lambda: to_rows(equal), lambda rows: results_match(rows, golden_rows), rounds), again
    )
    same = timed(lambda: shuffled, lambda rows: set(map(tuple, rows)) == set(map(tuple, golden_rows)), rounds)
    report("BIRD's set, the same row objects shuffled", same)
    report("results_match, the same row objects", timed(lambda: shuffled, lambda rows: results_match(rows, golden_rows), rounds), same)
    report("results_match, Arrow", timed(lambda: equal, lambda table: results_match(table, golden), rounds), bird)
    noise = timed(lambda: noisy, lambda table: results_match(table, golden), rounds)
    report("results_match, Arrow, 0.04% noise", noise)
    if pd is not None:
        frames = [table.to_pandas(date_as_object=False) for table in (golden, equal, noisy)]
        sort = timed(lambda: frames[1], lambda frame: pandas_equal(frame, frames[0]), rounds)
        report("pandas, sorted", sort)
        report("results_match, pandas frames", timed(lambda: frames[1], lambda frame: results_match(frame, frames[0]), rounds), sort)
        report("results_match, pandas frames, noise", timed(lambda: frames[2], lambda f: results_match(f, frames[0]), rounds), sort)
        report("results_match, Arrow, noise (again)", noise, sort)
    for name, table in (("equal", equal), ("noise", noisy)):
        extra, inputs = peak(lambda table=table: results_match(table, golden)), golden.nbytes + table.nbytes
        print(f"{'memory, Arrow, ' + name:<44}{extra / 1e6:8.0f} MB{extra / inputs:8.2f} x the two inputs")


def compare_wide(rounds: int) -> None:
    rng = np.random.default_rng(2)
    numbers = np.round(rng.uniform(10, 1000, (1000, 20)), 2)
    flags = rng.integers(0, 2, (8, 26))
    wrong = flags.copy()
    row, other = np.flatnonzero(wrong[:, 0])[0], np.flatnonzero(wrong[:, 0] == 0)[0]
    wrong[[row, other], 0] = wrong[[other, row], 0]
    for name, golden, answer in (
        ("20 permuted columns, 1,000 rows", numbers, numbers),
        ("26 flag columns, match", flags, flags),
        ("26 flag columns, two cells exchanged", flags, wrong),
    ):
        mixed = answer[rng.permutation(len(answer))][:, rng.permutation(answer.shape[1])].tolist()
        report(name, timed(lambda mixed=mixed: mixed, lambda rows, golden=golden: results_match(rows, golden.tolist()), rounds))


def a_table(rows: int, rng: np.random.Generator) -> pa.Table:
    regions = np.array(["EMEA", "AMER", "APAC", "LATAM"])
    days = np.datetime64("2024-01-01") + rng.integers(0, 900, rows)
    return pa.table(
        {
            "id": pa.array(np.arange(rows)),
            "region": pa.array(regions[rng.integers(0, len(regions), rows)]),
            "revenue": pa.array(np.round(rng.uniform(1, 10_000, rows), 2)),
            "units": pa.array(rng.integers(1, 1000, rows)),
            "day": pa.array(days.astype("datetime64[D]")),
        }
    )


def with_noise(table: pa.Table, rng: np.random.Generator) -> pa.Table:
    revenue = table.column("revenue").to_numpy() * (1 + rng.uniform(-NOISE, NOISE, table.num_rows))
    return table.set_column(table.column_names.index("revenue"), "revenue", pa.array(revenue))


def to_rows(table: pa.Table) -> list[tuple[Any, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def pandas_equal(answer: Any, golden: Any) -> bool:
    columns = list(golden.columns)
    one, other = (frame.sort_values(columns).reset_index(drop=True) for frame in (answer, golden))
    return all(
        np.isclose(one[name], other[name], rtol=0.0005, atol=0.005).all() if one[name].dtype.kind in "if" else one[name].equals(other[name])
        for name in columns
    )


def timed(make: Callable[[], Any], run: Callable[[Any], Any], rounds: int) -> tuple[float, float]:
    best_wall = best_processor = float("inf")
    for _ in range(rounds):
        given = make()
        wall, processor = time.perf_counter(), time.process_time()
        run(given)
        best_wall = min(best_wall, time.perf_counter() - wall)
        best_processor = min(best_processor, time.process_time() - processor)
    return best_wall, best_processor


def report(name: str, times: tuple[float, float], reference: tuple[float, float] | None = None) -> None:
    ratios = "" if reference is None else f"   ratio {times[0] / reference[0]:.2f} wall, {times[1] / reference[1]:.2f} processor"
    print(f"{name:<44}{times[0]:8.3f} s{times[1]:8.3f} s processor{ratios}", flush=True)


def peak(run: Callable[[], Any]) -> int:
    """Return by how many bytes the process grew at most (Linux)."""
    run()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _status("VmRSS")
    run()
    return _status("VmHWM") - before


def _status(key: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


if __name__ == "__main__":
    main()
