"""Requested plan changes as a user writes them: `deep=+5%`, `bold@spot=50+`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.whatifs import changes as ch
from hashmark.league.whatifs import fourth
from hashmark.league.whatifs.changes import AnyChange, Situation
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.trial import Trial


@dataclass(frozen=True)
class Wanted:
    """Requested changes; `when` applies to all that name no situation of their own."""

    pass_rate: Sequence[str] = ()
    play: Sequence[str] = ()
    blitz_rate: Sequence[str] = ()
    formation: Sequence[str] = ()
    tempo: Sequence[str] = ()
    fourth_down: str | None = None
    when: str | None = None

    @property
    def anything(self) -> bool:
        return any(texts for texts, _ in self._parsers()) or self.fourth_down is not None

    @property
    def situation(self) -> Situation:
        return ch.read_situation(self.when) if self.when is not None else ch.ANYWHERE

    def _parsers(self) -> tuple[tuple[Sequence[str], ch.Reader], ...]:
        return (
            (self.pass_rate, ch.pass_rate),
            (self.play, ch.play),
            (self.blitz_rate, ch.blitz_rate),
            (self.formation, ch.formation),
            (self.tempo, ch.tempo),
        )

    def check(self) -> None:
        """Raise an error for anything that cannot be parsed, before any game is played."""
        self.shares()
        self.policy()

    def shares(self) -> list[AnyChange]:
        """Return the changes of call shares."""
        where = self.situation
        return [parse(text, where) for texts, parse in self._parsers() for text in texts]

    def policy(self) -> tuple[str, Situation] | None:
        """Return the name of the fourth-down policy and the situations it applies to."""
        if self.fourth_down is None:
            return None
        return fourth.read_policy(self.fourth_down, self.situation)

    def words(self) -> str:
        """Describe all changes; empty if there are none."""
        descriptions = [change.words() for change in self.shares()]
        policy = self.policy()
        if policy is not None:
            name, where = policy
            descriptions.append(fourth.Policy(name, (), where).words())
        return ", ".join(descriptions)

    def changes(self, trial: Trial, base: Plan, seed: int) -> list[AnyChange]:
        """Return all changes: shares first, then a policy built for the plan that results."""
        changes = self.shares()
        policy = self.policy()
        if policy is not None:
            name, where = policy
            changed = ch.apply(base, changes)
            policy_change = fourth.policy(name, lambda: Opposition(trial), changed, seed, where)
            changes += [policy_change] if policy_change is not None else []
        return changes
