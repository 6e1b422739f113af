"""Data-Driven Football in words: the clock, the situation, and each event as a sentence."""

from __future__ import annotations

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game
from hashmark.engine.presentation import Scoring, Words
from hashmark.engine.record import NOBODY, TIE
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.call_words import CALL_TEXTS, explain_call, status_lines
from hashmark.games.data_driven.charts.cells import kind_of
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.games.data_driven.drives import find_drives
from hashmark.games.data_driven.events import CALLS_PLAY
from hashmark.games.data_driven.penalties import fouling_team
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.roll_words import cell_text, in_words, roll_purpose
from hashmark.games.data_driven.tables import (
    ACTIONS,
    COLUMN_OF_KIND,
    FIRST_DOWN_YARDS,
    FORMATIONS,
    OFF_TACKLE,
    PLAYS,
    PRIORITY_CHART,
    PRIORITY_COLUMNS,
    PRIORITY_ROWS,
)
from hashmark.text.phrases import (
    clock_text,
    down_text,
    team_clause,
    team_sentence,
    team_text,
    yard_line,
    yards_text,
)

FOUL_TEXTS = {
    p.OFF_5: "a 5-yard penalty",
    p.OFF_10: "a 10-yard penalty",
    p.OFF_15: "a personal foul",
    p.OFF_40: "a kickoff out of bounds",
    p.GROUNDING: "intentional grounding",
    p.DEF_5: "a 5-yard penalty",
    p.DEF_5X: "a 5-yard penalty with an automatic first down",
    p.DEF_15: "a personal foul",
    p.PI: "pass interference",
    p.HOLDING: "holding in the end zone",
}
# Meaning of each action of the Priority Chart, in the order of ACTIONS.
ACTION_TEXTS = (
    "the yards are added",
    "the offense's result counts",
    "the defense's result counts",
    "the pass is incomplete",
    "the shorter one counts",
    "fumble at the defense's yardage",
    "the penalty is noted",
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
        has_winner = g.asks != p.ASK_COIN
        return team_clause(names[g.holder], "[has] won the toss") if has_winner else "coin toss"
    if g.phase == p.OVER:
        return "tie game" if g.winner == TIE else team_clause(names[g.winner], "[wins]")
    team, line = names[g.possession], yard_line(g.possession, g.spot, names)
    if g.phase == p.TRY:
        return team_clause(team, f"[lines] up for the try at {line}") + _pending(g, names)
    if g.phase == p.KICKOFF:
        return team_clause(team, f"[kicks] off from {line}") + _pending(g, names)
    if g.phase == p.SAFETY_KICK:
        return team_clause(team, f"[takes] the free kick from {line}") + _pending(g, names)
    down = down_text(g.down, g.to_go, g.possession, g.spot, names)
    return f"{team}: {down}" + _pending(g, names)


def _pending(g: Position, names: TeamNames) -> str:
    """Describe what is undecided in the middle of a play."""
    if g.asks in (p.ASK_PENALTY, p.ASK_TACK_ON, p.ASK_REKICK):
        fouled = team_text(names[fouling_team(g, g.foul)])
        return f"; {_ended(g, names)}, with {FOUL_TEXTS[g.foul]} against {fouled}"
    if g.asks == p.ASK_FUMBLE_RETURN:
        recovered = f"[recovers] {_at_place(g.holder, g.start, names)}"
        return f"; {team_clause(names[g.holder], recovered)}"
    if g.asks in (p.ASK_KICK_RETURN, p.ASK_ROLL_OR_RETURN):
        depth = f"{yards_text(-g.start)} deep " if g.start < 0 else ""
        return f"; the kick comes down {depth}{_at_place(g.holder, g.start, names)}"
    if g.asks == p.ASK_ROLL_AGAIN:
        return f"; {team_clause(names[g.holder], '[rolls] again')}"
    return ""


def _ended(g: Position, names: TeamNames) -> str:
    ends = {
        p.ENDS_INCOMPLETE: "incomplete pass",
        p.ENDS_TOUCHDOWN: "touchdown",
        p.ENDS_SAFETY: "safety",
        p.ENDS_TOUCHBACK: "touchback",
        p.ENDS_GOOD: "the kick is good",
    }
    return ends.get(g.result, f"{names[g.holder]} ball {_at_place(g.holder, g.at, names)}")


def _at_place(team: int, spot: int, names: TeamNames) -> str:
    """Return where something happened: "at the home 30", "in the away end zone"."""
    return f"{'at' if 0 <= spot < 100 else 'in'} {_place(team, spot, names)}"


def _to_place(team: int, spot: int, names: TeamNames) -> str:
    """Return where the ball went: "to the home 30", "into the away end zone"."""
    return f"{'to' if 0 <= spot < 100 else 'into'} {_place(team, spot, names)}"


def _place(team: int, spot: int, names: TeamNames) -> str:
    """Return a spot that may be in an end zone."""
    if 0 < spot < 100:
        return yard_line(team, spot, names)
    owner = short_names(names)[team if spot <= 0 else 1 - team]
    return f"the {owner} {'end zone' if spot else 'goal line'}"


def line_to_gain(m: Match, g: Position) -> int | None:
    """Return the line to gain."""
    return g.spot + g.to_go if g.phase == p.SCRIMMAGE else None


def _roll_of_punt(yards: int) -> str:
    """R61: Describe the roll of a punt; forward is toward the receiving team's goal line."""
    if not yards:
        return "it stops where it landed"
    return f"it rolls {yards_text(abs(yards))} {'forward' if yards > 0 else 'back'}"


def _stop(gained: int) -> str:
    """E1: Describe how much of a gain the defense allows."""
    if gained == 0:
        return "[allows] no gain"
    if gained < 0:
        return f"[forces] a loss of {yards_text(-gained)}"
    return f"[allows] only {yards_text(gained)}"


def _gain(t: GameEvent, names: TeamNames) -> str:
    """Return the yards of a play and its spot: "8 yards to the home 38", "no gain at midfield"."""
    if t.yards > 0:
        return f"{yards_text(t.yards)} {_to_place(t.team, t.spot, names)}"
    gain = f"a loss of {yards_text(-t.yards)}" if t.yards else "no gain"
    return f"{gain} {_at_place(t.team, t.spot, names)}"


def _return(t: GameEvent, names: TeamNames) -> str:
    """Describe a return and its spot, verbs marked as in `team_clause`."""
    if t.yards > 0:
        return f"[returns] it {_gain(t, names)}"
    return f"[is] stopped on the return for {_gain(t, names)}"


def _call_texts(t: GameEvent) -> dict[str, object]:
    """Return the names of a play and a formation as nouns: "an end run", "nickel"."""
    play, formation = in_words(PLAYS[t.play]), in_words(FORMATIONS[t.formation])
    play = "off-tackle run" if t.play == OFF_TACKLE else play
    return {
        "play": f"{'an' if play[0] in 'aeiou' else 'a'} {play}",
        "formation": {"standard": "the standard defense", "blitz": "a blitz"}.get(
            formation, formation
        ),
    }


def _meets(t: GameEvent) -> str:
    """Describe both cells, which counts, and the square of the Priority Chart that decides."""
    row, action = divmod(t.row_and_action, len(ACTIONS))
    column = PRIORITY_COLUMNS[COLUMN_OF_KIND[kind_of(t.defense_cell)]]
    return (
        f"{cell_text(t.offense_cell)} against {cell_text(t.defense_cell)}: {ACTION_TEXTS[action]} "
        f"({PRIORITY_ROWS[row]} meets {column} on the Priority Chart)."
    )


NO_TEXTS = ("", "")
# Texts of each event: what the team does, verbs marked as in `team_clause`, or a whole sentence
# (with a capital letter); and the entry on the score sheet. The words in braces come from
# `_event_values`; an event with an empty text is left out there.
EVENT_TEXTS = {
    "wins toss": ("[wins] the toss", "toss won by {team}"),
    "receives": ("will receive", "{team} to receive"),
    "kicks off": ("[kicks] off {distance} {to_place}", "kickoff {yards}"),
    "squibs": ("[squibs] the kickoff {to_place}", "squib"),
    "onside kick": ("{onside} the onside kick {at_place}", "onside kick {recovered}"),
    "kicks out of bounds": ("[kicks] off out of bounds", "out of bounds"),
    "reveals": ("[shows] {play} against {formation}", ""),
    "calls": ("[calls] {play} against {formation}", ""),
    "audibles": ("{again}", "{audible}, {team}"),
    "muffs snap": ("[muffs] the snap", "muffed snap"),
    "flag": ("[is] flagged for {foul}{foul_distance}", "flag {flag}"),
    "flag cancelled": ("The flag is picked up: no foul.", "flag picked up"),
    "breaks away": ("[breaks] away", ""),
    "big play": ("[has] a receiver wide open", ""),
    "trapped": ("[has] [its] quarterback trapped", ""),
    "misses sack": ("[misses] the sack", "missed sack"),
    "forces sack": ("[chases] the quarterback down", "chased down"),
    "breaks up": ("[breaks] up the pass", "broken up"),
    "stops short": ("[makes] the stop and {allowed}", "held to {yards}"),
    "lacks inches": ("[comes] up inches short when the chains come out", "inches short"),
    "crowd carries": ("[rides] the crowd to an extra yard", "crowd +1"),
    "crowd hinders": ("[loses] a yard to the crowd noise", "crowd -1"),
    "picked off": ("[intercepts] the pass {at_place}", "intercepted by {team}"),
    "fumbles": ("[fumbles] {at_place}", "fumble by {team}"),
    "recovers": ("[recovers] the ball {at_place}", "recovered by {team}"),
    "returns": ("{return}", "returned {yards}"),
    "returns to score": ("[returns] it all the way", "returned for a touchdown"),
    "falls on it": ("[falls] on the ball", "falls on it"),
    "fair catch": ("[makes] a fair catch {at_place}", "fair catch"),
    "lets roll": ("[lets] the punt roll: {bounce}", "rolls {yards}"),
    "offsetting": ("Offsetting penalties.", "offsetting penalties"),
    "declined": ("The penalty against {the_team} is declined.", "declined"),
    "penalised": ("[is] penalized {distance}", "penalty {team} {yards}"),
    "rekick": ("must kick again", "kick again"),
    "runs": ("[runs] for {gain}", "run {yards}"),
    "completes": ("[completes] a pass for {gain}", "pass {yards}"),
    "incomplete": ("[throws] an incomplete pass", "incomplete"),
    "sacked": ("[is] sacked for {gain}", "sack {yards}"),
    "scrambles": ("[scrambles] for {gain}", "scramble {yards}"),
    "kneels": ("[takes] a knee", "kneel"),
    "spikes": ("[spikes] the ball", "spike"),
    "first down": ("[picks] up the first down", "first down"),
    "first down by penalty": ("[gets] a first down on the penalty", "first down"),
    "over on downs": ("[turns] the ball over on downs", "turnover on downs"),
    "punts": ("[punts] {distance} {to_place}", "punt {yards}"),
    "blocked": ("[has] [its] kick blocked; the ball is {at_place}", "blocked"),
    "touchback": ("[takes] a touchback", "touchback"),
    "field goal good": ("[kicks] a {length} field goal", "{length} field goal good"),
    "field goal missed": ("[misses] a {length} field goal", "{length} field goal no good"),
    "touchdown": ("[scores] a touchdown", "TOUCHDOWN {team}"),
    "safety": ("[scores] a safety", "SAFETY {team}"),
    "extra point good": ("[kicks] the extra point", "extra point good"),
    "extra point missed": ("[misses] the extra point", "extra point missed"),
    "two points good": ("[converts] the two-point try", "two-point try good"),
    "two points failed": ("[fails] on the two-point try", "two-point try failed"),
    "timeout": ("[calls] a time-out", "time-out {team}"),
    "hurries": ("[goes] to the hurry-up", "hurry-up"),
    "begins drive": ("[takes] over: {first_down}", ""),
    "period over": ("End of {period}.", "end of {period}"),
    "wins": ("[wins]", "won by {team}"),
}


def _event_values(t: GameEvent, names: TeamNames) -> dict[str, object]:
    """Return the words that the texts of an event may name, from its fields."""
    fields = t.kind.fields
    values: dict[str, object] = {"team": names[t.team], "the_team": team_text(names[t.team])}
    if "yards" in fields:
        values |= {"yards": t.yards, "distance": yards_text(t.yards), "length": f"{t.yards}-yard"}
        values |= {"allowed": _stop(t.yards), "bounce": _roll_of_punt(t.yards)}
    if "spot" in fields:
        values["at_place"] = _at_place(t.team, t.spot, names)
        values["to_place"] = _to_place(t.team, t.spot, names)
        to_go = min(FIRST_DOWN_YARDS, 100 - t.spot)
        values["first_down"] = down_text(1, to_go, t.team, t.spot, names)
    if "yards" in fields and "spot" in fields:
        values |= {"gain": _gain(t, names), "return": _return(t, names)}
    if "foul" in fields:
        own_yards = t.foul in (p.PI, p.GROUNDING) and "yards" in fields
        values["foul"] = FOUL_TEXTS.get(t.foul)
        values["foul_distance"] = f" ({yards_text(t.yards)})" if own_yards else ""
        values["flag"] = p.FOULS[t.foul].upper().replace("-", " ")
    if "play" in fields:
        values |= _call_texts(t)
    if "recovered" in fields:
        values["onside"] = "[recovers]" if t.recovered else "[fails] to recover"
        values["recovered"] = "recovered" if t.recovered else "lost"
    if "with_timeout" in fields:
        values["again"] = "Both teams call again." if t.with_timeout else "[calls] an audible"
        values["audible"] = "time-out to call again" if t.with_timeout else "audible"
    if "period" in fields:
        values["period"] = period_name(t.period)
    return values


def sentence(event: GameEvent, names: TeamNames) -> str:
    """Return an event as a sentence; empty for events that are only counted."""
    if event.name == "meets":
        return _meets(event)
    template, _ = EVENT_TEXTS.get(event.name, NO_TEXTS)
    text = template and template.format_map(_event_values(event, names))
    return text if not text or text[0].isupper() else team_sentence(names[event.team], text)


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
        ("Priority Chart (offense down, defense across)", ["", *PRIORITY_COLUMNS], priority),
        ("Offense dice", ["total", "chance"], offense_rows),
        ("Defense dice", ["total", "chance"], defense_rows),
    ]


SCORING = Scoring(
    {"touchdown": "touchdown", "field goal good": "{length} field goal", "safety": "safety"},
    try_texts={
        "extra point good": "kick good",
        "extra point missed": "kick missed",
        "two points good": "two-point try good",
        "two points failed": "two-point try failed",
    },
    touchdown_texts={
        "runs": "{length} run",
        "completes": "{length} pass",
        "scrambles": "{length} scramble",
        "picked off": "interception return",
        "recovers": "fumble recovery",
    },
    opponent_touchdown_texts={
        "kicks off": "kickoff return",
        "squibs": "kickoff return",
        "punts": "punt return",
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
    call_phrases={
        "kickoff": "kicking deep",
        "squib": "kicking a squib",
        "onside": "trying an onside kick",
        "field-goal": "kicking the field goal",
        "punt": "punting",
        "kneel": "kneeling",
        "extra-point": "kicking the extra point",
        "two-point": "going for two",
    },
    call_meanings=CALL_TEXTS,
    box_lines=(
        ("plays", "Plays"),
        ("yards", "Yards"),
        ("first_downs", "First downs"),
        ("third_downs_made/third_downs", "Third-down conversions"),
        ("fourth_downs_made/fourth_downs", "Fourth-down conversions"),
        ("rushes/rushing_yards", "Rushes/yards"),
        ("completions/passes", "Pass completions"),
        ("passing_yards", "Passing yards"),
        ("sacked/sack_yards", "Times sacked/yards"),
        ("interceptions", "Interceptions"),
        ("fumbles_lost", "Fumbles lost"),
        ("turnovers", "Turnovers"),
        ("penalties/penalty_yards", "Penalties/yards"),
        ("punts/punt_yards", "Punts/yards"),
        ("punt_returns/punt_return_yards", "Punt returns/yards"),
        ("kick_returns/kick_return_yards", "Kick returns/yards"),
        ("touchdowns", "Touchdowns"),
        ("field_goals/field_goals_tried", "Field goals"),
        ("extra_points/extra_points_tried", "Extra points"),
        ("two_points/two_points_tried", "Two-point tries"),
        ("safeties", "Safeties"),
        ("seconds", "Time of possession"),
        *(
            (f"{n}_calls/{n}_yards", f"{n.replace('_', ' ').capitalize()}: calls/yards")
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
