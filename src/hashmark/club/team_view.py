"""A team of a season: its standing and its games, its charts and its plan, what it was good at."""

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

# Gains as a person sorts them: the first yard of each kind, and what stands under its column.
KINDS = ((-999, "<0"), (0, "0"), (3, "3"), (6, "6"), (10, "10"), (15, "15"), (25, "25+"))
EVENTS = {"incomplete": "inc", "sack": "sack", "intercepted": "int", "fumble": "fum"}
STEP, TALL = 25.0, 78.0


@dataclass(frozen=True)
class PlayLine:
    """A play of a team, or against it: what becomes of it, over all and by formation."""

    play: str
    over_all: Outcomes
    by_formation: dict[str, Outcomes]
    flags: float  # of a hundred rolls on its own column, so many parts show a flag

    def shades(self) -> dict[str, int]:
        """How much better or worse for the offence a formation makes the play, from -3 to 3."""
        made = {}
        for formation, one in self.by_formation.items():
            change = one.yards - self.over_all.yards
            made[formation] = max(-3, min(3, round(change / 0.6)))
        return made

    def to_json(self) -> dict[str, Any]:
        return {
            "play": self.play,
            "flags": round(self.flags, 4),
            **self.over_all.to_json(),
            "formations": {name: one.to_json() for name, one in self.by_formation.items()},
        }


@dataclass(frozen=True)
class TeamView:
    """All that a team's page shows."""

    season: SeasonView
    team: str
    standing: Standing
    games: tuple[Played, ...]
    plays: dict[str, tuple[PlayLine, ...]]  # by side
    groups: tuple[Group, ...]
    plan: PlanView

    @staticmethod
    def of(year: int, team: str) -> TeamView:
        """The view of a team of a season that ships; made once."""
        with places.only_shipped():
            return _made(year, team)

    @property
    def charts(self) -> Team:
        return SeasonCharts.of(self.season.year).teams[self.team]

    def play_charts(self, side: str) -> list[Chart]:
        """A small drawing of each play, on one scale."""
        lines = self.plays[side]
        highest = max(max(_columns(one.over_all)) for one in lines)
        return [gains(one, side, highest) for one in lines]

    def group_charts(self) -> list[tuple[Group, Chart]]:
        return [(one, one.chart(self.team)) for one in self.groups]

    def stood_out(self) -> tuple[list[str], list[str]]:
        return strengths.best_and_worst(self.groups)

    def to_json(self) -> dict[str, Any]:
        return {
            "season": self.season.year,
            "team": self.team,
            "standing": self.standing.to_json(),
            "games": [game.to_json() for game in self.games],
            "plays": {side: [one.to_json() for one in self.plays[side]] for side in SIDES},
            "plays_left_out": LEFT_OUT,
            "formations_invented": INVENTED,
            "strengths": [one.to_json() for one in self.groups],
            "plan": self.plan.to_json(),
        }


@lru_cache(maxsize=64)
def _made(year: int, team: str) -> TeamView:
    season, charts = SeasonView.of(year), SeasonCharts.of(year)
    own = charts.teams[team]
    return TeamView(
        season,
        team,
        season.standings[team],
        tuple(season.games_of(team)),
        {side: tuple(_line(charts, own, team, side, play) for play in PLAYS) for side in SIDES},
        strengths.groups(year, team),
        PlanView(plans.load(f"{year}:{team}")),
    )


def _line(charts: SeasonCharts, own: Team, team: str, side: str, play: str) -> PlayLine:
    at = PLAYS.index(play)
    return PlayLine(
        play,
        charts.against(team, side, at),
        {formation: charts.against(team, side, at, formation) for formation in FORMATIONS},
        flags(own, play) if side == OFFENCE else 0.0,
    )


def _columns(one: Outcomes) -> list[float]:
    """The gains by kind, scrambles by their mean; a touchdown from anywhere is with the longest."""
    made = [0.0] * len(KINDS)
    for yards, part in one.gains.items():
        made[max(at for at, (first, _) in enumerate(KINDS) if yards >= first)] += part
    for yards, part in ((round(one.scrambled), one.scramble), (99, one.touchdown)):
        made[max(at for at, (first, _) in enumerate(KINDS) if yards >= first)] += part
    return made


def gains(line: PlayLine, side: str, highest: float) -> Chart:
    """How far a play goes and how often, and what else becomes of it, as columns."""
    one, top = line.over_all, 22.0
    bottom = top + TALL
    events = [name for name in EVENTS if getattr(one, name) >= 0.0005]
    width = 8 + STEP * len(KINDS) + (12 + STEP * len(EVENTS))
    title = spaced(line.play).capitalize()
    shapes: list[Shape] = [
        Words(4, 13, title, kind="strong"),
        Words(width - 4, 13, f"{one.yards:.1f} yards a call", "end", "soft"),
        Path(f"M4 {bottom:.1f}H{4 + STEP * len(KINDS):.1f}", "axis"),
    ]
    said = []
    for at, (part, words) in enumerate(zip(_columns(one), _kind_words(), strict=True)):
        said.append(f"{words} {part:.0%}")
        shapes.append(
            _column(4 + at * STEP, bottom, part / highest, f"{title}: {words} {part:.1%}")
        )
        shapes.append(Words(4 + (at + 0.5) * STEP, bottom + 14, KINDS[at][1], "middle", "soft"))
    left = 16 + STEP * len(KINDS)
    for name in events:
        part, at = getattr(one, name), list(EVENTS).index(name)
        x = left + at * STEP
        said.append(f"{name} {part:.1%}")
        shapes.append(_column(x, bottom, part / highest, f"{title}: {name} {part:.1%}", "here"))
        shapes.append(Words(x + STEP / 2, bottom + 14, EVENTS[name], "middle", "soft"))
        shapes.append(Path(f"M{x:.1f} {bottom:.1f}h{STEP:.1f}", "axis"))
    whose = "against this defence" if side == DEFENCE else "of this offence"
    about = f"{title} {whose}: {one.yards:.1f} yards a call; {', '.join(said)}."
    return Chart(f"{title} {whose}", about, width, bottom + 20, shapes)


def _column(x: float, bottom: float, part: float, said: str, kind: str = "bar") -> Datum:
    tall = TALL * min(1.0, part)
    ground = Bar(x, bottom - TALL, STEP, TALL, "ground")
    return Datum(said, [ground, Bar(x + 2, bottom - tall, STEP - 4, tall, kind)])


def _kind_words() -> Sequence[str]:
    """The kinds of gains in words."""
    starts = [first for first, _ in KINDS]
    between = [f"{low} to {high - 1} yards" for low, high in pairwise(starts[1:])]
    return ["a loss", *between, f"{starts[-1]} yards or more, or a touchdown"]


GAINS_KEY = (
    Sign("bar", "yards gained: a loss, from 0, from 3, ... from 25 on or a touchdown"),
    Sign("here", "incomplete, sack, interception, fumble"),
)


# --- As files --------------------------------------------------------------------------------


def cells(year: int, team: str) -> str:
    """Every cell of a team's charts, as CSV."""
    charts = SeasonCharts.of(year)
    own = charts.teams[team].key
    rows = [row for row in each_cell(charts.file) if row[0] == own]
    return csv_text([("team", "chart", "column", "row", "cell"), *rows])


def paper(year: int, team: str) -> Any:
    """A team's charts as a document to print."""
    charts = SeasonCharts.of(year)
    return document(charts.file, charts.teams[team])
