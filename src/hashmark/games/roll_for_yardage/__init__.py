"""Roll For Yardage!: a play-by-play game with opposed exploding dice, 30 plays a quarter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hashmark.engine.low_rank_values import shipped_values
from hashmark.engine.options import Option, parse_int
from hashmark.engine.position_checks import score_headroom
from hashmark.engine.presentation import Difficulty, Presentation
from hashmark.engine.record import AWAY, HOME, NOBODY, TEAMS
from hashmark.engine.rule_set import GameRuleSet, Question, Setup, SolverHooks
from hashmark.errors import HashmarkError
from hashmark.games.roll_for_yardage import abstraction, drawing, figures, rules, sheet, tables
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage.coaches import COACHES
from hashmark.games.roll_for_yardage.flow import (
    declare_winner,
    in_overtime,
    period_plays,
    start,
    to_goal,
)
from hashmark.games.roll_for_yardage.rows import row_dicts
from hashmark.games.roll_for_yardage.words import WORDS
from hashmark.sanitize import quote


def parse_overtime_plays(given: object) -> int | None:
    """Parse the option: None for the rulebook's numbers, or a number of plays."""
    if given is None or str(given).lower() in ("null", "none", ""):
        return None
    number = None if isinstance(given, bool) else parse_int(given)
    if number is not None and 1 <= number <= p.MAX_OVERTIME_PLAYS:
        return number
    raise HashmarkError(
        f"option overtime_plays: {quote(given)} is neither null nor a number from 1 to "
        f"{p.MAX_OVERTIME_PLAYS}"
    )


OPTIONS = (
    Option("plays_per_quarter", "Number of plays in each quarter.", (tables.PLAYS_PER_QUARTER, 15)),
    Option("season", "Part of the season; a postseason game cannot end in a tie.", p.SEASONS),
    Option(
        "overtime_plays",
        "Number of plays in overtime; null means 20, or 30 in the postseason.",
        ("null", f"1 to {p.MAX_OVERTIME_PLAYS}"),
        parser=parse_overtime_plays,
    ),
    Option("tries_count", "Count each try as a play.", (True, False)),
    Option(
        "defensive_penalty_spot",
        "Spot from which a defensive penalty is enforced: end or start of the play.",
        p.PENALTY_SPOTS,
    ),
    Option(
        "decline_rule",
        "When a penalty may be declined: for listed reasons or any reason.",
        p.DECLINE_RULES,
    ),
    Option("punt_rule", "When a punt is allowed.", p.PUNT_RULES),
    Option(
        "overtime_last_play",
        "Allow the Hail Mary and the extra play at the end of overtime, too.",
        (False, True),
    ),
    Option(
        "overtime_no_score",
        "How the second team gets the ball in overtime if the first does not score.",
        p.NO_SCORE_RULES,
    ),
    Option(
        "declined_extends",
        "Extend the half after a declined defensive penalty, too.",
        (False, True),
    ),
)

QUESTIONS = (
    Question("coin-toss", "Toss the coin."),
    Question("choice", "Receive or kick?", (p.RECEIVE, p.KICK, p.DEFER)),
    Question("kickoff", "Regular or onside kick?", (p.KICK_OFF, p.ONSIDE_KICK)),
    Question("safety-kick", "Kick after the safety.", (p.KICK_AFTER_SAFETY,)),
    Question("return", "Return or fair catch?", (p.RETURN_KICK, p.FAIR_CATCH)),
    Question("scrimmage", "Which play?", (p.RUN_PLAY, p.FIELD_GOAL, p.PUNT, p.HAIL_MARY)),
    Question("penalty", "Accept or decline the penalty?", (p.ACCEPT, p.DECLINE)),
    Question("try", "One point or two?", (p.EXTRA_POINT, p.TWO_POINT)),
    Question("over", "The game is over."),
)

KICK_SPOTS = {p.KICKOFF: tables.KICKOFF_SPOT, p.SAFETY_KICK: tables.SAFETY_KICK_SPOT}


def fill_match(m: p.Match, values: Mapping[str, Any]) -> None:
    """Put the options into the match as numbers."""
    m.plays_per_quarter = values["plays_per_quarter"]
    m.tries_count = int(values["tries_count"])
    in_postseason = values["season"] == "postseason"
    default_plays = (
        tables.POSTSEASON_OVERTIME_PLAYS if in_postseason else tables.REGULAR_OVERTIME_PLAYS
    )
    m.overtime_plays = values["overtime_plays"] or default_plays


def normalize_position(m: p.Match, g: p.Position, given: Mapping[str, Any]) -> str | None:
    """Normalize a set-up position: clear the fields that its phase does not use.

    Return why the position is impossible, or None.
    """
    if g.phase != p.PENALTY:
        g.penalty_face, g.play_end, g.play_lost = 0, p.NO_SPOT, 0
    if g.phase == p.OVER:
        return _normalize_end(g, given)
    g.winner = NOBODY
    fault = _normalize_time(m, g, given)
    if fault:
        return fault
    _normalize_choices(g)
    fault = score_headroom(g, max_points_to_come(m, g)) or _line_fault(g)
    if fault:
        return fault
    if g.phase in (p.COIN_TOSS, p.CHOICE):
        g.possession, g.spot, g.down, g.to_go = NOBODY, 0, 0, 0
        return None
    return _normalize_ball(g)


def max_points_to_come(m: p.Match, g: p.Position) -> int:
    """Return an upper bound of a team's further points.

    That is a touchdown and two points a play; each overtime is worth at most 12 points.
    """
    quarters = max(tables.LAST_QUARTER - g.period, 0) * m.plays_per_quarter
    plays = quarters if in_overtime(g) else quarters + g.clock
    return int(8 * (plays + 1) + 12 * (p.MAX_PERIODS - g.period + 1))


def _line_fault(g: p.Position) -> str | None:
    """R62: return a fault if the points by quarter exceed the score."""
    for team, name in enumerate(TEAMS):
        if sum(g.line[team]) > g.score[team]:
            return f"line.{name} adds up to {sum(g.line[team])}, more than score {g.score[team]}"
    return None


def _normalize_end(g: p.Position, given: Mapping[str, Any]) -> str | None:
    """R1: declare the winner of a finished game; return a fault if the given winner is another."""
    given_winner = g.winner
    declare_winner(g)
    if fault := _line_fault(g):
        return fault
    if given.get("winner") is not None and given_winner != g.winner:
        return f"winner {given['winner']} contradicts the score"
    return None


def _normalize_time(m: p.Match, g: p.Position, given: Mapping[str, Any]) -> str | None:
    """Check the clock of the period; it may be used up only before a try."""
    max_plays = period_plays(m, g.period)
    if "clock" not in given:
        g.clock = max_plays
    if g.clock > max_plays:
        return f"clock {g.clock} is more than the {max_plays} plays of period {g.period}"
    if g.phase in (p.COIN_TOSS, p.CHOICE) and g.period in (2, tables.LAST_QUARTER):
        return f"phase {p.PHASES[g.phase]} is not possible in period {g.period}, in mid-half"
    if g.clock == 0 and g.phase != p.TRY:
        return f"phase {p.PHASES[g.phase]} needs a clock above 0; only phase try allows clock 0"
    return None


def _normalize_choices(g: p.Position) -> None:
    """Fill in the toss winner, the chooser, the second-half choice and the stage of an overtime."""
    before_kickoff = g.phase in (p.COIN_TOSS, p.CHOICE)
    if g.toss_winner < 0 and g.phase != p.COIN_TOSS:
        away_chooses = g.phase == p.CHOICE and g.period == 1 and g.chooser == AWAY
        g.toss_winner = AWAY if away_chooses else HOME
    if g.period <= 2 and g.second_half_choice < 0 and not before_kickoff:
        g.second_half_choice = 1 - g.toss_winner
    if g.period > 2 and g.phase != p.CHOICE:
        g.second_half_choice = NOBODY
    if g.phase != p.CHOICE:
        g.chooser = NOBODY
    elif g.chooser < 0:
        g.chooser = _default_chooser(g)
    if before_kickoff or not in_overtime(g):
        g.ot_stage = NOBODY
    elif g.ot_stage < 0:
        g.ot_stage = p.FIRST_POSSESSION


def _default_chooser(g: p.Position) -> int:
    """R4, R5, R61: return the team that chooses in this period if no team has deferred."""
    if g.period == 3 and g.second_half_choice >= 0:
        return int(g.second_half_choice)
    loser_chooses = g.period == 3 or (in_overtime(g) and g.period % 2 == 0)
    return int(1 - g.toss_winner if loser_chooses else g.toss_winner)


def _normalize_ball(g: p.Position) -> str | None:
    """Fill in and check the spot, down and distance that the phase uses."""
    if g.possession == NOBODY:
        return f"phase {p.PHASES[g.phase]} needs possession: home or away"
    if g.phase == p.TRY:
        if in_overtime(g):
            return "phase try is not possible in overtime"
        g.spot, g.down, g.to_go = 0, 0, 0
        return None
    if g.phase in KICK_SPOTS:
        kick_spot = KICK_SPOTS[g.phase]
        if g.spot not in (0, kick_spot):
            return f"phase {p.PHASES[g.phase]} needs spot {kick_spot}, not {g.spot}"
        g.spot = kick_spot
    if g.spot == 0:
        return f"phase {p.PHASES[g.phase]} needs a spot from 1 to 99"
    if g.phase not in (p.SCRIMMAGE, p.PENALTY):
        g.down, g.to_go = 0, 0
        return None
    g.down = g.down or 1
    g.to_go = min(g.to_go or tables.SERIES_YARDS, 100 - g.spot)
    return _penalty_fault(g) if g.phase == p.PENALTY else None


def _penalty_fault(g: p.Position) -> str | None:
    """Check the flag and the end of the play without it."""
    if g.penalty_face == 0 or g.play_end == p.NO_SPOT:
        return "phase penalty needs penalty_face and play_end"
    if g.play_lost and g.play_end == 100:
        return "play_end 100 is a touchdown for the offense, so play_lost must be false"
    return None


SECTIONS = {  # sections of the rules page that explain each question
    "choice": ("Coin toss and halves",),
    "kickoff": ("Kickoffs", "Onside kicks"),
    "safety-kick": ("Safeties and safety kicks",),
    "return": ("Returns (kickoff, punt, safety kick alike)",),
    "scrimmage": ("Scrimmage plays", "Hail Mary"),
    "penalty": ("Penalties",),
    "try": ("Tries",),
}

HIGHLIGHTS = {
    "touchdown": "Touchdown",
    "kick good": "Field goal",
    "kick missed": "Field goal no good",
    "kick blocked": "Field goal blocked",
    "safety": "Safety",
    "two points good": "Two points",
    "punt blocked": "Punt blocked",
    "onside kept": "Onside kick recovered",
    "loses ball": "Turnover",
    "over on downs": "Turnover on downs",
}


RULES = GameRuleSet[p.Match, p.Position](
    name="roll-for-yardage",
    title="Roll For Yardage!",
    summary="Opposed dice on every play: sixes roll again, snake eyes spell disaster.",
    version=1,
    match=p.Match,
    position=p.Position,
    calls=p.CALLS,
    questions=QUESTIONS,
    refusals=rules.REFUSALS,
    statistics=p.STATISTICS,
    over_phase=p.OVER,
    start=start,
    question=rules.question,
    team_to_act=rules.team_to_act,
    refusal=rules.refusal,
    step=rules.step,
    setup=Setup(
        options=OPTIONS,
        presets={"short": {"plays_per_quarter": 15}},
        preset_meanings={"short": "15 plays a quarter instead of 30"},
        fill_match=fill_match,
        normalize_position=normalize_position,
        computed_keys={"log": row_dicts},
    ),
    words=WORDS,
    presentation=Presentation(
        make_sheet=sheet.sheet,
        difficulty=Difficulty("easy", (15, 25)),
        rules_page=Path(__file__).parent / "data" / "rules.md",
        rules_sections=SECTIONS,
        make_drawing=drawing.drawing,
        poster=drawing.POSTER,
        kick_yards=to_goal,
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
