"""Opponents of a team over its schedule: their charts and plans, averaged.

For each entry of a plan this module computes the value of every call against the opponents' own
mix, and the equilibrium mix of plays against formations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from hashmark.games.data_driven.plans.plan import SECTIONS
from hashmark.games.data_driven.position import Match
from hashmark.league.data.arrays import Floats
from hashmark.league.seasons.pairings import make_match
from hashmark.league.whatifs import expected_points, matchups
from hashmark.league.whatifs.matchups import Matchup, PayoffTable, allowed_plays
from hashmark.league.whatifs.plan_changes import (
    FIRST_SHARE,
    GameSituation,
    PlanEntry,
    call_mix,
    entry_limits,
)
from hashmark.league.whatifs.play_results import FieldSituation
from hashmark.league.whatifs.trial import Trial
from hashmark.odds import equilibrium

TYPICAL_SPOTS = (25, 45, 65)  # spots at which an entry without limits is evaluated
TYPICAL_DISTANCES = {1: 10, 2: 7, 3: 6, 4: 3}  # yards to go by down, for entries without limits


@dataclass(frozen=True)
class EntryPayoffs:
    """An entry in one of its situations: the payoff matrix and the opponents' mix."""

    matrix: Floats  # allowed plays, by formation
    plays: list[int]
    against: Floats  # the opponents' mix of formations, or of those plays


class Opposition:
    """A team's opponents, each weighted by the number of games against it."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.games_against = Counter(fixture.opponent for fixture in trial.fixtures)
        self.expected = expected_points.load()
        # A match against each opponent, and our seat in it.
        self.matches: dict[str, tuple[Match, int]] = {}
        self.offense_tables: dict[str, PayoffTable] = {}  # our offense against their defense
        self.defense_tables: dict[str, PayoffTable] = {}  # their offense against our defense
        for fixture in trial.fixtures:
            code, our_seat = fixture.opponent, int(not fixture.is_home)
            if code not in self.matches:
                m = make_match(trial.setup.charts, trial.setup.pairing(fixture))
                self.matches[code] = (m, our_seat)
                self.offense_tables[code] = Matchup(m, our_seat).payoff_table(self.expected)
                self.defense_tables[code] = Matchup(m, 1 - our_seat).payoff_table(self.expected)

    @cached_property
    def our_offense(self) -> PayoffTable:
        return self._blended(self.offense_tables)

    @cached_property
    def our_defense(self) -> PayoffTable:
        return self._blended(self.defense_tables)

    def _blended(self, tables: dict[str, PayoffTable]) -> PayoffTable:
        return matchups.average_tables(
            [tables[code] for code in self.games_against], [*self.games_against.values()]
        )

    def mean_mix(self, section: str, situation: GameSituation) -> Floats:
        """Return the opponents' mean shares in a situation, given as our coach sees it."""
        theirs = replace(situation, lead=-situation.lead)
        total = np.zeros(len(SECTIONS[section]))
        for code, games in self.games_against.items():
            shares = call_mix(self.trial.league[code], section, theirs)
            if shares is None:
                total[0] += games  # a coach whose plan has no matching entry makes the first call
            else:
                total += games * np.array(shares)
        return np.asarray(total / total.sum())

    # --- Entries of our plan --------------------------------------------------------------

    def entry_payoffs(self, section: str, row: PlanEntry) -> list[EntryPayoffs]:
        """Return an entry of the section `play` or `formation` in its typical situations."""
        views = []
        for moment in typical_situations(row):
            plays, here = allowed_plays(moment.spot), _on_the_field(moment)
            if section == "play":
                matrix = self.our_offense.matrix(here)[plays]
                against = self.mean_mix("formation", moment)
            else:
                matrix = self.our_defense.matrix(here)[plays]
                against = self.mean_mix("play", moment)[plays]
                against = against / against.sum()
            views.append(EntryPayoffs(matrix, plays, against))
        return views

    def call_gains(self, section: str, row: PlanEntry) -> Floats:
        """Return each call's gain over the mean of all calls, in expected points of our team.

        A play that the rules do not allow in the entry gets -inf.
        """
        total, count = np.zeros((2, len(SECTIONS[section])))
        for view in self.entry_payoffs(section, row):
            if section == "play":
                values = view.matrix @ view.against
                total[view.plays] += values
                count[view.plays] += 1
            else:
                total -= view.against @ view.matrix
                count += 1
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.where(count > 0, total / count, -np.inf)
        return np.asarray(means - means[np.isfinite(means)].mean())

    def equilibrium_mix(self, section: str, row: PlanEntry) -> Floats:
        """Return our equilibrium mix of plays or formations, averaged over the situations."""
        total = np.zeros(len(SECTIONS[section]))
        for view in self.entry_payoffs(section, row):
            solution = equilibrium.solve_matrix_game(view.matrix)
            if section == "play":
                total[view.plays] += solution.row_mix
            else:
                total += solution.column_mix
        return np.asarray(total / total.sum())

    # --- Responses --------------------------------------------------------------------------

    def best_response(self, code: str, section: str, row: PlanEntry) -> int:
        """Return the opponent's best response to an entry of our plan.

        It is a formation against our plays, or a play against our formations.
        """
        theirs = "formation" if section == "play" else "play"
        total, count = np.zeros((2, len(SECTIONS[theirs])))
        ours = np.array(row[FIRST_SHARE : FIRST_SHARE + len(SECTIONS[section])], float)
        table = (self.offense_tables if section == "play" else self.defense_tables)[code]
        our_shares = ours / max(ours.sum(), 1.0)
        for moment in typical_situations(row):
            plays = allowed_plays(moment.spot)
            matrix = table.matrix(_on_the_field(moment))[plays]
            if section == "formation":
                total[plays] += matrix @ our_shares
                count[plays] += 1
            elif (our_plays := ours[plays]).sum() > 0:
                total -= our_plays / our_plays.sum() @ matrix
                count += 1
        most = count.max()
        return int(np.where((count == most) & (most > 0), total, -np.inf).argmax())


def _on_the_field(moment: GameSituation) -> FieldSituation:
    return FieldSituation(moment.down, min(moment.to_go, 100 - moment.spot), moment.spot)


@lru_cache(maxsize=2048)
def typical_situations(row: PlanEntry) -> Sequence[GameSituation]:
    """Return typical situations of an entry; they are the same for every opponent."""
    limits = entry_limits(row)
    lead = _within(0, limits["lead"])
    time = _within(900, limits["time"])
    period = _within(2, limits["period"])
    low, high = limits["spot"]
    spots = [spot for spot in TYPICAL_SPOTS if low <= spot <= high]
    if not spots:
        spots = [(max(low, 1) + min(high, 99)) // 2]
    situations = []
    for down in range(max(1, limits["down"][0]), max(1, min(4, limits["down"][1])) + 1):
        to_go = max(1, _within(TYPICAL_DISTANCES[down], limits["to-go"], middle=True))
        situations += [GameSituation(down, to_go, spot, lead, time, period) for spot in spots]
    return situations


def _within(typical: int, limits: tuple[int, int], middle: bool = False) -> int:
    """Return the typical value, or the nearest one within the limits."""
    low, high = limits
    if low <= typical <= high:
        return typical
    if middle and high - low < 8:
        return (low + high) // 2
    return low if typical < low else high
