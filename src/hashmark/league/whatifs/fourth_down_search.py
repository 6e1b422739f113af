"""Best fourth-down policy against a team's opponents, by expected points and by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np

from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.whatifs import matchups
from hashmark.league.whatifs.fourth_down_policy import (
    FALLBACK_RULE,
    FourthDownPolicy,
    PolicyRule,
    check_policy,
    predefined_policy,
)
from hashmark.league.whatifs.matchups import allowed_plays
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.plan_changes import (
    ANYWHERE,
    GameSituation,
    SituationFilter,
    call_mix,
)
from hashmark.league.whatifs.play_results import FieldSituation
from hashmark.league.whatifs.trial import Lineup

DISTANCE_BANDS = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 10), (11, 99))
SPOT_BANDS = tuple((low, min(99, low + 3)) for low in range(1, 100, 4))
KICK_CALLS = ("punt", "pooch-5", "pooch-10", "pooch-15", "field-goal")
CAUTION_POINTS = (0.0, 0.15, 0.3, 0.5, 0.8)  # expected points
TUNING_RUNS = 300
TUNING_SEED = 0x4D1D0FF  # independent of the seed of the measurement


def find_policy(
    name: str,
    opposition: Callable[[], Opposition],
    plan: Plan,
    seed: int = 0,
    situation: SituationFilter = ANYWHERE,
) -> FourthDownPolicy | None:
    """Return the policy of this name; None for `real`, which changes nothing."""
    check_policy(name, situation)
    if name == "real":
        return None
    if name == "best":
        return tune_policy(opposition(), plan, seed, situation)
    return predefined_policy(name, situation)


def best_policy(opposition: Opposition, plan: Plan, caution: float = 0.0) -> FourthDownPolicy:
    """Return the policy that goes for it where the plan's plays are worth more than the best kick.

    `caution` is how much more, in expected points.
    """
    kicks = {band: best_kick(opposition, _middle(band)) for band in SPOT_BANDS}
    rules: list[PolicyRule] = []
    for distance in DISTANCE_BANDS:
        goes_for_it = []
        for band in SPOT_BANDS:
            spot = _middle(band)
            to_go = min(_middle(distance) if distance[1] < 99 else 13, 100 - spot)
            value = go_for_it_value(opposition, plan, FieldSituation(4, to_go, spot))
            goes_for_it.append(value > kicks[band][1] + caution)
        rules += [(distance, spots, "play") for spots in _stretches(goes_for_it)]
    for call in KICK_CALLS:
        is_best = [kicks[band][0] == call for band in SPOT_BANDS]
        rules += [((1, 99), spots, call) for spots in _stretches(is_best)]
    return FourthDownPolicy("best", (*_merge_distances(rules), FALLBACK_RULE))


def tune_policy(
    opposition: Opposition, plan: Plan, seed: int = 0, situation: SituationFilter = ANYWHERE
) -> FourthDownPolicy:
    """Return the best of several cautions and of the bold policy, by simulation.

    Expected points ignore score and clock, and going for it is worth less than they say where
    failure is costly. The required margin is therefore tuned by simulation.
    """
    trial = opposition.trial
    candidates = [best_policy(opposition, plan, caution) for caution in CAUTION_POINTS]
    candidates.append(replace(predefined_policy("bold"), name="best"))
    candidates = [replace(candidate, situation=situation) for candidate in candidates]
    lineups = [Lineup(candidate.apply(plan)) for candidate in candidates]
    samples = trial.play(lineups, TUNING_RUNS, seed ^ TUNING_SEED)
    means = [
        float(candidate.margins.mean()) if candidate.runs else -math.inf for candidate in samples
    ]
    return candidates[means.index(max(means))]


def _middle(limits: tuple[int, int]) -> int:
    return (limits[0] + limits[1]) // 2


def _stretches(is_chosen: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the stretches of spots whose bands are chosen."""
    runs: list[tuple[int, int]] = []
    for band in compress(SPOT_BANDS, is_chosen):
        if runs and runs[-1][1] == band[0] - 1:
            runs[-1] = (runs[-1][0], band[1])
        else:
            runs.append(band)
    return runs


def _merge_distances(rules: Sequence[PolicyRule]) -> list[PolicyRule]:
    """Merge rules for adjacent distances with the same spots."""
    merged: list[PolicyRule] = []
    for (low, high), spots, call in rules:
        for index, ((first, last), other_spots, other_call) in enumerate(merged):
            if other_spots == spots and other_call == call and last == low - 1:
                merged[index] = ((first, high), spots, call)
                break
        else:
            merged.append(((low, high), spots, call))
    return merged


def go_for_it_value(opposition: Opposition, plan: Plan, situation: FieldSituation) -> float:
    """Return the value of the plan's own fourth-down plays against the opponents' formations."""
    moment = GameSituation(4, situation.to_go, situation.spot)
    plays = allowed_plays(situation.spot)
    mix_shares = call_mix(plan, "play", moment)
    shares = np.array(mix_shares)[plays] if mix_shares is not None else np.ones(len(plays))
    matrix = opposition.our_offense.matrix(situation)[plays]
    return float(shares / shares.sum() @ matrix @ opposition.mean_mix("formation", moment))


def best_kick(opposition: Opposition, spot: int) -> tuple[str, float]:
    """Return the best kick from a spot and its value."""
    expected, met = opposition.expected, opposition.games_against
    match, our_seat = next(iter(opposition.matches.values()))
    values: dict[str, float] = {}
    for name in KICK_CALLS:
        if name == "field-goal":
            kick_value = matchups.field_goal_value(expected, match, our_seat, spot)
            if kick_value is not None:
                values[name] = kick_value
            continue
        shorter = int(name.removeprefix("pooch-")) if name != "punt" else 0
        values[name] = (
            sum(
                met[code] * matchups.punt_value(expected, m, seat, spot, shorter)
                for code, (m, seat) in opposition.matches.items()
            )
            / met.total()
        )
    best_name = max(values, key=lambda name: values[name])
    return best_name, values[best_name]
