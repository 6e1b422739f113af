"""Value function of Data-Driven Football: win probability for any two teams, in plain Python.

A rating of both teams' charts gives the margin by which home is expected to win; a small network
gives the chance that the team in possession wins. It never falls with the lead, since the lead has
no weight below zero. `tools/data_driven_value.py` fits both to games between coaches `book` and
writes the file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from pathlib import Path
from typing import Any

from hashmark.engine.low_rank_values import measured_error
from hashmark.engine.record import HOME, NOBODY
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.value_function import Chances, ShippedValues
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.clock import LAST_QUARTER
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.value_features import (
    kickoffs,
    lead_features,
    position_features,
    seconds_left,
    team_features,
)

FORMAT = "hashmark-match-values/1"
FILE = Path(__file__).parent / "data" / "values.json"
# Fields of a match that its season sets, and the option of which both values were trained.
TRAINED_FIELDS = (
    "playoff",
    "kickoff_spot",
    "touchback_spot",
    "kick_touchback_spot",
    "overtime",
    "overtime_seconds",
    "overtime_timeouts",
)


def option_fields(m: Match) -> dict[str, int]:
    """Return the options of a match, without what depends on its teams, plans and season."""
    fields = {name: getattr(m, name) for name in type(m).__annotations__}
    return {
        name: number
        for name, number in fields.items()
        if isinstance(number, int) and name not in TRAINED_FIELDS
    }


@dataclass(frozen=True)
class Network:
    """One layer of hidden units: free ones, and some that see the lead as well.

    Rows of weights end with that of the constant 1. `leads` are the weights of the lead, none of
    them negative, nor are those of the units that see it.
    """

    free: Sequence[Sequence[float]]
    free_out: Sequence[float]
    mixed: Sequence[Sequence[float]]
    leads: Sequence[Sequence[float]]
    mixed_out: Sequence[float]
    direct: Sequence[float]
    direct_leads: Sequence[float]

    def evaluate(self, features: Sequence[float], lead: Sequence[float]) -> float:
        """Return the logarithm of the odds that the team in possession wins."""
        row = [*features, 1.0]
        odds = _dot(self.direct, row) + _dot(self.direct_leads, lead)
        for weights, out in zip(self.free, self.free_out, strict=True):
            odds += out * math.tanh(_dot(weights, row))
        for weights, leads, out in zip(self.mixed, self.leads, self.mixed_out, strict=True):
            odds += out * math.tanh(_dot(weights, row) + _dot(leads, lead))
        return odds


def _dot(weights: Sequence[float], row: Sequence[float]) -> float:
    total: float = sum(map(mul, weights, row))
    return total


def logistic(odds: float) -> float:
    """Return the probability with this logarithm of the odds."""
    return 0.5 * (1 + math.tanh(odds / 2))


@dataclass(frozen=True)
class FittedFile:
    """Content of the file: the fit, how it was made, and its measured error."""

    header: dict[str, Any]
    rating: Sequence[float]
    network: Network
    ties: Sequence[float]

    @classmethod
    def parse(cls, text: str) -> FittedFile:
        content = json.loads(text)
        network = Network(**content.pop("network"))
        return cls(content, content.pop("rating"), network, content.pop("ties"))


@cache
def _file() -> FittedFile:
    return FittedFile.parse(FILE.read_text(encoding="utf-8"))


class MatchValues:
    """Value function of one match."""

    is_best_play = False

    def __init__(self, fitted: FittedFile, m: Match) -> None:
        self.fitted, self.margin = fitted, expected_margin(fitted.rating, m)
        self.error = measured_error(fitted.header["error"])

    def chances(self, m: Any, g: Any) -> Chances:
        """Return the chances of a position; within a play they are those of its beginning."""
        if g.phase == p.COIN_TOSS or g.possession == NOBODY:
            pairs = zip(*(self.chances(m, kickoff) for kickoff in kickoffs(m, g)), strict=True)
            home, tie, away = (sum(pair) / 2 for pair in pairs)
            return home, tie, away
        lead = lead_features(g)
        features = position_features(m, g, self.margin)
        worth = logistic(self.fitted.network.evaluate(features, lead))
        worth = worth if g.possession == HOME else 1 - worth
        level = logistic(_dot(self.fitted.ties, tie_features(m, g)))
        tie = 0.0 if m.playoff else level * min(worth, 1 - worth) * 2
        return worth - tie / 2, tie, 1 - worth - tie / 2


def tie_features(m: Match, g: Position) -> list[float]:
    """Return what the share of ties among undecided games depends on."""
    is_overtime = g.period > LAST_QUARTER
    overtime = g.clock if is_overtime else m.overtime_seconds
    fade = 0.0 if is_overtime else seconds_left(g) / 600
    level = g.score[0] == g.score[1]
    return [
        1.0,
        overtime / 300,
        math.sqrt(overtime / 300),
        fade,
        math.sqrt(fade),
        float(level),
        float(is_overtime),
        float(m.overtime != p.SUDDEN_DEATH),
    ]


def expected_margin(rating: Sequence[float], m: Match) -> float:
    """Return the points by which home is expected to win."""
    home, away = (_dot(rating, team_features(m, team)) for team in range(2))
    return home - away


def _supports(rules: RuleSet, m: Match) -> bool:
    return FILE.exists() and option_fields(m) == _file().header["options"]


def _load(rules: RuleSet, m: Match) -> MatchValues:
    fitted = _file()
    identity = fitted.header["format"], fitted.header["version"]
    if identity != (FORMAT, rules.version):
        raise HashmarkError(f"the value function of {rules.name} is for another version of it")
    return MatchValues(fitted, m)


VALUES = ShippedValues(_supports, _load)
