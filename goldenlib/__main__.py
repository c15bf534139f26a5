"""`python -m goldenlib`: the same as `golden`."""

from goldenlib.cli import main

main()
