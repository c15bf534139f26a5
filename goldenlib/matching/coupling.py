"""Coupling: a largest set of edges in which no row takes part twice.

Rule: complete. Rows with a single possible partner are taken first, which never costs a pair; what is left goes to Hopcroft-Karp.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching, maximum_flow

from goldenlib.matching.columns import Integers
from goldenlib.matching.edges import Edges
from goldenlib.matching.tolerances import Flags

_ROUNDS = 30
NOBODY = -1


def couple_rows(edges: Edges, golden_count: int, answer_count: int) -> Integers:
    """Return the answer row of each golden row in a largest coupling, NOBODY where there is none."""
    partner = np.full(golden_count, NOBODY, np.int64)
    golden, answer = edges.golden, edges.answer
    for _ in range(_ROUNDS):
        forced = np.flatnonzero((np.bincount(golden)[golden] == 1) | (np.bincount(answer)[answer] == 1)) if len(golden) else golden
        if not len(forced):
            break
        forced = forced[_one_of_each(answer[forced], answer_count)]
        forced = forced[_one_of_each(golden[forced], golden_count)]
        partner[golden[forced]] = answer[forced]
        taken = np.zeros(answer_count, bool)
        taken[answer[forced]] = True
        free = (partner[golden] == NOBODY) & ~taken[answer]
        golden, answer = golden[free], answer[free]
    if len(golden):
        rows, row_index = np.unique(golden, return_inverse=True)
        columns, column_index = np.unique(answer, return_inverse=True)
        graph = csr_matrix((np.ones(len(golden), np.int8), (row_index, column_index)), shape=(len(rows), len(columns)))
        chosen = maximum_bipartite_matching(graph, perm_type="column")
        found = chosen >= 0
        partner[rows[found]] = columns[chosen[found]]
    return partner


def _one_of_each(rows: Integers, count: int) -> Flags:
    """Return flags that keep one place for each different row."""
    places = np.arange(len(rows))
    last = np.empty(count, np.int64)
    last[rows] = places
    flags: Flags = last[rows] == places
    return flags


def couple_copies(edges: Edges, golden_copies: Integers, answer_copies: Integers) -> tuple[Integers, Integers, Integers]:
    """Return (golden, answer, times) for rows that stand for several equal ones, coupled as often as possible."""
    golden_count, answer_count = len(golden_copies), len(answer_copies)
    source, sink = golden_count + answer_count, golden_count + answer_count + 1
    copies = np.minimum(golden_copies[edges.golden], answer_copies[edges.answer])
    capacities = np.concatenate([golden_copies, copies, answer_copies]).astype(np.int32)
    starts = np.concatenate([np.full(golden_count, source), edges.golden, np.arange(answer_count) + golden_count])
    ends = np.concatenate([np.arange(golden_count), edges.answer + golden_count, np.full(answer_count, sink)])
    flow = maximum_flow(csr_matrix((capacities, (starts, ends)), shape=(sink + 1, sink + 1)), source, sink).flow.tocoo()
    inner = (flow.data > 0) & (flow.row < golden_count) & (flow.col >= golden_count) & (flow.col < source)
    return flow.row[inner].astype(np.int64), flow.col[inner].astype(np.int64) - golden_count, flow.data[inner].astype(np.int64)
