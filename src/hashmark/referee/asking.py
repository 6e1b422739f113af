"""Checks of the questions that players are asked: which windows matter, and rulebook sections."""

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

DICE_SEQUENCES = 3  # sequences of dice that each answer to a window is tried with
MIN_OCCURRENCES = 3  # a window that was open this often should have mattered at least once


def check_windows(kit: Referee) -> None:
    """Check the windows of games played by the book coach and by a random coach."""
    rules = kit.rules
    names = {coach.name for coach in rules.coaches}
    coaches = [rules.coach(name) for name in ("book", "random") if name in names]
    occurrences: Counter[str] = Counter()
    mattered: set[str] = set()
    for options in kit.options():
        for number, coach in enumerate(coaches):
            game = kit.game(options, number)
            for _ in chain((None,), kit.playout(game, coach)):
                if is_window_worth_prompt(kit, game, coach):
                    name = game.question.name
                    occurrences[name] += 1
                    if name not in mattered and not are_answers_equivalent(kit, game):
                        mattered.add(name)
    for name, count in occurrences.items():
        if count >= MIN_OCCURRENCES and name not in mattered:
            raise Foul(f"{rules.name}: whatever is answered to {name}, it comes to the same")


def is_window_worth_prompt(kit: Referee, game: Game, coach: Coach) -> bool:
    """Return whether an open window is declared worth a prompt; if not, the coach must pass it."""
    question = game.question
    if game.is_over or not question.is_window:
        return False
    rules, m = game.rules, game.match
    if rules.refusal(m, game.position, question.default) != ALLOWED:
        raise kit.foul(game, f"the default of window {question.name} is not allowed")
    view = rules.view(m, game.position, game.asked)
    view.table = CoachTable(Stream(kit.seed, 0, COACHES))
    before, is_worth_prompt = view.copy(), bool(rules.matters(m, view))
    if view != before or view.table.luck.count:
        raise kit.foul(game, f"asking whether window {question.name} matters changes something")
    if not is_worth_prompt and coach.call is not None and coach.call(m, view) != question.default:
        raise kit.foul(
            game, f"window {question.name} is said not to matter, but {coach.name} uses it"
        )
    return is_worth_prompt and len(game.legal()) > 1


def are_answers_equivalent(kit: Referee, game: Game) -> bool:
    """Return whether every answer leads to the same positions with the same dice."""
    rules, m, g = game.rules, game.match, game.position
    first, *others = rules.legal_calls(m, g)
    return all(
        position_after(kit, game, call, sequence) == position_after(kit, game, first, sequence)
        for sequence in range(DICE_SEQUENCES)
        for call in others
    )


def position_after(kit: Referee, game: Game, call: int, sequence: int) -> Any:
    """Return the position after an answer with this sequence of dice."""
    g = game.position.copy()
    g.table = Sampler(game.rules, kit.seed, sequence)
    game.rules.step(game.match, g, call)
    return g


def check_book(rules: RuleSet) -> None:
    """Check that every section that a question names is in the rulebook and is not empty."""
    from hashmark.telling.book import Book

    if rules.book is None:
        return
    book = Book.of(rules)
    for question in rules.questions:
        titles = rules.sections.get(question.name, ())
        if question.calls and not titles:
            raise Foul(f"{rules.name}: question {question.name} names no section of the book")
        for title in titles:
            if not has_text(book.section(title)):
                raise Foul(f"{rules.name}: the book has no section {title!r} ({question.name})")


def has_text(text: str) -> bool:
    """Return whether there is text below the heading."""
    return len(text.strip().splitlines()) > 1
