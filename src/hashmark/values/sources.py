"""Selection of the value sources of a match: the best one first, the others where it has no value.

The precedence is: a table that the user has computed (the solved game, the table of a pairing), the
value function that the game ships, the game's heuristic values, rollouts. All but rollouts answer
instantly. A value function under coaches, not best play, stands in for rollouts only where a value
must be instant.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, TypeVar, Unpack

from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.values.heuristic_values import HeuristicValues
from hashmark.values.shipped import ShippedSource
from hashmark.values.value import (
    DEFAULT_TIE_VALUE,
    CallValues,
    MixedStrategy,
    MixingSource,
    NoValue,
    RolloutProgress,
    Value,
    ValueSource,
)

Answer = TypeVar("Answer")

# Finders of tables that a user has computed, imported on first use: `find(rules, m, tie)` returns a
# source of values or None, quickly and without computing anything.
TABLE_FINDERS = ["hashmark.values.solution:find", "hashmark.values.pairing_source:find"]


class RolloutSettings(TypedDict, total=False):
    """Settings of `Rollouts`, each with a default."""

    games: int
    seed: int
    threads: int | None
    engine: str
    stop_early: bool
    progress: RolloutProgress | None


def source_of(
    rules: RuleSet,
    options: Mapping[str, Any] | None = None,
    *,
    m: MatchRecord | None = None,
    tie: float = DEFAULT_TIE_VALUE,
    **settings: Unpack[RolloutSettings],
) -> ValueSource:
    """Return the best source for a match, given by its options or as the match `m` itself.

    The settings are those of `Rollouts` and apply to rollouts only.
    """
    match = rules.new_match(options) if m is None else m

    def make_rollouts() -> ValueSource:
        from hashmark.values.rollouts import Rollouts

        return Rollouts(rules, match, tie=tie, **settings)

    sources = [one for one in _instant_sources(rules, match, tie) if _is_better_than_rollouts(one)]
    if sources and isinstance(sources[-1], HeuristicValues):
        return _chain(sources)  # they cover every position
    return SourceChain(sources, make_rollouts) if sources else make_rollouts()


def instant_source(
    rules: RuleSet,
    m: MatchRecord,
    tie: float = DEFAULT_TIE_VALUE,
    *,
    with_heuristics: bool = True,
) -> ValueSource | None:
    """Return a source that never plays games out, or None; elsewhere it raises `NoValue`.

    Heuristic values are searched ahead: `with_heuristics` says whether a tenth of a second is
    acceptable.
    """
    sources = _instant_sources(rules, m, tie)
    if not with_heuristics:
        sources = [source for source in sources if not isinstance(source, HeuristicValues)]
    return _chain(sources) if sources else None


def _is_better_than_rollouts(source: ValueSource) -> bool:
    return not isinstance(source, ShippedSource) or source.function.is_best_play


def _chain(sources: list[ValueSource]) -> ValueSource:
    return sources[0] if len(sources) == 1 else SourceChain(sources)


def _instant_sources(rules: RuleSet, m: MatchRecord, tie: float) -> list[ValueSource]:
    """Return the sources of a match that need no rollouts, the best first."""
    solved = solved_source(rules, m, tie)
    sources = [] if solved is None else [solved]
    shipped = ShippedSource.find(rules, m, tie)
    sources += [] if shipped is None else [shipped]
    if HeuristicValues.is_available(rules, m):
        sources.append(HeuristicValues(rules, m, tie=tie))
    return sources


def solved_source(
    rules: RuleSet, m: MatchRecord, tie: float = DEFAULT_TIE_VALUE
) -> ValueSource | None:
    """Return the table that the user has computed for a match, or None."""
    found = (pkgutil.resolve_name(finder)(rules, m, tie) for finder in TABLE_FINDERS)
    return next((source for source in found if source is not None), None)


class SourceChain:
    """Sources of one match; each is asked where those before it have no value."""

    def __init__(
        self,
        sources: Sequence[ValueSource],
        make_last: Callable[[], ValueSource] | None = None,
    ) -> None:
        """Take the sources, the best first, and the maker of one that is made when needed."""
        self._sources, self._make_last = list(sources), make_last
        self.rules, self.m, self.tie = sources[0].rules, sources[0].m, sources[0].tie
        self._used: list[ValueSource] = []  # that have given a value, the best first

    @property
    def description(self) -> str:
        """The methods of the values returned so far; before the first, that of the first source."""
        used = [source.description for source in self._sources if source in self._used]
        return "; elsewhere, ".join(used or [self._sources[0].description])

    def value(self, g: PositionRecord) -> Value:
        """Return the value of a position."""
        return self._first(lambda source: source.value(g))

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        """Return the value of every legal call of the team to act."""
        return self._first(lambda source: source.judge(g, before))

    def mixes(self, g: PositionRecord) -> tuple[MixedStrategy, ...]:
        """Return the mixes of the first source that knows them."""
        for source in self._sources:
            if isinstance(source, MixingSource):
                return source.mixes(g)
        raise NoValue(f"{self.rules.name}: no table has mixes of secret calls")

    def _first(self, ask: Callable[[ValueSource], Answer]) -> Answer:
        """Return the answer of the first source that has one."""
        for source in self._sources:
            try:
                answer = ask(source)
            except NoValue:
                continue
            self._note(source)
            return answer
        if self._make_last is None:
            raise NoValue(f"{self.rules.name}: this position has no value without rollouts")
        self._sources.append(self._make_last())
        self._make_last = None
        return self._first(ask)

    def _note(self, source: ValueSource) -> None:
        if source not in self._used:
            self._used.append(source)
