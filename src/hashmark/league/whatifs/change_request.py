"""Requested plan changes as a user writes them: `deep=+5%`, `bold@spot=50+`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.league.whatifs import fourth_down_policy, plan_changes
from hashmark.league.whatifs.plan_changes import PlanChange, SituationFilter


@dataclass(frozen=True)
class ChangeRequest:
    """Requested changes; `when` applies to all that name no situation of their own."""

    pass_rate: Sequence[str] = ()
    play: Sequence[str] = ()
    blitz_rate: Sequence[str] = ()
    formation: Sequence[str] = ()
    tempo: Sequence[str] = ()
    fourth_down: str | None = None
    when: str | None = None

    @property
    def has_changes(self) -> bool:
        return any(texts for texts, _ in self._parsers()) or self.fourth_down is not None

    @property
    def situation(self) -> SituationFilter:
        return (
            plan_changes.parse_situation(self.when)
            if self.when is not None
            else plan_changes.ANYWHERE
        )

    def _parsers(self) -> tuple[tuple[Sequence[str], plan_changes.ChangeParser], ...]:
        return (
            (self.pass_rate, plan_changes.parse_pass_rate),
            (self.play, plan_changes.parse_play),
            (self.blitz_rate, plan_changes.parse_blitz_rate),
            (self.formation, plan_changes.parse_formation),
            (self.tempo, plan_changes.parse_tempo),
        )

    def validate(self) -> None:
        """Raise an error for anything that cannot be parsed, before any game is played."""
        self.share_changes()
        self.requested_policy()

    def share_changes(self) -> list[PlanChange]:
        """Return the changes of call shares."""
        where = self.situation
        return [parse(text, where) for texts, parse in self._parsers() for text in texts]

    def requested_policy(self) -> tuple[str, SituationFilter] | None:
        """Return the name of the fourth-down policy and the situations it applies to."""
        if self.fourth_down is None:
            return None
        return fourth_down_policy.parse_policy(self.fourth_down, self.situation)

    def words(self) -> str:
        """Describe all changes; empty if there are none."""
        descriptions = [change.words() for change in self.share_changes()]
        policy = self.requested_policy()
        if policy is not None:
            name, where = policy
            descriptions.append(fourth_down_policy.FourthDownPolicy(name, (), where).words())
        return ", ".join(descriptions)
