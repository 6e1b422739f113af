"""Rows of the score sheet, derived from a game's turns (R53, R62 to R64, G42)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game, Turn
from hashmark.engine.record import AWAY, HOME, TEAMS
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage import tables as t
from hashmark.games.roll_for_yardage.flow import period_plays
from hashmark.games.roll_for_yardage.pools import SNAKE_EYES
from hashmark.text.phrases import down_and_distance

# R64: the letter of each call that begins a play.
PLAY_TYPES = {
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
YARDS_INDEX = p.STATISTICS.names.index("yards")


@dataclass
class SheetRow:
    """One play on the sheet; its cells fill up as the play goes on."""

    period: int
    clock: int
    play: int
    team: int
    call: int
    spot: int
    down: int = 0  # 0 if the play is not from scrimmage
    to_go: int = 0
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
        return PLAY_TYPES[self.call]

    @property
    def down_text(self) -> str:
        """Down and distance, empty on kickoffs and tries: "2nd & 7", "1st & goal"."""
        return down_and_distance(self.down, self.to_go, self.spot) if self.down else ""

    def cells(self) -> dict[str, Any]:
        """Return the row by the names of its columns, the down as on paper: "2 & 7"."""
        distance = "Goal" if self.spot + self.to_go >= 100 else self.to_go
        return {
            "play": self.play,
            "team": TEAMS[self.team],
            "type": self.type,
            "down": f"{self.down} & {distance}" if self.down else "",
            "spot": self.spot,
            "kick": self.kick,
            "rolls": self.rolls,
            "yards": self.yards,
            "fumble": self.fumble,
            "penalty": self.penalty,
            "result": ", ".join(self.results),
        }


def row_dicts(game: Game) -> list[dict[str, Any]]:
    """Return every row of a game's sheets in order, as dictionaries."""
    return [row.cells() for row in build_rows(game)]


def build_rows(game: Game) -> list[SheetRow]:
    """Return the plays of a game; a return or a penalty decision belongs to the row before."""
    sheet_rows: list[SheetRow] = []
    positions_after = [*(turn.before for turn in game.turns[1:]), game.position]
    for turn, position_after in zip(game.turns, positions_after, strict=False):
        if turn.call in PLAY_TYPES:
            sheet_rows.append(_start_row(game, turn, sheet_rows[-1] if sheet_rows else None))
        if sheet_rows:
            _write_events(sheet_rows[-1], turn, short_names(game.names))
            sheet_rows[-1].score = (position_after.score[HOME], position_after.score[AWAY])
    return sheet_rows


def _start_row(game: Game, turn: Turn, last: SheetRow | None) -> SheetRow:
    """Start a row with the cells that are known before the dice."""
    g = turn.before
    play = period_plays(game.match, g.period) - g.clock + 1
    if last is not None and last.period == g.period:
        play = max(play, last.play + 1)
    spot = TRY_SPOTS.get(turn.call, g.spot)
    row = SheetRow(g.period, g.clock, play, g.possession, turn.call, spot)
    if g.phase == p.SCRIMMAGE:
        row.down, row.to_go = g.down, g.to_go
    return row


def _write_events(row: SheetRow, turn: Turn, names: TeamNames) -> None:
    """Add the events of a turn to the row."""
    for event in turn.events:
        writer = EVENT_WRITERS.get(event.kind.name)
        if writer is not None:
            writer(row, event, names)
        result = EVENT_RESULTS.get(event.kind.name)
        if result is not None:
            row.results.append(result)
        if event.team == row.team:
            amounts = event.amounts()
            row.net += sum(amount for statistic, amount in amounts if statistic == YARDS_INDEX)
        if event.kind is p.ROLLS and row.type == "S":
            row.yards = signed(rolled_yards(event, 100 - row.spot))
        elif event.kind is p.ROLLS and turn.call == p.RETURN_KICK:
            row.kick += f"/{signed(rolled_yards(event, 100 - turn.before.spot))}"


def signed(yards: int) -> str:
    """Return "+9", "-4" or "0"."""
    return f"{yards:+d}" if yards else "0"


def rolled_yards(event: GameEvent, to_goal: int) -> int:
    """R8, G42: return the yards of a yardage roll; a gain counts up to the goal line."""
    if event.total == SNAKE_EYES:
        return 0
    if event.opponent_total == SNAKE_EYES:
        return to_goal
    return max(min(event.total - event.opponent_total, to_goal), -t.MAX_LOSS_YARDS)


def _write_rolls(row: SheetRow, event: GameEvent, names: TeamNames) -> None:
    bonus = t.KICK_BONUS[100 - row.spot] if row.call in KICKS_WITH_BONUS else 0
    if SNAKE_EYES in (event.total, event.opponent_total):
        row.rolls = f"{_snake_eyes_or(event.total)}/{_snake_eyes_or(event.opponent_total)}"
    else:
        row.rolls = f"{event.total + bonus}/{event.opponent_total}"


def _snake_eyes_or(total: int) -> str:
    return "1-1" if total == SNAKE_EYES else str(total)


def _write_kick(row: SheetRow, event: GameEvent, names: TeamNames) -> None:
    row.kick = str(event.distance)


def _write_shank(row: SheetRow, event: GameEvent, names: TeamNames) -> None:
    row.kick = "SH"


def _write_touchback(row: SheetRow, event: GameEvent, names: TeamNames) -> None:
    row.kick += "/TB"


def _write_fair_catch(row: SheetRow, event: GameEvent, names: TeamNames) -> None:
    row.kick += "/FC"


def _write_recovery(row: SheetRow, event: GameEvent, names: TeamNames) -> None:
    row.fumble = f"{names[event.team]} {signed(event.gain)}"


def _write_penalty(row: SheetRow, event: GameEvent, names: TeamNames) -> None:
    row.penalty = f"{names[event.team]} {event.yards}"


def _write_hail_mary(row: SheetRow, event: GameEvent, names: TeamNames) -> None:
    row.yards = signed(event.gain if event.kind is p.HAIL_MARY_CAUGHT else 0)


EVENT_WRITERS: dict[str, Callable[[SheetRow, GameEvent, TeamNames], None]] = {
    "rolls": _write_rolls,
    "kicks off": _write_kick,
    "punts": _write_kick,
    "safety kicks": _write_kick,
    "shanks": _write_shank,
    "touchback": _write_touchback,
    "catches": _write_fair_catch,
    "keeps": _write_recovery,
    "recovers": _write_recovery,
    "flag": _write_penalty,
    "hail mary caught": _write_hail_mary,
    "hail mary dropped": _write_hail_mary,
}

EVENT_RESULTS = {
    "touchdown": "touchdown",
    "safety": "safety",
    "first down": "1st down",
    "loses ball": "turnover",
    "over on downs": "turnover on downs",
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
    "onside run back": "returned",
    "extra point good": "good",
    "extra point missed": "no good",
    "extra point blocked": "blocked",
    "extra point faked": "fake, two points",
    "two points good": "good",
    "two points failed": "no good",
    "two points fumbled": "fumble",
    "try carried in": "run in",
}
