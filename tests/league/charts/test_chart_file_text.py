"""Chart file text: what is written can be read back."""

from __future__ import annotations

import tomllib
from typing import Any

from hashmark.games.data_driven.charts import cells as c
from hashmark.league.charts.chart_file_text import SeasonCharts, TeamCharts, format_rows


def write_and_read(**given: Any) -> dict[str, Any]:
    charts = SeasonCharts(2030, ["a head", ""], {"kickoff-spot": 30}, {}, [TeamCharts(**given)])
    text = charts.text()
    assert text.startswith("# a head\n#\n\nformat = ")
    return tomllib.loads(text)


def test_columns_are_written_to_their_tables() -> None:
    cells = [c.parse(text) for text in ("7", "-3*", "QT", "INT 12", "", "PI 20")] * 5
    document = write_and_read(
        key="A-2030",
        name='The "A\\s"',
        season=2030,
        columns={"offence.draw": cells, "qt": cells, "defence.blitz.draw": cells[:5]},
        values={"recovery": "10-18", "max-usage": {"draw": 4}, "hurry-up": 3},
    )
    team = document["teams"]["A-2030"]
    assert document["league"]["kickoff-spot"] == 30
    assert team["name"] == 'The "A\\s"'
    assert team["max-usage"] == {"draw": 4}
    assert [c.parse(text) for text in team["offence"]["draw"]] == cells
    assert [c.parse(text) for text in team["qt"]] == cells
    assert len(team["defence"]["blitz"]["draw"]) == 5


def test_rows_are_written_as_the_shortest_ranges() -> None:
    assert format_rows([0, 1, 2, 8, 29]) == "10-12,18,39"
    assert c.parse_rows("10-12,18,39") == sum(1 << row for row in (0, 1, 2, 8, 29))
