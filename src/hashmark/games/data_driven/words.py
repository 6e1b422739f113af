"""Data-Driven Football in words: the clock, the situation, and each event as a sentence."""

from __future__ import annotations

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game
from hashmark.engine.presentation import Scoring, Words
from hashmark.engine.record import NOBODY, TIE
from hashmark.engine.team_names import TeamNames
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.call_words import CALL_TEXTS, explain_call, status_lines
from hashmark.games.data_driven.charts.cells import kind_of
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.games.data_driven.drives import find_drives
from hashmark.games.data_driven.events import CALLS_PLAY
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.roll_words import cell_text, roll_purpose
from hashmark.games.data_driven.tables import (
    ACTIONS,
    COLUMN_OF_KIND,
    FIRST_DOWN_YARDS,
    FORMATIONS,
    PLAYS,
    PRIORITY_CHART,
    PRIORITY_COLUMNS,
    PRIORITY_ROWS,
)
from hashmark.text.phrases import FIRST_ORDINALS, capitalize, clock_text, yard_line, yards_text

DOWNS = ("", *FIRST_ORDINALS)
FOUL_TEXTS = {
    p.OFF_5: "an offensive foul of 5 yards",
    p.OFF_10: "an offensive foul of 10 yards",
    p.OFF_15: "a personal foul of the offence",
    p.OFF_40: "a kick out of bounds",
    p.GROUNDING: "intentional grounding",
    p.DEF_5: "a defensive foul of 5 yards",
    p.DEF_5X: "a defensive foul of 5 yards and a first down",
    p.DEF_15: "a personal foul of the defence",
    p.PI: "pass interference",
    p.HOLDING: "holding in the end zone",
}
# Meaning of each action of the Priority Chart, in the order of ACTIONS.
ACTION_TEXTS = (
    "they add up",
    "the offence's counts",
    "the defence's counts",
    "the pass is incomplete",
    "the shorter one counts",
    "fumbled where the defence says",
    "noted",
)


def period_name(period: int) -> str:
    """Return the name of a quarter or overtime period."""
    return f"Q{period}" if period <= 4 else "OT" if period == 5 else f"OT {period - 4}"


def clock(m: Match, g: Position) -> str:
    """Return the quarter and the time left in it."""
    if g.phase == p.OVER:
        return "final"
    return f"{period_name(g.period)} {clock_text(g.clock)}"


def situation(m: Match, g: Position, names: TeamNames) -> str:
    """Return the situation as a phrase."""
    if g.phase == p.COIN_TOSS:
        return "the coin is in the air" if g.asks == p.ASK_COIN else _toss(g, names)
    if g.phase == p.OVER:
        return "a tie" if g.winner == TIE else f"{names[g.winner]} wins"
    team, line = names[g.possession], yard_line(g.possession, g.spot, names)
    if g.phase == p.TRY:
        return f"{team} tries for the extra points from {line}"
    if g.phase in (p.KICKOFF, p.SAFETY_KICK):
        return f"{team} kicks off from {line}" + _pending(g, names)
    to_go = "goal" if g.to_go == 100 - g.spot else str(g.to_go)
    return f"{team}: {DOWNS[g.down]} and {to_go} at {line}" + _pending(g, names)


def _toss(g: Position, names: TeamNames) -> str:
    return f"{names[g.holder]} has won the toss"


def _pending(g: Position, names: TeamNames) -> str:
    """Describe what is undecided in the middle of a play."""
    holder = names[g.holder] if g.holder >= 0 else ""
    if g.asks in (p.ASK_PENALTY, p.ASK_TACK_ON, p.ASK_REKICK):
        return f"; the play ended {_ended(g, names)}, with {FOUL_TEXTS[g.foul]}"
    if g.asks == p.ASK_FUMBLE_RETURN:
        return f"; {holder} has recovered at {_place(g.holder, g.start, names)}"
    if g.asks in (p.ASK_KICK_RETURN, p.ASK_ROLL_OR_RETURN):
        return f"; the kick comes down at {_place(g.holder, g.start, names)}"
    if g.asks == p.ASK_ROLL_AGAIN:
        return f"; {holder} rolls again"
    return ""


def _ended(g: Position, names: TeamNames) -> str:
    ends = {
        p.ENDS_INCOMPLETE: "incomplete",
        p.ENDS_TOUCHDOWN: "in a touchdown",
        p.ENDS_SAFETY: "in a safety",
        p.ENDS_TOUCHBACK: "in a touchback",
        p.ENDS_GOOD: "with a good kick",
    }
    with_ball = f"with {names[g.holder]}'s ball at {_place(g.holder, g.at, names)}"
    return ends.get(g.result, with_ball)


def _place(team: int, spot: int, names: TeamNames) -> str:
    """Describe a spot that may lie in an end zone."""
    if spot <= 0:
        return (
            f"{names[team]}'s goal line"
            if spot == 0
            else f"{-spot} deep in {names[team]}'s end zone"
        )
    if spot >= 100:
        return f"{names[1 - team]}'s end zone"
    return yard_line(team, spot, names)


def line_to_gain(m: Match, g: Position) -> int | None:
    """Return the line to gain."""
    return g.spot + g.to_go if g.phase == p.SCRIMMAGE else None


def _first_to_go(spot: int) -> str:
    return "goal" if spot > 100 - FIRST_DOWN_YARDS else str(FIRST_DOWN_YARDS)


def _rolled(distance: int) -> str:
    """R61: Describe the roll of a punt; forward is toward the receiving team's goal line."""
    if not distance:
        return "it lies where it came down"
    return f"{yards_text(abs(distance))} {'forward' if distance > 0 else 'backward'}"


def _left(gained: int) -> str:
    """E1: Describe what the defense leaves of a gain."""
    if gained == 0:
        return "no gain"
    return f"only {yards_text(gained)}" if gained > 0 else f"a loss of {yards_text(-gained)}"


def _gain(yards: int) -> str:
    """Describe the yards of a play, as far as the word before its spot."""
    if yards == 0:
        return "no gain at"
    return f"{yards_text(yards) if yards > 0 else f'a loss of {yards_text(-yards)}'}, to"


def _meets(t: GameEvent) -> str:
    """Describe both cells, which counts, and the square of the Priority Chart that decides."""
    row, action = divmod(t.row_and_action, len(ACTIONS))
    column = PRIORITY_COLUMNS[COLUMN_OF_KIND[kind_of(t.defense_cell)]]
    return (
        f"{cell_text(t.offense_cell)} against {cell_text(t.defense_cell)}: {ACTION_TEXTS[action]} "
        f"({PRIORITY_ROWS[row]} meets {column} on the Priority Chart)."
    )


NO_TEXTS = ("", "")
# Texts of each event: the sentence after the team's name, and the entry on the score sheet. The
# words in braces come from `_event_values`; an event with an empty text is left out there.
EVENT_TEXTS = {
    "wins toss": ("wins the toss", "{team} wins the toss"),
    "receives": ("receives", "{team} receives"),
    "kicks off": ("kicks off {distance}, to {place}", "kick {yards}"),
    "squibs": ("squibs it to {place}", "squib"),
    "onside kick": ("{recovers} an onside kick at {place}", "onside, {recovered}"),
    "kicks out of bounds": ("kicks off out of bounds", "out of bounds"),
    "reveals": ("shows {play} against {formation}", ""),
    "calls": ("calls {play} against {formation}", ""),
    "audibles": ("{again}", "{audible}, {team}"),
    "muffs snap": ("muffs the snap", "snap muffed"),
    "flag": ("draws a flag: {foul}{foul_distance}", "flag {flag}"),
    "flag cancelled": ("has kept its hands clean: the flag is picked up", "flag picked up"),
    "breaks away": ("breaks away", ""),
    "big play": ("has a receiver in the open", ""),
    "trapped": ("has its quarterback trapped", ""),
    "misses sack": ("misses the sack", "sack missed"),
    "forces sack": ("runs the quarterback down", "run down"),
    "breaks up": ("leaves no room and breaks the pass up", "broken up"),
    "stops short": ("closes the gap and allows {allowed}", "held to {yards}"),
    "lacks inches": ("is inches short when the chains come out", "inches short"),
    "crowd carries": ("is carried a yard farther by the crowd", "crowd +1"),
    "crowd hinders": ("cannot hear over the crowd and gains a yard less", "crowd -1"),
    "picked off": ("intercepts at {place}", "intercepted by {team}"),
    "fumbles": ("fumbles at {place}", "{team} fumbles"),
    "recovers": ("recovers at {place}", "{team} recovers"),
    "returns": ("returns {distance}, to {place}", "returned {yards}"),
    "returns to score": ("returns it all the way", "run back"),
    "falls on it": ("falls on the ball", "falls on it"),
    "fair catch": ("makes a fair catch at {place}", "fair catch"),
    "lets roll": ("lets it roll: {bounce}", "rolls {yards}"),
    "offsetting": ("and its opponents have offsetting fouls", "fouls offset"),
    "declined": ("is let off: {foul} is declined", "declined"),
    "penalised": ("is penalised {distance}", "{team} penalised {yards}"),
    "rekick": ("must kick again", "kick again"),
    "runs": ("runs for {gain} {place}", "run {yards}"),
    "completes": ("completes for {gain} {place}", "pass {yards}"),
    "incomplete": ("throws incomplete", "incomplete"),
    "sacked": ("is sacked for {gain} {place}", "sack {yards}"),
    "scrambles": ("scrambles for {gain} {place}", "scramble {yards}"),
    "kneels": ("kneels", "kneel"),
    "spikes": ("spikes the ball", "spike"),
    "first down": ("has a first down", "first down"),
    "first down by penalty": ("has a first down by penalty", "first down"),
    "over on downs": ("loses the ball on downs", "over on downs"),
    "punts": ("punts {distance}, to {place}", "punt {yards}"),
    "blocked": ("has its kick blocked; the ball lies at {place}", "blocked"),
    "touchback": ("takes a touchback", "touchback"),
    "field goal good": ("kicks a field goal of {distance}", "field goal {yards}, good"),
    "field goal missed": (
        "does not make a field goal of {distance}",
        "field goal {yards}, no good",
    ),
    "touchdown": ("scores a touchdown", "TOUCHDOWN {team}"),
    "safety": ("scores a safety", "SAFETY {team}"),
    "extra point good": ("kicks the extra point", "kick good"),
    "extra point missed": ("misses the extra point", "kick missed"),
    "two points good": ("makes the two-point try", "two points good"),
    "two points failed": ("fails on the two-point try", "two points failed"),
    "timeout": ("calls a timeout", "time out {team}"),
    "hurries": ("hurries up", "hurry-up"),
    "begins drive": ("has 1st and {first_to_go} at {place}", ""),
    "period over": ("", "end of {period}"),
    "wins": ("wins", "{team} wins"),
}


def _event_values(t: GameEvent, names: TeamNames) -> dict[str, object]:
    """Return the words that the texts of an event may name, from its fields."""
    fields = t.kind.fields
    values: dict[str, object] = {"team": names[t.team]}
    if "yards" in fields:
        values |= {"yards": t.yards, "distance": yards_text(t.yards), "gain": _gain(t.yards)}
        values |= {"allowed": _left(t.yards), "bounce": _rolled(t.yards)}
    if "spot" in fields:
        values |= {"place": _place(t.team, t.spot, names), "first_to_go": _first_to_go(t.spot)}
    if "foul" in fields:
        own_yards = t.foul in (p.PI, p.GROUNDING) and "yards" in fields
        values["foul"] = FOUL_TEXTS.get(t.foul)
        values["foul_distance"] = f" ({yards_text(t.yards)})" if own_yards else ""
        values["flag"] = p.FOULS[t.foul].upper().replace("-", " ")
    if "play" in fields:
        values |= {"play": PLAYS[t.play], "formation": FORMATIONS[t.formation]}
    if "recovered" in fields:
        values["recovers"] = "recovers" if t.recovered else "loses"
        values["recovered"] = "recovered" if t.recovered else "lost"
    if "with_timeout" in fields:
        values["again"] = "takes a timeout to call again" if t.with_timeout else "calls an audible"
        values["audible"] = "time out to call again" if t.with_timeout else "audible"
    if "period" in fields:
        values["period"] = period_name(t.period)
    return values


def sentence(event: GameEvent, names: TeamNames) -> str:
    """Return an event as a sentence; empty for events that are only counted."""
    if event.name == "meets":
        return _meets(event)
    if event.name == "period over":
        return f"End of {period_name(event.period)}."
    phrase, _ = EVENT_TEXTS.get(event.name, NO_TEXTS)
    if not phrase:
        return ""
    return capitalize(f"{names[event.team]} {phrase.format_map(_event_values(event, names))}.")


def sheet_text(event: GameEvent, names: TeamNames) -> str:
    """Return an event as the score sheet notes it; empty if it is not noted."""
    _, text = EVENT_TEXTS.get(event.name, NO_TEXTS)
    return text and text.format_map(_event_values(event, names))


def printed_tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the printed tables for `hashmark rules`; the teams' charts are in chart files."""
    priority = [[row, *cells] for row, cells in PRIORITY_CHART.items()]
    offense_rows = [[str(row), f"{weight}/216"] for row, weight in enumerate(OFFENSE_WEIGHTS, 10)]
    defense_rows = [[str(row), f"{weight}/36"] for row, weight in enumerate(DEFENSE_WEIGHTS, 1)]
    return [
        ("Priority Chart (offence down, defence across)", ["", *PRIORITY_COLUMNS], priority),
        ("Offence dice", ["total", "chance"], offense_rows),
        ("Defence dice", ["total", "chance"], defense_rows),
    ]


SCORING = Scoring(
    {"touchdown": "touchdown", "field goal good": "field goal of {yards}", "safety": "safety"},
    try_texts={
        "extra point good": "kick good",
        "extra point missed": "kick missed",
        "two points good": "two points",
        "two points failed": "two-point try failed",
    },
    touchdown_texts={
        "runs": "run of {yards}",
        "completes": "pass of {yards}",
        "scrambles": "scramble of {yards}",
        "picked off": "interception run back",
        "recovers": "fumble recovered",
    },
    opponent_touchdown_texts={
        "kicks off": "kickoff run back",
        "squibs": "kickoff run back",
        "punts": "punt run back",
        "blocked": "blocked kick",
    },
)


def plays_called(game: Game | None) -> tuple[set[int], set[int]]:
    """Return the plays that home and away have called, flagged or not."""
    called: tuple[set[int], set[int]] = (set(), set())
    for turn in game.turns if game is not None else ():
        for event in turn.events:
            if event.kind is CALLS_PLAY:
                called[event.team].add(event.play)
    return called


def tally_plays_called(game: Game | None) -> list[tuple[str, str, str]]:
    """R109: Return how many plays each team has called; the rulebook advises calling all."""
    home, away = (f"{len(plays)} of {len(PLAYS)}" for plays in plays_called(game))
    return [("Plays called at least once", home, away)]


def timeouts(m: Match, g: Position) -> tuple[int, int]:
    """Return the timeouts that home and away have left."""
    return g.timeouts[0], g.timeouts[1]


def ball_has_moved(m: Match, g: Position) -> bool:
    """Return whether the ball was snapped or kicked; before that it lies at its spot."""
    return g.holder != NOBODY


WORDS = Words(
    ball_has_moved=ball_has_moved,
    timeouts=timeouts,
    clock=clock,
    situation=situation,
    sentence=sentence,
    line_to_gain=line_to_gain,
    list_tables=printed_tables,
    call_meanings=CALL_TEXTS,
    box_lines=(
        ("plays", "Plays"),
        ("yards", "Yards"),
        ("first_downs", "First downs"),
        ("third_downs_made/third_downs", "Third downs"),
        ("fourth_downs_made/fourth_downs", "Fourth downs"),
        ("rushes/rushing_yards", "Rushes, yards"),
        ("completions/passes", "Passes"),
        ("passing_yards", "Passing yards"),
        ("sacked/sack_yards", "Sacked, yards"),
        ("interceptions", "Interceptions"),
        ("fumbles_lost", "Fumbles lost"),
        ("turnovers", "Turnovers"),
        ("penalties/penalty_yards", "Penalties, yards"),
        ("punts/punt_yards", "Punts, yards"),
        ("punt_returns/punt_return_yards", "Punt returns, yards"),
        ("kick_returns/kick_return_yards", "Kick returns, yards"),
        ("touchdowns", "Touchdowns"),
        ("field_goals/field_goals_tried", "Field goals"),
        ("extra_points/extra_points_tried", "Extra points"),
        ("two_points/two_points_tried", "Two-point tries"),
        ("safeties", "Safeties"),
        ("seconds", "Time of possession"),
        *(
            (f"{n}_calls/{n}_yards", f"{n.replace('_', ' ').capitalize()}: calls, yards")
            for n in (name.replace("-", "_") for name in PLAYS)
        ),
    ),
    list_drives=find_drives,
    extra_box_lines=tally_plays_called,
    explain_call=explain_call,
    dice_lines=status_lines,
    roll_purpose=roll_purpose,
    period_name=period_name,
    format_time=clock_text,
    time_statistics=("seconds",),
    scoring=SCORING,
)
