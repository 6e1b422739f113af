"""The test that charts and plans cannot pass by heart: odd weeks predict even weeks.

Charts and plans are built from the odd weeks alone, the games of the even weeks are simulated
with them, and every team's mean point difference in those games is compared with what it was.
Simpler predictions have to be beaten:

- the league average: every team is expected to be even with its opponents;
- last season's record: the point difference is expected in proportion to the wins above half;
- the record of the odd weeks, and their point difference, in proportion too.

The factor of proportion is the one that fits best in all other seasons whose schedules are known
(since 2006): a good forecaster would know it, and it knows nothing of this season.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.checks.verify import check_sizes, correlation, play, season_pairings
from hashmark.league.facts import schedule
from hashmark.table import places, writing

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

AVERAGE = "league average"
LAST_RECORD = "last season's record"
ODD_RECORD = "record of the odd weeks"
ODD_MARGIN = "point difference of the odd weeks"


@dataclass(frozen=True)
class Prediction:
    """What was expected of every team, and how far off it was."""

    name: str
    expected: Floats  # points a game
    error: float  # root of the mean square, points a game
    mean_error: float  # mean of the size
    correlation: float


@dataclass(frozen=True)
class HoldOut:
    """The even weeks, predicted."""

    season: int
    seasons: int
    teams: tuple[str, ...]
    truth: Floats  # mean point difference a game in the even weeks
    simulated: Prediction
    baselines: tuple[Prediction, ...]
    digest: str

    @property
    def beaten(self) -> list[Prediction]:
        return [one for one in self.baselines if self.simulated.error < one.error]


def hold_out(
    frame: pl.DataFrame,
    season: int,
    seasons: int = 200,
    seed: int = 0,
    threads: int | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int], None] | None = None,
    **building: Any,
) -> HoldOut:
    """Build on the odd weeks, play the even weeks, compare."""
    check_sizes(seasons, seed, threads)
    even = part_of(season, 0)
    with odd_weeks(frame, season, **building) as (name, plans):
        pairings = season_pairings(season, even, name, plans, options)
        done = play(name, even, pairings, seasons, seed, threads, progress)
    teams = done.teams
    truth = real_margins(even, teams)
    return HoldOut(
        season,
        done.seasons,
        teams,
        truth,
        _judged("simulated from the odd weeks", done.margins(), truth),
        tuple(baselines(season, teams, truth)),
        done.digest,
    )


@contextmanager
def odd_weeks(
    frame: pl.DataFrame, season: int, **building: Any
) -> Iterator[tuple[str, dict[str, Plan]]]:
    """Charts of the odd weeks alone, by the name under which they are found here, and plans."""
    from hashmark.league.charts import build
    from hashmark.league.plans import tendencies

    plans = tendencies.season_plans(frame, weeks="odd")
    with TemporaryDirectory() as folder:
        name = f"{season}-odd"
        made = build.build_charts(frame, weeks="odd", **building)
        writing.put(Path(folder) / f"{name}.toml", made.text())
        with places.look_in([Path(folder)]):
            yield name, plans


def real_margins(games: tuple[schedule.Game, ...], teams: tuple[str, ...]) -> Floats:
    """Mean point difference a game."""
    import numpy as np

    sums, played = np.zeros(len(teams)), np.zeros(len(teams))
    for game in games:
        if game.score is not None:
            for team, sign in ((game.home, 1), (game.away, -1)):
                if team in teams:
                    sums[teams.index(team)] += sign * (game.score[0] - game.score[1])
                    played[teams.index(team)] += 1
    made: Floats = sums / np.maximum(played, 1)
    return made


def part_of(season: int, rest: int) -> tuple[schedule.Game, ...]:
    """The games of the odd weeks (1) or the even weeks (0)."""
    whole = schedule.load(season).regular
    return tuple(game for game in whole if game.week % 2 == rest and game.score is not None)


def baselines(season: int, teams: tuple[str, ...], truth: Floats) -> list[Prediction]:
    """The simple predictions; last season's record only where its schedule is known."""
    import numpy as np

    made = [_judged(AVERAGE, np.zeros(len(teams)), truth)]
    for name, sign in SIGNS.items():
        if name != LAST_RECORD or season - 1 in schedule.seasons():
            made.append(_judged(name, factor(name, season) * sign(season, teams), truth))
    return made


def factor(name: str, season: int) -> float:
    """Points of difference for one of the sign, from all seasons but this one."""
    top = bottom = 0.0
    known = schedule.seasons()
    for other in known:
        if other == season or (name == LAST_RECORD and other - 1 not in known):
            continue
        sign = SIGNS[name](other, schedule.TEAMS)
        truth = real_margins(part_of(other, 0), schedule.TEAMS)
        top += float((sign * truth).sum())
        bottom += float((sign**2).sum())
    return top / bottom if bottom else 0.0


def _last_record(season: int, teams: tuple[str, ...]) -> Floats:
    return _record(schedule.load(season - 1).regular, teams)


def _odd_record(season: int, teams: tuple[str, ...]) -> Floats:
    return _record(part_of(season, 1), teams)


def _odd_margin(season: int, teams: tuple[str, ...]) -> Floats:
    return real_margins(part_of(season, 1), teams)


def _record(games: tuple[schedule.Game, ...], teams: tuple[str, ...]) -> Floats:
    """The share of games won, less a half."""
    import numpy as np

    told = schedule.Schedule(0, games)
    played = [sum(team in (game.home, game.away) for game in games) for team in teams]
    won = [told.wins(team) / max(1, n) for team, n in zip(teams, played, strict=True)]
    return np.array(won) - 0.5


SIGNS: dict[str, Callable[[int, tuple[str, ...]], Floats]] = {
    LAST_RECORD: _last_record,
    ODD_RECORD: _odd_record,
    ODD_MARGIN: _odd_margin,
}


def _judged(name: str, expected: Floats, truth: Floats) -> Prediction:
    import numpy as np

    miss = expected - truth
    error, size = float(np.sqrt((miss**2).mean())), float(abs(miss).mean())
    return Prediction(name, expected, error, size, correlation(expected, truth))


def sentence(result: HoldOut) -> str:
    """What came of it, plainly."""
    own = result.simulated
    parts = []
    for one in result.baselines:
        change = 1 - own.error / one.error if one.error else 0.0
        word = "better" if change > 0 else "worse"
        parts.append(f"{abs(change):.1%} {word} than the {one.name} ({one.error:.2f})")
    return (
        f"Built on the odd weeks of {result.season}, charts and plans miss the teams' point "
        f"difference in the even weeks by {own.error:.2f} points a game (root mean square): "
        + ", ".join(parts)
        + "."
    )


def to_json(result: HoldOut) -> dict[str, Any]:
    def said(one: Prediction) -> dict[str, Any]:
        return {
            "name": one.name,
            "error": one.error,
            "mean_error": one.mean_error,
            "correlation": one.correlation,
        }

    return {
        "sentence": sentence(result),
        "seasons": result.seasons,
        "digest": result.digest,
        "simulated": said(result.simulated),
        "baselines": [said(one) for one in result.baselines],
        "teams": {
            team: {"real": float(real), "simulated": float(expected)}
            for team, real, expected in zip(
                result.teams, result.truth, result.simulated.expected, strict=True
            )
        },
    }
