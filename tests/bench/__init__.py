"""Benchmarks: run by hand (`make bench`), never as timed tests. Figures go to docs/performance.md as ratios."""
