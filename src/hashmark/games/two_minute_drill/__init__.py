"""The two-minute drill: five points down, 75 yards to go, two minutes of dice."""

from __future__ import annotations

from pathlib import Path

from hashmark.engine.options import Option
from hashmark.engine.presentation import Difficulty, Presentation
from hashmark.engine.rule_set import GameRuleSet, Question, Setup, SolverHooks
from hashmark.games.two_minute_drill import abstraction, ball, drawing, figures, rules, sheet
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill import tables as t
from hashmark.games.two_minute_drill.coaches import COACHES
from hashmark.games.two_minute_drill.heuristic_value import heuristic_value
from hashmark.games.two_minute_drill.odds import odds_tables
from hashmark.games.two_minute_drill.position_check import normalize_position
from hashmark.games.two_minute_drill.words import WORDS

OPTIONS = (
    Option(
        "start-clock",
        "Clock spaces at the start.",
        range(1, t.FULL_CLOCK_SPACES + 1),
        t.FULL_CLOCK_SPACES,
    ),
    Option(
        "start-timeouts",
        "Time-outs at the start.",
        range(t.TIMEOUTS_PER_DRIVE + 1),
        t.TIMEOUTS_PER_DRIVE,
    ),
    Option(
        "start-spot",
        "Where the drive starts, in yards from the team's own goal line.",
        range(1, 100),
        t.START_SPOT,
    ),
    Option(
        "d12-leaves-at",
        "The d12 is rolled only while more spaces than this are left.",
        range(t.FULL_CLOCK_SPACES + 1),
        t.D12_LEAVES_AT,
    ),
    Option(
        "d10-leaves-at",
        "The d10 is rolled only while more spaces than this are left.",
        range(t.FULL_CLOCK_SPACES + 1),
        t.D10_LEAVES_AT,
    ),
    Option(
        "referee-clock",
        "Clock cost after a referee sum of 10 or more: by the rules text, or by the sheet.",
        p.REFEREE_CLOCKS,
    ),
    Option("reply", "The other team gets a reply drive with the time left.", (False, True)),
    Option(
        "touchdown-in-time",
        "A touchdown counts only if the clock has spaces for the whole play.",
        (False, True),
    ),
    Option("two-threes", "Two threes of a kind: both count, or only one.", p.TWO_THREES),
    Option(
        "center-out",
        "Which plays of more than 10 yards from the center go out of bounds.",
        p.CENTER_OUTS,
    ),
)


def _short_drill(spaces: int) -> dict[str, object]:
    """Return the options of a drill that is a puzzle: few spaces, and a strict clock."""
    return {"start-clock": spaces, "referee-clock": "sheet", "touchdown-in-time": True}


PRESETS = {
    "easy": _short_drill(10),
    "fair": _short_drill(8),
    "hard": _short_drill(6),
    "brutal": _short_drill(4),
}
PRESET_MEANINGS = {  # how often the coach `search` wins, from 10,000 drives each
    "easy": "10 spaces, the best coach wins 93 %",
    "fair": "8 spaces, the best coach wins 77 %",
    "hard": "6 spaces, the best coach wins 49 %",
    "brutal": "4 spaces, the best coach wins 24 %",
}


def _calls_with(prefix: str) -> tuple[int, ...]:
    """Return the codes of all calls that begin with this prefix."""
    return tuple(code for code, name in enumerate(p.CALLS) if name.startswith(prefix))


TURNS = _calls_with("turn:")
QUESTIONS = (
    Question("scrimmage", "Roll the dice."),
    Question("reroll", "Reroll the defense's dice?", (p.STAND, *_calls_with("reroll:")), p.STAND),
    Question(
        "pick", "Which dice do you keep with the d4?", (*_calls_with("pick:"), *_calls_with("buy:"))
    ),
    Question("special", "Accept three or more of a kind?", (p.ACCEPT, p.TIME_OUT), p.ACCEPT),
    Question("combine", "Turn dice to make or break a group?", (p.DONE, *TURNS), p.DONE),
    Question("pips", "Turn dice?", (p.DONE, *TURNS, p.TIME_OUT), p.DONE),
    Question("referee", "Which pair goes to the referee?", _calls_with("referee:")),
    Question("yards", "Which die do you use for the yards?", _calls_with("yards:")),
    Question("effort", "Extra effort?", (p.STOP, p.EFFORT_ROLL), p.STOP),
    Question("result", "Keep the play?", (p.PLAY, p.TIME_OUT, p.PENALTY), p.PLAY),
    Question("over", "The game is over."),
)


def normalize_call_name(name: str) -> str:
    """Sort the dice in a call name where their order means nothing."""
    verb, colon, dice = name.partition(":")
    if verb not in ("pick", "buy", "reroll"):
        return name
    names = [die.strip() for die in dice.split(",")]
    return (
        verb + colon + ",".join(sorted(names, key=lambda d: t.DICE.index(d) if d in t.DICE else 99))
    )


def plays_alone(m: p.Match) -> bool:
    """Return whether the game has one team only: the other one does not reply."""
    return not m.reply


SECTIONS = {  # sections of the rules page that explain each question
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

HIGHLIGHTS = {
    "touchdown": "Touchdown",
    "reaches range": "Field goal",
    "returned": "Returned for a touchdown",
    "safety": "Safety",
    "six even": "Turnover",
    "fumble lost": "Fumble lost",
    "lost on downs": "Turnover on downs",
    "out of time": "Out of time",
    "last chance": "One last chance",
    "recovers": "Ball recovered",
}


RULES = GameRuleSet[p.Match, p.Position](
    name="two-minute-drill",
    title="Two-minute drill",
    summary="Solo against the clock: 75 yards, eight dice, 40 clock spaces.",
    version=1,
    match=p.Match,
    position=p.Position,
    calls=p.CALLS,
    questions=QUESTIONS,
    refusals=rules.REFUSALS,
    statistics=p.STATISTICS,
    over_phase=p.OVER,
    start=ball.start,
    question=rules.question,
    team_to_act=rules.team_to_act,
    refusal=rules.refusal,
    step=rules.step,
    is_play_over=figures.is_play_over,
    is_solo=plays_alone,
    normalize_call=normalize_call_name,
    setup=Setup(
        options=OPTIONS,
        presets=PRESETS,
        preset_meanings=PRESET_MEANINGS,
        default_preset="fair",
        quick_start=PRESETS["fair"],
        normalize_position=normalize_position,
    ),
    words=WORDS,
    presentation=Presentation(
        odds_tables=odds_tables,
        make_sheet=sheet.sheet,
        difficulty=Difficulty("medium", (15, 25)),
        rules_page=Path(__file__).parent / "data" / "rules.md",
        rules_sections=SECTIONS,
        make_drawing=drawing.drawing,
        poster=drawing.POSTER,
        highlights=HIGHLIGHTS,
        label_call=drawing.label_call,
    ),
    solver=SolverHooks(
        drop_irrelevant=abstraction.drop_irrelevant,
        score_matters=abstraction.score_matters,
        progress=abstraction.progress,
        heuristic_value=heuristic_value,
        heuristic_method="heuristic value table of the game, searched ahead",
        # against the searching coach: docs/explanation/values.md
        heuristic_error=0.12,
        heuristic_call_error=0.12,
        max_clock_rise=1,
    ),
    coaches=COACHES,
    figures=figures.FIGURES,
    columns=figures.COLUMNS,
    book_in_windows=True,
    compile_effort=2,
)
