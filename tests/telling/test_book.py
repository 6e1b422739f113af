"""The rules page by its sections."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hashmark.table import registry
from hashmark.telling.book import Book

PAGE = """# A game

Before the rules.

## 1. Kicks

### Kickoffs

- **R1** Kick.

### Punts

- **R2** Punt.

## Tries

- **R3** Try.
"""


def test_sections_have_what_is_below_them() -> None:
    book = Book.read(PAGE)
    assert book.titles() == ["Kicks", "Kickoffs", "Punts", "Tries"]
    assert book.section("Punts") == "### Punts\n\n- **R2** Punt.\n"
    assert "R1" in book.section("Kicks")
    assert "R2" in book.section("Kicks")
    assert "R3" not in book.section("Kicks")
    assert book.section("Nothing") == ""
    assert book.about(["Tries", "Nothing"]) == ["## Tries\n\n- **R3** Try.\n"]


def test_sections_are_found_by_words() -> None:
    book = Book.read(PAGE)
    assert [one.title for one in book.found("punt")] == ["Punts"]
    assert [one.title for one in book.found("kick")] == ["Kicks", "Kickoffs"]
    assert [one.title for one in book.found("KICKS")] == ["Kicks"]
    assert book.found("hail mary") == []


@pytest.mark.parametrize("name", registry.built_in())
def test_every_game_brings_its_page(name: str) -> None:
    """The page in the package is the one of the docs."""
    rules = registry.load(name)
    assert rules.book is not None
    docs = Path(__file__).parents[2] / "docs" / "rules" / f"{name}.md"
    assert rules.book.read_text(encoding="utf-8") == docs.read_text(encoding="utf-8")


def test_a_game_without_a_page_has_an_empty_book(tmp_path: Path) -> None:
    rules = registry.load("fourth-down")
    assert Book.of(replace(rules, book=None)).sections == ()
    assert Book.of(replace(rules, book=tmp_path / "none.md")).sections == ()
