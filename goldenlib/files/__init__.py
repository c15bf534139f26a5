"""Files: a golden set on disk, read to items with every problem named at its line; and files of ours written safely."""
