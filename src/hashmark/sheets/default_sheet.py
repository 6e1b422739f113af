"""Default sheet for a game without one of its own: scoreboard, figures, play-by-play."""

from __future__ import annotations

from typing import Any

from hashmark.engine.game import Game
from hashmark.engine.record import IntField
from hashmark.engine.rule_set import RuleSet
from hashmark.sheets import shared_blocks
from hashmark.sheets.document import (
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
from hashmark.text.phrases import capitalize

HALVES = ("1st half", "2nd half")
QUARTERS = ("1st quarter", "2nd quarter", "3rd quarter", "4th quarter")


def filled_sheet(game: Game) -> Document:
    """Return the sheet of a game so far."""
    rules, words = game.rules, game.rules.words
    now = capitalize(words.clock(game.match, game.position))
    return Document(
        rules.title,
        [
            Page(now, [*_status(game), *_figures(game)]),
            Page("Play-by-play", [shared_blocks.play_by_play(game)]),
        ],
    )


def _status(game: Game) -> list[Block]:
    """Return the scoreboard and the situation."""
    words = game.rules.words
    situation = capitalize(words.situation(game.match, game.position, game.names)) + "."
    options = ", ".join(f"{name}: {value}" for name, value in game.options.items())
    note_lines = [situation, *([f"Options: {options}."] if options else [])]
    return [_scoreboard(game), Note("\n".join(note_lines))]


def _figures(game: Game) -> list[Block]:
    field, chart = shared_blocks.current_field(game), shared_blocks.drive_chart(game)
    blocks: list[Block] = [] if field is None else [field]
    if chart is not None:
        blocks += [Heading("Drives"), chart]
        home, away = game.names
        blocks.append(
            Note(f"Solid arrows: {home}, driving right. Dashed arrows: {away}.", small=True)
        )
    scores = shared_blocks.scoring_table(game)
    blocks += [] if scores is None else [scores]
    return [*blocks, Heading("Team statistics"), shared_blocks.box_score(game.rules, game)]


def _scoreboard(game: Game) -> Table:
    """Return the points by period, with room for the periods to come."""
    return shared_blocks.period_scoreboard(game, _periods(game.rules), game.rules.words.period_name)


def _periods(rules: RuleSet) -> tuple[str, ...]:
    """Return the names of the periods that every game has."""
    field: Any = rules.position.fields.get("period")
    if not isinstance(field, IntField):
        return ()
    return HALVES if field.high == len(HALVES) else QUARTERS


def blank_sheet(rules: RuleSet) -> Document:
    """Return sheets to print: one to write on for each period, and the tables to play by."""
    periods = _periods(rules) or ("Score sheet",)
    return Document(
        rules.title,
        [
            *(Page(name, [*_blank_head(rules), _blank_rows()]) for name in periods),
            Page("Tables", [*_tables(rules), shared_blocks.call_table(rules)]),
        ],
    )


def _blank_head(rules: RuleSet) -> list[Block]:
    return [
        Entries([Entry("Home"), Entry("Away"), Entry("Date", width=0.6)]),
        shared_blocks.scoreboard(_periods(rules)),
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
    """Return the printed tables, two side by side."""
    tables = shared_blocks.rule_tables(rules)
    pairs = [tables[start : start + 2] for start in range(0, len(tables), 2)]
    return [Columns([[table] for table in pair]) for pair in pairs]
