"""Checks of the questions that players are asked: which windows matter, and rulebook sections."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

from hashmark.conformance.kit import ConformanceKit, Violation
from hashmark.engine.coach_requests import CoachHandler
from hashmark.engine.game import Game
from hashmark.engine.generator import COACH_STREAM, RandomStream
from hashmark.engine.rule_set import ALLOWED, Coach
from hashmark.sim.plain import SamplingHandler

DICE_SEQUENCES = 3  # sequences of dice that each answer to a window is tried with
MIN_OCCURRENCES = 3  # a window that was open this often should have mattered at least once


def should_prompt_marks_windows_that_matter(kit: ConformanceKit) -> None:
    """Check which windows are declared worth a prompt, in games of two coaches.

    The coach passes a window that is declared not to matter; one that is declared to matter
    sometimes changes the game.
    """
    rules = kit.rules
    names = {coach.name for coach in rules.coaches}
    coaches = [rules.coach(name) for name in ("book", "random") if name in names]
    occurrences: Counter[str] = Counter()
    mattered: set[str] = set()
    for options in kit.option_sets():
        for number, coach in enumerate(coaches):
            game = kit.new_game(options, number)
            for _ in chain((None,), kit.playout(game, coach)):
                if is_window_worth_prompt(kit, game, coach):
                    name = game.question.name
                    occurrences[name] += 1
                    if name not in mattered and not are_answers_equivalent(kit, game):
                        mattered.add(name)
    for name, count in occurrences.items():
        if count >= MIN_OCCURRENCES and name not in mattered:
            raise Violation(f"{rules.name}: all answers to {name} lead to the same outcome")


def is_window_worth_prompt(kit: ConformanceKit, game: Game, coach: Coach) -> bool:
    """Return whether an open window is declared worth a prompt; if not, the coach must pass it."""
    question = game.question
    if game.is_over or not question.is_window:
        return False
    rules, m = game.rules, game.match
    if rules.refusal(m, game.position, question.default) != ALLOWED:
        raise kit.violation(game, f"the default of window {question.name} is not allowed")
    view = rules.view(m, game.position, game.team_to_act)
    view.handler = CoachHandler(RandomStream(kit.seed, 0, COACH_STREAM))
    before, is_worth_prompt = view.copy(), bool(rules.should_prompt(m, view))
    if view != before or view.handler.stream.word_count:
        raise kit.violation(
            game, f"asking whether window {question.name} matters changes something"
        )
    if not is_worth_prompt and coach.call is not None and coach.call(m, view) != question.default:
        raise kit.violation(
            game, f"window {question.name} is said not to matter, but {coach.name} uses it"
        )
    return is_worth_prompt and len(game.legal_calls()) > 1


def are_answers_equivalent(kit: ConformanceKit, game: Game) -> bool:
    """Return whether every answer leads to the same positions with the same dice."""
    rules, m, g = game.rules, game.match, game.position
    first, *others = rules.legal_calls(m, g)
    return all(
        position_after(kit, game, call, sequence) == position_after(kit, game, first, sequence)
        for sequence in range(DICE_SEQUENCES)
        for call in others
    )


def position_after(kit: ConformanceKit, game: Game, call: int, sequence: int) -> Any:
    """Return the position after an answer with this sequence of dice."""
    g = game.position.copy()
    g.handler = SamplingHandler(game.rules, kit.seed, sequence)
    game.rules.step(game.match, g, call)
    return g


def questions_name_sections_of_the_book(kit: ConformanceKit) -> None:
    """Check that every question names sections of the rulebook, which exist and are not empty."""
    from hashmark.text.rules_page import RulesPage

    rules = kit.rules
    if rules.presentation.rules_page is None:
        return
    book = RulesPage.for_rules(rules)
    for question in rules.questions:
        titles = rules.presentation.rules_sections.get(question.name, ())
        if question.calls and not titles:
            raise Violation(f"{rules.name}: question {question.name} names no section of the book")
        for title in titles:
            if len(book.section_text(title).strip().splitlines()) < 2:  # a heading alone
                raise Violation(
                    f"{rules.name}: the book has no section {title!r} ({question.name})"
                )
