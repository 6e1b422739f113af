"""The rules page of a game by sections, so that a question shows only the relevant ones.

The page is Markdown, one for each game: `docs/reference/rules` in the sources, `data/rules.md` in a
package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hashmark.engine.game import Game
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.storage.user_files import read_text

LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
HEADING = re.compile(r"(#+) +(?:[0-9]+\. +)?(.*?) *$")


@dataclass(frozen=True)
class Section:
    """A section: its heading, its depth, and its lines up to the next heading of the same level."""

    title: str
    depth: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip() + "\n"


@dataclass(frozen=True)
class RulesPage:
    """The sections of a rules page in order."""

    sections: tuple[Section, ...]

    @classmethod
    def for_rules(cls, rules: RuleSet) -> RulesPage:
        """Return the rules page of a game; an empty one if it has none or none was packaged."""
        if rules.presentation.rules_page is None:
            return cls(())
        try:
            return cls.parse(read_text(rules.presentation.rules_page))
        except HashmarkError:
            return cls(())

    @classmethod
    def parse(cls, text: str) -> RulesPage:
        """Parse the sections of a Markdown text; a section includes its subsections."""
        lines = text.splitlines()
        headings = [
            (start, match) for start, line in enumerate(lines) if (match := HEADING.match(line))
        ]
        sections = []
        for number, (start, match) in enumerate(headings):
            depth = len(match[1])
            later = (
                line_number
                for line_number, other in headings[number + 1 :]
                if len(other[1]) <= depth
            )
            end = next(later, len(lines))
            sections.append(Section(match[2], depth, tuple(lines[start:end])))
        return cls(tuple(sections))

    def section_text(self, title: str) -> str:
        """Return the text of the section with this title, or an empty string."""
        return next((section.text for section in self.sections if section.title == title), "")

    def section_texts(self, titles: Iterable[str]) -> list[str]:
        """Return the texts of the sections with these titles that exist."""
        return [text for title in titles if (text := self.section_text(title))]

    def titles(self) -> list[str]:
        """Return the titles of all sections below the top level."""
        return [section.title for section in self.sections if section.depth > 1]

    def search(self, words: str) -> list[Section]:
        """Return the sections whose titles contain these words; an exact match alone."""
        target = words.casefold().replace("-", " ").strip()
        normalized = [
            (section.title.casefold().replace("-", " "), section) for section in self.sections
        ]
        exact = [section for title, section in normalized if title == target]
        return exact[:1] or [section for title, section in normalized if target in title]


def rules_about(game: Game, words: str = "") -> str:
    """Return the rules for the current question, or those that match words, as Markdown.

    Links keep their text alone: the pages they lead to are not at hand where a game is played.
    """
    book = RulesPage.for_rules(game.rules)
    if not book.sections:
        return f"More on this game: `hashmark rules {game.rules.name}`"
    if words:
        texts = [section.text for section in book.search(words)]
    else:
        texts = book.section_texts(
            game.rules.presentation.rules_sections.get(game.question.name, ())
        )
    if texts:
        return LINK.sub(r"\1", "\n".join(texts))
    titles = ", ".join(book.titles())
    if not words:
        return f"No section of the rules covers this question alone. Sections: {titles}."
    return f"No section title contains these words. Sections: {titles}."
