"""The rules page by sections."""

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


def test_sections_include_their_subsections() -> None:
    book = Book.read(PAGE)
    assert book.titles() == ["Kicks", "Kickoffs", "Punts", "Tries"]
    assert book.section("Punts") == "### Punts\n\n- **R2** Punt.\n"
    assert "R1" in book.section("Kicks")
    assert "R2" in book.section("Kicks")
    assert "R3" not in book.section("Kicks")
    assert book.section("Nothing") == ""
    assert book.about(["Tries", "Nothing"]) == ["## Tries\n\n- **R3** Try.\n"]


def test_sections_are_found_by_words_of_their_title() -> None:
    book = Book.read(PAGE)
    assert [section.title for section in book.found("punt")] == ["Punts"]
    assert [section.title for section in book.found("kick")] == ["Kicks", "Kickoffs"]
    assert [section.title for section in book.found("KICKS")] == ["Kicks"]
    assert book.found("hail mary") == []


@pytest.mark.parametrize("name", registry.built_in())
def test_every_game_ships_its_rules_page(name: str) -> None:
    """The page in the package equals the one in the docs."""
    rules = registry.load(name)
    assert rules.book is not None
    docs = Path(__file__).parents[2] / "docs" / "rules" / f"{name}.md"
    assert rules.book.read_text(encoding="utf-8") == docs.read_text(encoding="utf-8")


def test_a_game_without_a_page_has_no_sections(tmp_path: Path) -> None:
    rules = registry.load("fourth-down")
    assert Book.of(replace(rules, book=None)).sections == ()
    assert Book.of(replace(rules, book=tmp_path / "none.md")).sections == ()
