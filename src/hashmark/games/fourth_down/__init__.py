"""4th Down!: one drive at a time, played with a d20 in two halves of 180 time blocks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hashmark.engine.low_rank_values import shipped_values
from hashmark.engine.options import Option
from hashmark.engine.position_checks import score_headroom
from hashmark.engine.presentation import Difficulty, Presentation
from hashmark.engine.record import HOME, NOBODY
from hashmark.engine.rule_set import GameRuleSet, Question, Setup, SolverHooks
from hashmark.games.fourth_down import abstraction, drawing, figures, rules
from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down.coaches import COACHES
from hashmark.games.fourth_down.tables import FULL_CLOCK_BLOCKS
from hashmark.games.fourth_down.words import WORDS

OPTIONS = (
    Option(
        "turnover-spot",
        "Where the other team takes over: the end or the start of the drive.",
        p.TURNOVER_SPOTS,
    ),
    Option(
        "punt-touchback",
        "Punts become touchbacks inside the 20, or only in the end zone.",
        p.PUNT_TOUCHBACKS,
    ),
    Option(
        "late-half-ends", "End the half after a late safety, touchdown or turnover.", (False, True)
    ),
    Option(
        "touchdown-time",
        "How a touchdown by yards is timed: by its table row or by a die.",
        p.TOUCHDOWN_TIMES,
    ),
)

QUESTIONS = (
    Question("coin-toss", "Toss the coin."),
    Question("drive", "Which style?", (p.BALANCED, p.RUN_FIRST, p.PASS_FIRST)),
    Question("fourth-down", "Go for it, kick or punt?", (p.GO_FOR_IT, p.FIELD_GOAL, p.PUNT)),
    Question(
        "untimed-down",
        "Go for it, kick or let the half end?",
        (p.END_HALF, p.FIELD_GOAL, p.GO_FOR_IT),
    ),
    Question("try", "One point or two?", (p.ONE_POINT, p.TWO_POINT)),
    Question("over", "The game is over."),
)


def normalize_position(m: p.Match, g: p.Position, given: Mapping[str, Any]) -> str | None:
    """Normalize a set-up position: clear the fields that its phase does not use.

    Return why the position is impossible, or None.
    """
    if g.phase != p.TRY:
        g.untimed = 0
    if g.phase != p.OVER:
        g.winner = -1
    if g.phase not in (p.DRIVE, p.FOURTH_DOWN, p.UNTIMED_DOWN):
        g.spot = 0
    if g.phase != p.FOURTH_DOWN:
        g.down = g.to_go = 0
    if g.phase == p.COIN_TOSS:
        g.possession = g.received_first = NOBODY
        if g.period != 1 or g.clock == 0:
            return "phase coin-toss needs period 1 and a clock above 0"
        return score_headroom(g, max_points_to_come(g))
    if g.received_first == NOBODY:
        g.received_first = HOME
    if g.phase == p.OVER:
        return _normalize_end(g, given)
    return _normalize_ball(g) or score_headroom(g, max_points_to_come(g))


def max_points_to_come(g: p.Position) -> int:
    """Return an upper bound of a team's further points: a touchdown and two in every block."""
    blocks = int(g.clock + (2 - g.period) * FULL_CLOCK_BLOCKS)
    return 8 * (blocks + 2)


def _normalize_end(g: p.Position, given: Mapping[str, Any]) -> str | None:
    """R7: declare the winner of a finished game; return a fault if the given winner is another."""
    given_winner = g.winner
    rules.finish(g)
    if given.get("winner") is not None and given_winner != g.winner:
        return f"winner {given['winner']} contradicts the score"
    return None


def _normalize_ball(g: p.Position) -> str | None:
    """Check possession, spot and yards to go; return a fault or None."""
    phase = p.PHASES[g.phase]
    if g.possession == NOBODY:
        return f"phase {phase} needs possession: home or away"
    if g.phase == p.TRY:
        return None
    if g.spot == 0:
        return f"phase {phase} needs a spot from 1 to 99"
    if g.phase == p.DRIVE and g.clock == 0:
        return "phase drive needs a clock above 0"
    if g.phase == p.FOURTH_DOWN:
        if g.to_go == 0:
            return "phase fourth-down needs to_go from 1 to 20"
        g.down = 4
        g.to_go = min(g.to_go, 100 - g.spot)
    return None


SECTIONS = {  # sections of the rules page that explain each question
    "drive": ("The drive roll",),
    "fourth-down": ("Fourth down",),
    "untimed-down": ("Late half",),
    "try": ("The try",),
}

HIGHLIGHTS = {
    "touchdown": "Touchdown",
    "kick good": "Field goal",
    "kick missed": "Field goal no good",
    "safety": "Safety",
    "two points good": "Two points",
    "loses ball": "Turnover",
    "fails": "Turnover on downs",
}


RULES = GameRuleSet[p.Match, p.Position](
    name="fourth-down",
    title="4th Down!",
    summary="One drive at a time: pick a style, roll a d20, make the call on 4th down.",
    version=1,
    match=p.Match,
    position=p.Position,
    calls=p.CALLS,
    questions=QUESTIONS,
    refusals=rules.REFUSALS,
    statistics=p.STATISTICS,
    over_phase=p.OVER,
    start=rules.start,
    question=rules.question,
    team_to_act=rules.team_to_act,
    refusal=rules.refusal,
    step=rules.step,
    setup=Setup(
        options=OPTIONS,
        normalize_position=normalize_position,
    ),
    words=WORDS,
    presentation=Presentation(
        difficulty=Difficulty("easy", (10, 15)),
        rules_page=Path(__file__).parent / "data" / "rules.md",
        rules_sections=SECTIONS,
        make_drawing=drawing.drawing,
        poster=drawing.POSTER,
        kick_yards=rules.to_goal,
        highlights=HIGHLIGHTS,
    ),
    solver=SolverHooks(
        drop_irrelevant=abstraction.drop_irrelevant,
        score_matters=abstraction.score_matters,
        progress=abstraction.progress,
        spec=abstraction.SOLVING,
        value_function=shipped_values(Path(__file__).parent / "data"),
    ),
    coaches=COACHES,
    figures=figures.FIGURES,
    columns=figures.COLUMNS,
)
