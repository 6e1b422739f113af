"""4th Down!: a drive-level game played with a d20, two halves of 180 time blocks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
    Option("turnover-spot", "Where the opponents take over after a turnover.", p.TURNOVER_SPOTS),
    Option("punt-touchback", "When a punt comes out to the 20.", p.PUNT_TOUCHBACKS),
    Option("late-half-ends", "A late safety, touchdown or turnover ends the half.", (False, True)),
    Option(
        "touchdown-time", "What times a touchdown by yards: row or time die.", p.TOUCHDOWN_TIMES
    ),
)

QUESTIONS = (
    Question("coin-toss", "Toss the coin."),
    Question("drive", "Which style?", (p.BALANCED, p.RUN_FIRST, p.PASS_FIRST)),
    Question("fourth-down", "Fourth down?", (p.GO_FOR_IT, p.FIELD_GOAL, p.PUNT)),
    Question("untimed-down", "The untimed down?", (p.END_HALF, p.FIELD_GOAL, p.GO_FOR_IT)),
    Question("try", "Which try?", (p.ONE_POINT, p.TWO_POINT)),
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
            return "the coin is tossed in period 1, with time on the clock"
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
        return f"winner {given['winner']} does not fit the score"
    return None


def _normalize_ball(g: p.Position) -> str | None:
    """Check possession, spot and yards to go; return a fault or None."""
    phase = p.PHASES[g.phase]
    if g.possession == NOBODY:
        return f"phase {phase} needs possession, home or away"
    if g.phase == p.TRY:
        return None
    if g.spot == 0:
        return f"phase {phase} needs a spot, 1 to 99"
    if g.phase == p.DRIVE and g.clock == 0:
        return "no drive can begin with clock 0"
    if g.phase == p.FOURTH_DOWN:
        if g.to_go == 0:
            return "phase fourth-down needs to_go, 1 to 20"
        g.down = 4
        g.to_go = min(g.to_go, 100 - g.spot)
    return None


SECTIONS = {  # sections of the rules page that explain each question
    "drive": ("The drive roll",),
    "fourth-down": ("Fourth down",),
    "untimed-down": ("Late half",),
    "try": ("The try",),
}


RULES = GameRuleSet[p.Match, p.Position](
    name="fourth-down",
    title="4th Down!",
    summary="One drive at a time: a style, a d20 for the drive, a fourth-down decision.",
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
    ),
    solver=SolverHooks(
        drop_irrelevant=abstraction.drop_irrelevant,
        score_matters=abstraction.score_matters,
        progress=abstraction.progress,
        spec=abstraction.SOLVING,
    ),
    coaches=COACHES,
    figures=figures.FIGURES,
    columns=figures.COLUMNS,
)
