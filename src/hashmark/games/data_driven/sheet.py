"""Score sheet of a game of Data-Driven Football: a page of figures, then a line for each play."""

from __future__ import annotations

from dataclasses import dataclass, field

from hashmark.engine.game import Game, Turn
from hashmark.engine.rolls import Roll
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.roll_words import cell_text, column_name, column_of, in_words
from hashmark.games.data_driven.rules import is_play_over
from hashmark.games.data_driven.score_pad import blank_score_pad
from hashmark.games.data_driven.tables import PLAYS
from hashmark.games.data_driven.words import clock, period_name, plays_called, sheet_text
from hashmark.sheets import shared_blocks
from hashmark.sheets.document import (
    NO_BREAK_SPACE,
    Block,
    Cell,
    Column,
    Columns,
    Document,
    Page,
    Table,
    without_breaks,
)
from hashmark.text.phrases import capitalize, clock_text
from hashmark.text.summary import Drive, list_drives, positions_after

TITLE = "Data-Driven Football"
PERIODS = ("Q1", "Q2", "Q3", "Q4")
PHASE_TEXTS = {p.KICKOFF: "kickoff", p.SAFETY_KICK: "free kick", p.TRY: "try", p.COIN_TOSS: "toss"}


def build_sheet(game: Game | None) -> Document:
    """Return the sheet of a game as far as it has gone, or the score pad to print."""
    if game is None:
        return blank_score_pad()
    now = capitalize(game.rules.words.situation(game.match, game.position, game.names))
    return Document(TITLE, [Page(now, _figures(game)), Page("Play-by-play", [play_table(game)])])


def _figures(game: Game) -> list[Block]:
    """Return scoreboard, scores, drives and the box score."""
    tables = (shared_blocks.scoring_table(game), _drives(game))
    right: list[Block] = [block for block in tables if block is not None]
    figures = shared_blocks.box_score(game.rules, game)
    body: Block = Columns([[figures], right], (1, 1.35)) if right else figures
    return [shared_blocks.period_scoreboard(game, PERIODS, period_name), body, _left(game)]


def _left(game: Game) -> Table:
    """Return what each team has left, and the plays it has yet to call: each should be, once."""
    heads = (("", 1.6), ("Time-outs", 1), ("Hurry-ups", 1), ("Audibles", 2), ("Never called", 4.5))
    return Table(
        [Column(head, width) for head, width in heads],
        [_left_of(game, team, called) for team, called in enumerate(plays_called(game))],
        title="Remaining",
    )


def _left_of(game: Game, team: int, called: set[int]) -> list[str]:
    g = game.position
    never = [in_words(play) for number, play in enumerate(PLAYS) if number not in called]
    offense, defense = g.audibles[team]
    audibles = f"{offense} on offense, {defense} on defense" if game.match.audibles else "not used"
    left = (g.timeouts[team], g.hurry_up[team])
    return [game.names[team], *map(str, left), audibles, ", ".join(never) or "none"]


def _drives(game: Game) -> Table | None:
    """Return the drives, a line each; None before the first."""
    heads = (("Drive", 1.75), ("From", 1.5), ("Result", 2.25), ("Start", 1.7))
    figures = (("Yards", 1.1), ("Time", 1), ("Score", 1.1))
    columns = [Column(name, width) for name, width in heads]
    columns += [Column(name, width, "right") for name, width in figures]
    names = short_names(game.names)
    rows = [_drive_cells(drive, names[drive.team]) for drive in list_drives(game)]
    return Table(columns, rows, title="Drives") if rows else None


def _drive_cells(drive: Drive, team: str) -> list[str]:
    return [
        team,
        without_breaks(on_half(drive.spot)),
        drive.result,
        without_breaks(f"{period_name(drive.period)} {clock_text(drive.clock)}"),
        str(drive.yards),
        clock_text(drive.time),
        f"{drive.score[0]}–{drive.score[1]}",
    ]


# --- A line for every play ------------------------------------------------------------------


@dataclass
class PlayRow:
    """One play from its first call to the last clock decision."""

    before: Position
    score: str = ""
    offense: list[str] = field(default_factory=list)  # rolls of the team with the ball
    defense: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.offense or self.defense or self.results)


def list_plays(game: Game) -> list[PlayRow]:
    """Return every play of a game with its dice and results."""
    rows: list[PlayRow] = []
    for turn, after in zip(game.turns, positions_after(game), strict=True):
        if not rows or is_play_over(game.match, turn.before):
            rows.append(PlayRow(turn.before))
        _add_turn(game, rows[-1], turn)
        if list(after.score) != list(turn.before.score):
            rows[-1].score = f"{after.score[0]}–{after.score[1]}"
    return [play for play in rows if not play.is_empty]


def _add_turn(game: Game, play: PlayRow, turn: Turn) -> None:
    """Add a turn's dice, by side, and results to its play."""
    for roll in turn.rolls:
        side = play.offense if roll.team == play.before.possession else play.defense
        label, cell = describe_roll(game.match, roll)
        if label and side and side[-1].startswith(f"{label} "):
            side.append(cell)  # the same column again, after a flag
        elif label:
            side.append(f"{label} {cell}")
    names = short_names(game.names)
    play.results += filter(None, (sheet_text(event, names) for event in turn.events))


def describe_roll(m: Match, roll: Roll) -> tuple[str, str]:
    """Return the column that was rolled on, and row and cell; empty texts for other charts."""
    column = column_of(m, roll)
    if column is None:
        return "", ""
    kind, *rest = column.path
    label = column_name(f"offence.{rest[0]}") if kind == "defence" else column_name(column.name)
    return COLUMN_LABELS.get(kind, label), f"{roll.outcome}:{NO_BREAK_SPACE}{cell_text(roll.cell)}"


COLUMN_LABELS = {
    "qt": "trapped",
    "kick-return": "return",
    "punt-return": "return",
    "int-return": "return",
    "fumble-return": "return",
    "squib-return": "return",
    "kick-coverage": "coverage",
    "punt-coverage": "coverage",
    "pi-yards": "interference",
    "short-field": "short field",
    "fg-adjust": "adjusted",
}


def play_table(game: Game) -> Table:
    """Return the plays, a line each: time, team, spot, both sides' dice and cells, result."""
    columns = [
        Column("Clock", 1.5),
        Column("Ball", 1.7),
        Column("Down", 1.15),
        Column("At", 1.15),
        Column("Offense", 4.1),
        Column("Defense", 3.1),
        Column("Result", 5.5),
        Column("Score", 1, "center"),
    ]
    names = short_names(game.names)
    return Table(columns, [_play_cells(play, names) for play in list_plays(game)], dense=True)


def _play_cells(play: PlayRow, names: TeamNames) -> list[str | Cell]:
    g = play.before
    return [
        without_breaks(clock(Match(), g)),
        names[g.possession] if g.possession >= 0 else "",
        _down(g),
        without_breaks(on_half(g.spot)),
        ", ".join(play.offense),
        ", ".join(play.defense),
        capitalize(", ".join(play.results)),
        Cell(play.score, "strong"),
    ]


def _down(g: Position) -> str:
    if g.phase != p.SCRIMMAGE:
        return PHASE_TEXTS.get(g.phase, "")
    return without_breaks(f"{g.down} & {'goal' if g.to_go == 100 - g.spot else g.to_go}")


def on_half(spot: int) -> str:
    """Return the yard line, and whose half it is in."""
    if not spot or spot == 50:
        return str(spot or "")
    return f"own {spot}" if spot < 50 else f"opp {100 - spot}"
