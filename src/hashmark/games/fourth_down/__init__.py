"""4th Down!: a drive-level game with a d20, two halves of 180 time blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.games.fourth_down import position as p
from hashmark.games.fourth_down import rules
from hashmark.games.fourth_down.coaches import COACHES
from hashmark.games.fourth_down.words import WORDS
from hashmark.table.record import HOME
from hashmark.table.rules import Option, Question, RuleSet

OPTIONS = (
    Option("turnover-spot", "Where the opponents take over after a turnover.", ("end", "start")),
    Option("punt-touchback", "When a punt comes out to the 20.", ("twenty", "goal-line")),
    Option("late-half-ends", "A late safety, touchdown or turnover ends the half.", (False, True)),
)

QUESTIONS = (
    Question("coin-toss", "Toss the coin."),
    Question("drive", "Which style?", (p.BALANCED, p.RUN_FIRST, p.PASS_FIRST)),
    Question("fourth-down", "Fourth down?", (p.GO_FOR_IT, p.FIELD_GOAL, p.PUNT)),
    Question("untimed-down", "The untimed down?", (p.END_HALF, p.FIELD_GOAL, p.GO_FOR_IT)),
    Question("try", "Which try?", (p.ONE_POINT, p.TWO_POINT)),
    Question("over", "The game is over."),
)


def settle(m: Any, g: Any, given: Mapping[str, Any]) -> str | None:
    """Fill in what a set-up position leaves out, and say what cannot be."""
    if g.phase == p.COIN_TOSS:
        return None
    if g.received_first < 0:
        g.received_first = HOME
    if g.phase == p.OVER:
        return None
    if g.possession < 0:
        return f"phase {p.PHASES[g.phase]} needs possession, home or away"
    if g.phase == p.TRY:
        g.spot = 0
        return None
    if g.spot == 0:
        return f"phase {p.PHASES[g.phase]} needs a spot, 1 to 99"
    if g.phase == p.DRIVE and g.clock == 0:
        return "no drive can begin with clock 0"
    if g.phase != p.FOURTH_DOWN:
        g.down = g.to_go = 0
        return None
    g.down = 4
    if g.to_go == 0:
        return "phase fourth-down needs to_go, 1 to 20"
    if g.to_go > 100 - g.spot:
        return f"to_go {g.to_go} is beyond the goal line, {100 - g.spot} yards away"
    return None


RULES = RuleSet(
    name="fourth-down",
    title="4th Down!",
    summary="One drive at a time: a style, a d20 for the drive, a fourth-down decision.",
    version=1,
    position=p.Position,
    match=p.Match,
    options=OPTIONS,
    calls=p.CALLS,
    questions=QUESTIONS,
    refusals=rules.REFUSALS,
    statistics=p.STATISTICS,
    coaches=COACHES,
    over=p.OVER,
    words=WORDS,
    start=rules.start,
    question=rules.question,
    asked=rules.asked,
    refusal=rules.refusal,
    step=rules.step,
    settle=settle,
)
