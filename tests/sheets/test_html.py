"""Sheets as web pages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

from hashmark.engine import registry
from hashmark.sheets import blank_sheet, html
from hashmark.sheets.document import (
    Card,
    Cards,
    Cell,
    Column,
    Document,
    Field,
    Mark,
    Note,
    Page,
    Table,
)
from hashmark.sheets.paper_sizes import Paper
from reports.page_checks import PageReader, check_page
from sheets.sample_documents import SAMPLE, documents


def test_everything_is_on_the_page() -> None:
    read = PageReader(html.render(SAMPLE))
    assert read.tags.count("section") == 2
    assert read.tags.count("tr") == 1 + 12 + 1 + 2
    for word in ("Sample & Sons", "1st quarter", "Bears", "to gain", "touchdown", "← 35", "punt"):
        assert word in read.words
    assert "S scrimmage · K kickoff\nx < y & z" in read.words


def test_a_row_of_boxes_is_not_broken_before_its_end() -> None:
    """Check that the drill's clock has 20 spaces a line, however narrow its column."""
    page = html.render(blank_sheet(registry.load("two-minute-drill")))
    lines = re.findall(r'<div class="line whole">(.*?)</div>', page)
    assert [line.count('class="box') for line in lines] == [20, 20]
    assert ".line.whole { flex-wrap: nowrap; }" in page


def test_cards_have_lines_to_cut_along() -> None:
    card = Card("A", "Standard", "<sound>")
    page = html.render(Document("t", [Page("p", [Cards([card] * 4, per_row=3, height=50)])]))
    assert page.count('<div class="card">') == 4
    assert "--across: 3; --tall: 50mm" in page
    assert "&lt;sound&gt;" in page


def test_a_page_loads_nothing() -> None:
    page = html.render(SAMPLE)
    assert not re.search(r"https?:|src=|href=|url\(|@import|<script|<link", page)
    check_page(page)


@pytest.mark.parametrize(("paper", "size"), [("a4", "A4"), ("letter", "letter")])
def test_a_page_prints_on_its_paper_with_page_breaks(paper: Paper, size: str) -> None:
    page = html.render(SAMPLE, paper)
    assert f"@page {{ size: {size} portrait;" in page
    assert f"@page wide {{ size: {size} landscape;" in page
    assert 'class="page wide"' in page
    assert "break-after: page" in page
    assert "prefers-color-scheme: dark" in page


def test_markup_in_texts_is_escaped() -> None:
    evil = "<script>alert('1')</script>\"&"
    cell = Table([Column(evil)], [[Cell(evil, "strong")]], title=evil)
    page = html.render(
        Document(evil, [Page(evil, [cell, Note(evil), Field(marks=[Mark(1, evil)])])])
    )
    assert "<script" not in page
    assert PageReader(page).words.count(evil) == 8


def check_rendering(document: Document) -> None:
    page = html.render(document)
    page.encode()
    assert check_page(page).tags.count("section") == len(document.pages)


@given(documents)
@settings(max_examples=30)
def test_any_document_makes_a_sound_page(document: Document) -> None:
    check_rendering(document)


@pytest.mark.long
@given(documents)
@settings(max_examples=500)
def test_many_documents_make_sound_pages(document: Document) -> None:
    check_rendering(document)
