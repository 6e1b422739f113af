"""What a team was good at against the league: figures of the season, each with its rank of all.

The figures are those that really happened (`league/facts/real.py`), those of the plays what the
charts make of them against an average other side (`play_view`). A rank is one season of sixteen or
seventeen games: teams that lie close together are not told apart by it, so the spread between the
teams stands beside it.
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
REACH = 2.6  # standard deviations to either side that a strip shows
WIDTH, STEP = 350.0, 24.0


@dataclass(frozen=True)
class Measure:
    """A figure of every team: how it is made, whether more is better, and how it is written."""

    name: str
    of: Callable[[Counts, int], float]
    more: bool = True
    form: str = "{:.1f}"
    side: str = FOR


def _ratio(above: Sequence[str], below: Sequence[str]) -> Callable[[Counts, int], float]:
    def of(counts: Counts, games: int) -> float:
        total = sum(counts[name] for name in below)
        return sum(counts[name] for name in above) / total if total else 0.0

    return of


def _each_game(name: str) -> Callable[[Counts, int], float]:
    return lambda counts, games: counts[name] / max(1, games)


def _dropback(counts: Counts, games: int) -> float:
    plays = counts["passes"] + counts["sacked"]
    return (counts["passing_yards"] - abs(counts["sack_yards"])) / plays if plays else 0.0


PERCENT = "{:.1%}"
_ATTACK: tuple[Measure, ...] = (
    Measure("points a game", _each_game("points")),
    Measure("yards a play", _ratio(["yards"], ["plays"]), form="{:.2f}"),
    Measure("yards a run", _ratio(["rushing_yards"], ["rushes"]), form="{:.2f}"),
    Measure("yards a dropback", _dropback, form="{:.2f}"),
    Measure("passes completed", _ratio(["completions"], ["passes"]), form=PERCENT),
    Measure("passes picked off", _ratio(["interceptions"], ["passes"]), False, PERCENT),
    Measure("dropbacks sacked", _ratio(["sacked"], ["passes", "sacked"]), False, PERCENT),
    Measure("fumbles lost a game", _each_game("fumbles_lost"), False, "{:.2f}"),
    Measure("third downs made", _ratio(["third_downs_made"], ["third_downs"]), form=PERCENT),
)
_DEFENCE_NAMES = {
    "points a game": "points allowed",
    "fumbles lost a game": "fumbles taken a game",
    "third downs made": "third downs allowed",
}
_KICKING = (
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
_FLAGS = (
    Measure("flags a game", _each_game("penalties"), False),
    Measure("flag yards a game", _each_game("penalty_yards"), False),
    Measure("flags drawn a game", _each_game("penalties"), side=AGAINST),
)


@dataclass(frozen=True)
class Strength:
    """A team's figure among all."""

    name: str
    value: float
    text: str
    rank: int  # 1 is the best
    of: int
    mean: float
    spread: float  # standard deviation between the teams
    better: float  # standard deviations better than the mean
    all: tuple[float, ...]  # the same of every team

    @property
    def percentile(self) -> int:
        """The part of the other teams that it was better than, of a hundred."""
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
    """Strengths of a kind, drawn as strips."""

    title: str
    strengths: tuple[Strength, ...]
    note: str = ""

    def chart(self, team: str) -> Chart:
        return strips(f"{self.title}: {team} among all teams", self.strengths)

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "note": self.note,
            "strengths": [one.to_json() for one in self.strengths],
        }


def groups(year: int, team: str) -> tuple[Group, ...]:
    """All that a team's page says of what it was good at."""
    with places.only_shipped():
        figures = real.load(year)
    return (
        Group("Offence", _of(figures, team, _ATTACK, FOR)),
        Group("Defence", _of(figures, team, _ATTACK, AGAINST)),
        Group("Kicking and returns", _of(figures, team, _KICKING)),
        Group("Penalties", _of(figures, team, _FLAGS)),
        Group("Its plays, by its charts", _plays(year, OFFENCE, team), PLAYS_NOTE),
        Group("Plays against it, by its charts", _plays(year, DEFENCE, team), PLAYS_NOTE),
    )


PLAYS_NOTE = (
    "Yards a call against an average other side, after the charts: opponents are taken out, and "
    "what was rare is drawn towards the league."
)


def best_and_worst(found: Sequence[Group], count: int = 3) -> tuple[list[str], list[str]]:
    """What stood out most, either way: `3rd of 32 in yards a run`."""
    named = [
        (one.better, f"{ordinal(one.rank)} in {_spoken(group.title)}{one.name}")
        for group in found[:4]
        for one in group.strengths
    ]
    named.sort(key=lambda pair: -pair[0])
    good = [said for better, said in named[:count] if better > 0.5]
    bad = [said for better, said in named[::-1][:count] if better < -0.5]
    return good, bad


def _spoken(title: str) -> str:
    return "defending: " if title == "Defence" else ""


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


def _of(
    figures: Figures, team: str, measures: Sequence[Measure], side: str | None = None
) -> tuple[Strength, ...]:
    made = []
    for measure in measures:
        of = side or measure.side
        values = {
            code: measure.of(figures.of(code, of), figures.games[code]) for code in figures.teams
        }
        more = measure.more if side != AGAINST else not measure.more
        name = _DEFENCE_NAMES.get(measure.name, measure.name) if side == AGAINST else measure.name
        made.append(ranked(name, values, team, more, measure.form))
    return tuple(made)


@lru_cache(maxsize=1024)
def _plays(year: int, side: str, team: str) -> tuple[Strength, ...]:
    yards = SeasonCharts.of(year).yards[side]
    return tuple(
        ranked(
            play.replace("-", " "),
            {code: each[at] for code, each in yards.items()},
            team,
            side == OFFENCE,
            "{:.2f}",
        )
        for at, play in enumerate(PLAYS)
    )


def ranked(name: str, values: Mapping[str, float], team: str, more: bool, form: str) -> Strength:
    """One figure of a team among those of all."""
    sign = 1 if more else -1
    own, count = values[team], len(values)
    mean = sum(values.values()) / count
    spread = (sum((one - mean) ** 2 for one in values.values()) / max(1, count - 1)) ** 0.5
    ahead = sum(sign * one > sign * own for one in values.values())

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
        tuple(sorted(better(one) for one in values.values())),
    )


# --- Drawn -----------------------------------------------------------------------------------


def strips(title: str, found: Sequence[Strength]) -> Chart:
    """A strip for each figure: a dot for every team, the better to the right."""
    names = widest([one.name for one in found]) + 8
    texts = [f"{ordinal(one.rank)} ({one.text})" for one in found]
    left, right = names + 6, WIDTH - widest(texts) - 12
    middle = (left + right) / 2

    def at(better: float) -> float:
        return middle + max(-REACH, min(REACH, better)) / REACH * (right - left) / 2

    bottom = STEP * len(found) + 4
    shapes: list[Shape] = [Path(f"M{middle:.1f} 2V{bottom:.1f}", "grid")]
    for row, (one, text) in enumerate(zip(found, texts, strict=True)):
        y = 4 + STEP * (row + 0.5)
        drawn: list[Shape] = [
            Words(names, y + 4, fitted(one.name, names), "end"),
            Path(f"M{left:.1f} {y:.1f}H{right:.1f}", "grid"),
            *(Path(f"M{at(other):.1f} {y - 5:.1f}v10", "thin") for other in one.all),
            Dot(at(one.better), y, "here", 5),
            Words(right + 10, y + 4, text, "start", "soft"),
        ]
        said = (
            f"{one.name}: {one.text}, {ordinal(one.rank)} of {one.of}; "
            f"the league {_as(one.text, one.mean)}"
        )
        shapes.append(Datum(said, drawn))
    shapes.append(Words(left, bottom + 14, "worse", "start", "soft"))
    shapes.append(Words(right, bottom + 14, "better", "end", "soft"))
    said = "; ".join(f"{one.name} {ordinal(one.rank)} of {one.of}" for one in found)
    return Chart(title, f"{title}. {said}.", WIDTH, bottom + 20, shapes)


def _as(text: str, mean: float) -> str:
    """The league's mean, written as the team's figure is."""
    if text.endswith("%"):
        return f"{mean:.1%}"
    return f"{mean:.{len(text.partition('.')[2])}f}"
