"""Strengths of a team: figures of the season, each with its rank among all teams.

The figures are real (`league/data/real.py`); those of single plays are what the charts give
against an average opponent (`play_view`). A rank rests on one season of sixteen or seventeen games
and cannot separate teams that are close together, so the spread between the teams is given as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hashmark.club.play_view import DEFENCE, OFFENCE, SeasonCharts
from hashmark.games.data_driven.tables import PLAYS
from hashmark.league.facts import real
from hashmark.league.facts.real import AGAINST, FOR, Figures
from hashmark.pages.shapes import Chart, Datum, Dot, Path, Shape, Words, fitted, widest
from hashmark.table import places

Counts = Mapping[str, float]
NOTE = (
    "Ranks of one season: one mark is one team, the better to the right. Of two teams that lie "
    "close together nobody knows which was the better."
)
REACH = 2.6  # standard deviations shown on either side of the mean
WIDTH, STEP = 350.0, 24.0


@dataclass(frozen=True)
class Measure:
    """Figure of every team: its computation, direction, and number format."""

    name: str
    of: Callable[[Counts, int], float]
    more: bool = True
    form: str = "{:.1f}"
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


PERCENT = "{:.1%}"
_OFFENSE_MEASURES: tuple[Measure, ...] = (
    Measure("points a game", _per_game("points")),
    Measure("yards a play", _ratio(["yards"], ["plays"]), form="{:.2f}"),
    Measure("yards a run", _ratio(["rushing_yards"], ["rushes"]), form="{:.2f}"),
    Measure("yards a dropback", _dropback, form="{:.2f}"),
    Measure("passes completed", _ratio(["completions"], ["passes"]), form=PERCENT),
    Measure("passes picked off", _ratio(["interceptions"], ["passes"]), False, PERCENT),
    Measure("dropbacks sacked", _ratio(["sacked"], ["passes", "sacked"]), False, PERCENT),
    Measure("fumbles lost a game", _per_game("fumbles_lost"), False, "{:.2f}"),
    Measure("third downs made", _ratio(["third_downs_made"], ["third_downs"]), form=PERCENT),
)
_DEFENSE_NAMES = {
    "points a game": "points allowed",
    "fumbles lost a game": "fumbles taken a game",
    "third downs made": "third downs allowed",
}
_KICKING_MEASURES = (
    Measure("field goals made", _ratio(["field_goals"], ["field_goals_tried"]), form=PERCENT),
    Measure("yards a punt", _ratio(["punt_yards"], ["punts"])),
    Measure("yards a kick return", _ratio(["kick_return_yards"], ["kick_returns"])),
    Measure("yards a punt return", _ratio(["punt_return_yards"], ["punt_returns"])),
    Measure(
        "kick returns given up",
        _ratio(["kick_return_yards"], ["kick_returns"]),
        False,
        side=AGAINST,
    ),
    Measure(
        "punt returns given up",
        _ratio(["punt_return_yards"], ["punt_returns"]),
        False,
        side=AGAINST,
    ),
)
_PENALTY_MEASURES = (
    Measure("flags a game", _per_game("penalties"), False),
    Measure("flag yards a game", _per_game("penalty_yards"), False),
    Measure("flags drawn a game", _per_game("penalties"), side=AGAINST),
)


@dataclass(frozen=True)
class Strength:
    """A team's figure compared with all teams."""

    name: str
    value: float
    text: str
    rank: int  # 1 is best
    of: int
    mean: float
    spread: float  # standard deviation among the teams
    better: float  # standard deviations above the mean, in the good direction
    all: tuple[float, ...]  # the same for every team

    @property
    def percentile(self) -> int:
        """Percentage of the other teams that it was better than."""
        return round(100 * (self.of - self.rank) / max(1, self.of - 1))

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": round(self.value, 4),
            "rank": self.rank,
            "of": self.of,
            "percentile": self.percentile,
            "mean": round(self.mean, 4),
            "spread": round(self.spread, 4),
        }


@dataclass(frozen=True)
class Group:
    """Related strengths, drawn as strips."""

    title: str
    strengths: tuple[Strength, ...]
    note: str = ""

    def chart(self, team: str) -> Chart:
        return strips(f"{self.title}: {team} among all teams", self.strengths)

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "note": self.note,
            "strengths": [strength.to_json() for strength in self.strengths],
        }


def groups(year: int, team: str) -> tuple[Group, ...]:
    """Return all strengths that a team's page shows."""
    with places.only_shipped():
        figures = real.load(year)
    return (
        Group("Offence", _rank_measures(figures, team, _OFFENSE_MEASURES, FOR)),
        Group("Defence", _rank_measures(figures, team, _OFFENSE_MEASURES, AGAINST)),
        Group("Kicking and returns", _rank_measures(figures, team, _KICKING_MEASURES)),
        Group("Penalties", _rank_measures(figures, team, _PENALTY_MEASURES)),
        Group("Its plays, by its charts", _rank_plays(year, OFFENCE, team), PLAYS_NOTE),
        Group("Plays against it, by its charts", _rank_plays(year, DEFENCE, team), PLAYS_NOTE),
    )


PLAYS_NOTE = (
    "Yards a call against an average other side, after the charts: opponents are taken out, and "
    "what was rare is drawn towards the league."
)


def best_and_worst(found: Sequence[Group], count: int = 3) -> tuple[list[str], list[str]]:
    """Return what stood out most, good and bad: `3rd of 32 in yards a run`."""
    labelled = [
        (
            strength.better,
            f"{ordinal(strength.rank)} in {_label_prefix(group.title)}{strength.name}",
        )
        for group in found[:4]
        for strength in group.strengths
    ]
    labelled.sort(key=lambda pair: -pair[0])
    good = [label for better, label in labelled[:count] if better > 0.5]
    bad = [label for better, label in labelled[::-1][:count] if better < -0.5]
    return good, bad


def _label_prefix(title: str) -> str:
    return "defending: " if title == "Defence" else ""


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


def _rank_measures(
    figures: Figures, team: str, measures: Sequence[Measure], side: str | None = None
) -> tuple[Strength, ...]:
    strengths = []
    for measure in measures:
        measured_side = side or measure.side
        values = {
            code: measure.of(figures.of(code, measured_side), figures.games[code])
            for code in figures.teams
        }
        more = measure.more if side != AGAINST else not measure.more
        name = _DEFENSE_NAMES.get(measure.name, measure.name) if side == AGAINST else measure.name
        strengths.append(ranked(name, values, team, more, measure.form))
    return tuple(strengths)


@lru_cache(maxsize=1024)
def _rank_plays(year: int, side: str, team: str) -> tuple[Strength, ...]:
    yards = SeasonCharts.of(year).yards[side]
    return tuple(
        ranked(
            play.replace("-", " "),
            {code: yards_by_play[index] for code, yards_by_play in yards.items()},
            team,
            side == OFFENCE,
            "{:.2f}",
        )
        for index, play in enumerate(PLAYS)
    )


def ranked(name: str, values: Mapping[str, float], team: str, more: bool, form: str) -> Strength:
    """Rank one figure of a team among those of all teams."""
    sign = 1 if more else -1
    own, count = values[team], len(values)
    mean = sum(values.values()) / count
    spread = (sum((figure - mean) ** 2 for figure in values.values()) / max(1, count - 1)) ** 0.5
    ahead = sum(sign * figure > sign * own for figure in values.values())

    def better(value: float) -> float:
        return sign * (value - mean) / spread if spread else 0.0

    return Strength(
        name,
        own,
        form.format(own),
        1 + ahead,
        count,
        mean,
        spread,
        better(own),
        tuple(sorted(better(figure) for figure in values.values())),
    )


# --- Charts ----------------------------------------------------------------------------------


def strips(title: str, found: Sequence[Strength]) -> Chart:
    """Draw a strip for each figure: a mark for every team, better to the right."""
    names_width = widest([strength.name for strength in found]) + 8
    texts = [f"{ordinal(strength.rank)} ({strength.text})" for strength in found]
    left, right = names_width + 6, WIDTH - widest(texts) - 12
    middle = (left + right) / 2

    def x_of(better: float) -> float:
        return middle + max(-REACH, min(REACH, better)) / REACH * (right - left) / 2

    bottom = STEP * len(found) + 4
    shapes: list[Shape] = [Path(f"M{middle:.1f} 2V{bottom:.1f}", "grid")]
    for row, (strength, text) in enumerate(zip(found, texts, strict=True)):
        y = 4 + STEP * (row + 0.5)
        row_shapes: list[Shape] = [
            Words(names_width, y + 4, fitted(strength.name, names_width), "end"),
            Path(f"M{left:.1f} {y:.1f}H{right:.1f}", "grid"),
            *(Path(f"M{x_of(other):.1f} {y - 5:.1f}v10", "thin") for other in strength.all),
            Dot(x_of(strength.better), y, "here", 5),
            Words(right + 10, y + 4, text, "start", "soft"),
        ]
        description = (
            f"{strength.name}: {strength.text}, {ordinal(strength.rank)} of {strength.of}; "
            f"the league {_format_like(strength.text, strength.mean)}"
        )
        shapes.append(Datum(description, row_shapes))
    shapes.append(Words(left, bottom + 14, "worse", "start", "soft"))
    shapes.append(Words(right, bottom + 14, "better", "end", "soft"))
    description = "; ".join(
        f"{strength.name} {ordinal(strength.rank)} of {strength.of}" for strength in found
    )
    return Chart(title, f"{title}. {description}.", WIDTH, bottom + 20, shapes)


def _format_like(text: str, mean: float) -> str:
    """Format the league's mean with the precision of the team's figure."""
    if text.endswith("%"):
        return f"{mean:.1%}"
    return f"{mean:.{len(text.partition('.')[2])}f}"
