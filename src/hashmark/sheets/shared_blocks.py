"""Blocks that many sheets share, made from a game or blank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hashmark.engine.game import Game, Turn
from hashmark.engine.record import TEAMS, PositionRecord
from hashmark.engine.rule_set import NO_CALL, Question, RuleSet
from hashmark.engine.team_names import short_names
from hashmark.sheets.document import Arrow, Cell, Column, Field, Mark, Table, field_yards
from hashmark.text import summary
from hashmark.text.game_report import roll_texts, score_rows
from hashmark.text.phrases import capitalize
from hashmark.text.summary import positions_after


def scoreboard(
    periods: Sequence[str],
    points: Sequence[Sequence[int]] | None = None,
    totals: Sequence[int] | None = None,
    teams: Sequence[str] = TEAMS,
) -> Table:
    """Return the points by period and the total; without points, a table to write in.

    `points` has a row for each team; periods that have not begun are left out.
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


def count_points(game: Game, period: Callable[[Any], int]) -> list[dict[int, int]]:
    """Return the points of each team in each period, counted from the events."""
    points = game.rules.statistics.names.index("points")
    scored: list[dict[int, int]] = [{}, {}]
    for turn in game.turns:
        current = period(turn.before)
        for event in turn.events:
            for statistic, amount in event.amounts():
                if statistic == points:
                    scored[event.team][current] = scored[event.team].get(current, 0) + amount
    return scored


def box_score(rules: RuleSet, game: Game | None) -> Table:
    """Return the statistics of the teams that play, or the headings to write them under."""
    teams: Sequence[str] = TEAMS if game is None else short_names(game.names)
    if rules.is_solo(game.match if game is not None else rules.new_match()):
        teams = teams[:1]
    columns = [Column("", 2.5), *(Column(team, 1, "right") for team in teams)]
    rows = [list(row[: 1 + len(teams)]) for row in summary.box_rows(rules, game)]
    return Table(columns, rows if game is not None else [row[:1] for row in rows])


def drive_chart(game: Game) -> Field | None:
    """Return every drive as an arrow, home from left to right; None if the game has no drives."""
    arrows = [
        Arrow(
            field_yards(drive.team, drive.spot),
            field_yards(drive.team, drive.spot + drive.yards),
            drive.result,
            dashed=drive.team == 1,
        )
        for drive in summary.list_drives(game)
    ]
    return _field(game, arrows=arrows) if arrows else None


def current_field(game: Game) -> Field | None:
    """Return the field with the ball and the line to gain, or None if there is no ball on it."""
    g = game.position
    possession, spot = getattr(g, "possession", -1), getattr(g, "spot", 0)
    if game.is_over or possession < 0 or not spot:
        return None
    marks = [Mark(field_yards(possession, spot), "ball")]
    to_gain = game.rules.words.line_to_gain(game.match, g)
    if to_gain is not None:
        marks.append(Mark(field_yards(possession, to_gain), "line to gain", "gain"))
    return _field(game, marks=marks)


def _field(game: Game, marks: Sequence[Mark] = (), arrows: Sequence[Arrow] = ()) -> Field:
    """Return the field with the names of the teams in its end zones."""
    home, away = (name.upper() for name in short_names(game.names))
    return Field(home, away, marks=marks, arrows=arrows)


def period_scoreboard(
    game: Game, usual: Sequence[str], name: Callable[[int], str] | None = None
) -> Table:
    """Return the points by period; points of a set-up start have a column of their own."""
    last = int(getattr(game.position, "period", 0))
    scored = count_points(game, lambda g: int(getattr(g, "period", 0)))
    numbers = range(1, last + 1)
    rows = [[team.get(number, 0) for number in numbers] for team in scored]
    event_totals = [sum(team.values()) for team in scored]
    totals = list(getattr(game.position, "score", event_totals))
    before = [total - counted for total, counted in zip(totals, event_totals, strict=True)]
    extra_periods = [(name or str)(number) for number in numbers[len(usual) :]]
    periods = (*usual, *extra_periods)
    if any(before):
        rows = [[first, *row] for first, row in zip(before, rows, strict=True)]
        periods = ("Start", *periods)
    return scoreboard(periods, rows, totals, game.names)


def scoring_table(game: Game) -> Table | None:
    """Return the scoring summary, or None before the first score."""
    columns = [
        Column("Team", 1.75),
        Column("Period", 1.15),
        Column("Clock", 1.1, "right"),
        Column("Score", 1.1, "center"),
        Column("How", 4.9),
    ]
    names = short_names(game.names)
    rows = [
        [names[scored.team], period, clock, score.replace("-", "–"), how]
        for scored, (_, period, clock, score, how) in zip(
            summary.list_scores(game), score_rows(game), strict=True
        )
    ]
    return Table(columns, rows, title="Scoring summary") if rows else None


# --- The play-by-play ----------------------------------------------------------------------


def play_by_play(game: Game) -> Table:
    """Return a row for each turn with dice or events, with its time and situation."""
    columns = [
        Column("When", 2.2),
        Column("Situation", 3.4),
        Column("Call", 2.2),
        Column("Dice", 3.6),
        Column("What happened", 6.2),
        Column("Score", 1.2, "center"),
    ]
    names = short_names(game.names)
    rows: list[list[str | Cell]] = []
    calls: list[str] = []
    for turn, after in zip(game.turns, positions_after(game), strict=True):
        if turn.call != NO_CALL:
            calls.append(f"{names[turn.team]}: {game.rules.calls[turn.call]}")
        sentences = " ".join(game.sentences(turn))
        if not sentences and not turn.faces:
            continue
        rows.append(
            [
                *_time_and_situation(game, turn),
                "\n".join(calls),
                describe_dice(game, turn),
                sentences,
            ]
        )
        score = _score(after)
        rows[-1].append(Cell(score, "strong" if score != _score(turn.before) else "plain"))
        calls = []
    return Table(columns, rows, dense=True)


def _time_and_situation(game: Game, turn: Turn) -> tuple[str, str]:
    """Return the time of a turn and its situation."""
    words, m, g = game.rules.words, game.match, turn.before
    return capitalize(words.when(m, g)), capitalize(words.situation(m, g, game.names))


def describe_dice(game: Game, turn: Turn) -> str:
    """Describe the dice of a turn with their purposes."""
    return "; ".join(roll_texts(game, turn))


def _score(position: PositionRecord) -> str:
    score = getattr(position, "score", None)
    return "" if score is None else f"{score[0]}–{score[1]}"


# --- For play with real dice -----------------------------------------------------------------


def rule_tables(rules: RuleSet) -> list[Table]:
    """Return the printed tables of the game."""
    return [
        Table(
            [
                Column(heading, 1, "left" if index == 0 else "center")
                for index, heading in enumerate(heads)
            ],
            rows,
            title=title,
        )
        for title, heads, rows in rules.words.list_tables()
    ]


def call_table(rules: RuleSet) -> Table:
    """Return the calls, question by question, with their meanings.

    A call that no question lists (a freely chosen number) is left out; a call that means the same
    for several questions is listed once.
    """
    rows: list[list[str | Cell]] = []
    seen: set[tuple[str, str]] = set()
    for question in rules.questions:
        new_entries = [entry for entry in _meanings(rules, question) if entry not in seen]
        if new_entries:
            rows.append([Cell(question.text, "shaded"), Cell("", "shaded")])
        rows += [list(entry) for entry in new_entries]
        seen.update(new_entries)
    return Table([Column("Call", 1), Column("Meaning", 2.5)], rows, title="Calls")


def _meanings(rules: RuleSet, question: Question) -> list[tuple[str, str]]:
    """Return the calls of a question with their meanings."""
    names = [rules.calls[call] for call in question.calls]
    return [(name, rules.words.meaning_for_question(question.name, name)) for name in names]
