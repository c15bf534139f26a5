"""Reports: one `Report`, shown to people in a terminal, a page or a pull request, and to machines as JSON or JUnit XML.

Rule: everything that came from outside (answers, questions, ids, judge replies) is shown, never interpreted.
"""
