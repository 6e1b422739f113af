"""Plain-text review: verdict, chart, turning points, totals, then turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hashmark.table.names import NAMES, naming
from hashmark.table.record import HOME
from hashmark.telling.columns import table
from hashmark.telling.wrapping import wrapped
from hashmark.values.review import Review, Step
from hashmark.values.review_words import (
    adjusted,
    better,
    called,
    cost,
    legend,
    points,
    signed_points,
    standing,
    story,
    title,
    verdict,
    when,
    where,
)

WIDTH = 79
ROWS = 10  # chart height in lines
TEAM_COLUMNS = (
    "team",
    "decisions",
    "given away",
    "per decision",
    "5+",
    "10+",
    "15+",
    "cannot tell",
    "luck",
)
TURN_COLUMNS = ("turn", "when", "call", "cost", "best", "luck", "home")


def lines(review: Review) -> Iterator[str]:
    """Yield the lines of the whole review."""
    yield title(review)
    yield from wrapped(f"{standing(review)} {verdict(review)}", WIDTH, 0)
    yield from wrapped(adjusted(review), WIDTH, 0)
    yield ""
    yield from chart(review)
    yield ""
    yield from turning_points(review)
    yield from table(TEAM_COLUMNS, team_rows(review))
    yield ""
    yield "Turn by turn"
    yield ""
    yield from table(TURN_COLUMNS, turn_rows(review), left=3)
    yield ""
    yield from wrapped(legend(review), WIDTH, 0)
    yield from wrapped(f"Values: {review.source.said}.", WIDTH, 0)


def team_rows(review: Review) -> list[tuple[str, ...]]:
    """Return the decision and luck totals of both teams as table rows."""
    with naming(review.game.names):
        return [
            (
                NAMES[side.team],
                str(side.decisions),
                points(side.errors),
                f"{100 * side.error_per_decision:.2f}",
                str(side.marks["inaccuracy"]),
                str(side.marks["mistake"]),
                str(side.marks["blunder"]),
                str(side.untold),
                signed_points(side.luck),
            )
            for side in review.sides
        ]


def turning_points(review: Review) -> Iterator[str]:
    """Yield the lines about the turning points."""
    if not review.turning_points:
        return
    yield "Turning points"
    yield ""
    for number, step in enumerate(review.turning_points, 1):
        yield from _indented(f"{number}. ", f"{where(review, step)} (turn {step.number})")
        for sentence in story(review, step):
            yield from _indented("   ", sentence)
        if step.position_id is not None:
            yield f"   position {step.position_id}"
        yield ""


def _indented(first: str, text: str) -> Iterator[str]:
    gap = " " * len(first)
    for index, line in enumerate(wrapped(text, WIDTH - len(first), 0)):
        yield f"{gap if index else first}{line}"


def turn_rows(review: Review) -> list[tuple[str, ...]]:
    """Return a table row for every turn with a decision or dice."""
    return [_turn_row(review, step) for step in told(review)]


def told(review: Review) -> list[Step]:
    """Return the turns worth listing: those with a decision or dice."""
    return [step for step in review.steps if step.decision is not None or step.turn.faces]


def _turn_row(review: Review, step: Step) -> tuple[str, ...]:
    return (
        str(step.number),
        when(review, step),
        called(review, step),
        cost(step.decision),
        better(review, step.decision),
        signed_points(step.luck) if step.turn.faces else "",
        f"{step.after:.1%}",
    )


def chart(review: Review) -> list[str]:
    """Draw home's win probability over the game, one column per part of it."""
    values = [review.start, *(step.after for step in review.steps)]
    columns = _resampled(values, WIDTH - 8)
    with naming(review.game.names):
        drawn = [f"Chances of {NAMES[HOME]}"]
    for row in range(ROWS, -1, -1):
        label = f"{row * 100 // ROWS:>4}% " if row % 5 == 0 else "      "
        cells = ("*" if round(value * ROWS) == row else _background(row) for value in columns)
        drawn.append(f"{label}{''.join(cells)}".rstrip())
    return drawn


def _background(row: int) -> str:
    return "-" if row == ROWS // 2 else " "


def _resampled(values: Sequence[float], width: int) -> list[float]:
    """Resample the values to the available width; short games are stretched."""
    count = min(width, max(len(values), 40))
    return [values[index * len(values) // count] for index in range(count - 1)] + [values[-1]]
