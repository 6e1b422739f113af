"""Golden lines: which games of each rule set they cover, and how the lines are made.

`tests/golden/<rule set>-games.txt` holds a line of digests for each of many games. Every test run
plays the first few; the long run and the mutants play all of them.
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from golden_digests import Variety, game_line, rules_line, scenario_line
from hashmark.engine import registry
from hashmark.engine.record import FlagField, IntField, NameField
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.session import log, scenario
from hashmark.storage import search_path

FOLDER = Path(__file__).parent / "golden"
SCENARIOS = Path(__file__).parent / "scenarios"
LEVEL_SCORE = {"score": {"home": 10, "away": 10}}
ODD_VALUES: tuple[Any, ...] = (
    True,
    -1,
    0,
    1000,
    10**6,
    1.5,
    "",
    "x",
    [],
    {},
    {"x": 1},
    None,
    "None",
)
ODD_VALUES_OF: dict[str, tuple[Any, ...]] = {
    "records": (
        {"home": [0, 3], "away": [2, 0, 1]},
        {"home": [1, 1], "away": [1000, 1]},
        {"home": [999, 1], "away": [1]},
        {"home": [2, 2], "away": [1, 1, 1, 1]},
        {"home": [2, -1], "away": [1, True]},
        {"home": [2, 2]},
        {"visitors": [2, 2]},
    ),
    "shading": ({"long-pass": [2, 12]}, {"long-pass": [13]}, {"long-pass": [1]}, {"x": [2]}),
}
MAX_MIDDLE_VALUES = 6  # of an option that are tried, besides the first and the last
MAX_SET_UP_CHARACTERS = 900  # of a made-up position that is kept
RECORDS = ({"home": [10, 6], "away": [7, 9]}, {"home": [3, 9, 1], "away": [8, 4]})
SHADINGS: tuple[dict[str, list[int]], ...] = ({"long-pass": [2, 7, 12]}, {})


@dataclass(frozen=True)
class Series:
    """Number of games of a rule set, and how they vary.

    Every test run plays the first `quick`; after `full` games the lines are short.
    """

    quick: int
    full: int
    games: int
    variety: Variety = field(default_factory=Variety)


def late_positions(period: int, phase: str, **more: Any) -> list[Mapping[str, Any]]:
    """Return positions near the end of a period, tied and not, for each team."""
    scores = ((20, 20), (14, 17), (13, 21), (10, 3))
    return [
        {
            "phase": phase,
            "period": period,
            "possession": team,
            "score": {"home": home, "away": away},
            **more,
        }
        for team in ("home", "away")
        for home, away in scores
    ]


SERIES = {
    "fourth-down": Series(
        30,
        120,
        300,
        Variety(
            starts=[
                *late_positions(1, "drive", spot=45, clock=12),
                *late_positions(2, "drive", spot=30, clock=30),
                *late_positions(2, "drive", spot=80, clock=9),
                *late_positions(2, "drive", spot=4, clock=90),
                *late_positions(1, "fourth-down", spot=6, clock=40, to_go=5),
                *late_positions(2, "untimed-down", spot=60, clock=1),
            ]
        ),
    ),
    "roll-for-yardage": Series(
        15,
        80,
        250,
        Variety(
            options={"overtime_plays": (1, 4, 12)},
            starts=[
                *late_positions(2, "scrimmage", spot=55, clock=6, down=3, to_go=4),
                *late_positions(4, "scrimmage", spot=70, clock=9, down=1, to_go=10),
                *late_positions(4, "scrimmage", spot=3, clock=3, down=4, to_go=2),
                *late_positions(2, "scrimmage", spot=20, clock=1, down=2, to_go=8),
                *late_positions(4, "safety-kick", clock=7),
                *late_positions(5, "scrimmage", spot=65, clock=3, ot_stage="second"),
                *(
                    {**LEVEL_SCORE, "phase": "coin-toss", "period": period, "clock": 6}
                    for period in (5, 6, 7, 8)
                ),
            ],
        ),
    ),
    "two-minute-drill": Series(
        20,
        100,
        250,
        Variety(
            options={"start-clock": (12, 25, 33), "start-spot": (5, 60, 90)},
            starts=[
                {"spot": 60, "clock": 8, "down": 4, "to_go": 8, "hash": "left"},
                {"spot": 2, "clock": 20, "down": 2, "to_go": 12, "hash": "right"},
                {"spot": 92, "clock": 3, "down": 3, "to_go": 5, "timeouts": 0},
                {"spot": 97, "clock": 15, "down": 1, "to_go": 3, "timeouts": 1},
            ],
            ask_every={"search": 31},
        ),
    ),
    "rapid-roll": Series(
        2,
        20,
        150,
        Variety(
            options={
                "records": RECORDS,
                "shading": SHADINGS,
                "kickoff_line": (20, 35, 79),
                "touchback": (1, 25, 50),
                "numbers_per_quarter": (8, 10, 20),
            },
            starts=[
                *late_positions(2, "scrimmage", spot=60, clock=6, down=2, to_go=7),
                *late_positions(4, "scrimmage", spot=45, clock=8, down=1, to_go=10),
                *late_positions(4, "scrimmage", spot=88, clock=4, down=4, to_go=3),
                *late_positions(2, "scrimmage", spot=5, clock=7, down=3, to_go=9),
                *late_positions(4, "safety-kick", clock=5),
                {**LEVEL_SCORE, "phase": "coin-toss", "period": 5, "clock": 6},
                {**LEVEL_SCORE, "phase": "coin-toss", "period": 6, "clock": 3},
            ],
            ask_every={"planner": 29, "reader": 13},
        ),
    ),
    "data-driven": Series(
        3,
        30,
        150,
        Variety(
            options={
                "charts": ("wild",),
                "home_plan": ("bold",),
                "away_plan": ("bold",),
                "kickoff_spot": (30, 40, 70),
                "safety_kick_spot": (20, 30, 60),
                "touchback_spot": (1, 25, 40),
                "kick_touchback_spot": (1, 25, 40),
                "fg_depth": (0, 7, 12),
                "spike_seconds": (0, 3, 20),
                "quarter_seconds": (120, 300, 600),
                "overtime": ("modified", "sudden-death"),
                "overtime_seconds": (60, 300),
                "overtime_timeouts": (0, 3),
            },
            starts=[
                *late_positions(2, "scrimmage", spot=60, clock=110, down=2, to_go=7),
                *late_positions(4, "scrimmage", spot=45, clock=130, down=1, to_go=10),
                *late_positions(4, "scrimmage", spot=90, clock=40, down=4, to_go=2),
                *late_positions(2, "scrimmage", spot=4, clock=70, down=3, to_go=9),
                *late_positions(4, "safety-kick", clock=90),
                *late_positions(4, "try", clock=60),
                {**LEVEL_SCORE, "phase": "coin-toss", "period": 5, "clock": 200},
                {**LEVEL_SCORE, "phase": "coin-toss", "period": 6, "clock": 60},
            ],
        ),
    ),
}


def path_of(rules: str) -> Path:
    return FOLDER / f"{rules}-games.txt"


def current_line(rules: str, number: int) -> str:
    """Return the current line of a game; number 0 is the rule set's own."""
    series, rule_set = SERIES[rules], registry.load(rules)
    with search_path.search_beside(path_of(rules)):  # finds the charts named "wild"
        if number == 0:
            return rules_line(rule_set)
        return game_line(rule_set, number, series.variety, number > series.full)


def stored_lines(rules: str) -> list[str]:
    """Return the lines of the file, the rule set's own first."""
    return path_of(rules).read_text(encoding="utf-8").splitlines()


# --- Events of the scenarios -------------------------------------------------------------------


def scenarios(rules: str) -> list[tuple[Path, Mapping[str, Any]]]:
    """Return every scenario of a rule set, with its file."""
    files = sorted(SCENARIOS.glob(f"{rules}*.json"))
    return [(path, entry) for path in files for entry in scenario.read_scenarios(path)]


def scenario_path(rules: str) -> Path:
    return FOLDER / f"{rules}-scenarios.txt"


def current_scenario_line(path: Path, entry: Mapping[str, Any]) -> str:
    """Return the current line of a scenario."""
    with search_path.search_beside(path):
        return scenario_line(scenario.run_scenario(entry))


def stored_scenario_lines(rules: str) -> list[str]:
    return scenario_path(rules).read_text(encoding="utf-8").splitlines()


# --- Positions that are set up ------------------------------------------------------------------


@dataclass(frozen=True)
class SetUp:
    """Made-up position under some options, and the result of setting it up."""

    options: Mapping[str, Any]
    position: Mapping[str, Any]
    result: str

    def evaluate(self, rules: str) -> str:
        """Set it up now; return the error message, or a digest of the position or of the match."""
        rule_set = registry.load(rules)
        try:
            m = _match(rule_set, json.dumps(self.options))
            g = rule_set.new_position(m, self.position)
        except HashmarkError as error:
            return str(error)
        return f"taken as {log.position_digest(g if self.position else m)}"


@cache
def _match(rules: RuleSet, options: str) -> Any:
    return rules.new_match(json.loads(options))


def set_up_path(rules: str) -> Path:
    return FOLDER / f"{rules}-positions.txt"


def stored_set_ups(rules: str) -> list[SetUp]:
    lines = set_up_path(rules).read_text(encoding="utf-8").splitlines()
    return [SetUp(*json.loads(line)) for line in lines]


def new_set_ups(rules: str, cases: int = 20000, alike: int = 8, taken: int = 60) -> Iterator[SetUp]:
    """Yield cases of the fuzzer, a few per message and some that are accepted, and odd options."""
    from fuzz import positions

    yield from _odd_options(rules)
    yield from _near_bounds(rules)
    random, counts = Random(rules), dict[str, int]()
    for _ in range(cases):
        case = positions.make_for(rules, random)
        case_set_up = SetUp(case["options"], case["position"], "")
        result = case_set_up.evaluate(rules)
        kind = "taken" if result.startswith("taken as ") else re.sub(r"[0-9]+", "#", result)
        counts[kind] = counts.get(kind, 0) + 1
        is_short = len(json.dumps(case_set_up.position)) < MAX_SET_UP_CHARACTERS
        if is_short and counts[kind] <= (taken if kind == "taken" else alike):
            yield SetUp(case_set_up.options, case_set_up.position, result)


def _odd_options(rules: str) -> Iterator[SetUp]:
    """Yield each option with valid and invalid values; skip messages with local directories."""
    for option in registry.load(rules).setup.options:
        values = ODD_VALUES_OF.get(option.name, () if option.parser else option.allowed)
        for value in (
            *ODD_VALUES,
            *values[:1],
            *values[1:-1][:MAX_MIDDLE_VALUES],
            *values[1:][-1:],
        ):
            set_up = SetUp({option.name: value}, {}, "")
            result = set_up.evaluate(rules)
            if f"{os.sep}hashmark" not in result:
                yield SetUp(set_up.options, set_up.position, result)


def _near_bounds(rules: str) -> Iterator[SetUp]:
    """Yield values of a position near their bounds, all names, phases and large scores."""
    fields = registry.load(rules).position.fields
    positions: list[dict[str, Any]] = [
        {key: kind.low + offset}
        for key, kind in fields.items()
        if isinstance(kind, IntField)
        for offset in (-1, 0, 1, kind.high - kind.low - 1, kind.high - kind.low, kind.high + 1)
    ]
    for key, kind in fields.items():
        if isinstance(kind, NameField):
            positions += [{key: name} for name in kind.names]
        elif isinstance(kind, FlagField):
            positions.append({key: True})
    phases, last_period = registry.load(rules).phase_names, min(fields["period"].high, 6)
    positions += [
        {"phase": phase, "period": period}
        for phase in phases
        for period in range(1, last_period + 1)
    ]
    highest = fields["score"].kind.high
    for period in (1, 2, 4, 5):
        max_points = _max_points(rules, period, highest)
        positions += [
            {"period": period, "score": {"home": max_points + offset}} for offset in (-1, 0, 1)
        ]
    for position in positions:
        set_up = SetUp({}, position, "")
        yield SetUp(set_up.options, set_up.position, set_up.evaluate(rules))


def _max_points(rules: str, period: int, highest: int) -> int:
    """Return the largest score of a team that a position of this period may have."""

    def is_refused(score: int) -> bool:
        set_up = SetUp({}, {"period": period, "score": {"home": score}}, "")
        return not set_up.evaluate(rules).startswith("taken as ")

    return bisect_left(range(highest + 1), True, key=is_refused) - 1


def set_up_to_json(set_up: SetUp) -> str:
    return json.dumps([set_up.options, set_up.position, set_up.result])
