"""Checks that every page and every chart must pass."""

from __future__ import annotations

import math
import re
import unicodedata
from html.parser import HTMLParser

from hashmark.reports.report import Report
from hashmark.reports.shapes import Chart, frames_overlap

VOID_TAGS = {"meta", "col"}


class PageReader(HTMLParser):
    """Parser that checks that tags are nested correctly; collects tags, attributes and texts."""

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
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open[-1] not in ("style", "script"):
            self.words.append(data.strip().replace("\u00a0%", " %"))

    def all(self, name: str) -> list[str]:
        """Return the values of every attribute of this name."""
        return [value for key, value in self.attributes if key == name]


def check_page(text: str) -> PageReader:
    """Check that the page is one self-contained file without control characters."""
    reader = PageReader(text)
    assert text.startswith("<!DOCTYPE html>")
    assert not re.search(r"https?:|@import|url\(|<link|<img|<iframe", text)
    for name, _ in reader.attributes:
        assert name not in ("src", "href", "xlink:href", "action", "srcset")
        assert not name.startswith("on")
    assert reader.tags.count("script") <= 1
    assert "default-src 'none'" in " ".join(reader.all("content"))
    ids = reader.all("id")
    assert len(ids) == len(set(ids))
    assert {target for value in reader.all("aria-describedby") for target in value.split()} <= set(
        ids
    )
    controls = {c for c in set(text) - {"\n"} if unicodedata.category(c) in ("Cc", "Cf", "Cs")}
    assert not controls
    return reader


def check_chart(chart: Chart) -> None:
    """Check that every text has its own room inside the drawing."""
    texts = list(chart.texts())
    for index, text in enumerate(texts):
        left, top, right, bottom = text.frame
        assert left >= -0.01, (chart.title, text)
        assert top >= -0.01, (chart.title, text)
        assert right <= chart.width + 0.01, (chart.title, text)
        assert bottom <= chart.height + 0.01, (chart.title, text)
        hidden = [other.text for other in texts[:index] if frames_overlap(text.frame, other.frame)]
        assert not hidden, (chart.title, text.text, hidden)
    assert math.isfinite(chart.height)
    assert chart.title
    assert chart.description


def check_report(report: Report) -> PageReader:
    """Check a whole report: the page, and each of its charts."""
    text = report.html()
    reader = check_page(text)
    assert reader.tags.count("script") == 1
    charts = report.charts()
    assert reader.tags.count("desc") == len(charts) > 0
    for chart in charts:
        check_chart(chart)
    numbers = [
        value
        for name in ("x", "y", "d", "width", "height", "cx", "cy", "points", "data-value")
        for value in reader.all(name)
    ]
    assert not [value for value in numbers if re.search("nan|inf", value)]
    return reader
