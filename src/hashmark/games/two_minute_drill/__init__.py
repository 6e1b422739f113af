"""The two-minute drill: five points down, 75 yards to go, two minutes of dice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hashmark.games.two_minute_drill import ball, essence, figures, rules
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.coaches import COACHES
from hashmark.games.two_minute_drill.odds import parts
from hashmark.games.two_minute_drill.position_check import settle
from hashmark.games.two_minute_drill.poster import POSTER
from hashmark.games.two_minute_drill.reckoning import reckon
from hashmark.games.two_minute_drill.tables import (
    D10_LEAVES_AT,
    D12_LEAVES_AT,
    DICE,
    FULL_CLOCK,
    START_SPOT,
    TIME_OUTS,
)
from hashmark.games.two_minute_drill.words import WORDS
from hashmark.table.rules import Effort, Option, Question, RuleSet

OPTIONS = (
    Option("start-clock", "Clock spaces at the start.", range(1, FULL_CLOCK + 1), FULL_CLOCK),
    Option("start-timeouts", "Time-outs at the start.", range(TIME_OUTS + 1), TIME_OUTS),
    Option("start-spot", "Where the drive starts.", range(1, 100), START_SPOT),
    Option(
        "d12-leaves-at",
        "The d12 is rolled while more spaces than this are left.",
        range(FULL_CLOCK + 1),
        D12_LEAVES_AT,
    ),
    Option(
        "d10-leaves-at",
        "The d10 is rolled while more spaces than this are left.",
        range(FULL_CLOCK + 1),
        D10_LEAVES_AT,
    ),
    Option("referee-clock", "The clock after a referee sum of 10 or more.", p.REFEREE_CLOCKS),
    Option("reply", "The other team replies with the time that is left.", (False, True)),
    Option("touchdown-in-time", "A touchdown needs spaces for its whole play.", (False, True)),
    Option("two-threes", "Of two threes of a kind both count, or one.", p.TWO_THREES),
    Option("center-out", "Which plays over 10 go out of bounds from the centre.", p.CENTER_OUTS),
)


def _all(first: str) -> tuple[int, ...]:
    """The codes of all calls that begin so."""
    return tuple(code for code, name in enumerate(p.CALLS) if name.startswith(first))


TURNS = _all("turn:")
QUESTIONS = (
    Question("scrimmage", "Roll the dice."),
    Question("reroll", "Roll defence dice again?", (p.STAND, *_all("reroll:")), p.STAND),
    Question("pick", "Which dice do you keep with the d4?", (*_all("pick:"), *_all("buy:"))),
    Question("special", "Three or more of a kind!", (p.ACCEPT, p.TIME_OUT), p.ACCEPT),
    Question("combine", "Turn dice to make or break a group?", (p.DONE, *TURNS), p.DONE),
    Question("pips", "Turn dice?", (p.DONE, *TURNS, p.TIME_OUT), p.DONE),
    Question("referee", "Which pair goes to the referee?", _all("referee:")),
    Question("yards", "Which die for the yards?", _all("yards:")),
    Question("effort", "Extra effort?", (p.STOP, p.EFFORT_ROLL), p.STOP),
    Question("result", "What do you take?", (p.PLAY, p.TIME_OUT, p.PENALTY), p.PLAY),
    Question("over", "The game is over."),
)


def spell(name: str) -> str:
    """Dice may be listed in any order where the order means nothing."""
    verb, colon, dice = name.partition(":")
    if verb not in ("pick", "buy", "reroll"):
        return name
    known = [die.strip() for die in dice.split(",")]
    return verb + colon + ",".join(sorted(known, key=lambda d: DICE.index(d) if d in DICE else 99))


def sheet_of(game: Any) -> Any:
    """The game sheet; what it is drawn with is loaded only when one is wanted."""
    from hashmark.games.two_minute_drill.sheet import sheet

    return sheet(game)


def plays_alone(m: Any) -> bool:
    """Nobody sits on the other side unless the other team replies."""
    return not m.reply


SECTIONS = {  # of the rules page, for each question
    "reroll": ("Rolling and choosing six dice",),
    "pick": ("Rolling and choosing six dice",),
    "special": ("Special results",),
    "combine": ("Special results",),
    "pips": ("Special results",),
    "referee": ("Assigning the dice", "Referee: the sum of the first pair"),
    "yards": ("Side and yards",),
    "effort": ("Side and yards",),
    "result": ("Side and yards", "Referee: the sum of the first pair"),
}


def paper(game: Any, viewer: int) -> Any:
    """The dice and the sheet, loaded only when they are wanted."""
    from hashmark.games.two_minute_drill.drawing import drawing

    return drawing(game, viewer)


RULES = RuleSet(
    name="two-minute-drill",
    title="Two-minute drill",
    summary="Alone against the clock: 75 yards in 40 spaces with eight dice.",
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
    start=ball.start,
    question=rules.question,
    asked=rules.asked,
    refusal=rules.refusal,
    step=rules.step,
    forget=essence.forget,
    score_counts=essence.score_counts,
    progress=essence.progress,
    play_over=figures.play_over,
    book_in_windows=True,
    figures=figures.FIGURES,
    columns=figures.COLUMNS,
    settle=settle,
    spell=spell,
    parts=parts,
    reckon=reckon,
    compile_effort=2,
    clock_rise=1,
    sheet=sheet_of,
    alone=plays_alone,
    effort=Effort("medium", (15, 25)),
    book=Path(__file__).parent / "data" / "rules.md",
    sections=SECTIONS,
    drawing=paper,
    poster=POSTER,
)
