"""Meaning of an answer in this position: dice, referee result, yards and clock in a few words.

Nothing is computed twice: the rules play the answer on a copy of the position, and the events
they emit are put into words. Where dice would follow, only the price is given.
"""

from __future__ import annotations

from hashmark.engine.effects import EffectHandler
from hashmark.engine.events import EventKind, GameEvent, Values
from hashmark.engine.team_names import TeamNames
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.rules import step
from hashmark.games.two_minute_drill.tables import DICE, DT_A, OT, TOP_FACE
from hashmark.text.phrases import down_text, yard_line, yards_text

GROUPS = {
    "triple forward": "three {}s with a defense die",
    "triple back": "three {}s, all offense",
    "quad forward": "four {}s with a defense die",
    "quad back": "four {}s, all offense",
    "five": "five {}s, time-out by the defense",
    "six odd": "six {}s",
    "six even": "six {}s",
}
REFEREE = {
    "offence penalty": "penalty on the offense",
    "incomplete": "incomplete pass",
    "fumble lost": "fumble, defense recovers",
    "fumble kept": "fumble, offense recovers",
    "good play": "good play",
    "defence penalty": "penalty on the defense",
    "recovers": "ball recovered",
    "lost on last chance": "not recovered",
}


def spaces_text(n: int) -> str:
    """Return a number of clock spaces with its noun."""
    return "1 space" if n == 1 else f"{n} spaces"


def timeouts_text(n: int) -> str:
    """Return a number of time-outs with its noun."""
    return "1 time-out" if n == 1 else f"{n} time-outs"


def pips_text(g: Position) -> str:
    """Return the pips of each team, or nothing: "2 offense, 1 defense"."""
    counts = zip(g.pips, ("offense", "defense"), strict=True)
    return ", ".join(f"{n} {team}" for n, team in counts if n)


class EventRecorder(EffectHandler):
    """Effect handler that records the events of rules that roll no dice."""

    def __init__(self) -> None:
        self.events: list[GameEvent] = []

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.events.append(GameEvent(event, team, values))


def try_out(m: Match, g: Position, *calls: int) -> tuple[Position, list[GameEvent]]:
    """Play calls that roll no dice on a copy; return its position and the events."""
    after: Position = g.copy()
    recorder = after.handler = EventRecorder()
    for call in calls:
        step(m, after, call)
    return after, recorder.events


def explain_call(m: Match, g: Position, call: int, names: TeamNames) -> str:
    """Return what the call would mean in this position; empty if there is nothing to add."""
    if g.phase == p.REROLL:
        return "" if call == p.STAND else f"costs 1 space, {g.clock - 1} left"
    if g.phase == p.PICK:
        return _explain_choice(m, g, call, names)
    if g.phase in (p.SPECIAL, p.COMBINE, p.PIPS):
        return _explain_turn(m, g, call, names)
    if g.phase == p.REFEREE:
        return _explain_referee(m, g, call, names)
    if g.phase == p.YARDS:
        return _explain_yards(m, g, call, names)
    if g.phase == p.EFFORT:
        return _explain_effort(m, g, call, names)
    return _outcome_text(*try_out(m, g, call), names) if g.phase == p.RESULT else ""


def _explain_choice(m: Match, g: Position, call: int, names: TeamNames) -> str:
    """Return the faces kept, their groups or pips, and the price."""
    after, events = try_out(m, g, call)
    price = f"1 space, {after.clock} left: " if call >= p.FIRST_BUY else ""
    faces = next(event.offense_faces for event in events if event.name == "keeps")
    shown = " ".join(
        f"{DICE[die]}={faces >> (4 * die) & 15}" for die in OT if faces >> 4 * die & 15
    )
    if after.phase == p.SPECIAL:
        after, events = try_out(m, g, call, p.ACCEPT)
    pips = pips_text(after)
    groups = _groups_text(after, events, names)
    return f"{price}{shown}; {groups or (f'pips: {pips}' if pips else 'no pair')}"


def _groups_text(g: Position, events: list[GameEvent], names: TeamNames) -> str:
    """Return the special results that were applied, and where they led."""
    groups = [GROUPS[event.name].format(event.face) for event in events if event.name in GROUPS]
    if not groups and any(event.name == "lost on last chance" for event in events):
        groups = ["three or more of a kind"]
    return f"{' and '.join(groups)}: {describe_result(g, events, names)}" if groups else ""


def _explain_turn(m: Match, g: Position, call: int, names: TeamNames) -> str:
    """Explain one pip, a timeout, or leaving the dice as they lie."""
    if call == p.TIME_OUT:
        return f"{timeouts_text(g.timeouts - 1)} left; groups made or broken by pips count"
    after, events = try_out(m, g, call)
    if call in (p.ACCEPT, p.DONE):
        return _groups_text(after, events, names) or "place the dice"
    turn = next(event for event in events if event.name == "turns")
    top = ", its highest face" if turn.face == TOP_FACE[turn.die] else ""
    return f"{g.dice[turn.die]} to {turn.face}{top}"


def _explain_referee(m: Match, g: Position, call: int, names: TeamNames) -> str:
    """Return the sum, the referee's verdict, and where the ball is if that ends the play."""
    after, events = try_out(m, g, call)
    ot, dt = divmod(call - p.FIRST_REFEREE, 2)
    total = g.dice[ot] + g.dice[DT_A + dt]
    verdict = next(REFEREE[event.name] for event in events if event.name in REFEREE)
    ending = "" if after.phase == p.YARDS else f"; {describe_result(after, events, names)}"
    return f"{g.dice[ot]} + {g.dice[DT_A + dt]} = {total}: {verdict}{ending}"


def _explain_yards(m: Match, g: Position, call: int, names: TeamNames) -> str:
    """Return yards, side and clock of the play without extra effort."""
    after, events = try_out(m, g, call)
    effort = "; extra effort possible" if after.phase == p.EFFORT else ""
    if after.phase == p.EFFORT:
        after, events = try_out(m, g, call, p.STOP)
    calls = [call, p.STOP] if effort else [call]
    if after.phase == p.RESULT:
        after, events = try_out(m, g, *calls, p.PLAY)
    return _outcome_text(after, events, names) + effort


def _explain_effort(m: Match, g: Position, call: int, names: TeamNames) -> str:
    if call == p.EFFORT_ROLL:
        return f"1 more space: roll the {DICE[g.yards_ot]} again"
    after, events = try_out(m, g, call)
    if after.phase == p.RESULT:
        after, events = try_out(m, g, call, p.PLAY)
    return _outcome_text(after, events, names)


def _outcome_text(g: Position, events: list[GameEvent], names: TeamNames) -> str:
    """Describe a finished play: yards, side, bounds, clock, and where the ball is."""
    by_name = {event.name: event for event in events}
    words = []
    if "gains" in by_name:
        gain = by_name["gains"]
        words.append(f"{_gain_text(gain.yards)} on the {('left', '', 'right')[gain.side]}")
        words += ["out of bounds"] if "out of bounds" in by_name else []
        marks = by_name["marks"]
        saved = by_name["saves clock"].spaces if "saves clock" in by_name else 0
        words.append(f"costs {spaces_text(2 + sum(marks.values) - saved)}")
    if "takes penalty" in by_name:
        taken = by_name["takes penalty"]
        words.append(f"{yards_text(taken.yards)}, costs {spaces_text(taken.spaces)}")
    return f"{', '.join(words)}; {describe_result(g, events, names)}"


def _gain_text(yards: int) -> str:
    if yards == 0:
        return "no gain"
    return f"{'gain' if yards > 0 else 'loss'} of {yards_text(abs(yards))}"


def describe_result(g: Position, events: list[GameEvent], names: TeamNames) -> str:
    """Return down, distance, spot and clock in half a line."""
    if any(event.name == "reply" for event in events):
        return f"drive won, {spaces_text(g.clock)} left for the reply"
    if g.phase == p.OVER:
        return "drive won" if g.winner == g.possession else "drive lost"
    if g.chance:
        text = f"last chance at {yard_line(g.possession, g.spot, names)}"
    else:
        text = down_text(g.down, g.to_go, g.possession, g.spot, names)
    return f"{text}, {spaces_text(g.clock)} left"
