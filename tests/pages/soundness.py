"""What must be true of every page and every chart, whatever it is about."""

from __future__ import annotations

import math
import re
import unicodedata
from html.parser import HTMLParser

from hashmark.pages.report import Report
from hashmark.pages.shapes import Chart, meet

VOID = {"meta", "col"}


class Reader(HTMLParser):
    """Checks that every tag is closed in its turn; collects tags, addresses, names and words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open[-1] not in ("style", "script"):
            self.words.append(data.strip())

    def all(self, name: str) -> list[str]:
        """The values of every attribute of this name."""
        return [value for one, value in self.attributes if one == name]


def sound_page(text: str) -> Reader:
    """One file that needs nothing else, with nothing in it that steers."""
    read = Reader(text)
    assert text.startswith("<!DOCTYPE html>")
    assert not re.search(r"https?:|@import|url\(|<link|<img|<iframe", text)
    for name, _ in read.attributes:
        assert name not in ("src", "href", "xlink:href", "action", "srcset")
        assert not name.startswith("on")
    assert read.tags.count("script") <= 1
    assert "default-src 'none'" in " ".join(read.all("content"))
    ids = read.all("id")
    assert len(ids) == len(set(ids))
    assert {one for said in read.all("aria-describedby") for one in said.split()} <= set(ids)
    steering = {c for c in set(text) - {"\n"} if unicodedata.category(c) in ("Cc", "Cf", "Cs")}
    assert not steering
    return read


def sound_chart(chart: Chart) -> None:
    """Every text has its own room, inside the drawing."""
    words = list(chart.words())
    for at, one in enumerate(words):
        left, top, right, bottom = one.frame
        assert left >= -0.01, (chart.title, one)
        assert top >= -0.01, (chart.title, one)
        assert right <= chart.width + 0.01, (chart.title, one)
        assert bottom <= chart.height + 0.01, (chart.title, one)
        hidden = [other.text for other in words[:at] if meet(one.frame, other.frame)]
        assert not hidden, (chart.title, one.text, hidden)
    assert math.isfinite(chart.height)
    assert chart.title
    assert chart.description


def sound_report(report: Report) -> Reader:
    """A whole report: the page, and each of its charts."""
    text = report.html()
    read = sound_page(text)
    assert read.tags.count("script") == 1
    charts = report.charts()
    assert read.tags.count("desc") == len(charts) > 0
    for chart in charts:
        sound_chart(chart)
    places = [
        value
        for name in ("x", "y", "d", "width", "height", "cx", "cy", "points", "data-value")
        for value in read.all(name)
    ]
    assert not [one for one in places if re.search("nan|inf", one)]
    return read
