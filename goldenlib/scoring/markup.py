"""Markup: what a page makes of a text - references of characters, tags, escapes - and so does not show as it stands.

Rule: for looking closer only, at near misses and at leaks. No verdict of the fact gate rests on it.
"""

from __future__ import annotations

import html
import re
import unicodedata

from goldenlib.folding import fold

ENTITY = re.compile(r"&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});", re.IGNORECASE)
TAG = re.compile(r"</?[a-z][^<>]{0,2000}>|<!--[^<>]{0,2000}-->", re.IGNORECASE)
COLOUR = re.compile(  # and what else a terminal obeys
    r"(?:\x1b\[|\x9b)[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)"
)
ESCAPE = re.compile(r"\\(?=[ !-/:-@\[-`{-~])")  # as Markdown has it, a hard line break too
SUPERSCRIPTS = "\u00b9\u00b2\u00b3\u2070\u2074-\u2079"
REFERENCE = re.compile(  # footnotes and citations; a power or a square metre is none
    r"\[\^[^\[\]\s]{1,40}\]|\[\d{1,3}\](?!\()|\u3010[^\u3010\u3011]{1,80}\u3011|(?<=[^\W\d_])<sup>[\[(]?\d{1,3}[\])]?</sup>"
    rf"|(?<=[^\W\d_])(?<!\bm)(?<!\b[ckdh]m)[{SUPERSCRIPTS}]+",
    re.IGNORECASE,
)
_BREAKS_A_LINE = re.compile(  # all other elements, also those that HTML does not know, stand within a line
    r"</?(?:address|article|aside|blockquote|body|br|caption|center|d[dlt]|details|dialog|dir|div|fieldset|figcaption|figure|footer|form|"
    r"frame(?:set)?|h[1-6r]|head(?:er)?|hgroup|html|iframe|legend|li|main|menu|nav|o[lp]|optgroup|option|p|pre|script|search|section|select|"
    r"style|summary|t(?:able|body|[dhr]|extarea|foot|head|itle)|ul)(?![\w-])",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\[\]]{0,2000})\]\([^()\s]{0,2000}\)")
_ANY = re.compile(r"[&<*~_`\\{}\[\u3010\x1b]|[^\x00-\x7f]")
_DROPPED = re.compile(r"[*~`{}\[\]$\N{COMBINING ENCLOSING KEYCAP}]|(?<![^\W_])_+|_+(?![^\W_])")
_DIGIT = re.compile(r"[^\W\D_\x00-\x7f]")
_SEPARATORS = {ord("\N{ARABIC THOUSANDS SEPARATOR}"): ",", ord("\N{ARABIC DECIMAL SEPARATOR}"): "."}


def shown_for(tag: str) -> str:
    """Return what a tag comes to on the page: nothing, or the blank of a new line or cell."""
    return " " if _BREAKS_A_LINE.match(tag) else ""


def as_read(text: str) -> str:
    """Return a text as one reads it on the page, folded: without markup, and with the digits of all scripts as ours.

    >>> as_read("**4**.150&nbsp;<b>000</b> \\uff14")
    '4.150 000 4'
    """
    if not _ANY.search(text):
        return fold(text)
    text = COLOUR.sub("", text)
    for _ in range(2):  # what is escaped twice shows when a page is made of a page
        text = html.unescape(text)
    text = TAG.sub(lambda tag: shown_for(tag[0]), REFERENCE.sub("", text))
    text = _LINK.sub(r"\1", ESCAPE.sub("", text))
    text = unicodedata.normalize("NFKC", fold(_DROPPED.sub("", text)).translate(_SEPARATORS))
    return fold(_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text))
