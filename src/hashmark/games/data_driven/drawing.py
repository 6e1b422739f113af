"""Drawing of the last play's charts with the cells that were hit, and of the calls as cards.

A call lies face down as long as it is secret to the viewer. The drawing is made from a redacted
game: of a hidden call it contains only the back of the card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hashmark.engine.drawings import (
    Card,
    Cards,
    Chart,
    ChartCell,
    ChartRow,
    Drawing,
    DrawingPart,
    Mark,
)
from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game, Turn
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import (
    DEFENSE_ROWS,
    GROUNDS,
    LONG_SIZE,
    OFFENSE_ROWS,
    SHORT_SIZE,
    color,
    kind_of,
)
from hashmark.games.data_driven.position import Match
from hashmark.games.data_driven.roll_words import cell_text, column_name, in_words
from hashmark.games.data_driven.tables import (
    ACTIONS,
    COLUMN_OF_KIND,
    FORMATIONS,
    PLAYS,
    PRIORITY_COLUMNS,
    PRIORITY_ROWS,
)
from hashmark.games.data_driven.words import sentence

SECRET_QUESTIONS = (p.ASK_PLAY, p.ASK_FORMATION, p.ASK_OFFENSE_AUDIBLE, p.ASK_DEFENSE_AUDIBLE)
FORMATION_COLUMN_COUNT = len(FORMATIONS) * len(PLAYS)  # they come before all other short ones


class Hit(NamedTuple):
    """Roll on a column: the team, the column, and the index of the cell in it."""

    team: int
    column: int
    cell: int


def build_drawing(game: Game, viewer: int) -> Drawing:
    """Return the calls of this play, and the charts that the last one was read on."""
    turns, names = _last_play(game), short_names(game.names)
    parts: list[DrawingPart] = _cards(game, turns)
    parts += _long_charts(game.match, turns, names)
    parts += _short_field_charts(game.match, turns)
    parts += _short_charts(game.match, turns, names)
    parts += _priority(game.match, turns, names)
    return Drawing("Charts", parts)


def _last_play(game: Game) -> list[Turn]:
    """Return the turns of the most recently rolled play, as far as it has gone."""
    turns: list[Turn] = []
    for turn in reversed(game.turns):
        turns.insert(0, turn)
        begins = game.rules.begins_play(game.match, turn.before)
        if begins and any(each.rolls for each in turns):
            return turns
        if begins:
            turns = []
    return turns


def _events(turns: Sequence[Turn], *names: str) -> Iterator[GameEvent]:
    return (event for turn in turns for event in turn.events if event.name in names)


# --- Calls --------------------------------------------------------------------------------


def _cards(game: Game, turns: Sequence[Turn]) -> list[DrawingPart]:
    """Return both calls: those being made, else those of the last play from scrimmage."""
    g = game.position
    if g.phase != p.OVER and g.asks in SECRET_QUESTIONS:
        offense, defense = g.possession, 1 - g.possession
        play = in_words(p.ALL_PLAYS[g.play]) if g.play >= 0 else ""
        formation = in_words(FORMATIONS[g.formation]) if g.formation >= 0 else ""
        first = Card("play", play, offense, is_played=g.asks != p.ASK_PLAY)
        second = Card("formation", formation, defense, is_played=_formation_stands(game))
        return [Cards("Calls", [first, second])]
    calls = list(_events(turns, "calls"))
    if not calls:
        return []
    last = calls[-1]
    play, formation = in_words(PLAYS[last.play]), in_words(FORMATIONS[last.formation])
    cards = [Card("play", play, last.team), Card("formation", formation, 1 - last.team)]
    return [Cards("Calls", cards)]


def _formation_stands(game: Game) -> bool:
    """Return whether a formation has been called, which is public even if the formation is not.

    It has while an audible is asked for, and when the offense calls again by an audible of its own.
    """
    m, g = game.match, game.position
    if g.asks in (p.ASK_OFFENSE_AUDIBLE, p.ASK_DEFENSE_AUDIBLE):
        return True
    if g.asks != p.ASK_PLAY or not g.audibled or m.audibles != p.AUDIBLES_PC:
        return False
    last = list(_events(game.turns[-1:], "audibles"))
    return bool(last) and not last[-1].with_timeout


# --- Charts of the teams ------------------------------------------------------------------


def _hits(cells: list[int], size: int, width: int, turns: Sequence[Turn]) -> list[Hit]:
    """Return the rolls on one kind of column, in order."""
    hits = []
    for turn in turns:
        for roll in turn.rolls:
            if roll.cells is cells:
                team, column = divmod(roll.first_cell // size, width)
                hits.append(Hit(team, column, roll.outcome - roll.pool.lowest))
    return hits


def _cell(cell: int, hit: bool) -> ChartCell:
    mark: Mark = "hit" if hit else ""
    return ChartCell(cell_text(cell), GROUNDS[color(cell)], mark)


def _long_charts(m: Match, turns: Sequence[Turn], names: TeamNames) -> list[DrawingPart]:
    """Return the offense-dice columns of the teams that were rolled on."""
    return [
        Chart(f"{names[team]}: {name}", BY_TENS, rows, team)
        for team, name, rows in _hit_columns(m.long_cells, layout.LONG_COLUMNS, turns)
    ]


def _short_field_charts(m: Match, turns: Sequence[Turn]) -> list[DrawingPart]:
    """E1: Return the league's short-field charts that were rolled on."""
    columns = layout.SHORT_FIELD_COLUMNS
    return [
        Chart(f"Short field: {name}", BY_TENS, rows)
        for _, name, rows in _hit_columns(m.short_field_cells, columns, turns)
    ]


BY_TENS = ["dice", *(f"+{n}" for n in range(10))]


def _hit_columns(
    cells: list[int], columns: Sequence[layout.ChartColumn], turns: Sequence[Turn]
) -> Iterator[tuple[int, str, list[ChartRow]]]:
    """Yield team, name and rows of each column of thirty cells that was hit, by tens and ones."""
    hits = _hits(cells, LONG_SIZE, len(columns), turns)
    for team, column in dict.fromkeys((hit.team, hit.column) for hit in hits):
        first = (team * len(columns) + column) * LONG_SIZE
        hit_cells = {hit.cell for hit in hits if (hit.team, hit.column) == (team, column)}
        rows = [
            ChartRow(
                str(OFFENSE_ROWS[ten]),
                [_cell(cells[first + n], n in hit_cells) for n in range(ten, ten + 10)],
            )
            for ten in range(0, LONG_SIZE, 10)
        ]
        yield team, column_name(columns[column].name), rows


def _short_charts(m: Match, turns: Sequence[Turn], names: TeamNames) -> list[DrawingPart]:
    """Return the defense-dice charts: the whole formation, or the single column."""
    hits = _hits(m.short_cells, SHORT_SIZE, len(layout.SHORT_COLUMNS), turns)
    charts: dict[tuple[int, int], Chart] = {}
    for hit in hits:
        if hit.column < FORMATION_COLUMN_COUNT:
            formation = hit.column // len(PLAYS)
            charts[hit.team, formation] = _formation_chart(m, hit.team, formation, hits, names)
        else:
            charts[hit.team, hit.column + FORMATION_COLUMN_COUNT] = _single_chart(
                m, hit, hits, names
            )
    return list(charts.values())


def _formation_chart(
    m: Match, team: int, formation: int, hits: Sequence[Hit], names: TeamNames
) -> Chart:
    """Return the defense's chart of a formation, one row for each play."""
    rows = []
    for play, name in enumerate(PLAYS):
        column = formation * len(PLAYS) + play
        rows.append(_short_row(m, Hit(team, column, -1), in_words(name), hits))
    title = f"{names[team]}: {in_words(FORMATIONS[formation])}"
    return Chart(title, ["against", *map(str, DEFENSE_ROWS)], rows, team)


def _single_chart(m: Match, hit: Hit, hits: Sequence[Hit], names: TeamNames) -> Chart:
    name = column_name(layout.SHORT_COLUMNS[hit.column].name)
    title = f"{names[hit.team]}: {name}"
    return Chart(
        title, ["dice", *map(str, DEFENSE_ROWS)], [_short_row(m, hit, name, hits)], hit.team
    )


def _short_row(m: Match, place: Hit, name: str, hits: Sequence[Hit]) -> ChartRow:
    first = (place.team * len(layout.SHORT_COLUMNS) + place.column) * SHORT_SIZE
    hit_cells = {hit.cell for hit in hits if (hit.team, hit.column) == (place.team, place.column)}
    cells = [_cell(m.short_cells[first + n], n in hit_cells) for n in range(SHORT_SIZE)]
    return ChartRow(name, cells, bool(hit_cells))


# --- The Priority Chart -------------------------------------------------------------------


def _priority(m: Match, turns: Sequence[Turn], names: TeamNames) -> list[DrawingPart]:
    """Return the Priority Chart with the square in which the two results last met."""
    met = list(_events(turns, "meets"))
    if not met:
        return []
    last = met[-1]
    down, across = last.row_and_action // len(ACTIONS), COLUMN_OF_KIND[kind_of(last.defense_cell)]
    rows = [
        ChartRow(
            name,
            [
                ChartCell(
                    ACTIONS[m.priority[row * len(PRIORITY_COLUMNS) + column]],
                    mark="hit" if (row, column) == (down, across) else "",
                )
                for column in range(len(PRIORITY_COLUMNS))
            ],
            row == down,
        )
        for row, name in enumerate(PRIORITY_ROWS)
    ]
    return [
        Chart(
            "Priority Chart",
            ["offense, defense", *PRIORITY_COLUMNS],
            rows,
            note=sentence(last, names),
        ),
    ]
