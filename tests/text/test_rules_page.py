"""The rules page by sections."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hashmark.engine import registry
from hashmark.text.rules_page import RulesPage

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
    book = RulesPage.parse(PAGE)
    assert book.titles() == ["Kicks", "Kickoffs", "Punts", "Tries"]
    assert book.section_text("Punts") == "### Punts\n\n- **R2** Punt.\n"
    assert "R1" in book.section_text("Kicks")
    assert "R2" in book.section_text("Kicks")
    assert "R3" not in book.section_text("Kicks")
    assert book.section_text("Nothing") == ""
    assert book.section_texts(["Tries", "Nothing"]) == ["## Tries\n\n- **R3** Try.\n"]


def test_sections_are_found_by_words_of_their_title() -> None:
    book = RulesPage.parse(PAGE)
    assert [section.title for section in book.search("punt")] == ["Punts"]
    assert [section.title for section in book.search("kick")] == ["Kicks", "Kickoffs"]
    assert [section.title for section in book.search("KICKS")] == ["Kicks"]
    assert book.search("hail mary") == []


@pytest.mark.parametrize("name", registry.builtin_names())
def test_every_game_ships_its_rules_page(name: str) -> None:
    """The page in the package equals the one in the docs."""
    rules = registry.load(name)
    assert rules.presentation.rules_page is not None
    docs = Path(__file__).parents[2] / "docs" / "reference" / "rules" / f"{name}.md"
    assert rules.presentation.rules_page.read_text(encoding="utf-8") == docs.read_text(
        encoding="utf-8"
    )


def test_a_game_without_a_page_has_no_sections(tmp_path: Path) -> None:
    rules = registry.load("fourth-down")
    assert (
        RulesPage.for_rules(
            replace(rules, presentation=replace(rules.presentation, rules_page=None))
        ).sections
        == ()
    )
    assert (
        RulesPage.for_rules(
            replace(
                rules, presentation=replace(rules.presentation, rules_page=tmp_path / "none.md")
            )
        ).sections
        == ()
    )
