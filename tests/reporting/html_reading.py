"""Reading HTML in tests: elements with their attributes and text, by the standard library's parser."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_EMPTY = {"meta", "link", "br", "input", "line", "polyline", "circle", "path"}


@dataclass
class Element:
    """An element and everything in it."""

    tag: str
    attributes: dict[str, str]
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


class Document(HTMLParser):
    """All elements of a page in order. Raises when a tag is closed that was not the last one opened."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert not self._open, f"not closed: {[element.tag for element in self._open]}"

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attributes})
        self.elements.append(element)
        if tag not in _EMPTY:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attributes}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open[-1].tag == tag, f"</{tag}> closes <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.pieces.append(data)

    def all(self, tag: str = "", css_class: str = "") -> list[Element]:
        return [element for element in self.elements if tag in ("", element.tag) and (not css_class or css_class in element.classes)]

    def one(self, tag: str = "", css_class: str = "") -> Element:
        (element,) = self.all(tag, css_class)
        return element

    @property
    def tags(self) -> set[str]:
        return {element.tag for element in self.elements}
