"""What a game looks like in text: scoreboard, play-by-play, box score and drives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hashmark.table import summary
from hashmark.table.game import Game, Turn
from hashmark.table.record import TEAMS
from hashmark.table.rules import NO_CALL
from hashmark.table.speech import capital, yard_line
from hashmark.terminal import field

Echo = Callable[[str], Any]


def scoreboard(game: Game) -> str:
    """Scores and clock in a line."""
    g = game.position
    scores = "   ".join(f"{team.upper()} {g.score[at]}" for at, team in enumerate(TEAMS))
    return f" {scores}      {game.rules.words.clock(game.match, g)}"


def standing(game: Game) -> list[str]:
    """Scoreboard, field and situation."""
    g, words = game.position, game.rules.words
    lines = [scoreboard(game)]
    if g.possession >= 0:
        lines += field.draw(g.possession, g.spot, words.to_gain(game.match, g))
    return [*lines, f" {capital(words.situation(game.match, g))}."]


def call_line(game: Game, turn: Turn) -> str | None:
    """Who called what, with the dice that followed."""
    rolled = ", ".join(
        f"{TEAMS[team]} {' '.join(map(str, turn.faces_of(team)))}"
        for team in range(2)
        if turn.faces_of(team)
    )
    dice = f"  [{rolled}]" if rolled else ""
    if turn.call == NO_CALL:
        return f"dice{dice}" if rolled else None
    return f"{TEAMS[turn.team]} calls {game.rules.calls[turn.call]}{dice}"


def print_turn(game: Game, turn: Turn, echo: Echo) -> None:
    """One turn: the call, and what came of it in words."""
    line = call_line(game, turn)
    if line:
        echo(f"- {line}")
    for sentence in game.sentences(turn):
        echo(f"  {sentence}")


def print_history(game: Game, echo: Echo) -> None:
    """The whole play-by-play."""
    for turn in game.turns:
        print_turn(game, turn, echo)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """A small table in plain text; the first columns are set flush left."""
    lines = [headings, *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(headings))]

    def set_line(line: Sequence[str]) -> str:
        cells = (
            cell.ljust(width) if k < left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        return "  ".join(cells).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return [set_line(headings), rule, *(set_line(row) for row in rows)]


def drive_rows(game: Game) -> list[list[str]]:
    """The drive list."""
    rows = []
    for drive in summary.drives(game):
        home, away = drive.score
        rows.append(
            [
                TEAMS[drive.team],
                yard_line(drive.team, drive.spot),
                drive.result,
                str(drive.period),
                str(drive.clock),
                str(drive.yards),
                str(drive.time),
                f"{home}-{away}",
            ]
        )
    return rows


def print_summary(game: Game, echo: Echo) -> None:
    """The final score, the box score by team and the drive list."""
    echo("")
    for line in standing(game):
        echo(line)
    echo("")
    for line in table(("", *TEAMS), summary.box_rows(game.rules, game.statistics())):
        echo(line)
    rows = drive_rows(game)
    if rows:
        echo("")
        headings = ("drive", "from", "result", "period", "clock", "yards", "time", "score")
        for line in table(headings, rows, left=3):
            echo(line)
