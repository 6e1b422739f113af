"""Drive chart of a game: a bar for each drive on the field, home to the right, away to the left."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from hashmark.engine.team_names import TeamNames, short_names
from hashmark.text.phrases import capitalize, short_yard_line, yards_text
from hashmark.text.summary import Drive
from hashmark.web.svg.drive import ChartedDrive
from hashmark.web.svg.field import direction_of
from hashmark.web.svg.markup import EMPTY, group, line, path, rect, svg_image, text
from hashmark.web.svg.team_colors import team_class

WIDTH, ROW_HEIGHT = 480.0, 24.0
UNITS_PER_YARD = WIDTH / 100
BAR_HEIGHT = 12.0
TEXT_WIDTH = 190.0  # of the text beside the field


def draw_drive_chart(drives: Sequence[ChartedDrive], names: TeamNames) -> Markup:
    """Return the drives from top to bottom; empty if there are none."""
    if not drives:
        return EMPTY
    height = ROW_HEIGHT * len(drives)
    lines = [
        line(x, 0, x, height, class_="chart-line")
        for x in (UNITS_PER_YARD * yard for yard in range(0, 101, 10))
    ]
    short = short_names(names)
    rows = [_row(index, charted, short) for index, charted in enumerate(drives)]
    return svg_image(
        WIDTH + TEXT_WIDTH,
        height,
        "Drive chart",
        rect(0, 0, WIDTH, height, class_="chart-ground"),
        *lines,
        *rows,
        desc=" ".join(_describe(charted.drive, short) for charted in drives),
        class_="drive-chart",
    )


def _row(index: int, charted: ChartedDrive, names: TeamNames) -> Markup:
    drive = charted.drive
    y = ROW_HEIGHT * (index + 0.5)
    start, end = _x(drive, drive.spot), _x(drive, min(drive.spot + drive.yards, 100))
    direction = 1 if end > start else -1 if end < start else direction_of(drive.team)
    tip = f"M{end:g} {y - BAR_HEIGHT / 2 - 2:g}l{8 * direction} {BAR_HEIGHT / 2 + 2:g}"
    return group(
        rect(0, y - ROW_HEIGHT / 2, WIDTH + TEXT_WIDTH, ROW_HEIGHT, class_="chart-row"),
        rect(min(start, end), y - BAR_HEIGHT / 2, max(abs(end - start), 2.0), BAR_HEIGHT),
        path(f"{tip}l{-8 * direction} {BAR_HEIGHT / 2 + 2:g}z"),
        text(WIDTH + 10, y + 5, f"{capitalize(names[drive.team])}: {_result(drive)}"),
        class_=f"charted {team_class(drive.team)}",
        data_turn=charted.last_turn,
    )


def _x(drive: Drive, spot: float) -> float:
    return UNITS_PER_YARD * (spot if drive.team == 0 else 100 - spot)


def _result(drive: Drive) -> str:
    return drive.result or "under way"


def _describe(drive: Drive, names: TeamNames) -> str:
    start = short_yard_line(drive.team, drive.spot, names)
    return f"{capitalize(names[drive.team])} from {start}, {yards_text(drive.yards)}: " + (
        f"{_result(drive)}."
    )
