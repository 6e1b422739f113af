"""Sheets as PDF files, read back with another library."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given, settings
from pypdf import PdfReader

from hashmark.reports.text_width import drawable, text_width, truncate_text, wrap_text
from hashmark.sheets import pdf
from hashmark.sheets.document import Column, Document, Heading, Note, Page, Table
from hashmark.sheets.paper_sizes import Paper
from sheets.sample_documents import SAMPLE, documents


def read_back(document: Document, paper: Paper = "a4") -> PdfReader:
    return PdfReader(BytesIO(pdf.render(document, paper)))


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_pages_have_the_size_of_their_paper(paper: Paper, size: tuple[int, int]) -> None:
    upright, wide = read_back(SAMPLE, paper).pages
    assert (round(upright.mediabox.width), round(upright.mediabox.height)) == size
    assert (round(wide.mediabox.height), round(wide.mediabox.width)) == size


def test_the_words_can_be_read_back() -> None:
    reader = read_back(SAMPLE)
    assert reader.metadata is not None
    assert reader.metadata.title == "Sample & Sons"
    text = reader.pages[0].extract_text()
    for word in ("Sample & Sons", "1st quarter", "Bears", "to gain", "touchdown", "punt"):
        assert word in text
    assert "kickoff – touchback" in text
    assert "S scrimmage · K kickoff" in reader.pages[1].extract_text()


def test_arrows_are_letters_of_the_symbol_font() -> None:
    assert drawable("← 35 →") == "← 35 →"
    text = read_back(SAMPLE).pages[0].extract_text()
    assert "→" in text
    assert "←" in text


def test_letters_without_a_font_are_replaced() -> None:
    assert drawable("Čapek ▶ 漢 – ½ ✓ ☐\n") == "Capek → ? – ½ ✓ ❏\n"


def test_the_same_document_makes_the_same_file() -> None:
    assert pdf.render(SAMPLE) == pdf.render(SAMPLE)


def test_a_quarter_of_plays_fits_on_one_sheet_of_either_paper() -> None:
    table = Table([Column(str(n)) for n in range(11)], [[str(n)] for n in range(36)])
    page = Page("1st quarter", [*SAMPLE.pages[0].blocks[:3], table])
    for paper in ("a4", "letter"):
        assert len(read_back(Document("Sheet", [page]), paper).pages) == 1


def test_a_long_table_goes_on_under_the_same_headings() -> None:
    table = Table([Column("Play"), Column("Result")], [[str(n), f"result {n}"] for n in range(200)])
    pages = read_back(Document("Long", [Page("all", [table])])).pages
    assert len(pages) > 2
    texts = [page.extract_text() for page in pages]
    assert all("Play" in text and "Result" in text for text in texts)
    seen = [line for text in texts for line in text.split("\n") if line.startswith("result")]
    assert seen == [f"result {n}" for n in range(200)]


def test_a_heading_never_ends_a_page() -> None:
    blocks = [block for n in range(60) for block in (Heading(f"head {n}"), Note(f"note {n}\n\n"))]
    for page in read_back(Document("Long", [Page("all", blocks)])).pages:
        lines = [line for line in page.extract_text().split("\n") if line[:4] in ("head", "note")]
        assert lines[-1].startswith("note")


def test_wrapping_keeps_every_letter() -> None:
    text = "a word and " + "x" * 200
    lines = wrap_text(text, 30, 3)
    assert max(text_width(line, 3) for line in lines) <= 30
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert truncate_text("touchdown", 8, 3).endswith("…")


def check_rendering(document: Document) -> None:
    pages = read_back(document).pages
    assert len(pages) >= len(document.pages)
    for page in pages:
        page.extract_text()


@given(documents)
@settings(max_examples=20)
def test_any_document_makes_a_sound_file(document: Document) -> None:
    check_rendering(document)


@pytest.mark.long
@given(documents)
@settings(max_examples=500)
def test_many_documents_make_sound_files(document: Document) -> None:
    check_rendering(document)
