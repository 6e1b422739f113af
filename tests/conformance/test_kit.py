"""Tests that every rule set passes the conformance kit, and that its checks can fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from hashmark.conformance import CHECKS, ConformanceKit, Violation
from hashmark.conformance.checks import check_chi_square
from hashmark.conformance.kit import step_violation
from hashmark.conformance.rendering_checks import HtmlTagChecker, check_figures
from hashmark.engine import registry
from hashmark.engine.effects import draw
from hashmark.engine.events import Statistics
from hashmark.engine.game import Game
from hashmark.engine.presentation import Scoring
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rolls import Purpose
from hashmark.errors import IllegalCall
from hashmark.sheets.default_sheet import filled_sheet
from hashmark.sheets.document import Document
from hashmark.text.summary import Drive

GAMES = registry.builtin_names()
SLOW_COACHES = ("reader", "planner", "search")
SMALL: dict[str, Any] = {
    "games": 6,
    "turns": 20_000,
    "slow_coach_every": 8,
    "max_calls": 3,
    "position_stride": 3,
    "pool_rolls": 6000,
    "stretch_turns": 6,
}


@cache
def small_kit(rules: str) -> ConformanceKit:
    """Return a kit that plays few games; checks share the games that are played."""
    return ConformanceKit(rules, **SMALL, slow_coaches=SLOW_COACHES, read_pdf=pdf_text)


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("rules", GAMES)
def test_kit(rules: str, name: str) -> None:
    """A few games each; `test_the_whole_kit` uses the default sizes."""
    CHECKS[name](small_kit(rules))


@pytest.mark.long
@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("rules", GAMES)
def test_the_whole_kit(rules: str, name: str) -> None:
    CHECKS[name](ConformanceKit(rules, slow_coaches=SLOW_COACHES, read_pdf=pdf_text))


def pdf_text(pdf: bytes) -> str:
    """Return the text of a PDF file as another library reads it."""
    return "".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES)
def test_many_games_match_and_keep_the_invariants(rules: str) -> None:
    """Thousands of seeded games, plain against compiled, and with invariants."""
    CHECKS["plain equals compiled"](
        ConformanceKit(rules, turns=6_000_000, max_games=20_000, slow_coaches=SLOW_COACHES)
    )
    CHECKS["random playouts keep the rules"](ConformanceKit(rules, games=4000, seed=5))


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES)
def test_many_moments_render(rules: str) -> None:
    """Whole games turn by turn, and hundreds of stretches from given positions."""
    CHECKS["every moment renders"](ConformanceKit(rules, games=200, seed=6, read_pdf=pdf_text))


class TestTheKitItself:
    """Every check must be able to fail."""

    def test_points_without_an_event_are_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kit = ConformanceKit("fourth-down")
        add = Statistics.add
        monkeypatch.setattr(
            Statistics,
            "add",
            lambda self, counts, event, *amounts: (
                None if event.name == "touchdown" else add(self, counts, event, *amounts)
            ),
        )
        with pytest.raises(Violation, match="points that no event accounts for"):
            CHECKS["random playouts keep the rules"](kit)

    def test_an_accepted_illegal_call_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        original = registry.load("fourth-down")
        lax = replace(original, normalize_call=lambda name: "balanced" if name == "punt" else name)
        with pytest.raises(Violation, match="punt was not refused"):
            CHECKS["random playouts keep the rules"](ConformanceKit(lax))
        play = Game.play
        monkeypatch.setattr(
            Game, "play", lambda game, call: play(game, [*game.legal_calls(), call][0])
        )
        with pytest.raises(Violation, match="was played all the same"):
            CHECKS["random playouts keep the rules"](ConformanceKit(original))

    @pytest.mark.parametrize("thoughts", [1, 8])
    def test_an_illegal_call_of_a_coach_is_found(self, thoughts: int) -> None:
        """Under one switch only and rarely: it is found however seldom the coach is asked."""
        original = registry.load("fourth-down")
        switch = list(ConformanceKit(original).option_sets())[-1]
        switched = original.new_match(switch)
        book = original.coach("book")

        def call(m: MatchRecord, g: PositionRecord) -> int:
            assert book.call is not None
            if m != switched or g.period == 1:
                return book.call(m, g)
            legal = original.legal_calls(m, g)
            return next(
                candidate for candidate in original.call_codes.values() if candidate not in legal
            )

        others = [candidate for candidate in original.coaches if candidate.name != "book"]
        rules = replace(original, coaches=(*others, replace(book, call=call)))
        with pytest.raises(IllegalCall):
            CHECKS["coaches make legal calls"](
                ConformanceKit(rules, slow_coaches=("book",), slow_coach_every=thoughts)
            )

    def test_a_clock_that_runs_backwards_is_found(self) -> None:
        kit = ConformanceKit("fourth-down")
        game = kit.new_game({}, 0)
        before = game.position.copy()
        before.clock = 3
        counts = kit.rules.statistics.empty_counts()
        violation = step_violation(kit.rules, before, game.position, counts)
        assert violation == "the clock ran backwards"

    def test_loaded_dice_are_found(self) -> None:
        from collections import Counter

        with pytest.raises(Violation, match="chi-square"):
            check_chi_square("loaded die", {1: 0.5, 2: 0.5}, Counter({1: 600, 2: 400}))
        with pytest.raises(Violation, match="do not know"):
            check_chi_square("third side", {1: 0.5, 2: 0.5}, Counter({1: 500, 3: 500}))
        check_chi_square("fair die", {1: 0.5, 2: 0.5}, Counter({1: 510, 2: 490}))

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ({"list_drives": lambda game: [][0]}, "IndexError"),
            ({"list_drives": lambda game: [Drive(0, 1, 1, 50)] * 2}, "has no end"),
            ({"list_drives": lambda game: [Drive(0, 1, 1, 100)]}, "cannot be a drive"),
            ({"list_drives": lambda game: [Drive(0, 1, 1, 50, time=-1)]}, "takes something back"),
            (
                {"list_drives": lambda game: [Drive(0, 1, 1, 50, score=(99, 0))]},
                "the board never showed",
            ),
            ({"sentence": lambda told, names: "\x1b[2J"}, "holds the character"),
            ({"clock": lambda m, g: "a surrogate: \ud800"}, "holds the character"),
            ({"call_meanings": {"balanced": "a\nb"}}, "holds the character"),
            ({"line_to_gain": lambda m, g: 1 // 0}, "ZeroDivisionError"),
            ({"roll_purpose": lambda m, turn, roll: Purpose("")}, "has no purpose"),
            ({"scoring": Scoring({"touchdown": ""})}, "cannot follow"),
        ],
    )
    def test_a_rendering_fault_is_found(self, words: dict[str, Any], said: str) -> None:
        original = registry.load("fourth-down")
        rules = replace(original, words=replace(original.words, **words))
        with pytest.raises(Violation, match=said):
            CHECKS["every moment renders"](ConformanceKit(rules))

    @pytest.mark.parametrize(
        ("matters", "said"),
        [
            (lambda m, g: False, "is said not to matter, but book uses it"),
            (lambda m, g: draw(g, 2) == 0, "matters changes something"),
            (lambda m, g: setattr(g, "clock", 1), "matters changes something"),
        ],
    )
    def test_a_wrong_should_prompt_is_found(self, matters: Callable[..., bool], said: str) -> None:
        rules = replace(registry.load("two-minute-drill"), should_prompt=matters)
        with pytest.raises(Violation, match=said):
            CHECKS["should prompt marks windows that matter"](ConformanceKit(rules))

    def test_a_window_without_effect_is_found(self) -> None:
        original = registry.load("two-minute-drill")
        game = ConformanceKit(original).new_game({}, 0)

        def step(m: MatchRecord, g: PositionRecord, call: int) -> None:
            if g.phase == game.position.fields["phase"].names.index("result"):
                call = original.call_codes["play"]
            original.step(m, g, call)

        with pytest.raises(Violation, match="all answers to result lead to the same outcome"):
            CHECKS["should prompt marks windows that matter"](
                ConformanceKit(replace(original, step=step))
            )

    @pytest.mark.parametrize(
        ("sections", "said"),
        [
            ({}, "question drive names no section"),
            ({"drive": ("The dive roll",)}, "has no section 'The dive roll'"),
        ],
    )
    def test_a_question_without_a_rule_section_is_found(
        self, sections: dict[str, tuple[str, ...]], said: str
    ) -> None:
        rules = replace(
            registry.load("fourth-down"),
            presentation=replace(
                registry.load("fourth-down").presentation, rules_sections=sections
            ),
        )
        with pytest.raises(Violation, match=said):
            CHECKS["questions name sections of the book"](ConformanceKit(rules))

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ({"dice_lines": lambda m, g, names: ["x" * 81]}, "does not fit into 80 columns"),
            ({"dice_lines": lambda m, g, names: ["x"] * 20}, "question drive takes"),
        ],
    )
    def test_a_question_too_large_for_the_screen_is_found(
        self, words: dict[str, Any], said: str
    ) -> None:
        original = registry.load("fourth-down")
        rules = replace(original, words=replace(original.words, **words))
        with pytest.raises(Violation, match=said):
            CHECKS["every moment renders"](ConformanceKit(rules))

    def test_a_failing_or_unreadable_sheet_is_found(self) -> None:
        def sheet(game: Game) -> Document:
            if len(game.turns) == 7:
                raise RuntimeError
            return filled_sheet(game)

        rules = replace(
            registry.load("fourth-down"),
            presentation=replace(registry.load("fourth-down").presentation, make_sheet=sheet),
        )
        with pytest.raises(Violation, match="RuntimeError"):
            CHECKS["every moment renders"](ConformanceKit(rules))
        with pytest.raises(Violation, match="ValueError"):
            CHECKS["every moment renders"](ConformanceKit("fourth-down", read_pdf=int))

    @pytest.mark.parametrize("page", ["<p><b></p></b>", "<p>", "</p>"])
    def test_an_unbalanced_tag_is_found(self, page: str) -> None:
        with pytest.raises(Violation):
            HtmlTagChecker(page)

    def test_points_missing_in_the_box_score_are_found(self) -> None:
        game = ConformanceKit("fourth-down").play_game({}, 0)
        check_figures(game)
        game.position.score[0] += 1
        with pytest.raises(Violation, match="the box score has"):
            check_figures(game)
