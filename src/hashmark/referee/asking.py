"""What people are asked: windows that can matter, and sections of the book that are there."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

from hashmark.referee.referee import Foul, Referee
from hashmark.sim.plain import Sampler
from hashmark.table.game import Game
from hashmark.table.generator import COACHES, Stream
from hashmark.table.rules import ALLOWED, Coach, RuleSet
from hashmark.table.thinking import CoachTable

LUCKS = 3  # with so many dice each answer to a window is tried
OFTEN = 3  # a window that was open so often should have mattered once


def check_windows(referee: Referee) -> None:
    """Games of the coach by the book, and of one who answers anything."""
    rules = referee.rules
    names = {coach.name for coach in rules.coaches}
    coaches = [rules.coach(name) for name in ("book", "random") if name in names]
    seen: Counter[str] = Counter()
    told_apart: set[str] = set()
    for options in referee.options():
        for number, coach in enumerate(coaches):
            game = referee.game(options, number)
            for _ in chain((None,), referee.playout(game, coach)):
                if window_matters(referee, game, coach):
                    name = game.question.name
                    seen[name] += 1
                    if name not in told_apart and not comes_to_the_same(referee, game):
                        told_apart.add(name)
    for name, times in seen.items():
        if times >= OFTEN and name not in told_apart:
            raise Foul(f"{rules.name}: whatever is answered to {name}, it comes to the same")


def window_matters(referee: Referee, game: Game, coach: Coach) -> bool:
    """Whether a window is open that is said to matter; if not, the coach must pass it."""
    question = game.question
    if game.is_over or not question.is_window:
        return False
    rules, m = game.rules, game.match
    if rules.refusal(m, game.position, question.default) != ALLOWED:
        raise referee.foul(game, f"the default of window {question.name} is not allowed")
    view = rules.view(m, game.position, game.asked)
    view.table = CoachTable(Stream(referee.seed, 0, COACHES))
    before, matters = view.copy(), bool(rules.matters(m, view))
    if view != before or view.table.luck.count:
        raise referee.foul(game, f"asking whether window {question.name} matters changes something")
    if not matters and coach.call is not None and coach.call(m, view) != question.default:
        raise referee.foul(
            game, f"window {question.name} is said not to matter, but {coach.name} uses it"
        )
    return matters and len(game.legal()) > 1


def comes_to_the_same(referee: Referee, game: Game) -> bool:
    """Whether every answer leads to the same positions, with the same dice."""
    rules, m, g = game.rules, game.match, game.position
    first, *others = rules.legal_calls(m, g)
    return all(
        after(referee, game, call, luck) == after(referee, game, first, luck)
        for luck in range(LUCKS)
        for call in others
    )


def after(referee: Referee, game: Game, call: int, luck: int) -> Any:
    """The position after an answer with these dice."""
    g = game.position.copy()
    g.table = Sampler(game.rules, referee.seed, luck)
    game.rules.step(game.match, g, call)
    return g


def check_book(rules: RuleSet) -> None:
    """Every section that a question names is in the book, and has something to read in it."""
    from hashmark.telling.book import Book

    if rules.book is None:
        return
    book = Book.of(rules)
    for question in rules.questions:
        titles = rules.sections.get(question.name, ())
        if question.calls and not titles:
            raise Foul(f"{rules.name}: question {question.name} names no section of the book")
        for title in titles:
            if not has_words(book.section(title)):
                raise Foul(f"{rules.name}: the book has no section {title!r} ({question.name})")


def has_words(text: str) -> bool:
    """Whether there is something below the heading."""
    return len(text.strip().splitlines()) > 1
