"""Plays against formations: what the charts of both teams give in this situation.

Thirty rows against five are 150 pairs, so the figures are exact, in plain Python. The charts are
public; the calls of this play are not used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hashmark.engine.drawings import CellColor, Chart, ChartCell, ChartRow, Drawing, TextPart
from hashmark.engine.game import Game
from hashmark.engine.presentation import TextTable
from hashmark.engine.team_names import short_names
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.pairing_rows import ChartOdds, PlayOdds
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.roll_words import in_words
from hashmark.games.data_driven.tables import DEDUCTED_PLAYS, DEDUCTION_FROM, FORMATIONS, PLAYS
from hashmark.number_text import percent, whole_percent

QUESTIONS = (p.ASK_PLAY, p.ASK_FORMATION, p.ASK_OFFENSE_AUDIBLE, p.ASK_DEFENSE_AUDIBLE)
GOAL = 100
NOTE = (
    "Exact, from the charts of both teams, for a snap without flags. Incompletions and turnovers "
    "count as no yards. Green is good for the offense, red for the defense, compared with the "
    "play’s other formations."
)
SHORT_FIELD_NOTE = " The short-field charts are not included."


class SnapFigures(NamedTuple):
    """Figures of a play against a formation, without flags."""

    yards: float
    first_down: float  # or the goal line, if that is the line to gain
    turnover: float


class ShownFigure(NamedTuple):
    """One matrix: a figure, its text, and how much more than the mean is good for the offense."""

    title: str
    value: Callable[[SnapFigures], float]
    text: Callable[[float], str]
    notable: float


def call_charts(game: Game) -> Drawing | None:
    """Return a matrix for each figure of a play from scrimmage; None where none is called."""
    m, g = game.match, game.position
    if g.asks not in QUESTIONS:
        return None
    offense = short_names(game.names)[g.possession]
    matrix = snap_matrix(m, g)
    line = "touchdown" if g.spot + g.to_go >= GOAL else "first down"
    shown = (
        ShownFigure("mean yards", lambda one: one.yards, "{:.1f}".format, 0.6),
        ShownFigure(f"chance of a {line}", lambda one: one.first_down, whole_percent, 0.04),
        ShownFigure("chance of a turnover", lambda one: one.turnover, whole_percent, -0.01),
    )
    plays = _called_plays(game)
    headings = ["play", *map(in_words, FORMATIONS)]
    charts = [
        Chart(
            f"{offense} on offense: {figure.title}",
            headings,
            [_row(in_words(PLAYS[play]), matrix[play], figure) for play in plays],
            g.possession,
        )
        for figure in shown
    ]
    note = NOTE + (SHORT_FIELD_NOTE if m.short_field else "")
    return Drawing("Charts of the calls", [TextPart(note), *charts])


def _called_plays(game: Game) -> list[int]:
    """Return the plays with a chart that may be called: all of them for the other team."""
    everything = list(range(len(PLAYS)))
    if game.position.asks != p.ASK_PLAY:
        return everything
    legal = set(game.legal_calls())
    return [play for play in everything if game.rules.calls.index(PLAYS[play]) in legal]


def _row(name: str, figures: list[SnapFigures], shown: ShownFigure) -> ChartRow:
    values = [shown.value(one) for one in figures]
    mean = sum(values) / len(values)
    return ChartRow(
        name,
        [ChartCell(shown.text(value), _color((value - mean) / shown.notable)) for value in values],
    )


def _color(change: float) -> CellColor:
    return "green" if change >= 1 else "red" if change <= -1 else ""


def snap_tables(m: Match, g: Position, calls: list[str]) -> list[TextTable]:
    """Return exact tables of these plays against each formation, titled as in the odds panel.

    Nothing is known of calls without a chart, nor of the short field.
    """
    if m.short_field or not set(calls) <= set(PLAYS):
        return []
    matrix = snap_matrix(m, g)
    shown: dict[str, Callable[[SnapFigures], str]] = {
        "Mean yards": lambda one: f"{one.yards:+.2f}",
        "Probability of a first down": lambda one: percent(one.first_down, 1),
        "Probability of a turnover": lambda one: percent(one.turnover, 1),
    }
    return [
        (
            title,
            ["call", *FORMATIONS],
            [[call, *map(text, matrix[PLAYS.index(call)])] for call in calls],
        )
        for title, text in shown.items()
        if "first down" not in title or g.spot + g.to_go < GOAL
    ]


# --- Figures ------------------------------------------------------------------------------


def snap_matrix(m: Match, g: Position) -> list[list[SnapFigures]]:
    """Return the figures of each play of the offense against each formation, here."""
    odds = ChartOdds(m)
    plays = PlayOdds(odds, g.possession)
    loses_fumble = 1 - odds.keeps_fumble(g.possession)
    near = bool(m.goal_line_deduction) and g.spot >= DEDUCTION_FROM
    return [
        [
            _snap_figures(plays, g, play, formation, near and play in DEDUCTED_PLAYS, loses_fumble)
            for formation in range(len(FORMATIONS))
        ]
        for play in range(len(PLAYS))
    ]


def _snap_figures(
    plays: PlayOdds, g: Position, play: int, formation: int, shorter: int, loses_fumble: float
) -> SnapFigures:
    total = yards = first_down = turnover = 0.0
    for cell, weight in plays.results(play, formation, int(shorter)):
        total += weight
        kind = c.kind_of(cell)
        if kind == c.TD:
            yards += weight * (GOAL - g.spot)
            first_down += weight
        elif kind == c.INT:
            turnover += weight
        elif kind == c.FUMBLE:
            turnover += weight * loses_fumble
        elif c.is_number(cell):
            for gain, share in plays.with_crowd(c.number_of(cell)):
                yards += weight * share * max(min(gain, GOAL - g.spot), -g.spot)
                first_down += weight * share * (gain >= g.to_go)
    return SnapFigures(yards / total, first_down / total, turnover / total)
