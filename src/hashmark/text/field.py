"""The field as two lines of text: yard numbers above, the ball and the line to gain below."""

from __future__ import annotations

from hashmark.engine.record import HOME
from hashmark.engine.team_names import TeamNames

WIDE_COLUMNS, NARROW_COLUMNS = 50, 40  # columns for 100 yards
MARGIN_COLUMNS = 5  # columns beside the field and the names


def field_width(columns: int, names: TeamNames) -> int:
    """Return the width of the field beside these names on a terminal of this many columns."""
    return (
        WIDE_COLUMNS
        if columns > WIDE_COLUMNS + MARGIN_COLUMNS + len("".join(names))
        else NARROW_COLUMNS
    )


def column(team: int, spot: int, width: int) -> int:
    """Return the column of a spot; the home team defends the left goal line."""
    yard = spot if team == HOME else 100 - spot
    return min(width - 1, max(0, yard * width // 100))


def draw_field(
    team: int, spot: int, to_gain: int | None, names: TeamNames, width: int = WIDE_COLUMNS
) -> list[str]:
    """Return the field with the ball, its direction, and the line to gain if there is one."""
    numbers = [" "] * (width + 2)
    for yard in range(10, 100, 10):
        label = str(min(yard, 100 - yard))
        position = yard * width // 100
        numbers[position : position + 2] = label
    turf = ["."] * width
    for yard in range(10, 100, 10):
        turf[yard * width // 100] = "|"
    if to_gain is not None and 0 < to_gain < 100:
        turf[column(team, to_gain, width)] = "!"
    if team >= 0 and 0 < spot < 100:
        turf[column(team, spot, width)] = ">" if team == HOME else "<"
    left, right = names
    return [
        f" {' ' * len(left)}  {''.join(numbers).rstrip()}",
        f" {left} [{''.join(turf)}] {right}",
    ]
