"""The bridge to spreadsheets and to other tools: their files -> a golden set, and a golden set -> their files.

Whatever the form, a file is first read as an `importtable` of cells, each with its place; `mapping` says what its columns mean,
`building` makes items of its rows, `setfile` writes them. Rule: nothing is guessed in silence. What is not understood is a
problem, what is not carried over is named, and nothing that a file says is ever run or fetched.
"""
