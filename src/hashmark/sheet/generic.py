"""The sheet of a game that brings none of its own: scoreboard, figures, play-by-play."""

from __future__ import annotations

from typing import Any

from hashmark.sheet import parts
from hashmark.sheet.document import (
    Block,
    Column,
    Columns,
    Document,
    Entries,
    Entry,
    Field,
    Heading,
    Note,
    Page,
    Table,
)
from hashmark.table.game import Game
from hashmark.table.names import NAMES
from hashmark.table.record import Whole
from hashmark.table.rules import RuleSet
from hashmark.telling.speech import capital

HALVES = ("1st half", "2nd half")
QUARTERS = ("1st quarter", "2nd quarter", "3rd quarter", "4th quarter")


def filled(game: Game) -> Document:
    """What has happened so far, written in."""
    rules, words = game.rules, game.rules.words
    now = capital(words.clock(game.match, game.position))
    return Document(
        rules.title,
        [
            Page(now, [*_standing(game), *_figures(game)]),
            Page("Play-by-play", [parts.play_by_play(game)]),
        ],
    )


def _standing(game: Game) -> list[Block]:
    """The scoreboard and what stands before the coaches."""
    situation = capital(game.rules.words.situation(game.match, game.position)) + "."
    options = ", ".join(f"{name}: {value}" for name, value in game.options.items())
    said = [situation, *([f"Options in force: {options}."] if options else [])]
    return [_scoreboard(game), Note("\n".join(said))]


def _figures(game: Game) -> list[Block]:
    field, chart = parts.field_now(game), parts.drive_chart(game)
    blocks: list[Block] = [] if field is None else [field]
    if chart is not None:
        blocks += [Heading("Drives"), chart]
        blocks.append(Note(f"Solid: {NAMES[0]}, to the right. Dashed: {NAMES[1]}.", small=True))
    scores = parts.scoring(game)
    blocks += [] if scores is None else [scores]
    return [*blocks, Heading("Figures"), parts.box_score(game.rules, game)]


def _scoreboard(game: Game) -> Table:
    """Points by period, and a place for those to come."""
    return parts.points_by_period(game, _periods(game.rules), game.rules.words.period)


def _periods(rules: RuleSet) -> tuple[str, ...]:
    """The names of the periods that every game has."""
    kind: Any = rules.position.fields.get("period")
    if not isinstance(kind, Whole):
        return ()
    return HALVES if kind.high == len(HALVES) else QUARTERS


def blank(rules: RuleSet) -> Document:
    """Sheets to print: one for each period to write on, and the tables to play by."""
    periods = _periods(rules) or ("Score sheet",)
    return Document(
        rules.title,
        [
            *(Page(name, [*_blank_head(rules), _blank_rows()]) for name in periods),
            Page("Tables", [*_tables(rules), parts.call_table(rules)]),
        ],
    )


def _blank_head(rules: RuleSet) -> list[Block]:
    return [
        Entries([Entry("Home"), Entry("Away"), Entry("Date", width=0.6)]),
        parts.scoreboard(_periods(rules)),
        Field(ticks=1),
    ]


def _blank_rows() -> Table:
    columns = [
        Column("#", 0.6, "right"),
        Column("Clock", 1.2, "center"),
        Column("Team", 1.2, "center"),
        Column("Spot", 1.2, "center"),
        Column("Call", 2.4),
        Column("Dice", 1.4, "center"),
        Column("What happened", 5.5),
        Column("Score", 1.4, "center"),
    ]
    return Table(columns, [[str(number)] for number in range(1, 31)])


def _tables(rules: RuleSet) -> list[Block]:
    """The printed tables, two side by side."""
    tables = parts.rule_tables(rules)
    pairs = [tables[at : at + 2] for at in range(0, len(tables), 2)]
    return [Columns([[table] for table in pair]) for pair in pairs]
