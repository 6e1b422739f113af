"""Coaches from the value table of a pairing: `best`, and weaker ones for people."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import Coach, RuleSet
from hashmark.values import pairing_table

MAX_POLICIES = 8
MEASURING = "Measures how far `best` can be exploited."
LEVELS = {"rookie": "Rookie", "starter": "Starter", "veteran": "Veteran", "best": "All-Pro"}


def pairing_coach(level: str, rules: RuleSet) -> Coach | None:
    """Return the coach of a level for a game with a pairing model, or None."""
    if not pairing_table.has_model(rules):
        return None
    return _make_coach(level, rules)


@lru_cache(None)
def _make_coach(level: str, rules: RuleSet) -> Coach:
    return Coach(
        level,
        pairing_table.level_descriptions(rules).get(level, MEASURING),
        partial(_call, rules, level),
        partial(_compiled, rules, level),
        partial(pairing_table.require, rules),
        LEVELS.get(level, ""),
    )


def rookie(rules: RuleSet) -> Coach | None:
    """Return the coach `rookie`."""
    return pairing_coach("rookie", rules)


def starter(rules: RuleSet) -> Coach | None:
    """Return the coach `starter`."""
    return pairing_coach("starter", rules)


def veteran(rules: RuleSet) -> Coach | None:
    """Return the coach `veteran`."""
    return pairing_coach("veteran", rules)


def exploiter(rules: RuleSet) -> Coach | None:
    """Return the best response to `best`, which `benchmarks/pairings.py` registers."""
    return pairing_coach("exploiter", rules)


def _call(rules: RuleSet, level: str, m: MatchRecord, g: PositionRecord) -> int:
    """Return the call, for games at the table and plain games."""
    model = pairing_table.model_of(rules)
    return int(model.choose_call(m, g, _policy(rules, m), model.level_of(level)))


def _policy(rules: RuleSet, m: MatchRecord) -> Any:
    """Return the policy of a match; the last ones are kept."""
    kept = _policies.get(id(m))
    if kept is None or kept[0] is not m:
        if len(_policies) >= MAX_POLICIES:
            _policies.clear()
        model = pairing_table.model_of(rules)
        kept = m, model.make_policy(m, pairing_table.require(rules, m))
        _policies[id(m)] = kept
    return kept[1]


_policies: dict[int, tuple[MatchRecord, Any]] = {}  # by match, which is kept so that its id is


class CompiledPairing(NamedTuple):
    """A policy for compiled code; each thread has its own work space."""

    policy: Any
    level: Any

    @staticmethod
    def choose_function(rules: RuleSet) -> Any:
        """Return the compiled function that makes this coach's calls."""
        from numba.extending import register_jitable

        from hashmark.values.pairing_solver import register_functions

        model = pairing_table.model_of(rules)
        register_functions(model)
        choose_call = model.choose_call

        @register_jitable(forceinline=False)  # type: ignore[untyped-decorator]
        def choose(m: MatchRecord, g: PositionRecord, coach: CompiledPairing) -> int:
            return choose_call(m, g, coach.policy, coach.level)  # type: ignore[no-any-return]

        return choose


def _compiled(rules: RuleSet, level: str, m: MatchRecord, g: PositionRecord) -> Callable[[], Any]:
    """Return a factory of the compiled coach for games of a match."""
    model = pairing_table.model_of(rules)
    policy = model.make_policy(m, pairing_table.require(rules, m))
    strength = model.level_of(level)
    return lambda: CompiledPairing(model.with_own_workspace(policy), strength)
