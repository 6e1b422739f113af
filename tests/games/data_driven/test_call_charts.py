"""Matrix of plays and formations, against the exact enumeration of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from drawing_parts import new_game, parts_of_type
from hashmark.engine.drawings import Chart, draw_call_charts
from hashmark.engine.game import Game
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.call_charts import snap_matrix, snap_tables
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.odds.enumeration import enumerate_step
from hashmark.session.redaction import SPECTATOR, view_for

OPTIONS: dict[str, Any] = {"charts": "2008", "home_team": "ARI", "away_team": "PIT"}
START = {"phase": "scrimmage", "possession": "home", "spot": 45, "down": 1, "to_go": 10}
RETURNS = (p.ASK_FUMBLE_RETURN, p.ASK_ROLL_AGAIN)  # the ball is lost, its return is not over


def at(**more: Any) -> Game:
    return new_game("data-driven", {**START, **more}, **OPTIONS)


def charts_of(game: Game, viewer: int = SPECTATOR) -> list[Chart]:
    return parts_of_type(draw_call_charts(view_for(game, viewer)), Chart)


@pytest.mark.parametrize(
    ("play", "formation"), [("off-tackle", "standard"), ("medium-pass", "nickel")]
)
def test_figures_are_those_of_the_rules(play: str, formation: str) -> None:
    m, g = at().match, at().position
    figures = snap_matrix(m, g)[PLAYS.index(play)][FORMATIONS.index(formation)]
    snapped = g.copy()
    RULES.step(m, snapped, RULES.call_codes[play])
    total = turnover = far = 0.0
    for chance, after, _ in enumerate_step(RULES, m, snapped, RULES.call_codes[formation]):
        rolls_again = after.asks == p.ASK_ROLL_AGAIN and after.rolls_on < len(PLAYS)
        dead_ball = after.asks == p.ASK_PLAY and after.clock == g.clock
        if rolls_again or after.foul != p.NO_FOUL or dead_ball:
            continue  # a flag
        total += float(chance)
        lost = after.possession == 1 or after.asks in RETURNS
        turnover += float(chance) * lost
        far += float(chance) * (not lost and after.spot - g.spot >= 10)
    assert figures.turnover == pytest.approx(turnover / total, abs=1e-9)
    # a ball that the offense fumbles beyond the line to gain and recovers is none of the figure
    assert -1e-9 < far / total - figures.first_down < 0.01


def test_there_is_a_matrix_for_yards_first_downs_and_turnovers() -> None:
    charts = charts_of(at())
    assert [chart.title.partition(": ")[2] for chart in charts] == [
        "mean yards",
        "chance of a first down",
        "chance of a turnover",
    ]
    for chart in charts:
        assert len(chart.headings) == 1 + len(FORMATIONS)
        assert [row.label for row in chart.rows] == [name.replace("-", " ") for name in PLAYS]
    assert {cell.color for row in charts[0].rows for cell in row.cells} == {"", "green", "red"}


def test_at_the_goal_line_only_a_touchdown_counts() -> None:
    charts = charts_of(at(spot=98, to_go=2))
    assert charts[1].title.endswith("chance of a touchdown")
    yards = [float(cell.text) for row in charts[0].rows for cell in row.cells]
    assert max(yards) <= 2


def test_the_charts_do_not_depend_on_a_secret_call() -> None:
    shown = set()
    for play in ("draw", "long-pass"):
        game = at()
        game.play_named(play)
        assert game.question.name == "formation"
        shown |= {repr(charts_of(game, viewer)) for viewer in (0, 1, SPECTATOR)}
    assert len(shown) == 1


def test_exact_tables_stand_for_the_plays_with_a_chart() -> None:
    game = at()
    m, g = game.match, game.position
    tables = snap_tables(m, g, ["draw", "screen"])
    assert [title for title, _, _ in tables] == [
        "Mean yards",
        "Probability of a first down",
        "Probability of a turnover",
    ]
    figures = snap_matrix(m, g)[PLAYS.index("draw")][0]
    assert tables[0][2][0][:2] == ["draw", f"{figures.yards:+.2f}"]
    assert snap_tables(m, g, ["draw", "punt"]) == []
    goal = at(spot=98, to_go=2)
    assert len(snap_tables(goal.match, goal.position, ["draw"])) == 2


def test_decisions_without_a_play_have_no_charts() -> None:
    assert draw_call_charts(new_game("data-driven", **OPTIONS)) is None
