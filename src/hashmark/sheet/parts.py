"""Blocks that many sheets share, made from a game or blank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hashmark.sheet.document import Arrow, Cell, Column, Field, Mark, Table, along
from hashmark.table.game import Game, Turn
from hashmark.table.names import NAMES, SHORT_NAMES
from hashmark.table.rules import NO_CALL, Question, RuleSet
from hashmark.telling import summary
from hashmark.telling.report import dice_words, score_rows
from hashmark.telling.speech import capital
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


def box_score(rules: RuleSet, game: Game | None, teams: Sequence[str] = SHORT_NAMES) -> Table:
    """The figures of all who play, or the headings to write them under."""
    if rules.alone(game.match if game is not None else rules.new_match()):
        teams = teams[:1]
    columns = [Column("", 2.5), *(Column(team, 1, "right") for team in teams)]
    rows = [list(row[: 1 + len(teams)]) for row in summary.box_rows(rules, game)]
    return Table(columns, rows if game is not None else [row[:1] for row in rows])


def drive_chart(game: Game, teams: Sequence[str] = SHORT_NAMES) -> Field | None:
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


def field_now(game: Game, teams: Sequence[str] = SHORT_NAMES) -> Field | None:
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


def points_by_period(
    game: Game, usual: Sequence[str], name: Callable[[int], str] | None = None
) -> Table:
    """Points by period; what stood on the board at a set-up start has a column of its own."""
    last = int(getattr(game.position, "period", 0))
    scored = points_by(game, lambda g: int(getattr(g, "period", 0)))
    numbers = range(1, last + 1)
    rows = [[team.get(number, 0) for number in numbers] for team in scored]
    told = [sum(team.values()) for team in scored]
    totals = list(getattr(game.position, "score", told))
    before = [total - counted for total, counted in zip(totals, told, strict=True)]
    more = [(name or str)(number) for number in numbers[len(usual) :]]
    periods = (*usual, *more)
    if any(before):
        rows = [[first, *row] for first, row in zip(before, rows, strict=True)]
        periods = ("Start", *periods)
    return scoreboard(periods, rows, totals)


def scoring(game: Game) -> Table | None:
    """The scoring summary; None as long as nobody has scored."""
    columns = [
        Column("Scored", 1.75),
        Column("Period", 1.15),
        Column("Clock", 1.1, "right"),
        Column("Score", 1.1, "center"),
        Column("How", 4.9),
    ]
    rows = [
        [SHORT_NAMES[scored.team], period, clock, score.replace("-", "–"), how]
        for scored, (_, period, clock, score, how) in zip(
            summary.scores(game), score_rows(game), strict=True
        )
    ]
    return Table(columns, rows, title="Scoring") if rows else None


# --- The play-by-play ----------------------------------------------------------------------


def play_by_play(game: Game) -> Table:
    """A row for each turn in which something happened, with when and where it did."""
    columns = [
        Column("When", 2.2),
        Column("Situation", 3.4),
        Column("Call", 2.2),
        Column("Dice", 3.6),
        Column("What happened", 6.2),
        Column("Score", 1.2, "center"),
    ]
    rows: list[list[str | Cell]] = []
    calls: list[str] = []
    for turn, after in zip(game.turns, positions_after(game), strict=True):
        if turn.call != NO_CALL:
            calls.append(f"{SHORT_NAMES[turn.team]}: {game.rules.calls[turn.call]}")
        said = " ".join(game.sentences(turn))
        if not said and not turn.faces:
            continue
        rows.append([*_standing(game, turn), "\n".join(calls), dice(game, turn), said])
        score = _score(after)
        rows[-1].append(Cell(score, "strong" if score != _score(turn.before) else "plain"))
        calls = []
    return Table(columns, rows, dense=True)


def _standing(game: Game, turn: Turn) -> tuple[str, str]:
    """When a turn was played, and what stood before the coach."""
    words, m, g = game.rules.words, game.match, turn.before
    return capital(words.when(m, g)), capital(words.situation(m, g))


def dice(game: Game, turn: Turn) -> str:
    """The dice of a turn with what they were for."""
    return "; ".join(dice_words(game, turn))


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
    """What may be called, question by question, and what it means.

    A call that no question lists, a number that is a matter of taste, is not in it; one that
    means the same in answer to several questions is in it once.
    """
    rows: list[list[str | Cell]] = []
    seen: set[tuple[str, str]] = set()
    for question in rules.questions:
        new = [one for one in _meanings(rules, question) if one not in seen]
        if new:
            rows.append([Cell(question.text, "shaded"), Cell("", "shaded")])
        rows += [list(one) for one in new]
        seen.update(new)
    return Table([Column("Call", 1), Column("Meaning", 2.5)], rows, title="Calls")


def _meanings(rules: RuleSet, question: Question) -> list[tuple[str, str]]:
    """The calls of a question, each with what it means in answer to it."""
    names = [rules.calls[call] for call in question.calls]
    return [(name, rules.words.meant(question.name, name)) for name in names]
