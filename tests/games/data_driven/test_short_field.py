"""E1 and E2: when the short field applies, and how it changes a gain."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hashmark.games.data_driven import RULES, short_field
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import tables as t
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.layout import SHORT_FIELD_COLUMNS, SITUATIONS
from hashmark.games.data_driven.charts.team_sheet import league_charts
from hashmark.games.data_driven.position import Match
from hashmark.games.data_driven.scrimmage import resolve_result
from hashmark.odds.enumeration import enumerate_outcomes


def match(**texts: str) -> Match:
    """Return a match whose short-field charts have one cell in every row; the others are empty."""
    m: Match = RULES.new_match({"charts": "2008", "short_field": True})
    assert m.short_field == 1
    names = [column.path[1].replace("-", "_") for column in SHORT_FIELD_COLUMNS]
    cells = [c.parse(texts.get(name, "")) for name in names]
    m.short_field_cells = [cell for cell in cells for _ in range(c.LONG_SIZE)]
    return m


def after(m: Match, play: int, cell: str, **fields: int) -> p.Position:
    """Return the position after a result that has only one possible outcome."""
    g = p.Position()
    g.phase, g.possession, g.holder, g.play = p.SCRIMMAGE, 0, 0, play
    for name, value in {"down": 1, "to_go": 10, "spot": 40, **fields}.items():
        setattr(g, name, value)
    ((chance, position, _),) = enumerate_outcomes(
        RULES, g, lambda start: resolve_result(m, start, c.parse(cell))
    )
    assert chance == Fraction(1)
    assert isinstance(position, p.Position)
    return position


@pytest.mark.parametrize(
    ("down", "to_go", "spot", "name"),
    [
        (1, 10, 69, None),
        (1, 10, 70, "goal-30"),
        (2, 10, 79, "goal-30"),
        (1, 10, 80, "goal-20"),
        (1, 10, 84, "goal-20"),
        (1, 10, 85, "goal-15"),
        (1, 10, 90, "goal-10"),
        (1, 5, 95, "goal-5"),
        (1, 3, 97, "goal-5"),
        (1, 2, 98, "goal-2"),
        (0, 0, 98, "goal-2"),
        (4, 1, 99, "goal-2"),
        (2, 2, 40, None),
        (3, 1, 40, "line-2"),
        (3, 2, 40, "line-2"),
        (4, 3, 40, "line-6"),
        (3, 6, 40, "line-6"),
        (3, 7, 40, "line-10"),
        (4, 10, 40, "line-10"),
        (3, 11, 40, None),
        (3, 2, 90, "line-2"),
        (3, 10, 90, "goal-10"),  # the line to gain is the goal line
        (3, 11, 85, "goal-15"),
    ],
)
def test_each_situation_has_its_chart(down: int, to_go: int, spot: int, name: str | None) -> None:
    g = p.Position()
    g.down, g.to_go, g.spot = down, to_go, spot
    chart = short_field.chart_situation(g)
    assert (None if chart == short_field.OPEN_FIELD else SITUATIONS[chart]) == name


def test_a_catch_near_the_goal_is_broken_up() -> None:
    m = match(goal_10_pass="INC")
    g = after(m, t.SHORT_PASS, "3*", down=1, to_go=9, spot=91)
    assert (g.result, g.way, g.at, g.out) == (p.ENDS_INCOMPLETE, p.MISSED, 91, 0)


def test_a_gain_that_reaches_the_line_is_stopped_short() -> None:
    m = match(line_2_run="-2", goal_5_run="-1")
    assert after(m, t.LINE_PLUNGE, "7*", down=3, to_go=2, spot=40).gain == 0
    assert after(m, t.LINE_PLUNGE, "1", down=3, to_go=2, spot=40).gain == 1
    assert after(m, t.LINE_PLUNGE, "TD", down=2, to_go=4, spot=96).at == 99
    assert after(m, t.LINE_PLUNGE, "3", down=2, to_go=4, spot=96).gain == 3


def test_shorter_gains_near_the_goal_are_capped() -> None:
    m = match(goal_15_run="(2)")
    assert after(m, t.OFF_TACKLE, "9*", spot=86).out == 0
    assert after(m, t.OFF_TACKLE, "9", spot=86).gain == 2
    assert after(m, t.OFF_TACKLE, "1", spot=86).gain == 1
    assert after(m, t.OFF_TACKLE, "-3", spot=86).gain == -3
    assert after(m, t.OFF_TACKLE, "14", spot=86).result == p.ENDS_TOUCHDOWN


def test_a_gain_exactly_to_the_line_is_measured() -> None:
    m = match(chains_run="-1", line_6_run="")
    assert after(m, t.DRAW, "10", down=1).gain == 9
    assert after(m, t.DRAW, "11", down=1).gain == 11
    assert after(m, t.DRAW, "9", down=1).gain == 9
    assert after(m, t.DRAW, "5", down=3, to_go=5).gain == 5  # E1 applies
    assert after(m, t.DRAW, "12", down=3, to_go=12).gain == 11
    assert after(m, t.DRAW, "4", down=1, to_go=4, spot=96).result == p.ENDS_TOUCHDOWN


def test_nothing_is_rolled_unless_the_option_is_on() -> None:
    m = match(goal_5_run="-1", chains_run="-1")
    m.short_field = 0
    assert after(m, t.LINE_PLUNGE, "TD", down=2, to_go=4, spot=96).result == p.ENDS_TOUCHDOWN
    assert after(m, t.LINE_PLUNGE, "10").gain == 10


def test_the_league_sheet_has_the_short_field_charts() -> None:
    league = charts.load("2008").league
    runs, passes = (
        sheet_chart
        for sheet_chart in league_charts(league)
        if sheet_chart.title.startswith("Short field")
    )
    assert runs.title == "Short field, run (our extension)"
    assert passes.title == "Short field, pass (our extension)"
    assert runs.headings == passes.headings == ["dice", *SITUATIONS]
    for chart, kind in ((runs, "run"), (passes, "pass")):
        assert [row[0][0] for row in chart.rows] == [str(row) for row in c.OFFENSE_ROWS]
        for index, situation in enumerate(SITUATIONS, 1):
            cells = league.columns[f"short-field.{situation}-{kind}"]
            assert [row[index][0] for row in chart.rows] == [c.spell(cell) for cell in cells]


def test_a_file_without_the_charts_has_no_short_field() -> None:
    assert RULES.new_match({"charts": "invented", "short_field": True}).short_field == 0
    assert RULES.new_match({"charts": "2008"}).short_field == 0
