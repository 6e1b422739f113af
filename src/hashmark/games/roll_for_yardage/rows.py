"""The rows of the score sheet, worked out from a game's turns (R53, R62 to R64, G42)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage import tables as t
from hashmark.games.roll_for_yardage.flow import period_plays
from hashmark.games.roll_for_yardage.pools import SNAKE_EYES
from hashmark.table.events import Told
from hashmark.table.game import Game, Turn
from hashmark.table.names import SHORT_NAMES
from hashmark.table.record import AWAY, HOME, TEAMS

# R64: the letter of each call that begins a play.
TYPES = {
    p.RUN_PLAY: "S",
    p.HAIL_MARY: "S",
    p.KICK_OFF: "K",
    p.ONSIDE_KICK: "O",
    p.KICK_AFTER_SAFETY: "SK",
    p.PUNT: "P",
    p.FIELD_GOAL: "F",
    p.EXTRA_POINT: "X",
    p.TWO_POINT: "2",
}
TRY_SPOTS = {p.EXTRA_POINT: t.EXTRA_POINT_SPOT, p.TWO_POINT: t.TWO_POINT_SPOT}
KICKS_WITH_BONUS = (p.FIELD_GOAL, p.EXTRA_POINT)
YARDS = p.STATISTICS.names.index("yards")


@dataclass
class Row:
    """One play as it stands on the sheet; the cells are written as the play goes on."""

    period: int
    clock: int
    play: int
    team: int
    call: int
    spot: int
    down: str = ""
    kick: str = ""
    rolls: str = ""
    yards: str = ""
    fumble: str = ""
    penalty: str = ""
    results: list[str] = field(default_factory=list)
    net: int = 0  # the yards that count for the offense
    score: tuple[int, int] = (0, 0)  # when the play is over

    @property
    def type(self) -> str:
        return TYPES[self.call]

    def cells(self) -> dict[str, Any]:
        """The row by the names of its columns."""
        return {
            "play": self.play,
            "team": TEAMS[self.team],
            "type": self.type,
            "down": self.down,
            "spot": self.spot,
            "kick": self.kick,
            "rolls": self.rolls,
            "yards": self.yards,
            "fumble": self.fumble,
            "penalty": self.penalty,
            "result": ", ".join(self.results),
        }


def log(game: Game) -> list[dict[str, Any]]:
    """Every row of a game's sheets in order."""
    return [row.cells() for row in rows(game)]


def rows(game: Game) -> list[Row]:
    """The plays of a game; a return or a decision on a penalty belongs to the row before."""
    written: list[Row] = []
    after = [*(turn.before for turn in game.turns[1:]), game.position]
    for turn, then in zip(game.turns, after, strict=False):
        if turn.call in TYPES:
            written.append(_begin(game, turn, written[-1] if written else None))
        if written:
            _write(written[-1], turn)
            written[-1].score = (then.score[HOME], then.score[AWAY])
    return written


def down_and_distance(down: int, to_go: int, spot: int) -> str:
    """2 & 7, or 1 & Goal when the line to gain is the goal line."""
    return f"{down} & {'Goal' if spot + to_go >= 100 else to_go}"


def _begin(game: Game, turn: Turn, last: Row | None) -> Row:
    """The cells that are known before the dice."""
    g = turn.before
    play = period_plays(game.match, g.period) - g.clock + 1
    if last is not None and last.period == g.period:
        play = max(play, last.play + 1)
    spot = TRY_SPOTS.get(turn.call, g.spot)
    row = Row(g.period, g.clock, play, g.possession, turn.call, spot)
    if g.phase == p.SCRIMMAGE:
        row.down = down_and_distance(g.down, g.to_go, g.spot)
    return row


def _write(row: Row, turn: Turn) -> None:
    """What the events of a turn add to the row."""
    for told in turn.events:
        writer = WRITERS.get(told.event.name)
        if writer is not None:
            writer(row, told)
        result = RESULTS.get(told.event.name)
        if result is not None:
            row.results.append(result)
        if told.team == row.team:
            amounts = told.event.amounts(told.a, told.b, told.c)
            row.net += sum(amount for at, amount in amounts if at == YARDS)
        if told.event is p.ROLLS and row.type == "S":
            row.yards = signed(rolled_yards(told, 100 - row.spot))
        elif told.event is p.ROLLS and turn.call == p.RETURN_KICK:
            row.kick += f"/{signed(rolled_yards(told, 100 - turn.before.spot))}"


def signed(yards: int) -> str:
    """+9, -4 or 0."""
    return f"{yards:+d}" if yards else "0"


def rolled_yards(told: Told, to_goal: int) -> int:
    """R8, G42: the yards of a yardage roll; a gain is counted to the goal line."""
    if told.a == SNAKE_EYES:
        return 0
    if told.b == SNAKE_EYES:
        return to_goal
    return max(min(told.a - told.b, to_goal), -t.MOST_LOST)


def _rolls(row: Row, told: Told) -> None:
    bonus = t.KICK_BONUS[100 - row.spot] if row.call in KICKS_WITH_BONUS else 0
    if SNAKE_EYES in (told.a, told.b):
        row.rolls = f"{_snake_eyes_or(told.a)}/{_snake_eyes_or(told.b)}"
    else:
        row.rolls = f"{told.a + bonus}/{told.b}"


def _snake_eyes_or(total: int) -> str:
    return "1-1" if total == SNAKE_EYES else str(total)


def _kicked(row: Row, told: Told) -> None:
    row.kick = str(told.a)


def _shanked(row: Row, told: Told) -> None:
    row.kick = "SH"


def _touchback(row: Row, told: Told) -> None:
    row.kick += "/TB"


def _caught(row: Row, told: Told) -> None:
    row.kick += "/FC"


def _recovered(row: Row, told: Told) -> None:
    row.fumble = f"{SHORT_NAMES[told.team]} {signed(told.a)}"


def _flagged(row: Row, told: Told) -> None:
    row.penalty = f"{SHORT_NAMES[told.team]} {told.a}"


def _thrown(row: Row, told: Told) -> None:
    row.yards = signed(told.a)


WRITERS: dict[str, Callable[[Row, Told], None]] = {
    "rolls": _rolls,
    "kicks off": _kicked,
    "punts": _kicked,
    "safety kicks": _kicked,
    "shanks": _shanked,
    "touchback": _touchback,
    "catches": _caught,
    "keeps": _recovered,
    "recovers": _recovered,
    "flag": _flagged,
    "hail mary caught": _thrown,
    "hail mary dropped": _thrown,
}

RESULTS = {
    "touchdown": "touchdown",
    "safety": "safety",
    "first down": "1st down",
    "loses ball": "ball lost",
    "over on downs": "over on downs",
    "declined": "declined",
    "accepted": "accepted",
    "kick good": "good",
    "kick missed": "no good",
    "kick blocked": "blocked",
    "punt blocked": "blocked",
    "fakes kick": "fake",
    "hail mary caught": "Hail Mary",
    "hail mary dropped": "incomplete",
    "onside kept": "recovered",
    "onside lost": "failed",
    "onside run back": "run back",
    "extra point good": "good",
    "extra point missed": "no good",
    "extra point blocked": "blocked",
    "extra point faked": "fake, 2 points",
    "two points good": "good",
    "two points failed": "no good",
    "two points fumbled": "fumble",
    "try carried in": "carried in",
}
