"""Data-Driven Football: nine plays against six formations on charts made from real seasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hashmark.games.data_driven import essence, events, figures, rules, setup
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.audibles import veil
from hashmark.games.data_driven.coaches import COACHES
from hashmark.games.data_driven.invitation import notice
from hashmark.games.data_driven.position_check import settle
from hashmark.games.data_driven.poster import POSTER
from hashmark.games.data_driven.tables import FORMATIONS
from hashmark.games.data_driven.team_colours import colours
from hashmark.games.data_driven.words import WORDS
from hashmark.games.data_driven.worth_asking import matters
from hashmark.table.rules import NO_CALL, Effort, Question, RuleSet

_PLAYS = tuple(range(p.FIRST_FORMATION))
_POOCHES = tuple(range(p.FIRST_POOCH, len(p.CALLS)))
_USUAL_POOCHES = tuple(p.FIRST_POOCH + yards - 1 for yards in (5, 10, 15))
_FORMATIONS = tuple(range(p.FIRST_FORMATION, p.FIRST_FORMATION + len(FORMATIONS)))
_AUDIBLE = (p.STAND, p.AUDIBLE, p.AUDIBLE_TIMEOUT)
_CLOCK = (p.LET_IT_RUN, p.TIMEOUT)
_REVEALED = (events.REVEALS.name, events.CALLS_PLAY.name)


def _question(
    name: str, text: str, calls: tuple[int, ...] = (), default: int = NO_CALL
) -> Question:
    return Question(name, text, calls, default)


QUESTIONS = (
    _question("coin", "Toss the coin."),
    _question("toss", "Receive or kick?", (p.RECEIVE, p.KICK)),
    _question("kick", "Which kick?", (p.KICK_OFF, p.SQUIB, p.ONSIDE)),
    _question("kick-return", "The kick is in the end zone.", (p.RETURN, p.TOUCHBACK)),
    _question("rekick", "Offside on the kickoff.", (p.REKICK, p.KEEP)),
    Question(
        "play",
        "Which play?",
        (*_PLAYS, *_USUAL_POOCHES),
        also=_POOCHES,
        secret=tuple(range(p.PUNT)),
        until=_REVEALED,
    ),
    Question("formation", "Which formation?", _FORMATIONS, secret=_FORMATIONS, until=_REVEALED),
    _question("offence-audible", "An audible?", _AUDIBLE, p.STAND),
    _question("defence-audible", "An audible?", _AUDIBLE, p.STAND),
    _question("roll-or-return", "The punt lands near your goal line.", (p.RETURN, p.LET_IT_ROLL)),
    _question("fumble-return", "You have recovered the ball.", (p.RETURN, p.FALL_ON_IT)),
    _question("penalty", "A penalty in your favour.", (p.ACCEPT, p.DECLINE)),
    _question("tack-on", "The punting team has fouled.", (p.REKICK, p.TACK_ON)),
    _question("try", "Which try?", (p.EXTRA_POINT, p.TWO_POINT)),
    _question("offence-timeout", "The clock runs: a timeout?", _CLOCK, p.LET_IT_RUN),
    _question("defence-timeout", "The clock runs: a timeout?", _CLOCK, p.LET_IT_RUN),
    _question("tempo", "The tempo?", (p.LET_IT_RUN, p.HURRY_UP, p.SPIKE), p.LET_IT_RUN),
    _question("roll-again", "A flag is down: roll again."),
    _question("over", "The game is over."),
)

SECTIONS = {  # sections of the rules page, by question
    "toss": ("Timing and periods",),
    "kick": ("Kickoffs",),
    "kick-return": ("Kickoffs",),
    "rekick": ("Kickoffs",),
    "play": ("Calls", "Resolving a scrimmage play"),
    "formation": ("Calls", "Resolving a scrimmage play"),
    "offence-audible": ("Optional rules",),
    "defence-audible": ("Optional rules",),
    "roll-or-return": ("Punts",),
    "fumble-return": ("Fumbles",),
    "penalty": ("Penalties: general", "Penalties by type (scrimmage)"),
    "tack-on": ("Punts",),
    "try": ("Field goals and tries",),
    "offence-timeout": ("Clock management",),
    "defence-timeout": ("Clock management",),
    "tempo": ("Clock management",),
}


def score_sheet(game: Any) -> Any:
    """Return the score sheets; the code that builds them is loaded on first use."""
    from hashmark.games.data_driven.sheet import sheet

    return sheet(game)


def draw_charts(game: Any, viewer: int) -> Any:
    """Return the drawing of charts and calls; the code that builds it is loaded on first use."""
    from hashmark.games.data_driven.drawing import drawing

    return drawing(game, viewer)


RULES = RuleSet(
    name="data-driven",
    title="Data-Driven Football",
    summary="Nine plays against six formations, called in secret, on charts of real teams.",
    version=3,
    position=p.Position,
    match=p.Match,
    options=setup.OPTIONS,
    calls=p.CALLS,
    questions=QUESTIONS,
    refusals=rules.REFUSALS,
    statistics=events.STATISTICS,
    coaches=COACHES,
    over=p.OVER,
    words=WORDS,
    start=rules.start,
    question=rules.question,
    asked=rules.asked,
    refusal=rules.refusal,
    step=rules.step,
    matters=matters,
    forget=essence.forget,
    score_counts=essence.score_counts,
    progress=essence.progress,
    figures=figures.FIGURES,
    columns=figures.COLUMNS,
    make_match=setup.make_match,
    settle=settle,
    play_over=rules.play_over,
    veil=veil,
    secrets=("play", "formation", "prompted"),
    names=setup.names,
    sheet=score_sheet,
    spell=setup.spell,
    presets=setup.PRESETS,
    compile_effort=2,
    effort=Effort("hard", (60, 90)),
    book=Path(__file__).parent / "data" / "rules.md",
    sections=SECTIONS,
    notice=notice,
    colours=colours,
    drawing=draw_charts,
    poster=POSTER,
)
