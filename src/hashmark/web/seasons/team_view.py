"""Team of a season: its standing and games, charts and plan, and strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from hashmark.games.data_driven.charts.chart_file import Team
from hashmark.games.data_driven.charts.export import iter_cells
from hashmark.games.data_driven.charts.team_sheet import build_document
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.number_text import percent
from hashmark.reports.shapes import Bar, Chart, Datum, LegendEntry, Path, Shape, TextShape
from hashmark.storage import search_path
from hashmark.storage.atomic_write import csv_text
from hashmark.web.seasons import strengths
from hashmark.web.seasons.plan_view import PlanView, call_label
from hashmark.web.seasons.play_view import (
    DEFENSE,
    FORMATIONS_NOTE,
    LIMITATIONS,
    OFFENSE,
    SIDES,
    PlayOutcomes,
    SeasonCharts,
    flag_rate,
)
from hashmark.web.seasons.season_view import SeasonGame, SeasonView, TeamStanding
from hashmark.web.seasons.strengths import StrengthGroup

# Bins of gains: the first yard of each bin, and its column label.
GAIN_BINS = ((-999, "<0"), (0, "0"), (3, "3"), (6, "6"), (10, "10"), (15, "15"), (25, "25+"))
EVENT_LABELS = {"incomplete": "inc", "sack": "sack", "intercepted": "int", "fumble": "fum"}
COLUMN_WIDTH, COLUMN_HEIGHT = 25.0, 78.0


@dataclass(frozen=True)
class PlaySummary:
    """Play of a team, or against it: its outcomes overall and by formation."""

    play: str
    over_all: PlayOutcomes
    by_formation: dict[str, PlayOutcomes]
    flags: float  # probability of a flag in its own column

    def shades(self) -> dict[str, int]:
        """Return how much each formation helps or hurts the offense, from -3 to 3."""
        shades = {}
        for formation, outcomes in self.by_formation.items():
            change = outcomes.yards - self.over_all.yards
            shades[formation] = max(-3, min(3, round(change / 0.6)))
        return shades

    def to_json(self) -> dict[str, Any]:
        return {
            "play": self.play,
            "flags": round(self.flags, 4),
            **self.over_all.to_json(),
            "formations": {
                name: outcomes.to_json() for name, outcomes in self.by_formation.items()
            },
        }


@dataclass(frozen=True)
class TeamView:
    """Everything that a team's page shows."""

    season: SeasonView
    team: str
    standing: TeamStanding
    games: tuple[SeasonGame, ...]
    plays: dict[str, tuple[PlaySummary, ...]]  # by side
    groups: tuple[StrengthGroup, ...]
    plan: PlanView

    @staticmethod
    def of(year: int, team: str) -> TeamView:
        """Return the view of a team of a shipped season; built once."""
        with search_path.shipped_only():
            return _build(year, team)

    @property
    def charts(self) -> Team:
        return SeasonCharts.load(self.season.year).teams[self.team]

    def play_charts(self, side: str) -> list[Chart]:
        """Draw a small chart of each play, all on one scale."""
        lines = self.plays[side]
        highest = max(max(_bin_chances(line.over_all)) for line in lines)
        return [gains_chart(line, side, highest) for line in lines]

    def group_charts(self) -> list[tuple[StrengthGroup, Chart]]:
        return [(group, group.chart(self.team)) for group in self.groups]

    def best_and_worst(self) -> tuple[list[str], list[str]]:
        return strengths.best_and_worst(self.groups)

    def to_json(self) -> dict[str, Any]:
        return {
            "season": self.season.year,
            "team": self.team,
            "standing": self.standing.to_json(),
            "games": [game.to_json() for game in self.games],
            "plays": {side: [entry.to_json() for entry in self.plays[side]] for side in SIDES},
            "plays_left_out": LIMITATIONS,
            "formations_invented": FORMATIONS_NOTE,
            "strengths": [entry.to_json() for entry in self.groups],
            "plan": self.plan.to_json(),
        }


@lru_cache(maxsize=64)
def _build(year: int, team: str) -> TeamView:
    season, charts = SeasonView.of(year), SeasonCharts.load(year)
    own = charts.teams[team]
    return TeamView(
        season,
        team,
        season.standings[team],
        tuple(season.games_of(team)),
        {
            side: tuple(_play_line(charts, own, team, side, play) for play in PLAYS)
            for side in SIDES
        },
        strengths.team_strengths(year, team),
        PlanView(plans.load(f"{year}:{team}")),
    )


def _play_line(charts: SeasonCharts, own: Team, team: str, side: str, play: str) -> PlaySummary:
    index = PLAYS.index(play)
    return PlaySummary(
        play,
        charts.play_outcomes(team, side, index),
        {formation: charts.play_outcomes(team, side, index, formation) for formation in FORMATIONS},
        flag_rate(own, play) if side == OFFENSE else 0.0,
    )


def _bin_chances(outcomes: PlayOutcomes) -> list[float]:
    """Return the probability of each bin; scrambles by their mean, touchdowns as the longest."""
    bins = [0.0] * len(GAIN_BINS)
    for yards, chance in outcomes.gains.items():
        bins[max(index for index, (first, _) in enumerate(GAIN_BINS) if yards >= first)] += chance
    for yards, chance in (
        (round(outcomes.mean_scramble_yards), outcomes.scramble),
        (99, outcomes.touchdown),
    ):
        bins[max(index for index, (first, _) in enumerate(GAIN_BINS) if yards >= first)] += chance
    return bins


def gains_chart(line: PlaySummary, side: str, highest: float) -> Chart:
    """Draw the distribution of a play's gains and its other results as columns."""
    outcomes, top = line.over_all, 22.0
    bottom = top + COLUMN_HEIGHT
    events = [name for name in EVENT_LABELS if getattr(outcomes, name) >= 0.0005]
    width = 8 + COLUMN_WIDTH * len(GAIN_BINS) + (12 + COLUMN_WIDTH * len(EVENT_LABELS))
    title = call_label(line.play).capitalize()
    shapes: list[Shape] = [
        TextShape(4, 13, title, kind="strong"),
        TextShape(width - 4, 13, f"{outcomes.yards:.1f} yards per call", "end", "soft"),
        Path(f"M4 {bottom:.1f}H{4 + COLUMN_WIDTH * len(GAIN_BINS):.1f}", "axis"),
    ]
    descriptions = []
    for index, (chance, label) in enumerate(
        zip(_bin_chances(outcomes), _bin_labels(), strict=True)
    ):
        descriptions.append(f"{label} {percent(chance)}")
        shapes.append(
            _column(
                4 + index * COLUMN_WIDTH,
                bottom,
                chance / highest,
                f"{title}: {label} {percent(chance, 1)}",
            )
        )
        shapes.append(
            TextShape(
                4 + (index + 0.5) * COLUMN_WIDTH, bottom + 14, GAIN_BINS[index][1], "middle", "soft"
            )
        )
    left = 16 + COLUMN_WIDTH * len(GAIN_BINS)
    for name in events:
        chance, index = getattr(outcomes, name), list(EVENT_LABELS).index(name)
        x = left + index * COLUMN_WIDTH
        descriptions.append(f"{name} {percent(chance, 1)}")
        shapes.append(
            _column(x, bottom, chance / highest, f"{title}: {name} {percent(chance, 1)}", "here")
        )
        shapes.append(
            TextShape(x + COLUMN_WIDTH / 2, bottom + 14, EVENT_LABELS[name], "middle", "soft")
        )
        shapes.append(Path(f"M{x:.1f} {bottom:.1f}h{COLUMN_WIDTH:.1f}", "axis"))
    side_label = "against this defense" if side == DEFENSE else "by this offense"
    figures = f"{outcomes.yards:.1f} yards per call; {', '.join(descriptions)}"
    summary = f"{title} {side_label}: {figures}."
    return Chart(f"{title} {side_label}", summary, width, bottom + 20, shapes)


def _column(x: float, bottom: float, share: float, description: str, kind: str = "bar") -> Datum:
    height = COLUMN_HEIGHT * min(1.0, share)
    ground = Bar(x, bottom - COLUMN_HEIGHT, COLUMN_WIDTH, COLUMN_HEIGHT, "ground")
    return Datum(description, [ground, Bar(x + 2, bottom - height, COLUMN_WIDTH - 4, height, kind)])


def _bin_labels() -> Sequence[str]:
    """Return labels for the bins of gains."""
    starts = [first for first, _ in GAIN_BINS]
    between = [f"{low} to {high - 1} yards" for low, high in pairwise(starts[1:])]
    return ["a loss", *between, f"{starts[-1]} yards or more, or a touchdown"]


GAINS_KEY = (
    LegendEntry("bar", "yards gained: a loss, 0 or more, 3 or more, … 25 or more or a touchdown"),
    LegendEntry("here", "incompletion, sack, interception, fumble"),
)


# --- Downloads -------------------------------------------------------------------------------


def charts_csv(year: int, team: str) -> str:
    """Return every cell of a team's charts as CSV."""
    charts = SeasonCharts.load(year)
    own = charts.teams[team].key
    rows = [row for row in iter_cells(charts.file) if row[0] == own]
    return csv_text([("team", "chart", "column", "row", "cell"), *rows])


def charts_document(year: int, team: str) -> Any:
    """Return a team's charts as a printable document."""
    charts = SeasonCharts.load(year)
    return build_document(charts.file, charts.teams[team])
