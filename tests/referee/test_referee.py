"""Tests that every rule set passes the conformance kit, and that its checks can fail."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from hashmark.referee import CHECKS, Foul, Referee
from hashmark.referee.checks import fits
from hashmark.referee.invariants import foul_in_step
from hashmark.referee.telling import Page, look_at_figures
from hashmark.sheet.document import Document
from hashmark.sheet.generic import filled
from hashmark.table import registry
from hashmark.table.effects import draw
from hashmark.table.errors import IllegalCall
from hashmark.table.events import Statistics
from hashmark.table.game import Game
from hashmark.table.rolls import Purpose
from hashmark.table.rules import Scoring
from hashmark.telling.summary import Drive

GAMES = registry.built_in()
SLOW_COACHES = ("reader", "planner", "search")
SMALL: dict[str, Any] = {
    "games": 6,
    "turns": 20_000,
    "thoughts": 8,
    "calls": 3,
    "sparse": 3,
    "throws": 6000,
    "stretch": 6,
}


@cache
def small_kit(rules: str) -> Referee:
    """Return a kit that plays few games; checks share the games that are played."""
    return Referee(rules, **SMALL, thinkers=SLOW_COACHES, read_pdf=pdf_text)


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("rules", GAMES)
def test_kit(rules: str, name: str) -> None:
    """A few games each; `test_the_whole_kit` uses the default sizes."""
    CHECKS[name](small_kit(rules))


@pytest.mark.long
@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("rules", GAMES)
def test_the_whole_kit(rules: str, name: str) -> None:
    CHECKS[name](Referee(rules, thinkers=SLOW_COACHES, read_pdf=pdf_text))


def pdf_text(pdf: bytes) -> str:
    """Return the text of a PDF file as another library reads it."""
    return "".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES)
def test_many_games_match_and_keep_the_invariants(rules: str) -> None:
    """Thousands of seeded games, plain against compiled, and with invariants."""
    CHECKS["plain equals compiled"](
        Referee(rules, turns=6_000_000, most=20_000, thinkers=SLOW_COACHES)
    )
    CHECKS["random playouts keep the rules"](Referee(rules, games=4000, seed=5))


@pytest.mark.long
@pytest.mark.parametrize("rules", GAMES)
def test_many_prefixes_render(rules: str) -> None:
    """Whole games turn by turn, and hundreds of stretches from given positions."""
    CHECKS["every prefix tells"](Referee(rules, games=200, seed=6, read_pdf=pdf_text))


class TestTheKitItself:
    """Every check must be able to fail."""

    def test_points_without_an_event_are_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kit = Referee("fourth-down")
        add = Statistics.add
        monkeypatch.setattr(
            Statistics,
            "add",
            lambda self, counts, event, *amounts: (
                None if event.name == "touchdown" else add(self, counts, event, *amounts)
            ),
        )
        with pytest.raises(Foul, match="points that no event told"):
            CHECKS["random playouts keep the rules"](kit)

    def test_an_accepted_illegal_call_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        original = registry.load("fourth-down")
        lax = replace(original, spell=lambda name: "balanced" if name == "punt" else name)
        with pytest.raises(Foul, match="punt was not refused"):
            CHECKS["random playouts keep the rules"](Referee(lax))
        play = Game.play
        monkeypatch.setattr(Game, "play", lambda game, call: play(game, call and game.legal()[0]))
        with pytest.raises(Foul, match="was played all the same"):
            CHECKS["random playouts keep the rules"](Referee(original))

    @pytest.mark.parametrize("thoughts", [1, 8])
    def test_an_illegal_call_of_a_coach_is_found(self, thoughts: int) -> None:
        """Under one switch only and rarely: it is found however seldom the coach is asked."""
        original = registry.load("fourth-down")
        switch = list(Referee(original).options())[-1]
        switched = original.new_match(switch)
        book = original.coach("book")

        def call(m: Any, g: Any) -> int:
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
            CHECKS["coaches call what is allowed"](
                Referee(rules, thinkers=("book",), thoughts=thoughts)
            )

    def test_a_clock_that_runs_backwards_is_found(self) -> None:
        kit = Referee("fourth-down")
        game = kit.game({}, 0)
        before = game.position.copy()
        before.clock = 3
        counts = kit.rules.statistics.zero()
        violation = foul_in_step(kit.rules, before, game.position, counts)
        assert violation == "the clock ran backwards"

    def test_loaded_dice_are_found(self) -> None:
        from collections import Counter

        with pytest.raises(Foul, match="chi-square"):
            fits("loaded die", {1: 0.5, 2: 0.5}, Counter({1: 600, 2: 400}))
        with pytest.raises(Foul, match="do not know"):
            fits("third side", {1: 0.5, 2: 0.5}, Counter({1: 500, 3: 500}))
        fits("fair die", {1: 0.5, 2: 0.5}, Counter({1: 510, 2: 490}))

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ({"drives": lambda game: [][0]}, "IndexError"),
            ({"drives": lambda game: [Drive(0, 1, 1, 50)] * 2}, "has no end"),
            ({"drives": lambda game: [Drive(0, 1, 1, 100)]}, "cannot be a drive"),
            ({"drives": lambda game: [Drive(0, 1, 1, 50, time=-1)]}, "takes something back"),
            (
                {"drives": lambda game: [Drive(0, 1, 1, 50, score=(99, 0))]},
                "the board never showed",
            ),
            ({"sentence": lambda told: "\x1b[2J"}, "holds the character"),
            ({"clock": lambda m, g: "a surrogate: \ud800"}, "holds the character"),
            ({"calls": {"balanced": "a\nb"}}, "holds the character"),
            ({"to_gain": lambda m, g: 1 // 0}, "ZeroDivisionError"),
            ({"purpose": lambda m, turn, roll: Purpose("")}, "nobody says"),
            ({"scoring": Scoring({"touchdown": ""})}, "cannot follow"),
        ],
    )
    def test_a_rendering_fault_is_found(self, words: dict[str, Any], said: str) -> None:
        original = registry.load("fourth-down")
        rules = replace(original, words=replace(original.words, **words))
        with pytest.raises(Foul, match=said):
            CHECKS["every prefix tells"](Referee(rules))

    @pytest.mark.parametrize(
        ("matters", "said"),
        [
            (lambda m, g: False, "is said not to matter, but book uses it"),
            (lambda m, g: draw(g, 2) == 0, "matters changes something"),
            (lambda m, g: setattr(g, "clock", 1), "matters changes something"),
        ],
    )
    def test_a_wrong_should_prompt_is_found(self, matters: Any, said: str) -> None:
        rules = replace(registry.load("two-minute-drill"), matters=matters)
        with pytest.raises(Foul, match=said):
            CHECKS["windows matter or pass"](Referee(rules))

    def test_a_window_without_effect_is_found(self) -> None:
        original = registry.load("two-minute-drill")
        game = Referee(original).game({}, 0)

        def step(m: Any, g: Any, call: int) -> None:
            if g.phase == game.position.fields["phase"].names.index("result"):
                call = original.call_codes["play"]
            original.step(m, g, call)

        with pytest.raises(Foul, match="whatever is answered to result, it comes to the same"):
            CHECKS["windows matter or pass"](Referee(replace(original, step=step)))

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
        rules = replace(registry.load("fourth-down"), sections=sections)
        with pytest.raises(Foul, match=said):
            CHECKS["questions are in the book"](Referee(rules))

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ({"lying": lambda m, g: ["x" * 81]}, "does not fit into 80 columns"),
            ({"lying": lambda m, g: ["x"] * 20}, "question drive takes"),
        ],
    )
    def test_a_question_too_large_for_the_screen_is_found(
        self, words: dict[str, Any], said: str
    ) -> None:
        original = registry.load("fourth-down")
        rules = replace(original, words=replace(original.words, **words))
        with pytest.raises(Foul, match=said):
            CHECKS["every prefix tells"](Referee(rules))

    def test_a_failing_or_unreadable_sheet_is_found(self) -> None:
        def sheet(game: Game) -> Document:
            if len(game.turns) == 7:
                raise RuntimeError
            return filled(game)

        rules = replace(registry.load("fourth-down"), sheet=sheet)
        with pytest.raises(Foul, match="RuntimeError"):
            CHECKS["every prefix tells"](Referee(rules))
        with pytest.raises(Foul, match="ValueError"):
            CHECKS["every prefix tells"](Referee("fourth-down", read_pdf=int))

    @pytest.mark.parametrize("page", ["<p><b></p></b>", "<p>", "</p>"])
    def test_an_unbalanced_tag_is_found(self, page: str) -> None:
        with pytest.raises(Foul):
            Page(page)

    def test_points_missing_in_the_box_score_are_found(self) -> None:
        game = Referee("fourth-down").played({}, 0)
        look_at_figures(game)
        game.position.score[0] += 1
        with pytest.raises(Foul, match="the box score has"):
            look_at_figures(game)
