"""A review in words and as a page: the verdict, the marks, and nothing that overlaps."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.table import registry
from hashmark.table.game import Game, SeededDice
from hashmark.table.record import AWAY, HOME
from hashmark.values import review_page, review_text, review_words
from hashmark.values.reckoned import Reckoned
from hashmark.values.review import Decision, Review, Step
from pages.soundness import sound_report

from .enumerated import Enumerated
from .test_review import RULES, SOURCE, judgement, played


@pytest.fixture(scope="module")
def review() -> Review:
    return Review.of(played(27), SOURCE)


def made(home: float, away: float, luck: float) -> Review:
    """A review with so much given away by both, and so much luck of home."""
    game = played(27, turns=1)
    first, turn = 0.5, game.turns[0]

    def step(team: int, loss: float) -> Step:
        decision = Decision(judgement(loss, 0.0, team), 1, loss, True)
        return Step(1, turn, first, first, first, decision)

    dice = Step(2, turn, first, first, first + luck)
    return Review(game, SOURCE, first, (step(HOME, home), step(AWAY, away), dice), True)


@pytest.mark.parametrize(
    ("home", "away", "luck", "said"),
    [
        (
            0.02,
            0.06,
            -0.31,
            "Home coached better by 4.0 points, away rolled better by 31.0 points.",
        ),
        (0.06, 0.06, 0.2, "Both coached equally well, home rolled better by 20.0 points."),
        (0.1, 0.0, 0.0, "Away coached better by 10.0 points, the dice favoured nobody."),
    ],
)
def test_the_verdict_is_one_sentence(home: float, away: float, luck: float, said: str) -> None:
    assert review_words.verdict(made(home, away, luck)) == said


def test_costs_have_their_marks() -> None:
    def cost(loss: float, error: float, call: int = 1) -> str:
        return review_words.cost(Decision.of(judgement(loss, error), call))

    assert [cost(loss, 0.0) for loss in (0.04, 0.06, 0.12, 0.2)] == [
        "4.0",
        "6.0 ?!",
        "12.0 ?",
        "20.0 ??",
    ]
    assert cost(0.04, 0.03) == "cannot tell"
    assert cost(0.2, 0.0, 0) == "0.0"
    assert review_words.cost(None) == ""


def test_text_tells_positions_calls_and_numbers(review: Review) -> None:
    said = "\n".join(review_text.lines(review))
    assert said.startswith("4th Down!: home against away\nFinal score: ")
    assert review.turning_points[0].position_id is not None
    assert f"position {review.turning_points[0].position_id}" in said
    assert "Turning points" in said
    assert Enumerated.said in said
    assert all(len(line) <= 100 for line in said.splitlines())


def test_a_costly_call_is_told_with_what_was_best_and_why() -> None:
    costly: list[Any] = []
    for seed in range(20):
        review = Review.of(played(seed), SOURCE)
        costly += [(review, one) for one in review.decisions if one.decision and one.decision.mark]
    assert costly
    review, step = costly[0]
    said = " ".join(review_words.story(review, step))
    assert f"the best call was {RULES.calls[step.decision.judgement.best]}" in said
    assert f"{100 * step.decision.loss:.1f} points more" in said
    assert any("it works" in " ".join(review_words.story(*one)) for one in costly)


def test_the_chart_goes_from_the_start_to_the_result(review: Review) -> None:
    lines = review_text.chart(review)
    assert len(lines) == review_text.ROWS + 2
    assert lines[1].startswith(" 100%")
    drawn = [line[6:] for line in lines[1:]]
    last = max(len(line) for line in drawn) - 1
    ends = [row for row, line in enumerate(drawn) if line[last:] == "*"]
    assert ends == [round((1 - review.result) * review_text.ROWS)]


def test_the_page_is_sound(review: Review) -> None:
    page = review_page.report(review)
    sound_report(page)
    chart = page.charts()[0]
    assert chart.wide
    assert [section.title for section in page.sections] == [
        "Win probability",
        "Turning points",
        "Both coaches",
        "Every decision",
        "Every roll",
    ]


def test_a_game_that_goes_on_and_one_that_was_cut_short_say_so(review: Review) -> None:
    going = Review.of(played(27, turns=2), SOURCE)
    assert review_words.standing(going).startswith("Not over yet: home 20, away 22; home wins ")
    cut = Review(review.game, SOURCE, review.start, review.steps[:1], True, True)
    of = len(review.game.turns)
    assert review_words.standing(cut) == f"Interrupted: the first 1 of {of} turns."


def test_a_game_that_was_never_in_doubt_is_said_to_be() -> None:
    assert review_words.adjusted(made(0, 0, 0.3)).startswith("Home began with 50.0%")
    settled = made(0, 0, 0.001)
    assert settled.settled
    assert review_words.adjusted(settled).startswith("No call and no roll moved the chances")


def test_who_plays_alone_has_nobody_to_lose_to() -> None:
    """The drill: luck is told as brought to or taken from the one who plays."""
    rules = registry.load("two-minute-drill")
    game = Game(rules, dice=SeededDice(1), start=DRIVE)
    while not game.is_over:
        game.play(game.decide(rules.coach("book")) if game.wants_call else None)
    review = Review.of(game, Reckoned(rules, game.match))
    assert any(abs(step.luck) > 0.05 for step in review.steps)
    assert review.start + review.luck - review.errors[HOME] == pytest.approx(review.result)
    worst = min(review.steps, key=lambda step: step.luck)
    assert "from home" in review_words.story(review, worst)[-1]
    best = max(review.steps, key=lambda step: step.luck)
    assert "brought home" in review_words.story(review, best)[-1]


DRIVE = {"clock": 7, "timeouts": 1, "spot": 55, "down": 2, "to_go": 8}


def test_nothing_is_better_than_what_gave_nothing_away() -> None:
    assert Decision.of(judgement(0.2, 0.0), 1).better == 0
    assert Decision.of(judgement(0.2, 0.2), 1).better == 0  # it may be
    assert Decision.of(judgement(0.2, 0.0), 0).better is None
    assert Decision.of(judgement(0.001, 0.002), 1).better is None


def test_one_team_may_be_better_in_both() -> None:
    said = "Home coached better by 4.0 points and rolled better by 20.0 points."
    assert review_words.verdict(made(0.02, 0.06, 0.2)) == said
