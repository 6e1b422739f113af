"""Rapid Roll Football: two dice, two charts, and a clock line whose numbers are rewound."""

from __future__ import annotations

from pathlib import Path

from hashmark.engine.presentation import CallGroup, Difficulty, Presentation
from hashmark.engine.rule_set import RANDOM_COACH, Coach, GameRuleSet, Question, Setup, SolverHooks
from hashmark.engine.solver_spec import SearchSpec
from hashmark.games.rapid_roll import (
    abstraction,
    blind_table,
    drawing,
    figures,
    lookahead,
    lookahead_values,
    rules,
    sheet,
)
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.call_charts import call_charts
from hashmark.games.rapid_roll.coaches import bold, book, cautious
from hashmark.games.rapid_roll.kicks import kick_length
from hashmark.games.rapid_roll.options import OPTIONS, fill_match
from hashmark.games.rapid_roll.position_check import normalize_position
from hashmark.games.rapid_roll.reader import planner, reader
from hashmark.games.rapid_roll.thumb import THUMB
from hashmark.games.rapid_roll.words import WORDS

COACHES = (
    RANDOM_COACH,
    Coach(
        "book",
        "Passes to suit the distance, kicks from up to 48 yards, manages the clock.",
        book,
        level="Starter",
    ),
    Coach(
        "cautious",
        "Runs, throws screens, tries only short field goals, punts.",
        cautious,
        level="Rookie",
    ),
    Coach("bold", "Throws deep, goes for it past midfield, goes for two.", bold, level="Starter"),
    Coach(
        "reader",
        "Reads the clock line and calls the play that its next rewinds favor.",
        reader,
        level="Pro Bowler",
    ),
    Coach(
        "planner",
        "Evaluates calls like the reader, but without looking at the clock line.",
        planner,
        level="Veteran",
    ),
)

_SCRIMMAGE = tuple(range(p.LINE_RUN, p.SPIKE))
_TRY = (p.EXTRA_POINT, *range(p.LINE_RUN, p.FAKE_PUNT_SHORT_PASS))
_MAGIC = tuple(range(p.MAGIC_0, p.MAGIC_0 + p.MAX_MAGIC_YARDS + 1))
_QUARTERBACK = (p.REPLACE_QB, p.KEEP_QB)

QUESTIONS = (
    Question("kickoff", "Kickoff or onside kick?", (p.KICK_OFF, p.ONSIDE)),
    Question("safety-kick", "Kickoff or onside kick after the safety?", (p.KICK_OFF, p.ONSIDE)),
    Question("scrimmage", "Which play?", _SCRIMMAGE),
    Question("try", "Extra point or two-point try?", _TRY),
    Question("coin-toss", "Roll for the coin toss."),
    Question("over", "The game is over."),
    Question("home-quarterback", "Change quarterbacks?", _QUARTERBACK, p.KEEP_QB),
    Question("away-quarterback", "Change quarterbacks?", _QUARTERBACK, p.KEEP_QB),
    Question("toss", "You won the coin toss: receive or kick?", (p.RECEIVE, p.KICK)),
    Question(
        "sideline", "Give up 3 yards to get out of bounds?", (p.SIDELINE, p.STAY_IN), p.STAY_IN
    ),
    Question("punt", "Return the punt or let it roll?", (p.RETURN, p.ROLL), p.RETURN),
    Question("end-zone", "Touchback or return?", (p.TOUCHBACK, p.RETURN), p.TOUCHBACK),
    Question("penalty", "Accept the penalty?", (p.ACCEPT, p.DECLINE), p.ACCEPT),
    Question("magic", "Add how many magic yards?", _MAGIC, p.MAGIC_0),
    Question("clock", "Stop the clock?", (p.TIMEOUT, p.SPIKE, p.NO_TIMEOUT), p.NO_TIMEOUT),
    Question("other-clock", "Stop the clock?", (p.TIMEOUT, p.NO_TIMEOUT), p.NO_TIMEOUT),
)

SECTIONS = {  # sections of the rules page that explain each question
    "kickoff": ("Kickoffs",),
    "safety-kick": ("Kickoffs",),
    "scrimmage": ("Plays from scrimmage",),
    "try": ("Tries",),
    "home-quarterback": ("Plays from scrimmage",),
    "away-quarterback": ("Plays from scrimmage",),
    "toss": ("Halves and overtime",),
    "sideline": ("Time-outs and the end of a half",),
    "punt": ("Punts",),
    "end-zone": ("Kickoffs", "Interceptions"),
    "penalty": ("Flags",),
    "magic": ("Magic yards",),
    "clock": ("Time-outs and the end of a half",),
    "other-clock": ("Time-outs and the end of a half",),
}

PLAY_SHEET = (
    CallGroup("Runs", ("line-run", "end-run", "sneak", "reverse")),
    CallGroup(
        "Passes",
        ("short-pass", "medium-pass", "deep-pass", "long-pass", "screen-pass", "trick-pass"),
    ),
    CallGroup("Kicks", ("extra-point", "punt", "field-goal")),
    CallGroup(
        "Fakes",
        (
            *("fake-punt-short-pass", "fake-punt-end-run"),
            *("fake-field-goal-short-pass", "fake-field-goal-end-run"),
        ),
        is_rare=True,
    ),
)
HIGHLIGHTS = {
    "touchdown": "Touchdown",
    "field goal good": "Field goal",
    "field goal fails": "Field goal no good",
    "safety": "Safety",
    "two points good": "Two points",
    "is intercepted": "Interception",
    "loses ball": "Turnover",
    "over on downs": "Turnover on downs",
}


RULES = GameRuleSet[p.Match, p.Position](
    name="rapid-roll",
    title="Rapid Roll Football",
    summary="One roll per play on two charts; follow-up numbers are rewound from the game clock.",
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
    should_prompt=rules.should_prompt,
    setup=Setup(
        options=OPTIONS,
        presets={"short": {"numbers_per_quarter": 10}},
        preset_meanings={"short": "10 numbers a quarter instead of 40"},
        fill_match=fill_match,
        normalize_position=normalize_position,
    ),
    words=WORDS,
    presentation=Presentation(
        make_sheet=sheet.sheet,
        difficulty=Difficulty("medium", (40, 60)),
        rules_page=Path(__file__).parent / "data" / "rules.md",
        rules_sections=SECTIONS,
        make_drawing=drawing.drawing,
        call_charts=call_charts,
        poster=drawing.POSTER,
        call_groups=PLAY_SHEET,
        number_questions=("magic",),
        kick_yards=kick_length,
        highlights=HIGHLIGHTS,
    ),
    solver=SolverHooks(
        drop_irrelevant=abstraction.drop_irrelevant,
        score_matters=abstraction.score_matters,
        progress=abstraction.progress,
        rollout_coach=THUMB,
        search=SearchSpec(
            best_answer=lookahead.best_answer,
            work_size=lookahead.WORK_SIZE,
            load_table=blind_table.load_table,
            description="Plays each call out with the numbers on the clock line, and knows the "
            "win probability afterward.",
        ),
        heuristic_value=lookahead_values.win_chances,
        heuristic_method="game solved without the clock line, searched one play ahead with it",
        heuristic_error=lookahead_values.ERROR,
        heuristic_call_error=lookahead_values.CALL_ERROR,
    ),
    coaches=COACHES,
    figures=figures.FIGURES,
    columns=figures.COLUMNS,
)
