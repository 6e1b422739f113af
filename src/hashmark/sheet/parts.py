"""Blocks that many sheets share, made from a game or blank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hashmark.sheet.document import Arrow, Cell, Column, Field, Mark, Table, along
from hashmark.table.game import Game, Turn
from hashmark.table.names import NAMES
from hashmark.table.rules import NO_CALL, RuleSet
from hashmark.telling import summary
from hashmark.telling.summary import positions_after


def scoreboard(
    periods: Sequence[str],
    points: Sequence[Sequence[int]] | None = None,
    totals: Sequence[int] | None = None,
    teams: Sequence[str] = NAMES,
) -> Table:
    """Points by period and the total; without points, to be written in.

    `points` holds a row for each team; a period that has not begun is left out of it.
    """
    columns = [
        Column("", 2.2),
        *(Column(name, 1, "center") for name in periods),
        Column("Total", 1.2, "center"),
    ]
    if points is None or totals is None:
        return Table(columns, [[team] for team in teams])
    rows: list[list[str | Cell]] = []
    for team, row, total in zip(teams, points, totals, strict=True):
        played = [str(number) for number in row]
        blank = [""] * (len(periods) - len(played))
        rows.append([team, *played, *blank, Cell(str(total), "strong")])
    return Table(columns, rows)


def points_by(game: Game, period: Callable[[Any], int]) -> list[dict[int, int]]:
    """What each team has scored in each period, counted from what was told."""
    points = game.rules.statistics.names.index("points")
    scored: list[dict[int, int]] = [{}, {}]
    for turn in game.turns:
        now = period(turn.before)
        for told in turn.events:
            for statistic, amount in told.event.amounts(told.a, told.b, told.c):
                if statistic == points:
                    scored[told.team][now] = scored[told.team].get(now, 0) + amount
    return scored


def box_score(rules: RuleSet, game: Game | None, teams: Sequence[str] = NAMES) -> Table:
    """The figures of both teams, or the headings to write them under."""
    columns = [Column("", 3), *(Column(team, 1, "right") for team in teams)]
    counts = game.statistics() if game is not None else rules.statistics.zero()
    rows = [list(row) for row in summary.box_rows(rules, counts)]
    return Table(columns, rows if game is not None else [row[:1] for row in rows])


def drive_chart(game: Game, teams: Sequence[str] = NAMES) -> Field | None:
    """Every drive as an arrow, home from left to right; None if the game knows no drives."""
    arrows = [
        Arrow(
            along(drive.team, drive.spot),
            along(drive.team, drive.spot + drive.yards),
            drive.result,
            dashed=drive.team == 1,
        )
        for drive in summary.drives(game)
    ]
    return Field(teams[0].upper(), teams[1].upper(), arrows=arrows) if arrows else None


def field_now(game: Game, teams: Sequence[str] = NAMES) -> Field | None:
    """The field with the ball and the line to gain, while the game goes on."""
    g = game.position
    possession, spot = getattr(g, "possession", -1), getattr(g, "spot", 0)
    if game.is_over or possession < 0 or not spot:
        return None
    marks = [Mark(along(possession, spot), "ball")]
    to_gain = game.rules.words.to_gain(game.match, g)
    if to_gain is not None:
        marks.append(Mark(along(possession, to_gain), "to gain", "gain"))
    return Field(teams[0].upper(), teams[1].upper(), marks=marks)


# --- The play-by-play ----------------------------------------------------------------------


def play_by_play(game: Game) -> Table:
    """A row for each turn in which something happened; calls without a word of their own wait."""
    columns = [
        Column("#", 0.9, "right"),
        Column("Clock", 3),
        Column("Call", 2.6),
        Column("Dice", 1.6),
        Column("What happened", 9),
        Column("Score", 1.3, "center"),
    ]
    rows: list[list[str | Cell]] = []
    calls: list[str] = []
    for turn, after in zip(game.turns, positions_after(game), strict=True):
        if turn.call != NO_CALL:
            calls.append(f"{NAMES[turn.team]}: {game.rules.calls[turn.call]}")
        said = " ".join(text for text in game.sentences(turn) if text)
        if not said and not turn.faces:
            continue
        score = _score(after)
        scored = score != _score(turn.before)
        rows.append(
            [
                str(len(rows) + 1),
                game.rules.words.clock(game.match, turn.before),
                "\n".join(calls),
                dice(turn),
                said,
                Cell(score, "strong" if scored else "plain"),
            ]
        )
        calls = []
    return Table(columns, rows)


def dice(turn: Turn) -> str:
    """The faces of a turn; the teams are named if both rolled."""
    both = turn.faces_of(0) and turn.faces_of(1)
    rolled = [
        (f"{NAMES[team]}\u00a0" if both else "") + " ".join(map(str, turn.faces_of(team)))
        for team in range(2)
        if turn.faces_of(team)
    ]
    return ", ".join(rolled)


def _score(position: Any) -> str:
    score = getattr(position, "score", None)
    return "" if score is None else f"{score[0]}–{score[1]}"


# --- For play with real dice -----------------------------------------------------------------


def rule_tables(rules: RuleSet) -> list[Table]:
    """The printed tables of the game."""
    return [
        Table(
            [
                Column(heading, 1, "left" if at == 0 else "center")
                for at, heading in enumerate(heads)
            ],
            rows,
            title=title,
        )
        for title, heads, rows in rules.words.tables()
    ]


def call_table(rules: RuleSet) -> Table:
    """What may be called, and what it means."""
    rows = [[name, rules.words.calls.get(name, "")] for name in rules.calls]
    return Table([Column("Call", 1), Column("Meaning", 2.5)], rows, title="Calls")
