"""Plain-text review: verdict, chart, turning points, totals, then turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hashmark.engine.record import HOME
from hashmark.number_text import percent
from hashmark.text.tables import format_table
from hashmark.text.wrapping import wrap
from hashmark.values import review_words
from hashmark.values.review import Review, TurnReview

LINE_WIDTH = 79
CHART_ROWS = 10  # chart height in lines
TEAM_COLUMNS = (
    "team",
    "decisions",
    "WP lost",
    "per decision",
    "?!",
    "?",
    "??",
    "too close",
    "luck",
)
TURN_COLUMNS = ("turn", "when", "call", "cost", "best", "luck", "home WP")


def review_lines(review: Review) -> Iterator[str]:
    """Yield the lines of the whole review."""
    yield review_words.format_title(review)
    yield from wrap(
        f"{review_words.describe_result(review)} {review_words.describe_verdict(review)}",
        LINE_WIDTH,
        0,
    )
    yield from wrap(review_words.describe_luck_adjusted(review), LINE_WIDTH, 0)
    if false_errors := review_words.describe_false_errors(review):
        yield from wrap(false_errors, LINE_WIDTH, 0)
    yield from wrap(f"Method: {review.source.description}.", LINE_WIDTH, 0)
    yield ""
    yield from chart_lines(review)
    yield ""
    yield from turning_point_lines(review)
    yield from format_table(TEAM_COLUMNS, team_rows(review))
    yield ""
    yield "Turn by turn"
    yield ""
    turns = [_turn_row(review, step) for step in listed_turns(review)]
    yield from format_table(TURN_COLUMNS, turns, left_columns=3)
    yield ""
    yield from wrap(review_words.describe_marks(review), LINE_WIDTH, 0)


def team_rows(review: Review) -> list[tuple[str, ...]]:
    """Return the decision and luck totals of both teams as table rows."""
    return [
        (
            review.game.names[side.team],
            str(side.decisions),
            review_words.format_points(side.errors),
            f"{100 * side.error_per_decision:.2f}",
            *(str(side.marks[mark]) for mark in ("inaccuracy", "mistake", "blunder")),
            str(side.inconclusive),
            review_words.format_signed_points(side.luck),
        )
        for side in review.teams
    ]


def turning_point_lines(review: Review) -> Iterator[str]:
    """Yield the lines about the turning points."""
    if not review.turning_points:
        return
    yield "Turning points"
    yield ""
    for number, step in enumerate(review.turning_points, 1):
        situation = review_words.format_situation(review, step)
        yield from _indented(f"{number}. ", f"{situation} (turn {step.number})")
        for sentence in review_words.describe_turn(review, step):
            yield from _indented("   ", sentence)
        if step.position_id is not None:
            yield f"   position {step.position_id}"
        yield ""


def _indented(first: str, text: str) -> Iterator[str]:
    gap = " " * len(first)
    for index, line in enumerate(wrap(text, LINE_WIDTH - len(first), 0)):
        yield f"{gap if index else first}{line}"


def listed_turns(review: Review) -> list[TurnReview]:
    """Return the turns worth listing: those with a decision or dice."""
    return [step for step in review.steps if step.decision is not None or step.turn.faces]


def _turn_row(review: Review, step: TurnReview) -> tuple[str, ...]:
    return (
        *review_words.turn_cells(review, step),
        review_words.format_cost(step.decision),
        review_words.better_call_name(review, step.decision),
        review_words.format_signed_points(step.luck) if step.turn.faces else "",
        percent(step.after, 1),
    )


def chart_lines(review: Review) -> list[str]:
    """Draw home's win probability over the game, one column per part of it."""
    values = [review.start, *(step.after for step in review.steps)]
    columns = _resampled(values, LINE_WIDTH - 8)
    drawn = [f"Win probability of {review.game.names[HOME]}"]
    for row in range(CHART_ROWS, -1, -1):
        label = f"{row * 100 // CHART_ROWS:>3} % " if row % 5 == 0 else "      "
        cells = ("*" if round(value * CHART_ROWS) == row else _background(row) for value in columns)
        drawn.append(f"{label}{''.join(cells)}".rstrip())
    return drawn


def _background(row: int) -> str:
    return "-" if row == CHART_ROWS // 2 else " "


def _resampled(values: Sequence[float], width: int) -> list[float]:
    """Resample the values to the available width; short games are stretched."""
    count = min(width, max(len(values), 40))
    return [values[index * len(values) // count] for index in range(count - 1)] + [values[-1]]
