"""HTML report of a review: win probability chart, totals, turning points, decisions, rolls."""

from __future__ import annotations

from hashmark.pages.axis import percent
from hashmark.pages.lines import Line, lines
from hashmark.pages.report import Beside, Cell, Headed, Note, Piece, Report, Section, Table
from hashmark.pages.shapes import Chart, Sign
from hashmark.table.names import NAMES, naming
from hashmark.table.record import AWAY, HOME
from hashmark.telling.speech import capital
from hashmark.values.best import difference
from hashmark.values.review import Decision, Review, Step
from hashmark.values.review_text import TEAM_COLUMNS, team_rows, told
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


def report(review: Review) -> Report:
    """Build the report of a review."""
    sections = [
        Section("Win probability", [_chart(review)]),
        Section("Turning points", _turning_points(review), "" if review.turning_points else NONE),
        Section(
            _coaches_title(review), [Table("", TEAM_COLUMNS, team_rows(review))], adjusted(review)
        ),
        Section("Every decision", [_decisions(review)], legend(review)),
        Section("Every roll", [_rolls(review)], ROLLS),
    ]
    return Report(
        f"Review of {title(review)}",
        standing(review),
        sections,
        answer=verdict(review),
        foot=f"Values: {review.source.said}.",
    )


def _coaches_title(review: Review) -> str:
    return "Both coaches" if len(review.sides) > 1 else "The coach"


LONGEST_ID = 40  # characters that fit a table column
NONE = "Nothing moved the game much."
ROLLS = "What the dice of a turn brought: the value after them less the value of the call."


def _chart(review: Review) -> Chart:
    """Chart home's win probability turn by turn, with the turning points marked."""
    values = [review.start, *(step.after for step in review.steps)]
    marked = sorted(step.number for step in review.turning_points)
    with naming(review.game.names):
        name = NAMES[HOME]
    labels = [f"start: {review.start:.1%}", *(_tooltip(review, step) for step in review.steps)]
    chart = lines(
        "Win probability",
        f"The chances of {name} after each turn, from {review.start:.1%} to {review.result:.1%}.",
        range(len(values)),
        [Line(f"{name} wins", values)],
        "turn",
        f"{name} wins",
        percent,
        reach=(0.0, 1.0),
        said=labels,
        marked=marked,
        even=0.5,
        wide=True,
    )
    key = [*chart.key, Sign("spot", "turning point"), Sign("diagonal", "even")]
    return Chart(
        chart.title, chart.description, chart.width, chart.height, chart.shapes, key, chart.wide
    )


def _tooltip(review: Review, step: Step) -> str:
    """Return the tooltip of a turn."""
    return f"{where(review, step)}: {called(review, step)}, {step.after:.1%}"


def _turning_points(review: Review) -> list[Piece]:
    """List each turning point with its situation, its story and the possible calls."""
    points = [
        Headed(f"{number}. {where(review, step)}", _turning_point(review, step))
        for number, step in enumerate(review.turning_points, 1)
    ]
    return [Beside(points)] if points else []


def _turning_point(review: Review, step: Step) -> Piece:
    """Return the story of a turn, with a table of the calls if there was a choice."""
    if step.decision is None:
        return Note(_turn_text(review, step))
    return _calls(review, step.decision, _turn_text(review, step))


def _turn_text(review: Review, step: Step) -> str:
    position = "" if step.position_id is None else f" Position {step.position_id}."
    return f"Turn {step.number}. {' '.join(story(review, step))}{position}"


def _calls(review: Review, decision: Decision, caption: str) -> Table:
    """Return a table of every call of a decision."""
    judged, names = decision.judgement, review.game.rules.calls
    with naming(review.game.names):
        heads = [capital(NAMES[HOME]), "tie", capital(NAMES[AWAY])]
    shown = len(heads) if len(review.sides) > 1 else 1  # a solo game has only wins and losses
    rows: list[tuple[str | Cell, ...]] = [
        (
            f"{names[call]}{' (called)' if call == decision.call else ''}",
            *[f"{chance:.1%}" for chance in (value.home, value.tie, value.away)][:shown],
            Cell(difference(judged, call), -judged.loss(call)),
        )
        for call, value in sorted(judged.calls.items(), key=lambda pair: judged.loss(pair[0]))
    ]
    return Table(caption, ("call", *heads[:shown], "difference"), rows)


def _decisions(review: Review) -> Table:
    """Return a table of all decisions with their costs, and position IDs if they are short."""
    identifiers = [step.position_id or "" for step in review.decisions]
    short = max(map(len, identifiers), default=0) <= LONGEST_ID
    headings = ("turn", "when", "call", "better", *(("position",) if short else ()), "cost")
    rows = []
    for step, identifier in zip(review.decisions, identifiers, strict=True):
        decision = step.decision
        if decision is None:
            continue
        other = better(review, decision)
        first = (str(step.number), when(review, step), called(review, step), other)
        last = Cell(cost(decision), decision.loss)
        rows.append((*first, *((identifier,) if short else ()), last))
    return Table("", headings, rows, left=len(headings) - 1)


def _rolls(review: Review) -> Table:
    """Return a table of all rolls with their luck."""
    rows = [
        (
            str(step.number),
            when(review, step),
            called(review, step),
            " ".join(str(face) for _, face in step.turn.faces),
            Cell(signed_points(step.luck), step.luck),
            points(step.after),
        )
        for step in told(review)
        if step.turn.faces
    ]
    return Table("", ("turn", "when", "call", "dice", "luck of home", "home"), rows, left=4)
