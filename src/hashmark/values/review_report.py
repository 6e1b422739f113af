"""HTML report of a review: win probability chart, totals, turning points, decisions, rolls."""

from __future__ import annotations

import json
from dataclasses import replace

from hashmark.engine.record import HOME
from hashmark.number_text import percent
from hashmark.reports.axis import percent as percent_label
from hashmark.reports.line_chart import LineSeries, draw_line_chart
from hashmark.reports.report import (
    HeadedPiece,
    Paragraph,
    Report,
    ReportCell,
    ReportPiece,
    ReportSection,
    ReportTable,
    SideBySide,
)
from hashmark.reports.shapes import Chart, LegendEntry
from hashmark.text.phrases import capitalize
from hashmark.values import review_text, review_words
from hashmark.values.analysis import format_loss
from hashmark.values.review import Decision, Review, TurnReview

MAX_ID_LENGTH = 40  # characters that fit a table column
NO_TURNING_POINTS = "No turn moved the win probability much."
ROLLS_NOTE = (
    "Luck is the win probability after the dice minus that of the call, in percentage points."
)


def render_review(review: Review, form: str) -> str:
    """Return the review as `text`, `html` or `json`."""
    if form == "html":
        return build_report(review).html()
    if form == "json":
        return json.dumps(review.to_json(), indent=2, ensure_ascii=False) + "\n"
    return "\n".join(review_text.review_lines(review)) + "\n"


def build_report(review: Review) -> Report:
    """Build the report of a review."""
    sections = [
        ReportSection("Win probability", [_chart(review)]),
        ReportSection(
            "Turning points",
            _turning_points(review),
            "" if review.turning_points else NO_TURNING_POINTS,
        ),
        ReportSection(
            "Both coaches" if len(review.teams) > 1 else "The coach",
            [ReportTable("", review_text.TEAM_COLUMNS, review_text.team_rows(review))],
            " ".join(
                text
                for text in (
                    review_words.describe_luck_adjusted(review),
                    review_words.describe_false_errors(review),
                )
                if text
            ),
        ),
        ReportSection("Every decision", [_decisions(review)], review_words.describe_marks(review)),
        ReportSection("Every roll", [_rolls(review)], ROLLS_NOTE),
    ]
    return Report(
        f"Review of {review_words.format_title(review)}",
        review_words.describe_result(review),
        sections,
        answer=review_words.describe_verdict(review),
        foot=f"Method: {review.source.description}.",
    )


def _chart(review: Review) -> Chart:
    """Chart home's win probability turn by turn, with the turning points marked."""
    values = [review.start, *(step.after for step in review.steps)]
    marked = sorted(step.number for step in review.turning_points)
    name = review.game.names[HOME]
    labels = [
        f"start: {percent(review.start, 1)}",
        *(_tooltip(review, step) for step in review.steps),
    ]
    chart = draw_line_chart(
        "Win probability",
        f"Win probability of {name} after each turn, from {percent(review.start, 1)} to "
        f"{percent(review.result, 1)}.",
        range(len(values)),
        [LineSeries(f"win probability of {name}", values)],
        "turn",
        f"win probability of {name}",
        percent_label,
        extra_values=(0.0, 1.0),
        tooltips=labels,
        marked_steps=marked,
        reference=0.5,
        wide=True,
    )
    key = [*chart.key, LegendEntry("spot", "turning point"), LegendEntry("diagonal", "even")]
    return replace(chart, key=key)


def _tooltip(review: Review, step: TurnReview) -> str:
    """Return the tooltip of a turn."""
    situation = review_words.format_situation(review, step)
    return f"{situation}: {review_words.format_call(review, step)}, {percent(step.after, 1)}"


def _turning_points(review: Review) -> list[ReportPiece]:
    """List each turning point with its situation, its story and the possible calls."""
    points = [
        HeadedPiece(
            f"{number}. {review_words.format_situation(review, step)}", _turning_point(review, step)
        )
        for number, step in enumerate(review.turning_points, 1)
    ]
    return [SideBySide(points)] if points else []


def _turning_point(review: Review, step: TurnReview) -> ReportPiece:
    """Return the story of a turn, with a table of the calls if there was a choice."""
    if step.decision is None:
        return Paragraph(_turn_text(review, step))
    return _calls(review, step.decision, _turn_text(review, step))


def _turn_text(review: Review, step: TurnReview) -> str:
    position = "" if step.position_id is None else f" Position {step.position_id}."
    return f"Turn {step.number}. {' '.join(review_words.describe_turn(review, step))}{position}"


def _calls(review: Review, decision: Decision, caption: str) -> ReportTable:
    """Return a table of every call of a decision."""
    judged, names = decision.call_values, review.game.rules.calls
    home, away = map(capitalize, review.game.names)
    heads = [home, "tie", away]
    shown = len(heads) if len(review.teams) > 1 else 1  # a solo game has only wins and losses
    rows: list[tuple[str | ReportCell, ...]] = [
        (
            f"{names[call]}{' (called)' if call == decision.call else ''}",
            *[percent(chance, 1) for chance in (value.home, value.tie, value.away)][:shown],
            ReportCell(format_loss(judged, call), -judged.loss(call)),
        )
        for call, value in sorted(judged.calls.items(), key=lambda pair: judged.loss(pair[0]))
    ]
    return ReportTable(caption, ("call", *heads[:shown], "vs. best"), rows)


def _decisions(review: Review) -> ReportTable:
    """Return a table of all decisions with their costs, and position IDs if they are short."""
    identifiers = [step.position_id or "" for step in review.decisions]
    short = max(map(len, identifiers), default=0) <= MAX_ID_LENGTH
    headings = ("turn", "when", "call", "better", *(("position",) if short else ()), "cost")
    rows = []
    for step, identifier in zip(review.decisions, identifiers, strict=True):
        decision = step.decision
        if decision is None:
            continue
        better = review_words.better_call_name(review, decision)
        first = (*review_words.turn_cells(review, step), better)
        last = ReportCell(review_words.format_cost(decision), decision.loss)
        rows.append((*first, *((identifier,) if short else ()), last))
    return ReportTable("", headings, rows, left=len(headings) - 1)


def _rolls(review: Review) -> ReportTable:
    """Return a table of all rolls with their luck."""
    rows = [
        (
            *review_words.turn_cells(review, step),
            " ".join(str(face) for _, face in step.turn.faces),
            ReportCell(review_words.format_signed_points(step.luck), step.luck),
            review_words.format_points(step.after),
        )
        for step in review_text.listed_turns(review)
        if step.turn.faces
    ]
    return ReportTable(
        "", ("turn", "when", "call", "dice", "luck of home", "home WP"), rows, left=4
    )
