"""Team of a season: its standing and games, charts and plan, and strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from hashmark.club import strengths
from hashmark.club.plan_view import PlanView, spaced
from hashmark.club.play_view import (
    DEFENCE,
    INVENTED,
    LEFT_OUT,
    OFFENCE,
    SIDES,
    Outcomes,
    SeasonCharts,
    flags,
)
from hashmark.club.season_view import Played, SeasonView, Standing
from hashmark.club.strengths import Group
from hashmark.games.data_driven.charts.export import each_cell
from hashmark.games.data_driven.charts.files import Team
from hashmark.games.data_driven.charts.team_sheet import document
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.pages.shapes import Bar, Chart, Datum, Path, Shape, Sign, Words
from hashmark.table import places
from hashmark.table.writing import csv_text

# Bins of gains: the first yard of each bin, and its column label.
KINDS = ((-999, "<0"), (0, "0"), (3, "3"), (6, "6"), (10, "10"), (15, "15"), (25, "25+"))
EVENTS = {"incomplete": "inc", "sack": "sack", "intercepted": "int", "fumble": "fum"}
STEP, TALL = 25.0, 78.0


@dataclass(frozen=True)
class PlayLine:
    """Play of a team, or against it: its outcomes overall and by formation."""

    play: str
    over_all: Outcomes
    by_formation: dict[str, Outcomes]
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
    standing: Standing
    games: tuple[Played, ...]
    plays: dict[str, tuple[PlayLine, ...]]  # by side
    groups: tuple[Group, ...]
    plan: PlanView

    @staticmethod
    def of(year: int, team: str) -> TeamView:
        """Return the view of a team of a shipped season; built once."""
        with places.only_shipped():
            return _build(year, team)

    @property
    def charts(self) -> Team:
        return SeasonCharts.of(self.season.year).teams[self.team]

    def play_charts(self, side: str) -> list[Chart]:
        """Draw a small chart of each play, all on one scale."""
        lines = self.plays[side]
        highest = max(max(_bin_chances(line.over_all)) for line in lines)
        return [gains(line, side, highest) for line in lines]

    def group_charts(self) -> list[tuple[Group, Chart]]:
        return [(group, group.chart(self.team)) for group in self.groups]

    def stood_out(self) -> tuple[list[str], list[str]]:
        return strengths.best_and_worst(self.groups)

    def to_json(self) -> dict[str, Any]:
        return {
            "season": self.season.year,
            "team": self.team,
            "standing": self.standing.to_json(),
            "games": [game.to_json() for game in self.games],
            "plays": {side: [entry.to_json() for entry in self.plays[side]] for side in SIDES},
            "plays_left_out": LEFT_OUT,
            "formations_invented": INVENTED,
            "strengths": [entry.to_json() for entry in self.groups],
            "plan": self.plan.to_json(),
        }


@lru_cache(maxsize=64)
def _build(year: int, team: str) -> TeamView:
    season, charts = SeasonView.of(year), SeasonCharts.of(year)
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
        strengths.groups(year, team),
        PlanView(plans.load(f"{year}:{team}")),
    )


def _play_line(charts: SeasonCharts, own: Team, team: str, side: str, play: str) -> PlayLine:
    index = PLAYS.index(play)
    return PlayLine(
        play,
        charts.against(team, side, index),
        {formation: charts.against(team, side, index, formation) for formation in FORMATIONS},
        flags(own, play) if side == OFFENCE else 0.0,
    )


def _bin_chances(outcomes: Outcomes) -> list[float]:
    """Return the probability of each bin; scrambles by their mean, touchdowns as the longest."""
    bins = [0.0] * len(KINDS)
    for yards, chance in outcomes.gains.items():
        bins[max(index for index, (first, _) in enumerate(KINDS) if yards >= first)] += chance
    for yards, chance in ((round(outcomes.scrambled), outcomes.scramble), (99, outcomes.touchdown)):
        bins[max(index for index, (first, _) in enumerate(KINDS) if yards >= first)] += chance
    return bins


def gains(line: PlayLine, side: str, highest: float) -> Chart:
    """Draw the distribution of a play's gains and its other results as columns."""
    outcomes, top = line.over_all, 22.0
    bottom = top + TALL
    events = [name for name in EVENTS if getattr(outcomes, name) >= 0.0005]
    width = 8 + STEP * len(KINDS) + (12 + STEP * len(EVENTS))
    title = spaced(line.play).capitalize()
    shapes: list[Shape] = [
        Words(4, 13, title, kind="strong"),
        Words(width - 4, 13, f"{outcomes.yards:.1f} yards a call", "end", "soft"),
        Path(f"M4 {bottom:.1f}H{4 + STEP * len(KINDS):.1f}", "axis"),
    ]
    descriptions = []
    for index, (chance, label) in enumerate(
        zip(_bin_chances(outcomes), _bin_labels(), strict=True)
    ):
        descriptions.append(f"{label} {chance:.0%}")
        shapes.append(
            _column(4 + index * STEP, bottom, chance / highest, f"{title}: {label} {chance:.1%}")
        )
        shapes.append(
            Words(4 + (index + 0.5) * STEP, bottom + 14, KINDS[index][1], "middle", "soft")
        )
    left = 16 + STEP * len(KINDS)
    for name in events:
        chance, index = getattr(outcomes, name), list(EVENTS).index(name)
        x = left + index * STEP
        descriptions.append(f"{name} {chance:.1%}")
        shapes.append(_column(x, bottom, chance / highest, f"{title}: {name} {chance:.1%}", "here"))
        shapes.append(Words(x + STEP / 2, bottom + 14, EVENTS[name], "middle", "soft"))
        shapes.append(Path(f"M{x:.1f} {bottom:.1f}h{STEP:.1f}", "axis"))
    side_label = "against this defence" if side == DEFENCE else "of this offence"
    summary = f"{title} {side_label}: {outcomes.yards:.1f} yards a call; {', '.join(descriptions)}."
    return Chart(f"{title} {side_label}", summary, width, bottom + 20, shapes)


def _column(x: float, bottom: float, share: float, description: str, kind: str = "bar") -> Datum:
    height = TALL * min(1.0, share)
    ground = Bar(x, bottom - TALL, STEP, TALL, "ground")
    return Datum(description, [ground, Bar(x + 2, bottom - height, STEP - 4, height, kind)])


def _bin_labels() -> Sequence[str]:
    """Return labels for the bins of gains."""
    starts = [first for first, _ in KINDS]
    between = [f"{low} to {high - 1} yards" for low, high in pairwise(starts[1:])]
    return ["a loss", *between, f"{starts[-1]} yards or more, or a touchdown"]


GAINS_KEY = (
    Sign("bar", "yards gained: a loss, from 0, from 3, ... from 25 on or a touchdown"),
    Sign("here", "incomplete, sack, interception, fumble"),
)


# --- Downloads -------------------------------------------------------------------------------


def cells(year: int, team: str) -> str:
    """Return every cell of a team's charts as CSV."""
    charts = SeasonCharts.of(year)
    own = charts.teams[team].key
    rows = [row for row in each_cell(charts.file) if row[0] == own]
    return csv_text([("team", "chart", "column", "row", "cell"), *rows])


def paper(year: int, team: str) -> Any:
    """Return a team's charts as a printable document."""
    charts = SeasonCharts.of(year)
    return document(charts.file, charts.teams[team])
