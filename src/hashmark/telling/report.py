"""What a game looks like in text: scoreboard, play-by-play, box score and drives."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

from hashmark.table.game import Game, Turn
from hashmark.table.names import NAMES, by_name
from hashmark.table.rules import NO_CALL
from hashmark.telling import field, summary
from hashmark.telling.columns import table
from hashmark.telling.speech import capital, yard_line

Echo = Callable[[str], Any]


@by_name
def scoreboard(game: Game) -> str:
    """Scores and clock in a line."""
    g = game.position
    scores = "   ".join(f"{team.upper()} {g.score[at]}" for at, team in enumerate(sides(game)))
    if len(sides(game)) == 1:
        scores += f" ({_against_nobody(g.score[0] - g.score[1])})"
    return f" {scores}      {game.rules.words.clock(game.match, g)}"


def sides(game: Game) -> tuple[str, ...]:
    """The names of those who play: one where nobody sits on the other side."""
    return NAMES[:1] if game.rules.alone(game.match) else NAMES[:]


def _against_nobody(lead: int) -> str:
    """How the score stands for one who plays alone."""
    return f"{lead} ahead" if lead > 0 else f"{-lead} behind" if lead else "level"


@by_name
def standing(game: Game) -> list[str]:
    """Scoreboard, field and situation."""
    g, words = game.position, game.rules.words
    lines = [scoreboard(game)]
    if g.possession >= 0:
        width = field.fitting(shutil.get_terminal_size((100, 24)).columns)
        lines += field.draw(g.possession, g.spot, words.to_gain(game.match, g), width)
    return [*lines, f" {capital(words.situation(game.match, g))}."]


@by_name
def on_the_table(game: Game) -> list[str]:
    """The dice or cards that lie there while a play is decided, if the game draws them."""
    lying = game.rules.words.lying
    return [] if lying is None else [f" {line}" for line in lying(game.match, game.position)]


@by_name
def call_line(game: Game, turn: Turn) -> str | None:
    """Who called what, with the dice that followed."""
    if turn.secret:
        return f"{NAMES[turn.team]} has called, in secret"
    rolled = ", ".join(
        f"{NAMES[team]} {' '.join(map(str, turn.faces_of(team)))}"
        for team in range(2)
        if turn.faces_of(team)
    )
    dice = f"  [{rolled}]" if rolled else ""
    if turn.call == NO_CALL:
        return f"dice{dice}" if rolled else None
    return f"{NAMES[turn.team]} calls {game.rules.calls[turn.call]}{dice}"


@by_name
def print_turn(game: Game, turn: Turn, echo: Echo) -> None:
    """One turn: the call, and what came of it in words."""
    line = call_line(game, turn)
    if line:
        echo(f"- {line}")
    for sentence in game.sentences(turn):
        echo(f"  {sentence}")


@by_name
def print_history(game: Game, echo: Echo) -> None:
    """The whole play-by-play."""
    for turn in game.turns:
        print_turn(game, turn, echo)


@by_name
def drive_rows(game: Game) -> list[list[str]]:
    """The drive list."""
    rows = []
    for drive in summary.drives(game):
        home, away = drive.score
        rows.append(
            [
                NAMES[drive.team],
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


@by_name
def print_summary(game: Game, echo: Echo) -> None:
    """The final score, the box score by team and the drive list."""
    echo("")
    for line in standing(game):
        echo(line)
    echo("")
    teams, box = sides(game), summary.box_rows(game.rules, game)
    for line in table(("", *teams), [row[: 1 + len(teams)] for row in box]):
        echo(line)
    rows = drive_rows(game)
    if rows:
        echo("")
        headings = ("drive", "from", "result", "period", "clock", "yards", "time", "score")
        for line in table(headings, rows, left=3):
            echo(line)
