"""The quick changes of a plan as a person writes them: `deep=+5%`, `bold@spot=50+`."""

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
    """Quick changes; `when` limits all of them that name no situation of their own."""

    pass_rate: Sequence[str] = ()
    play: Sequence[str] = ()
    blitz_rate: Sequence[str] = ()
    formation: Sequence[str] = ()
    tempo: Sequence[str] = ()
    fourth_down: str | None = None
    when: str | None = None

    @property
    def anything(self) -> bool:
        return any(texts for texts, _ in self._readers()) or self.fourth_down is not None

    @property
    def situation(self) -> Situation:
        return ch.read_situation(self.when) if self.when is not None else ch.ANYWHERE

    def _readers(self) -> tuple[tuple[Sequence[str], ch.Reader], ...]:
        return (
            (self.pass_rate, ch.pass_rate),
            (self.play, ch.play),
            (self.blitz_rate, ch.blitz_rate),
            (self.formation, ch.formation),
            (self.tempo, ch.tempo),
        )

    def check(self) -> None:
        """Refuse what cannot be read, before anything is played."""
        self.shares()
        self.policy()

    def shares(self) -> list[AnyChange]:
        """The changes of shares."""
        where = self.situation
        return [read(text, where) for texts, read in self._readers() for text in texts]

    def policy(self) -> tuple[str, Situation] | None:
        """The name of the fourth-down policy, and where it applies."""
        if self.fourth_down is None:
            return None
        return fourth.read_policy(self.fourth_down, self.situation)

    def words(self) -> str:
        """What is changed, in a row; nothing if nothing is."""
        said = [change.words() for change in self.shares()]
        policy = self.policy()
        if policy is not None:
            name, where = policy
            said.append(fourth.Policy(name, (), where).words())
        return ", ".join(said)

    def changes(self, trial: Trial, base: Plan, seed: int) -> list[AnyChange]:
        """All changes: those of shares first, then a policy made for what they lead to."""
        made = self.shares()
        policy = self.policy()
        if policy is not None:
            name, where = policy
            changed = ch.apply(base, made)
            found = fourth.policy(name, lambda: Opposition(trial), changed, seed, where)
            made += [found] if found is not None else []
        return made
