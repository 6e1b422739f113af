"""What an answer would mean right here: dice, referee result, yards and clock in a few words.

Nothing is worked out a second time: the answer is played on a copy of the position by the
rules themselves, and what they tell is put into words. Where dice would follow, only the
price is said.
"""

from __future__ import annotations

from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.rules import step
from hashmark.games.two_minute_drill.tables import DICE, DT_A, OT, TOP
from hashmark.table.effects import Table
from hashmark.table.events import Event, Told
from hashmark.telling.speech import yard_line

ORDINALS = ("", "1st", "2nd", "3rd", "4th")
GROUPS = {
    "triple forward": "three {}s with a defence die",
    "triple back": "three {}s, all offence",
    "quad forward": "four {}s with a defence die",
    "quad back": "four {}s, all offence",
    "five": "five {}s: a space erased",
    "six odd": "six {}s",
    "six even": "six {}s",
}
REFEREE = {
    "offence penalty": "offence penalty",
    "incomplete": "incomplete pass",
    "fumble lost": "fumble, defence recovers",
    "fumble kept": "fumble, offence recovers",
    "good play": "good play",
    "defence penalty": "defence penalty",
    "recovers": "the ball is back",
    "lost on last chance": "no recovery",
}


class Listener(Table):
    """Hears what the rules tell; there are no dice to roll."""

    def __init__(self) -> None:
        self.heard: list[Told] = []

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.heard.append(Told(event, team, a, b, c))


def try_out(m: Match, g: Position, *calls: int) -> tuple[Position, list[Told]]:
    """The position after some calls that roll no dice, and what was told on the way."""
    twin: Position = g.copy()
    listener = twin.table = Listener()
    for call in calls:
        step(m, twin, call)
    return twin, listener.heard


def explain(m: Match, g: Position, call: int) -> str:
    """What the call would mean in this position; empty if there is nothing more to say."""
    if g.phase == p.REROLL:
        return "" if call == p.STAND else f"1 space, {g.clock - 1} left"
    if g.phase == p.PICK:
        return _choice(m, g, call)
    if g.phase in (p.SPECIAL, p.COMBINE, p.PIPS):
        return _turning(m, g, call)
    if g.phase == p.REFEREE:
        return _referee(m, g, call)
    if g.phase == p.YARDS:
        return _yards(m, g, call)
    if g.phase == p.EFFORT:
        return _effort(m, g, call)
    return _outcome(*try_out(m, g, call)) if g.phase == p.RESULT else ""


def _choice(m: Match, g: Position, call: int) -> str:
    """The faces kept, their groups or pips, and the price."""
    twin, heard = try_out(m, g, call)
    price = f"1 space, {twin.clock} left: " if call >= p.FIRST_BUY else ""
    faces = next(told.a for told in heard if told.name == "keeps")
    shown = " ".join(
        f"{DICE[die]}={faces >> (4 * die) & 15}" for die in OT if faces >> 4 * die & 15
    )
    if twin.phase == p.SPECIAL:
        twin, heard = try_out(m, g, call, p.ACCEPT)
    return f"{price}{shown}; {_groups(twin, heard) or _pips(twin)}"


def _pips(g: Position) -> str:
    offence, defence = g.pips
    if not offence + defence:
        return "no pair"
    return "pips: " + ", ".join(
        f"{n} {whose}" for n, whose in ((offence, "offence"), (defence, "defence")) if n
    )


def _groups(g: Position, heard: list[Told]) -> str:
    """Special results that were carried out, and where they led."""
    groups = [GROUPS[told.name].format(told.a) for told in heard if told.name in GROUPS]
    if not groups and any(told.name == "lost on last chance" for told in heard):
        groups = ["three or more of a kind"]
    return f"{' and '.join(groups)}: {standing(g, heard)}" if groups else ""


def _turning(m: Match, g: Position, call: int) -> str:
    """One pip, a time-out, or the dice as they lie."""
    if call == p.TIME_OUT:
        return f"{g.timeouts - 1} left; groups made or broken by pips will count"
    twin, heard = try_out(m, g, call)
    if call in (p.ACCEPT, p.DONE):
        return _groups(twin, heard) or "place the dice"
    turned = next(told for told in heard if told.name == "turns")
    top = ", its highest face" if turned.b == TOP[turned.a] else ""
    return f"{g.dice[turned.a]} to {turned.b}{top}"


def _referee(m: Match, g: Position, call: int) -> str:
    """The sum, what the referee says, and where the ball is if that ends the play."""
    twin, heard = try_out(m, g, call)
    ot, dt = divmod(call - p.FIRST_REFEREE, 2)
    total = g.dice[ot] + g.dice[DT_A + dt]
    said = next(REFEREE[told.name] for told in heard if told.name in REFEREE)
    after = "" if twin.phase == p.YARDS else f"; {standing(twin, heard)}"
    return f"{g.dice[ot]} + {g.dice[DT_A + dt]} = {total}, {said}{after}"


def _yards(m: Match, g: Position, call: int) -> str:
    """Yards, side and clock of the play as it would come out without extra effort."""
    twin, heard = try_out(m, g, call)
    effort = "; extra effort possible" if twin.phase == p.EFFORT else ""
    if twin.phase == p.EFFORT:
        twin, heard = try_out(m, g, call, p.STOP)
    calls = [call, p.STOP] if effort else [call]
    if twin.phase == p.RESULT:
        twin, heard = try_out(m, g, *calls, p.PLAY)
    return _outcome(twin, heard) + effort


def _effort(m: Match, g: Position, call: int) -> str:
    if call == p.EFFORT_ROLL:
        return f"1 space more: the {DICE[g.yards_ot]} again"
    twin, heard = try_out(m, g, call)
    if twin.phase == p.RESULT:
        twin, heard = try_out(m, g, call, p.PLAY)
    return _outcome(twin, heard)


def _outcome(g: Position, heard: list[Told]) -> str:
    """A play that has come out: yards, side, bounds, clock, and where the ball is."""
    told = {one.name: one for one in heard}
    words = []
    if "gains" in told:
        gain = told["gains"]
        words.append(f"{gain.a:+d} yards to the {('left', '', 'right')[gain.c]}")
        words += ["out of bounds"] if "out of bounds" in told else []
        marks = told["marks"]
        saved = told["saves clock"].a if "saves clock" in told else 0
        words.append(f"clock -{2 + marks.a + marks.b + marks.c - saved}")
    if "takes penalty" in told:
        taken = told["takes penalty"]
        words.append(f"+{taken.a} yards, clock -{taken.b}")
    return f"{', '.join(words)}; {standing(g, heard)}"


def standing(g: Position, heard: list[Told]) -> str:
    """Down, distance, place and clock in half a line."""
    if any(told.name == "reply" for told in heard):
        return f"the drive is won, {g.clock} left for the reply"
    if g.phase == p.OVER:
        return "the drive is won" if g.winner == g.possession else "the drive is lost"
    at = f"{yard_line(g.possession, g.spot)}, {g.clock} left"
    return f"last chance at {at}" if g.chance else f"{ORDINALS[g.down]} and {g.to_go} at {at}"
