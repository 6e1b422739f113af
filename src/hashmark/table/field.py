"""The field as two lines of text: yard numbers above, the ball and the line to gain below."""

from __future__ import annotations

from hashmark.table.record import HOME

WIDTH = 50  # columns for 100 yards


def column(team: int, spot: int) -> int:
    """Where a spot of a team lies; the home team defends the left goal line."""
    yard = spot if team == HOME else 100 - spot
    return min(WIDTH - 1, max(0, yard * WIDTH // 100))


def draw(team: int, spot: int, to_gain: int | None) -> list[str]:
    """The field with the ball, an arrow where it goes, and the line to gain if there is one."""
    numbers = [" "] * (WIDTH + 2)
    for yard in range(10, 100, 10):
        label = str(min(yard, 100 - yard))
        at = yard * WIDTH // 100
        numbers[at : at + 2] = label
    turf = ["|" if yard * 2 % 10 == 0 and yard else "." for yard in range(WIDTH)]
    turf[0] = "."
    if to_gain is not None and 0 < to_gain < 100:
        turf[column(team, to_gain)] = "!"
    if team >= 0 and 0 < spot < 100:
        turf[column(team, spot)] = ">" if team == HOME else "<"
    return [
        f"       {''.join(numbers)}",
        f" home [{''.join(turf)}] away",
    ]
