"""Forecasts of real games, ours beside those of fair rivals: who tells the even weeks best?

    board = scoreboard(Path("plays"), runs=400)
    board.row(OURS).left_out.mean("log_loss")

Of every season whose play-by-play is there, each game of the even weeks is told from the odd weeks
(and, by predictors that carry over, from the seasons before). All predictors go through the same
map (`forecast.py`).

**Left out.** Seasons that a fixed rule names are left out of everything that is fitted: neither a
slope nor a setting nor the weight of a blend has seen how their games ended. They are the ones
that count. The other seasons tune: each is told by maps that were fitted on the others of them.
(What happened in a left-out season is the past of the season after it, and may be known there, as
any past: in ratings that carry over. How its games were told is fitted nowhere.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hashmark.league.checks import forecast, known, rivals, simulated
from hashmark.league.checks.forecast import Errors, Fitted, Games, Numbers, Predictor
from hashmark.league.checks.known import Known
from hashmark.league.facts import schedule
from hashmark.league.seasons.games import check_work
from hashmark.table.errors import HashmarkError

HOME_EDGE = "home edge alone"
RECORD = "last season's record"
POINTS = "points (SRS)"
EXPECTED = "expected points (EPA-SRS)"
EXPECTED_LAST = "EPA-SRS and last season"
ELO = "Elo"
OURS = "Hashmark"
OURS_APART = "Hashmark, both sides apart"
OURS_LAST = "Hashmark and last season"
OURS_BOTH = "Hashmark apart, and last season"
LINE = "closing line"
OWN = (OURS, OURS_APART, OURS_LAST, OURS_BOTH)

CYCLE, LEFT_OUT = 5, 2  # seasons with this rest are left out of all tuning
FEWEST = 3  # tuning seasons: each is told by the others
RUNS = 400  # of each pairing: dice error 0.7 points beside 13 of a real game
MOST_RUNS = 10**5
LAST_RIDGE = 4.0  # of last season's ratings: they have twice the games, and a slope of their own
CHOSEN_BY = "log_loss"


def is_left_out(season: int) -> bool:
    """The rule: 2007, 2012, 2017, 2022 and so on."""
    return season % CYCLE == LEFT_OUT


@dataclass(frozen=True)
class Row:
    """A predictor judged."""

    fitted: Fitted  # on all tuning seasons
    tuning: Errors
    left_out: Errors | None  # None if no such season is there

    @property
    def name(self) -> str:
        return self.fitted.predictor.name


@dataclass(frozen=True)
class Scoreboard:
    """All predictors on the same games."""

    rows: tuple[Row, ...]
    tuning: tuple[Games, ...]
    left_out: tuple[Games, ...]
    runs: int
    seed: int
    notes: tuple[str, ...]  # what was not there

    def row(self, name: str) -> Row:
        return next(one for one in self.rows if one.name == name)

    def has(self, name: str) -> bool:
        return any(one.name == name for one in self.rows)

    @property
    def chosen(self) -> Row:
        """Ours that does best on the tuning seasons: picked without the ones that count."""
        own = [one for one in self.rows if one.name in OWN]
        return min(own, key=lambda one: one.tuning.mean(CHOSEN_BY).mean)


def scoreboard(
    folder: Path | None = None,
    runs: int = RUNS,
    seed: int = 0,
    threads: int | None = None,
    seasons: Iterable[int] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Scoreboard:
    """Everything: seasons found and read, games simulated, predictors fitted and judged."""
    workers = check_work(runs, seed, threads, MOST_RUNS)
    wanted = check_seasons(known.found(folder, seasons))
    outside = known.Outside.of(folder)
    read: dict[int, Known] = {}
    for at, season in enumerate(wanted):
        if progress is not None:
            progress(str(season), at, len(wanted))
        read[season] = known.read(season, folder, runs, seed, workers)
    notes: list[str] = []
    made = predictors(read, outside, notes)
    games = [games_of(one.even, season) for season, one in read.items()]
    rows = judged(made, games)
    tuning, left_out = parted(games)
    return Scoreboard(tuple(rows), tuple(tuning), tuple(left_out), runs, seed, tuple(notes))


def parted(games: Sequence[Games]) -> tuple[list[Games], list[Games]]:
    """The seasons that tune, and those that are left out."""
    tuning = [one for one in games if not is_left_out(one.season)]
    return tuning, [one for one in games if is_left_out(one.season)]


def check_seasons(seasons: Sequence[int]) -> list[int]:
    """Refuse seasons of which nothing can be learnt."""
    tuning = [season for season in seasons if not is_left_out(season)]
    if len(tuning) < FEWEST:
        raise HashmarkError(
            f"seasons to tune on: {', '.join(map(str, tuning)) or 'none'}; at least {FEWEST} are "
            "wanted, beside those that are left out (every fifth, such as 2022)"
        )
    return list(seasons)


def games_of(even: Sequence[schedule.Game], season: int) -> Games:
    """The games that are told, as the map wants them."""
    told = [game for game in even if game.score is not None]
    return Games(
        season,
        np.array([0.0 if game.neutral else 1.0 for game in told]),
        np.array([float(game.score[0] - game.score[1]) for game in told if game.score]),
    )


def judged(predictors: Sequence[Predictor], games: Sequence[Games]) -> list[Row]:
    """Every predictor fitted on tuning seasons, and its errors everywhere."""
    return [_judged(one, *parted(games)) for one in predictors]


def _judged(predictor: Predictor, tuning: list[Games], left: list[Games]) -> Row:
    fitted = forecast.fit(predictor, tuning)
    inner = [
        forecast.errors(forecast.fit(predictor, [one for one in tuning if one is not told]), told)
        for told in tuning
    ]
    outer = [forecast.errors(fitted, told) for told in left]
    return Row(fitted, forecast.joined(inner), forecast.joined(outer) if outer else None)


# --- The predictors -----------------------------------------------------------------------


def predictors(
    read: Mapping[int, Known], outside: known.Outside, notes: list[str]
) -> list[Predictor]:
    """All that can be made of what is there; what cannot is told in `notes`."""
    history = outside.history
    even = {season: one.even for season, one in read.items()}
    made = [
        Predictor(HOME_EDGE, {"": {s: rivals.nothing(games) for s, games in even.items()}}),
        Predictor(RECORD, {"": _ratings(even, lambda s: rivals.record(history.get(s - 1)))}),
        Predictor(POINTS, {f"ridge {ridge:g}": _points(read, ridge) for ridge in rivals.RIDGES}),
        *_expected(read, notes),
        Predictor(ELO, _elo(even, history)),
        *_own(read),
    ]
    lines = outside.lines
    if lines is None or any(game.id not in lines for games in even.values() for game in games):
        notes.append(outside.no_lines)
        return made
    told = {s: np.array([[lines[game.id]] for game in games]) for s, games in even.items()}
    return [*made, Predictor(LINE, {"": told})]


def _ratings(
    even: Mapping[int, Sequence[schedule.Game]], of: Callable[[int], Mapping[str, float]]
) -> Numbers:
    return {season: rivals.differences(of(season), games) for season, games in even.items()}


def _points(read: Mapping[int, Known], ridge: float) -> Numbers:
    return {
        season: rivals.differences(
            rivals.simple_ratings(one.odd, rivals.margins(one.odd), ridge), one.even
        )
        for season, one in read.items()
    }


def _elo(
    even: Mapping[int, Sequence[schedule.Game]], history: Mapping[int, schedule.Schedule]
) -> dict[str, Numbers]:
    made = {}
    for name, setting in rivals.elo_settings().items():
        ratings = rivals.elo(history, even, setting)
        made[name] = _ratings(even, ratings.__getitem__)
    return made


def _expected(read: Mapping[int, Known], notes: list[str]) -> list[Predictor]:
    """Ratings by expected points, of the odd weeks and with last season's beside them."""
    if lacking := [season for season, one in read.items() if one.expected is None]:
        notes.append(
            f"The play-by-play of {lacking[0]} has no column epa: the ratings by expected points "
            "are left out."
        )
        return []
    alone: dict[str, Numbers] = {}
    beside: dict[str, Numbers] = {}
    for way in rivals.EPA_WAYS:
        last = {s: _last_expected(one, way) for s, one in read.items() if one.expected_last}
        for ridge in rivals.RIDGES:
            name = f"{way}, ridge {ridge:g}"
            alone[name] = {season: _odd_expected(one, way, ridge) for season, one in read.items()}
            beside[name] = _beside(alone[name], last)
    first = Predictor(EXPECTED, alone)
    if not any(one.expected_last for one in read.values()):
        return [first]
    return [first, Predictor(EXPECTED_LAST, beside, otherwise=first)]


def _odd_expected(one: Known, way: str, ridge: float) -> forecast.Floats:
    worth = (one.expected or {})[way]
    return rivals.differences(rivals.simple_ratings(one.odd, worth, ridge), one.even)


def _last_expected(one: Known, way: str) -> forecast.Floats:
    worth = (one.expected_last or {})[way]
    return rivals.differences(rivals.simple_ratings(one.last, worth, LAST_RIDGE), one.even)


def _own(read: Mapping[int, Known]) -> list[Predictor]:
    """The simulation and what may be added: each side's own slope, last season's charts, both."""
    margins = {season: simulated.margins(one.simulated) for season, one in read.items()}
    apart = {season: simulated.apart(one.simulated, one.even) for season, one in read.items()}
    last = {
        season: simulated.margins(one.simulated_last)
        for season, one in read.items()
        if one.simulated_last is not None
    }
    made = [Predictor(OURS, {"": margins}), Predictor(OURS_APART, {"": apart})]
    if last:
        made += [
            Predictor(name, {"": _beside(alone.settings[""], last)}, otherwise=alone)
            for name, alone in zip((OURS_LAST, OURS_BOTH), made, strict=True)
        ]
    return made


def _beside(one: Numbers, other: Numbers) -> Numbers:
    """Both predictors' numbers, of the seasons that both have."""
    return {season: np.hstack([one[season], other[season]]) for season in one if season in other}
