"""Live win probability: instant values for scoreboards, or None where only rollouts know them.

>>> from hashmark.engine import registry
>>> rules = registry.load("fourth-down")
>>> m = rules.new_match()
>>> instant_value(rules, m, rules.new_position(m)) is not None
True
"""

from __future__ import annotations

from functools import lru_cache

from hashmark.engine.record import TEAMS, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.sanitize import PLUS_MINUS
from hashmark.sim.results import NORMAL_95
from hashmark.values.value import Value, ValueSource

MAX_MATCHES = 64  # matches whose sources stay open


def instant_value(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Value | None:
    """Return the value of a position as its viewer may see it, or None if it takes rollouts.

    A damaged table of the user counts as none: a scoreboard shows nothing then.
    """
    try:
        source = _source(rules, tuple(m.flat()))
        return None if source is None else source.value(g)
    except HashmarkError:  # `NoValue` is one
        return None


def has_instant_values(rules: RuleSet, m: MatchRecord) -> bool:
    """Return whether positions of the match have values without rollouts."""
    try:
        return _source(rules, tuple(m.flat())) is not None
    except HashmarkError:
        return False


@lru_cache(MAX_MATCHES)
def _source(rules: RuleSet, match: tuple[int, ...]) -> ValueSource | None:
    from hashmark.values.sources import instant_source

    return instant_source(rules, rules.match.from_flat(list(match)))


def win_probability_text(value: Value, team: int) -> str:
    """Return a team's win probability with the half-width of its 95 % interval: `WP 63 % ± 2`.

    A tie counts half. An exact value has no interval.
    """
    chance = 100 * value.worth(team)
    margin = NORMAL_95 * 100 * value.error
    if value.is_exact:
        return f"WP {chance:.1f} %"
    return f"WP {chance:.0f} % {PLUS_MINUS} {max(margin, 1.0):.0f}"


def win_probability_json(value: Value) -> dict[str, float | str]:
    """Return a value as JSON: chances, standard error, and the method."""
    return {
        **dict(zip(TEAMS, (value.home, value.away), strict=True)),
        "tie": value.tie,
        "standard_error": value.error,
        "method": value.method,
    }
