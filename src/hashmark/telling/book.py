"""A game's rules page by sections, so that whoever is asked something reads only what concerns it.

The page is Markdown, one for each game: `docs/rules` in the sources, `data/rules.md` in a package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hashmark.table.errors import HashmarkError
from hashmark.table.files import read_text
from hashmark.table.game import Game
from hashmark.table.rules import RuleSet

HEADING = re.compile(r"(#+) +(?:[0-9]+\. +)?(.*?) *$")


@dataclass(frozen=True)
class Section:
    """A heading, how deep it is, and the lines down to the next one that is as high."""

    title: str
    depth: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip() + "\n"


@dataclass(frozen=True)
class Book:
    """The sections of a rules page in their order."""

    sections: tuple[Section, ...]

    @classmethod
    def of(cls, rules: RuleSet) -> Book:
        """The rules page of a game; an empty book if it has none, or none was packed."""
        if rules.book is None:
            return cls(())
        try:
            return cls.read(read_text(rules.book))
        except HashmarkError:
            return cls(())

    @classmethod
    def read(cls, text: str) -> Book:
        """The sections of a Markdown text; those inside a section are part of it too."""
        lines = text.splitlines()
        heads = [(at, found) for at, line in enumerate(lines) if (found := HEADING.match(line))]
        sections = []
        for number, (at, found) in enumerate(heads):
            depth = len(found[1])
            later = (to for to, other in heads[number + 1 :] if len(other[1]) <= depth)
            end = next(later, len(lines))
            sections.append(Section(found[2], depth, tuple(lines[at:end])))
        return cls(tuple(sections))

    def section(self, title: str) -> str:
        """The text of the section of this title, or nothing."""
        return next((one.text for one in self.sections if one.title == title), "")

    def about(self, titles: Iterable[str]) -> list[str]:
        """The texts of the sections of these titles, as far as they are there."""
        return [text for title in titles if (text := self.section(title))]

    def titles(self) -> list[str]:
        """The titles of all sections that are no chapters of others."""
        return [one.title for one in self.sections if one.depth > 1]

    def found(self, words: str) -> list[Section]:
        """The sections whose titles have these words in them; one that is just so alone."""
        wanted = words.casefold().replace("-", " ").strip()
        plain = [(one.title.casefold().replace("-", " "), one) for one in self.sections]
        exact = [one for title, one in plain if title == wanted]
        return exact[:1] or [one for title, one in plain if wanted in title]


def rules_about(game: Game, words: str = "") -> str:
    """The sections of the rules page for the question, or those with these words, as Markdown."""
    book = Book.of(game.rules)
    if not book.sections:
        return f"More on this game: `hashmark rules {game.rules.name}`"
    if words:
        texts = [one.text for one in book.found(words)]
    else:
        texts = book.about(game.rules.sections.get(game.question.name, ()))
    if texts:
        return "\n".join(texts)
    titles = ", ".join(book.titles())
    if not words:
        return f"No part of the rules is about this question alone. There are: {titles}."
    return f"No heading of the rules has these words in it. There are: {titles}."
