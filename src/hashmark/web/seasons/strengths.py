"""Strengths of a team: figures of the season, each with its rank among all teams.

The figures are real (`league/data/real_stats.py`); those of single plays are what the charts give
against an average opponent (`play_view`). A rank rests on one season of sixteen or seventeen games
and cannot separate teams that are close together, so the spread between the teams is given as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hashmark.games.data_driven.tables import PLAYS
from hashmark.league.data import real_stats
from hashmark.league.data.real_stats import AGAINST, FOR, SeasonStats
from hashmark.number_text import percent
from hashmark.reports.shapes import (
    Chart,
    Datum,
    Dot,
    Path,
    Shape,
    TextShape,
    fit_text,
    max_text_width,
)
from hashmark.storage import search_path
from hashmark.text.phrases import ordinal
from hashmark.web.seasons.play_view import DEFENSE, OFFENSE, SeasonCharts

Counts = Mapping[str, float]
RANKS_NOTE = (
    "Each mark is one team of this season; farther right is better. Small differences are noise: "
    "teams this close cannot be ranked with confidence."
)
STRIP_RANGE_SD = 2.6  # standard deviations shown on either side of the mean
PERCENT = -1  # in place of a number of decimals: in percent, with one
CHART_WIDTH, ROW_HEIGHT = 350.0, 24.0


@dataclass(frozen=True)
class Measure:
    """Figure of every team: its computation, its direction, and how it is written."""

    name: str
    compute: Callable[[Counts, int], float]
    more_is_better: bool = True
    decimals: int = 1  # or `PERCENT`
    side: str = FOR


def _ratio(above: Sequence[str], below: Sequence[str]) -> Callable[[Counts, int], float]:
    """Return a function that divides the sum of some counts by the sum of others."""

    def of(counts: Counts, games: int) -> float:
        total = sum(counts[name] for name in below)
        return sum(counts[name] for name in above) / total if total else 0.0

    return of


def _per_game(name: str) -> Callable[[Counts, int], float]:
    """Return a function that gives a count per game."""
    return lambda counts, games: counts[name] / max(1, games)


def _dropback(counts: Counts, games: int) -> float:
    """Return the net yards per dropback."""
    plays = counts["passes"] + counts["sacked"]
    return (counts["passing_yards"] - abs(counts["sack_yards"])) / plays if plays else 0.0


_OFFENSE_MEASURES: tuple[Measure, ...] = (
    Measure("points per game", _per_game("points")),
    Measure("yards per play", _ratio(["yards"], ["plays"]), decimals=2),
    Measure("yards per run", _ratio(["rushing_yards"], ["rushes"]), decimals=2),
    Measure("yards per dropback", _dropback, decimals=2),
    Measure("passes completed", _ratio(["completions"], ["passes"]), decimals=PERCENT),
    Measure("passes intercepted", _ratio(["interceptions"], ["passes"]), False, PERCENT),
    Measure("dropbacks sacked", _ratio(["sacked"], ["passes", "sacked"]), False, PERCENT),
    Measure("fumbles lost per game", _per_game("fumbles_lost"), False, 2),
    Measure(
        "third downs converted",
        _ratio(["third_downs_made"], ["third_downs"]),
        decimals=PERCENT,
    ),
)
_DEFENSE_NAMES = {
    "points per game": "points allowed per game",
    "fumbles lost per game": "fumbles recovered per game",
    "third downs converted": "third downs allowed",
}
_KICKING_MEASURES = (
    Measure(
        "field goals made",
        _ratio(["field_goals"], ["field_goals_tried"]),
        decimals=PERCENT,
    ),
    Measure("yards per punt", _ratio(["punt_yards"], ["punts"])),
    Measure("yards per kick return", _ratio(["kick_return_yards"], ["kick_returns"])),
    Measure("yards per punt return", _ratio(["punt_return_yards"], ["punt_returns"])),
    Measure(
        "kick return yards allowed",
        _ratio(["kick_return_yards"], ["kick_returns"]),
        False,
        side=AGAINST,
    ),
    Measure(
        "punt return yards allowed",
        _ratio(["punt_return_yards"], ["punt_returns"]),
        False,
        side=AGAINST,
    ),
)
_PENALTY_MEASURES = (
    Measure("penalties per game", _per_game("penalties"), False),
    Measure("penalty yards per game", _per_game("penalty_yards"), False),
    Measure("penalties drawn per game", _per_game("penalties"), side=AGAINST),
)


@dataclass(frozen=True)
class Strength:
    """A team's figure compared with all teams."""

    name: str
    value: float
    text: str
    rank: int  # 1 is best
    team_count: int
    mean: float
    mean_text: str
    spread: float  # standard deviation among the teams
    z_score: float  # standard deviations above the mean, in the good direction
    all_z_scores: tuple[float, ...]  # the same for every team

    @property
    def percentile(self) -> int:
        """Percentage of the other teams that it was better than."""
        return round(100 * (self.team_count - self.rank) / max(1, self.team_count - 1))

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": round(self.value, 4),
            "rank": self.rank,
            "of": self.team_count,
            "percentile": self.percentile,
            "mean": round(self.mean, 4),
            "spread": round(self.spread, 4),
        }


@dataclass(frozen=True)
class StrengthGroup:
    """Related strengths, drawn as strips."""

    title: str
    strengths: tuple[Strength, ...]
    note: str = ""

    def chart(self, team: str) -> Chart:
        return strip_chart(f"{self.title}: {team} and all other teams", self.strengths)

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "note": self.note,
            "strengths": [strength.to_json() for strength in self.strengths],
        }


def team_strengths(year: int, team: str) -> tuple[StrengthGroup, ...]:
    """Return all strengths that a team's page shows."""
    with search_path.shipped_only():
        figures = real_stats.load(year)
    return (
        StrengthGroup("Offense", _rank_measures(figures, team, _OFFENSE_MEASURES, FOR)),
        StrengthGroup("Defense", _rank_measures(figures, team, _OFFENSE_MEASURES, AGAINST)),
        StrengthGroup("Kicking and returns", _rank_measures(figures, team, _KICKING_MEASURES)),
        StrengthGroup("Penalties", _rank_measures(figures, team, _PENALTY_MEASURES)),
        StrengthGroup("Offense by play (charts)", _rank_plays(year, OFFENSE, team), PLAYS_NOTE),
        StrengthGroup(
            "Defense by play (charts)",
            _rank_plays(year, DEFENSE, team),
            PLAYS_NOTE,
        ),
    )


PLAYS_NOTE = (
    "Yards per call against an average opponent, from the charts: adjusted for opponents, with "
    "rare plays pulled toward the league average."
)


def best_and_worst(groups: Sequence[StrengthGroup], count: int = 3) -> tuple[list[str], list[str]]:
    """Return what stood out most, good and bad: `3rd in yards per run`."""
    labelled = [
        (
            strength.z_score,
            f"{ordinal(strength.rank)} in {_full_label(group.title, strength.name)}",
        )
        for group in groups[:4]
        for strength in group.strengths
    ]
    labelled.sort(key=lambda pair: -pair[0])
    good = [label for better, label in labelled[:count] if better > 0.5]
    bad = [label for better, label in labelled[::-1][:count] if better < -0.5]
    return good, bad


def _full_label(title: str, name: str) -> str:
    """Return a figure's name, with the opponents if it is theirs and its name does not say so."""
    is_ambiguous = title == "Defense" and name not in _DEFENSE_NAMES.values()
    return f"opponents’ {name}" if is_ambiguous else name


def _rank_measures(
    figures: SeasonStats, team: str, measures: Sequence[Measure], side: str | None = None
) -> tuple[Strength, ...]:
    strengths = []
    for measure in measures:
        measured_side = side or measure.side
        values = {
            code: measure.compute(figures.team_counts(code, measured_side), figures.games[code])
            for code in figures.teams
        }
        more = measure.more_is_better if side != AGAINST else not measure.more_is_better
        name = _DEFENSE_NAMES.get(measure.name, measure.name) if side == AGAINST else measure.name
        strengths.append(rank_team(name, values, team, more, measure.decimals))
    return tuple(strengths)


@lru_cache(maxsize=1024)
def _rank_plays(year: int, side: str, team: str) -> tuple[Strength, ...]:
    yards = SeasonCharts.load(year).yards[side]
    return tuple(
        rank_team(
            play.replace("-", " "),
            {code: yards_by_play[index] for code, yards_by_play in yards.items()},
            team,
            side == OFFENSE,
            2,
        )
        for index, play in enumerate(PLAYS)
    )


def rank_team(
    name: str, values: Mapping[str, float], team: str, more_is_better: bool, decimals: int
) -> Strength:
    """Rank one figure of a team among those of all teams."""
    sign = 1 if more_is_better else -1
    own, count = values[team], len(values)
    mean = sum(values.values()) / count
    spread = (sum((figure - mean) ** 2 for figure in values.values()) / max(1, count - 1)) ** 0.5
    ahead = sum(sign * figure > sign * own for figure in values.values())

    def better(value: float) -> float:
        return sign * (value - mean) / spread if spread else 0.0

    return Strength(
        name,
        own,
        _format(own, decimals),
        1 + ahead,
        count,
        mean,
        _format(mean, decimals),
        spread,
        better(own),
        tuple(sorted(better(figure) for figure in values.values())),
    )


# --- Charts ----------------------------------------------------------------------------------


def strip_chart(title: str, strengths: Sequence[Strength]) -> Chart:
    """Draw a strip for each figure: a mark for every team, better to the right."""
    names_width = max_text_width([strength.name for strength in strengths]) + 8
    texts = [f"{ordinal(strength.rank)} ({strength.text})" for strength in strengths]
    left, right = names_width + 6, CHART_WIDTH - max_text_width(texts) - 12
    middle = (left + right) / 2

    def x_of(better: float) -> float:
        return (
            middle
            + max(-STRIP_RANGE_SD, min(STRIP_RANGE_SD, better))
            / STRIP_RANGE_SD
            * (right - left)
            / 2
        )

    bottom = ROW_HEIGHT * len(strengths) + 4
    shapes: list[Shape] = [Path(f"M{middle:.1f} 2V{bottom:.1f}", "grid")]
    for row, (strength, text) in enumerate(zip(strengths, texts, strict=True)):
        y = 4 + ROW_HEIGHT * (row + 0.5)
        row_shapes: list[Shape] = [
            TextShape(names_width, y + 4, fit_text(strength.name, names_width), "end"),
            Path(f"M{left:.1f} {y:.1f}H{right:.1f}", "grid"),
            *(
                Path(f"M{x_of(other):.1f} {y - 5:.1f}v10", "thin")
                for other in strength.all_z_scores
            ),
            Dot(x_of(strength.z_score), y, "here", 5),
            TextShape(right + 10, y + 4, text, "start", "soft"),
        ]
        description = (
            f"{strength.name}: {strength.text}, {ordinal(strength.rank)} of {strength.team_count}; "
            f"league average {strength.mean_text}"
        )
        shapes.append(Datum(description, row_shapes))
    shapes.append(TextShape(left, bottom + 14, "worse", "start", "soft"))
    shapes.append(TextShape(right, bottom + 14, "better", "end", "soft"))
    description = "; ".join(
        f"{strength.name} {ordinal(strength.rank)} of {strength.team_count}"
        for strength in strengths
    )
    return Chart(title, f"{title}. {description}.", CHART_WIDTH, bottom + 20, shapes)


def _format(value: float, decimals: int) -> str:
    """Format a figure with these decimals, or in percent."""
    return percent(value, 1) if decimals == PERCENT else f"{value:.{decimals}f}"
