"""Standings: division order and playoff seeds by the league's tiebreakers.

The steps are those in force since 2002 and have not changed. One step cannot be evaluated from
scores (net touchdowns, the last before the coin toss); the coin is tossed instead.

The functions marked `@rule` run both as plain Python and compiled. They work on the results of one
season at a time; `rank_runs` loops over many simulated seasons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hashmark.engine.generator import check_seed, stream_start
from hashmark.engine.rule import rule
from hashmark.league.data.schedule import CONFERENCES, TEAMS, ScheduledGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from hashmark.league.data.arrays import Integers

TEAM_COUNT = len(TEAMS)
DIVISION_SIZE = 4
CONFERENCE_SIZE = TEAM_COUNT // len(CONFERENCES)
MAX_SEEDS = 7
MIN_COMMON_GAMES = 4  # common games needed for the step to apply between divisions
COIN_STREAM = 2  # the generator's stream for coin tosses
NOT_APPLICABLE = -1e9

# Tiebreaker steps.
(
    HEAD_TO_HEAD,
    DIVISION_RECORD,
    COMMON_GAMES,
    CONFERENCE_RECORD,
    STRENGTH_OF_VICTORY,
    STRENGTH_OF_SCHEDULE,
    RANK_IN_CONFERENCE,
    RANK_IN_LEAGUE,
    NET_POINTS_IN_COMMON,
    NET_POINTS_IN_CONFERENCE,
    NET_POINTS,
    COIN_TOSS,
) = range(12)
DIVISION_STEPS = (
    HEAD_TO_HEAD,
    DIVISION_RECORD,
    COMMON_GAMES,
    CONFERENCE_RECORD,
    STRENGTH_OF_VICTORY,
    STRENGTH_OF_SCHEDULE,
    RANK_IN_CONFERENCE,
    RANK_IN_LEAGUE,
    NET_POINTS_IN_COMMON,
    NET_POINTS,
    COIN_TOSS,
)
CONFERENCE_STEPS = (
    HEAD_TO_HEAD,
    CONFERENCE_RECORD,
    COMMON_GAMES,
    STRENGTH_OF_VICTORY,
    STRENGTH_OF_SCHEDULE,
    RANK_IN_CONFERENCE,
    RANK_IN_LEAGUE,
    NET_POINTS_IN_CONFERENCE,
    NET_POINTS,
    COIN_TOSS,
)


class ByTeam(Protocol):
    """Numbers by team: an array or, without NumPy, a dictionary."""

    def __getitem__(self, team: int, /) -> Any: ...

    def __setitem__(self, team: int, number: int, /) -> None: ...


class ByPair(Protocol):
    """Numbers by two indices, the first of them mostly a team."""

    def __getitem__(self, pair: tuple[int, int], /) -> Any: ...

    def __setitem__(self, pair: tuple[int, int], number: int, /) -> None: ...


class Results(NamedTuple):
    """Results of one season; a win counts 2, a tie 1."""

    games: ByPair  # [team, opponent]: games between them
    won: ByPair  # [team, opponent]: wins of the team, a win counted 2 and a tie 1
    beaten: ByPair  # [team, opponent]: games that the team won
    net: ByPair  # [team, opponent]: net points of the team
    total: ByPair  # [team, column]: games, won, points for, points against
    toss: ByTeam  # coin toss, larger is better
    tied: ByTeam  # workspace: 1 for the teams being compared
    values: Any  # workspace: value of the current step by team
    ranks: ByTeam  # rank in its division, from 0


GAMES, WON, POINTS_FOR, POINTS_AGAINST = range(4)


# --- Values of a team ----------------------------------------------------------------------


@rule
def record(r: Results, team: int) -> float:
    """Return the winning percentage of a team; before its first game it is neither good nor bad."""
    won: int = r.total[team, WON]
    games: int = r.total[team, GAMES]
    return won / (2 * games) if games else 0.5


@rule
def record_in(r: Results, team: int, first: int, last: int) -> float:
    """Return the winning percentage against teams `first` to `last`: a division or conference."""
    won = games = 0
    for other in range(first, last):
        won += r.won[team, other]
        games += r.games[team, other]
    return won / (2 * games) if games else 0.0


@rule
def count_tied(r: Results) -> int:
    count = 0
    for team in range(TEAM_COUNT):
        count += r.tied[team]
    return count


@rule
def is_common(r: Results, other: int) -> bool:
    """Return whether all compared teams have met this one."""
    missing = 0
    for team in range(TEAM_COUNT):
        if r.tied[team] and r.games[team, other] == 0:
            missing += 1
    return missing == 0


@rule
def common(r: Results, team: int, net: bool) -> float:
    """Return the winning percentage, or the net points, against common opponents."""
    won = games = points = 0
    for other in range(TEAM_COUNT):
        if is_common(r, other):
            won += r.won[team, other]
            games += r.games[team, other]
            points += r.net[team, other]
    if net:
        return float(points)
    return won / (2 * games) if games else 0.0


@rule
def enough_in_common(r: Results) -> bool:
    """Return whether all compared teams have the minimum of common games (four)."""
    for team in range(TEAM_COUNT):
        if r.tied[team]:
            games = 0
            for other in range(TEAM_COUNT):
                if is_common(r, other):
                    games += r.games[team, other]
            if games < MIN_COMMON_GAMES:
                return False
    return True


@rule
def of_opponents(r: Results, team: int, times: ByPair) -> float:
    """Return the combined record of other teams, each counted `times` times."""
    won = games = 0
    for other in range(TEAM_COUNT):
        won += times[team, other] * r.total[other, WON]
        games += times[team, other] * r.total[other, GAMES]
    return won / (2 * games) if games else 0.0


@rule
def rank_of(r: Results, team: int, first: int, last: int) -> int:
    """Return the rank in points scored plus the rank in points allowed, among `first` to `last`."""
    rank_sum = 2
    for other in range(first, last):
        if r.total[other, POINTS_FOR] > r.total[team, POINTS_FOR]:
            rank_sum += 1
        if r.total[other, POINTS_AGAINST] < r.total[team, POINTS_AGAINST]:
            rank_sum += 1
    return rank_sum


@rule
def net_in(r: Results, team: int, first: int, last: int) -> int:
    """Return the net points in games against teams `first` to `last`."""
    points = 0
    for other in range(first, last):
        points += r.net[team, other]
    return points


@rule
def head_to_head(r: Results, team: int) -> float:
    """Return the winning percentage in games among the compared teams."""
    won = games = 0
    for other in range(TEAM_COUNT):
        if r.tied[other]:
            won += r.won[team, other]
            games += r.games[team, other]
    return won / (2 * games) if games else NOT_APPLICABLE


@rule
def sweep(r: Results, team: int) -> float:
    """Return 1 if a team has beaten each of the others, -1 if it has lost to each, else 0."""
    swept = was_swept = True
    for other in range(TEAM_COUNT):
        if r.tied[other] and other != team:
            games = r.games[team, other]
            if games == 0 or r.beaten[team, other] < games:
                swept = False
            if games == 0 or r.beaten[other, team] < games:
                was_swept = False
    if swept:
        return 1.0
    return -1.0 if was_swept else 0.0


@rule
def value(r: Results, team: int, step: int, within: bool) -> float:
    """Return the value that a step compares for a team; larger is better."""
    conference = team // CONFERENCE_SIZE * CONFERENCE_SIZE
    if step == HEAD_TO_HEAD:
        if within or count_tied(r) == 2:
            return head_to_head(r, team)
        return sweep(r, team)
    if step == DIVISION_RECORD:
        division = team // DIVISION_SIZE * DIVISION_SIZE
        return record_in(r, team, division, division + DIVISION_SIZE)
    if step == COMMON_GAMES:
        if not within and not enough_in_common(r):
            return NOT_APPLICABLE
        return common(r, team, False)
    if step == CONFERENCE_RECORD:
        return record_in(r, team, conference, conference + CONFERENCE_SIZE)
    if step == STRENGTH_OF_VICTORY:
        return of_opponents(r, team, r.beaten)
    if step == STRENGTH_OF_SCHEDULE:
        return of_opponents(r, team, r.games)
    if step == RANK_IN_CONFERENCE:
        return float(-rank_of(r, team, conference, conference + CONFERENCE_SIZE))
    if step == RANK_IN_LEAGUE:
        return float(-rank_of(r, team, 0, TEAM_COUNT))
    if step == NET_POINTS_IN_COMMON:
        return common(r, team, True)
    if step == NET_POINTS_IN_CONFERENCE:
        return float(net_in(r, team, conference, conference + CONFERENCE_SIZE))
    if step == NET_POINTS:
        return float(r.total[team, POINTS_FOR] - r.total[team, POINTS_AGAINST])
    return float(r.toss[team])


# --- Breaking ties -----------------------------------------------------------------------------


@rule
def keep_best(r: Results, step: int, within: bool) -> None:
    """Keep those of the compared teams that have the best value."""
    best = 2.0 * NOT_APPLICABLE
    for team in range(TEAM_COUNT):
        if r.tied[team]:
            r.values[team] = value(r, team, step, within)
            best = max(best, r.values[team])
    for team in range(TEAM_COUNT):
        if r.tied[team] and r.values[team] < best:
            r.tied[team] = 0


@rule
def break_tie(r: Results, within: bool) -> int:
    """Return the winner of a tie.

    When a step eliminates some teams but leaves more than one, the steps restart from the first.
    """
    step = 0
    while count_tied(r) > 1:
        before = count_tied(r)
        keep_best(r, DIVISION_STEPS[step] if within else CONFERENCE_STEPS[step], within)
        step = step + 1 if count_tied(r) == before else 0
    for team in range(TEAM_COUNT):
        if r.tied[team]:
            return team
    return -1


@rule
def compare_best_records(r: Results, first: int, last: int) -> None:
    """Keep those of the compared teams `first` to `last` that have the best record."""
    best = -1.0
    for team in range(first, last):
        if r.tied[team]:
            best = max(best, record(r, team))
    for team in range(first, last):
        if r.tied[team] and record(r, team) < best:
            r.tied[team] = 0


@rule
def rank_division(r: Results, first: int) -> None:
    """Rank a division place by place; the remaining teams are compared anew each time."""
    for place in range(DIVISION_SIZE):
        for team in range(TEAM_COUNT):
            r.tied[team] = 0
        for team in range(first, first + DIVISION_SIZE):
            r.tied[team] = 1 if r.ranks[team] < 0 else 0
        compare_best_records(r, first, first + DIVISION_SIZE)
        r.ranks[break_tie(r, True)] = place


@rule
def next_seed(r: Results, seeded: ByTeam, winners: bool, first: int) -> int:
    """Return the best unseeded division winner of a conference, or the best other team.

    Of several tied teams in one division only the highest ranked is compared with other divisions.
    """
    last = first + CONFERENCE_SIZE
    for team in range(TEAM_COUNT):
        is_candidate = first <= team < last and not seeded[team] and (r.ranks[team] == 0) == winners
        r.tied[team] = 1 if is_candidate else 0
    compare_best_records(r, first, last)
    for team in range(first, last):
        if r.tied[team]:
            division = team // DIVISION_SIZE * DIVISION_SIZE
            for other in range(division, division + DIVISION_SIZE):
                if r.tied[other] and r.ranks[other] < r.ranks[team]:
                    r.tied[team] = 0
    return break_tie(r, False)


@rule
def rank_all(r: Results, seeded: ByTeam, seeds: ByPair, places: int) -> None:
    """Rank every division, then seed both conferences: four winners, then the wild cards."""
    for team in range(TEAM_COUNT):
        r.ranks[team] = -1
        seeded[team] = 0
    for first in range(0, TEAM_COUNT, DIVISION_SIZE):
        rank_division(r, first)
    for conference in range(TEAM_COUNT // CONFERENCE_SIZE):
        for place in range(places):
            team = next_seed(r, seeded, place < DIVISION_SIZE, conference * CONFERENCE_SIZE)
            seeded[team] = 1
            seeds[conference, place] = team


@rule
def add_game(r: Results, home: int, away: int, home_points: int, away_points: int) -> None:
    """Add the result of a game for both teams."""
    home_won = 2 if home_points > away_points else 1 if home_points == away_points else 0
    enter(r, home, away, home_points, away_points, home_won)
    enter(r, away, home, away_points, home_points, 2 - home_won)


@rule
def enter(r: Results, team: int, other: int, scored: int, allowed: int, won: int) -> None:
    r.games[team, other] += 1
    r.won[team, other] += won
    r.beaten[team, other] += won // 2
    r.net[team, other] += scored - allowed
    r.total[team, GAMES] += 1
    r.total[team, WON] += won
    r.total[team, POINTS_FOR] += scored
    r.total[team, POINTS_AGAINST] += allowed


def rank_runs(
    r: Any,  # `Results` of arrays
    pairs: Integers,
    points: NDArray[np.integer[Any]],
    toss: Integers,
    places: int,
    seeded: Integers,
    won: Integers,
    ranks: Integers,
    seeds: Integers,
) -> None:
    """Rank many seasons; `points` is by game, season and side, the other arrays by season.

    `seeded` is workspace, one number for each team.
    """
    for run in range(points.shape[1]):
        r.games[:] = 0
        r.won[:] = 0
        r.beaten[:] = 0
        r.net[:] = 0
        r.total[:] = 0
        for team in range(TEAM_COUNT):
            r.toss[team] = toss[run, team]
        for i in range(len(pairs)):
            add_game(r, pairs[i, 0], pairs[i, 1], points[i, run, 0], points[i, run, 1])
        rank_all(r, seeded, seeds[run], places)
        for team in range(TEAM_COUNT):
            won[run, team] = r.total[team, WON]
            ranks[run, team] = r.ranks[team]


# --- Many seasons ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standings:
    """Final standings of many seasons; teams are numbered as in `schedule.TEAMS`."""

    won: Integers  # season, team: wins count 2, ties 1
    ranks: Integers  # season, team: rank in its division, from 0
    seeds: Integers  # season, conference, seed from 0: team number


def rank_seasons(
    games: Sequence[ScheduledGame],
    points: NDArray[np.integer[Any]],
    toss: Integers,
    places: int,
    compiled: bool = True,
) -> Standings:
    """Return the standings of seasons with these games; `points` is by game, season and side."""
    import numpy as np

    from hashmark.compiler import registration
    from hashmark.games.data_driven import RULES

    runs = points.shape[1]
    numbers = {team: number for number, team in enumerate(TEAMS)}
    pairs = np.array([(numbers[game.home], numbers[game.away]) for game in games], np.int64)
    won, ranks = np.zeros((2, runs, TEAM_COUNT), np.int64)
    seeds = np.full((runs, len(CONFERENCES), places), -1, np.int64)
    run = registration.compile_loop(rank_runs, RULES) if compiled else rank_runs
    seeded = np.zeros(TEAM_COUNT, np.int64)
    run(_empty(), pairs.reshape(-1, 2), points, toss, places, seeded, won, ranks, seeds)
    return Standings(won, ranks, seeds)


def _empty() -> Results:
    import numpy as np

    games, won, beaten, net = np.zeros((4, TEAM_COUNT, TEAM_COUNT), np.int64)
    toss, tied, ranks = np.zeros((3, TEAM_COUNT), np.int64)
    total, values = np.zeros((TEAM_COUNT, 4), np.int64), np.zeros(TEAM_COUNT)
    return Results(games, won, beaten, net, total, toss, tied, values, ranks)


def coin_tosses(seed: int, runs: ArrayLike) -> Integers:
    """Return the coin tosses of all teams in these seasons; they depend on seed and season only."""
    import numpy as np

    numbers = np.add.outer(
        np.asarray(runs, np.uint64) * np.uint64(TEAM_COUNT), np.arange(TEAM_COUNT, dtype=np.uint64)
    )
    vectorized_start: Any = stream_start
    stream = np.full(1, COIN_STREAM, np.uint64)  # arrays wrap around, as the generator requires
    starts = vectorized_start(check_seed(seed), numbers, stream)
    return np.asarray(starts >> np.uint64(12), np.int64)
