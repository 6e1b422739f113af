"""Team views: complete for teams of every kind of season."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import pytest

from hashmark.games.data_driven.tables import PLAYS
from hashmark.reports.shapes import frames_overlap
from hashmark.web.seasons import team_view
from hashmark.web.seasons.play_view import DEFENSE, OFFENSE
from hashmark.web.seasons.team_view import TeamView


@pytest.fixture(scope="module")
def view() -> TeamView:
    return TeamView.of(2008, "ARI")


def test_a_view_is_plain_data_and_states_its_limitations(view: TeamView) -> None:
    data = json.loads(json.dumps(view.to_json()))
    assert data["standing"]["record"] == "9-7"
    assert [line["play"] for line in data["plays"]["offence"]] == list(PLAYS)
    assert "not included" in data["plays_left_out"]
    assert "assumed" in data["formations_invented"]
    assert len(data["games"]) == 20


@pytest.mark.parametrize("side", [OFFENSE, DEFENSE])
def test_plays_are_drawn_on_one_scale_without_overlaps(view: TeamView, side: str) -> None:
    charts = view.play_charts(side)
    assert len(charts) == len(PLAYS)
    for chart in charts:
        labels = list(chart.texts())
        for index, label in enumerate(labels):
            assert label.frame[2] <= chart.width
            assert not any(frames_overlap(label.frame, other.frame) for other in labels[:index]), (
                label.text
            )


def test_shades_show_which_formations_help(view: TeamView) -> None:
    plunge = view.plays[OFFENSE][0]
    assert plunge.shades()["jam-middle"] < 0 < plunge.shades()["nickel"]
    assert all(-3 <= shade <= 3 for line in view.plays[DEFENSE] for shade in line.shades().values())


def test_the_charts_file_has_every_cell(view: TeamView) -> None:
    rows = list(csv.DictReader(io.StringIO(team_view.charts_csv(2008, "ARI"))))
    assert {row["team"] for row in rows} == {"ARI-2008"}
    plunge = [row for row in rows if (row["chart"], row["column"]) == ("offence", "line-plunge")]
    assert len(plunge) == 30
    assert "Arizona Cardinals" in team_view.charts_document(2008, "ARI").title


def test_views_need_neither_numba_nor_numpy_nor_polars() -> None:
    """Viewing a season and a team imports neither Numba, NumPy nor Polars."""
    program = (
        "import sys\n"
        "class Without:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('numba', 'numpy', 'polars'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Without())\n"
        "from hashmark.web.seasons.team_view import TeamView\n"
        "from hashmark.web.seasons import whatif_form\n"
        "view = TeamView.of(2020, 'TB')\n"
        "asked = whatif_form.parse_form({'season': '2020', 'team': 'TB', 'pass_rate': '5'})\n"
        "print(view.standing.record, asked.changed_plan().name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "11-5 2020:TB", done.stderr
