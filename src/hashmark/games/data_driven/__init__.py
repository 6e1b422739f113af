"""Data-Driven Football: nine plays against six formations on charts made from real seasons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hashmark.engine.presentation import CallGroup, Difficulty, Presentation
from hashmark.engine.rule_set import GameRuleSet, Question, Setup, SolverHooks
from hashmark.games.data_driven import abstraction, events, figures, rules, setup
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.audibles import redact
from hashmark.games.data_driven.call_charts import call_charts, snap_tables
from hashmark.games.data_driven.coaches import COACHES
from hashmark.games.data_driven.downs import kick_length
from hashmark.games.data_driven.match_values import VALUES
from hashmark.games.data_driven.menu_choices import options_notice
from hashmark.games.data_driven.pairing_levels import LEVELS
from hashmark.games.data_driven.position_check import normalize_position
from hashmark.games.data_driven.poster import POSTER
from hashmark.games.data_driven.tables import FORMATIONS
from hashmark.games.data_driven.team_colors import team_colors
from hashmark.games.data_driven.words import WORDS

if TYPE_CHECKING:
    from hashmark.engine.drawings import Drawing
    from hashmark.engine.game import Game
    from hashmark.sheets.document import Document

_PLAYS = tuple(range(p.FIRST_FORMATION))
_POOCHES = tuple(range(p.FIRST_POOCH, len(p.CALLS)))
_USUAL_POOCHES = tuple(p.FIRST_POOCH + yards - 1 for yards in (5, 10, 15))
_FORMATIONS = tuple(range(p.FIRST_FORMATION, p.FIRST_FORMATION + len(FORMATIONS)))
_AUDIBLE = (p.STAND, p.AUDIBLE, p.AUDIBLE_TIMEOUT)
_CLOCK = (p.LET_IT_RUN, p.TIMEOUT)
_REVEALED = (events.REVEALS.name, events.CALLS_PLAY.name)


QUESTIONS = (
    Question("coin", "Toss the coin."),
    Question("toss", "Receive or kick?", (p.RECEIVE, p.KICK)),
    Question("kick", "Which kick?", (p.KICK_OFF, p.SQUIB, p.ONSIDE)),
    Question("kick-return", "The kick is in the end zone: return it?", (p.RETURN, p.TOUCHBACK)),
    Question("rekick", "Offside on the kickoff: kick again?", (p.REKICK, p.KEEP)),
    Question(
        "play",
        "Which play?",
        (*_PLAYS, *_USUAL_POOCHES),
        unlisted_calls=_POOCHES,
        secret_calls=tuple(range(p.PUNT)),
        revealed_by=_REVEALED,
    ),
    Question(
        "formation",
        "Which formation?",
        _FORMATIONS,
        secret_calls=_FORMATIONS,
        revealed_by=_REVEALED,
    ),
    Question("offence-audible", "Call an audible?", _AUDIBLE, p.STAND),
    Question("defence-audible", "Call an audible?", _AUDIBLE, p.STAND),
    Question(
        "roll-or-return",
        "The punt lands near your goal line: return it or let it roll?",
        (p.RETURN, p.LET_IT_ROLL),
    ),
    Question("fumble-return", "You recovered the ball: return it?", (p.RETURN, p.FALL_ON_IT)),
    Question("penalty", "A penalty in your favor: accept it?", (p.ACCEPT, p.DECLINE)),
    Question(
        "tack-on",
        "Foul on the punting team: kick again, or add the yards to the return?",
        (p.REKICK, p.TACK_ON),
    ),
    Question("try", "Which try?", (p.EXTRA_POINT, p.TWO_POINT)),
    Question("offence-timeout", "The clock is running: call a time-out?", _CLOCK, p.LET_IT_RUN),
    Question("defence-timeout", "The clock is running: call a time-out?", _CLOCK, p.LET_IT_RUN),
    Question("tempo", "What tempo?", (p.LET_IT_RUN, p.HURRY_UP, p.SPIKE), p.LET_IT_RUN),
    Question("roll-again", "A flag is down: roll again."),
    Question("over", "The game is over."),
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


def score_sheet(game: Game | None) -> Document:
    """Return the score sheets; the code that builds them is loaded on first use."""
    from hashmark.games.data_driven.sheet import build_sheet

    return build_sheet(game)


def draw_charts(game: Game, viewer: int) -> Drawing:
    """Return the drawing of charts and calls; the code that builds it is loaded on first use."""
    from hashmark.games.data_driven.drawing import build_drawing

    return build_drawing(game, viewer)


PLAY_SHEET = (
    CallGroup("Runs", ("line-plunge", "off-tackle", "end-run", "draw")),
    CallGroup("Passes", ("screen", "short-pass", "medium-pass", "long-pass", "sideline-pass")),
    CallGroup("Kicks", ("punt", "field-goal")),
    CallGroup("Clock", ("kneel", "spike"), is_rare=True),
    CallGroup("Special", ("safety", *(f"pooch-{yards}" for yards in range(1, 100))), is_rare=True),
)
HIGHLIGHTS = {
    "touchdown": "Touchdown",
    "field goal good": "Field goal",
    "field goal missed": "Field goal no good",
    "safety": "Safety",
    "two points good": "Two points",
    "blocked": "Blocked",
    "loses pass": "Interception",
    "loses fumble": "Fumble lost",
    "over on downs": "Turnover on downs",
}


RULES = GameRuleSet[p.Match, p.Position](
    name="data-driven",
    title="Data-Driven Football",
    summary="Nine plays against six formations, called in secret, on charts of real teams.",
    version=3,
    match=p.Match,
    position=p.Position,
    calls=p.CALLS,
    questions=QUESTIONS,
    refusals=rules.REFUSALS,
    statistics=events.STATISTICS,
    over_phase=p.OVER,
    start=rules.start,
    question=rules.question,
    team_to_act=rules.team_to_act,
    refusal=rules.refusal,
    step=rules.step,
    secret_fields=("play", "formation", "prompted"),
    redact=redact,
    should_prompt=rules.should_prompt,
    is_play_over=rules.is_play_over,
    normalize_call=setup.normalize_call,
    setup=Setup(
        options=setup.OPTIONS,
        fill_match=setup.make_match,
        normalize_position=normalize_position,
        name_teams=setup.team_names,
        presets=setup.PRESETS,
        preset_meanings=setup.PRESET_MEANINGS,
        quick_start=setup.QUICK_START,
        options_notice=options_notice,
    ),
    words=WORDS,
    presentation=Presentation(
        make_sheet=score_sheet,
        difficulty=Difficulty("hard", (60, 90)),
        rules_page=Path(__file__).parent / "data" / "rules.md",
        rules_sections=SECTIONS,
        color_teams=team_colors,
        make_drawing=draw_charts,
        call_charts=call_charts,
        snap_tables=snap_tables,
        poster=POSTER,
        call_groups=PLAY_SHEET,
        kick_yards=kick_length,
        highlights=HIGHLIGHTS,
    ),
    solver=SolverHooks(
        drop_irrelevant=abstraction.drop_irrelevant,
        score_matters=abstraction.score_matters,
        progress=abstraction.progress,
        value_function=VALUES,
        pairing_module="hashmark.games.data_driven.pairing",
        pairing_levels={name: level.description for name, level in LEVELS.items()},
    ),
    coaches=COACHES,
    figures=figures.FIGURES,
    columns=figures.COLUMNS,
    compile_effort=2,
)
