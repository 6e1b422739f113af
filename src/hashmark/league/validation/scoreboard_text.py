"""Text and JSON of the scoreboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hashmark.league.seasons import game_options
from hashmark.league.validation import forecast_model
from hashmark.league.validation.forecast_model import MEASURES, ForecastErrors, SeasonGames
from hashmark.league.validation.scoreboard import (
    EXPECTED,
    OUR_PREDICTORS,
    SELECTION_MEASURE,
    Scoreboard,
    ScoreboardRow,
)
from hashmark.sim.results import Estimate

Rows = list[tuple[str, ...]]
MEASURE_LABELS = {"margin": "MAE", "brier": "Brier", "log_loss": "log loss"}
HEAD = ("forecast", *(part for word in MEASURE_LABELS.values() for part in (word, "±")))
MEASURE_DECIMALS = {"margin": 2, "brier": 4, "log_loss": 4}
FITTED_HEAD = ("forecast", "setting", "edge", "sigma", "slopes")


def error_rows(board: Scoreboard, held_out: bool) -> Rows:
    """Return a row for each predictor: mean errors over games with their standard errors."""
    rows: Rows = []
    for row in board.rows:
        errors = row.left_out if held_out else row.tuning
        if errors is not None:
            rows.append((row.name, *_figures(errors, "")))
    return rows


def paired_rows(board: Scoreboard, held_out: bool) -> Rows:
    """Return the paired difference of each predictor to EPA-SRS; negative is better."""
    if not board.has(EXPECTED):
        return []
    rows: Rows = []
    for row in board.rows:
        difference = paired_errors(board, row, held_out)
        if row.name != EXPECTED and difference is not None:
            rows.append((row.name, *_figures(difference, "+")))
    return rows


def paired_errors(board: Scoreboard, row: ScoreboardRow, held_out: bool) -> ForecastErrors | None:
    """Return a predictor's errors minus those of EPA-SRS, game by game."""
    other = board.row(EXPECTED)
    if not held_out:
        return row.tuning - other.tuning
    if row.left_out is None or other.left_out is None:
        return None
    return row.left_out - other.left_out


def _figures(errors: ForecastErrors, sign: str) -> list[str]:
    cells = []
    for measure in MEASURES:
        estimate = errors.mean(measure)
        decimals = MEASURE_DECIMALS[measure]
        cells += [f"{estimate.mean:{sign}.{decimals}f}", f"{estimate.error:.{decimals}f}"]
    return cells


def fitted_rows(board: Scoreboard) -> Rows:
    """Return the fitted parameters: on all tuning seasons, and used on the held-out ones."""
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


def heading(games: Sequence[SeasonGames], held_out: bool) -> str:
    """Return the heading of a table: which games it covers."""
    what = "Held-out seasons" if held_out else "Tuning seasons, cross-validated"
    years = ", ".join(str(season_games.season) for season_games in games)
    return f"{what}: {years} ({forecast_model.count_games(games)} games in even weeks)"


def sentences(board: Scoreboard) -> list[str]:
    """Summarize the result, and name missing data."""
    sentences = [_verdict(board)] if board.has(EXPECTED) else []
    sentences.append(
        f"Each pairing was simulated {board.runs} times on a neutral field, seed {board.seed}. "
        "MAE: "
        "mean absolute error in points; ±: standard error over games."
    )
    return [*sentences, *board.notes]


def _verdict(board: Scoreboard) -> str:
    """Compare our best predictor with EPA-SRS on the held-out seasons."""
    row = board.best_own
    difference = paired_errors(board, row, held_out=True)
    choice = (
        f'Our best forecast on the tuning seasons is "{row.name}" '
        f"({MEASURE_LABELS[SELECTION_MEASURE]})"
    )
    if difference is None:
        return f"{choice}; without a held-out season there is no out-of-sample result."
    estimate = difference.mean(SELECTION_MEASURE)
    return (
        f"{choice}. On the held-out seasons its {MEASURE_LABELS[SELECTION_MEASURE]} is "
        f"{abs(estimate.mean):.4f} {'less' if estimate.mean < 0 else 'more'} than that of the "
        "baseline EPA-SRS "
        f"(± {estimate.error:.4f}): {_judgement(estimate)}."
    )


def _judgement(estimate: Estimate) -> str:
    word = "better" if estimate.mean < 0 else "worse"
    return word if estimate.is_significant else f"{word}, but not significantly"


def to_json(board: Scoreboard) -> dict[str, Any]:
    """Return everything as JSON data."""
    return {
        "tuning": [season_games.season for season_games in board.tuning],
        "left_out": [season_games.season for season_games in board.held_out],
        "games": {
            "tuning": forecast_model.count_games(board.tuning),
            "left_out": forecast_model.count_games(board.held_out),
        },
        "runs": board.runs,
        "seed": board.seed,
        "invented": game_options.list_assumptions(),
        "chosen": board.best_own.name,
        "predictors": [_row_json(board, row) for row in board.rows],
        "sentences": sentences(board),
    }


def _row_json(board: Scoreboard, row: ScoreboardRow) -> dict[str, Any]:
    has_epa = board.has(EXPECTED)
    return {
        "name": row.name,
        "ours": row.name in OUR_PREDICTORS,
        "fitted": row.fitted.to_json(),
        "tuning": _errors_json(row.tuning),
        "left_out": _errors_json(row.left_out),
        "less_expected_points": {
            "tuning": _errors_json(paired_errors(board, row, False) if has_epa else None),
            "left_out": _errors_json(paired_errors(board, row, True) if has_epa else None),
        },
    }


def _errors_json(errors: ForecastErrors | None) -> dict[str, Any] | None:
    if errors is None:
        return None
    return {measure: errors.mean(measure).to_json() for measure in MEASURES}
