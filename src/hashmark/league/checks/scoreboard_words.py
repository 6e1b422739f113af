"""The scoreboard as tables, sentences and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hashmark.league.checks import forecast
from hashmark.league.checks.forecast import MEASURES, Errors, Games
from hashmark.league.checks.scoreboard import CHOSEN_BY, EXPECTED, OWN, Row, Scoreboard
from hashmark.league.seasons import preset
from hashmark.sim.results import Estimate

Rows = list[tuple[str, ...]]
WORDS = {"margin": "points off", "brier": "Brier", "log_loss": "log loss"}
HEAD = ("told by", *(part for word in WORDS.values() for part in (word, "±")))
PLACES = {"margin": 2, "brier": 4, "log_loss": 4}
MAP_HEAD = ("told by", "setting", "edge", "sigma", "slopes")


def rows(board: Scoreboard, left_out: bool) -> Rows:
    """A line for each predictor: errors with their standard errors, over games."""
    made: Rows = []
    for row in board.rows:
        found = row.left_out if left_out else row.tuning
        if found is not None:
            made.append((row.name, *_figures(found, "")))
    return made


def paired_rows(board: Scoreboard, left_out: bool) -> Rows:
    """What each is better (less) or worse than the ratings by expected points, game by game."""
    if not board.has(EXPECTED):
        return []
    made: Rows = []
    for row in board.rows:
        off = paired(board, row, left_out)
        if row.name != EXPECTED and off is not None:
            made.append((row.name, *_figures(off, "+")))
    return made


def paired(board: Scoreboard, row: Row, left_out: bool) -> Errors | None:
    """A predictor's errors less those of the ratings by expected points."""
    other = board.row(EXPECTED)
    if not left_out:
        return row.tuning - other.tuning
    if row.left_out is None or other.left_out is None:
        return None
    return row.left_out - other.left_out


def _figures(found: Errors, sign: str) -> list[str]:
    made = []
    for measure in MEASURES:
        one = found.mean(measure)
        places = PLACES[measure]
        made += [f"{one.mean:{sign}.{places}f}", f"{one.error:.{places}f}"]
    return made


def map_rows(board: Scoreboard) -> Rows:
    """What was fitted: on all tuning seasons, and used on those that are left out."""
    return [
        (
            row.name,
            row.fitted.setting or "-",
            f"{row.fitted.edge:.2f}",
            f"{row.fitted.sigma:.2f}",
            ", ".join(f"{slope:.3g}" for slope in row.fitted.slopes) or "-",
        )
        for row in board.rows
    ]


def heading(games: Sequence[Games], left_out: bool) -> str:
    """Which games a table is about."""
    what = "Left out of all tuning" if left_out else "Tuning seasons, each told by the others"
    years = ", ".join(str(one.season) for one in games)
    return f"{what}: {years} ({forecast.count(games)} games of even weeks)"


def sentences(board: Scoreboard) -> list[str]:
    """What came of it, plainly, and what was not there."""
    made = [_verdict(board)] if board.has(EXPECTED) else []
    made.append(
        f"Each pairing was played {board.runs} times on neutral ground, seed {board.seed}; "
        "± is the standard error over games."
    )
    return [*made, *board.notes]


def _verdict(board: Scoreboard) -> str:
    """Ours against expected points where it counts."""
    row = board.chosen
    off = paired(board, row, left_out=True)
    picked = f'Of ours, "{row.name}" does best on the tuning seasons ({WORDS[CHOSEN_BY]})'
    if off is None:
        return f"{picked}; there is no season that is left out, so nothing is shown yet."
    one = off.mean(CHOSEN_BY)
    return (
        f"{picked}. On the seasons left out its {WORDS[CHOSEN_BY]} is {abs(one.mean):.4f} "
        f"{'less' if one.mean < 0 else 'more'} than that of EPA-SRS (± {one.error:.4f}): "
        f"{_judgement(one)}."
    )


def _judgement(one: Estimate) -> str:
    word = "better" if one.mean < 0 else "worse"
    return word if one.certain else f"{word}, but not beyond chance"


def to_json(board: Scoreboard) -> dict[str, Any]:
    """Everything, for a program to read."""
    return {
        "tuning": [one.season for one in board.tuning],
        "left_out": [one.season for one in board.left_out],
        "games": {
            "tuning": forecast.count(board.tuning),
            "left_out": forecast.count(board.left_out),
        },
        "runs": board.runs,
        "seed": board.seed,
        "invented": preset.invented(),
        "chosen": board.chosen.name,
        "predictors": [_row_json(board, row) for row in board.rows],
        "sentences": sentences(board),
    }


def _row_json(board: Scoreboard, row: Row) -> dict[str, Any]:
    known = board.has(EXPECTED)
    return {
        "name": row.name,
        "ours": row.name in OWN,
        "fitted": row.fitted.to_json(),
        "tuning": _errors_json(row.tuning),
        "left_out": _errors_json(row.left_out),
        "less_expected_points": {
            "tuning": _errors_json(paired(board, row, False) if known else None),
            "left_out": _errors_json(paired(board, row, True) if known else None),
        },
    }


def _errors_json(found: Errors | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {measure: found.mean(measure).to_json() for measure in MEASURES}
