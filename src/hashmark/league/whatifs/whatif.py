"""What if a team had called otherwise: the change of its wins, with the same luck otherwise.

Changes start from the plan that the team has in its trial: its real one or, where there is no
file of real plans, that of all teams; every report says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hashmark.games.data_driven.plans.plan import SECTIONS, Plan
from hashmark.games.data_driven.tables import PLAYS
from hashmark.league.facts import teams
from hashmark.league.seasons import preset
from hashmark.league.seasons.games import read_plan
from hashmark.league.seasons.season import REAL_PLANS, part_notes, parts_json, plan_note
from hashmark.league.whatifs import answers
from hashmark.league.whatifs import changes as ch
from hashmark.league.whatifs.answers import Line
from hashmark.league.whatifs.changes import AnyChange, Moment, plural
from hashmark.league.whatifs.opposition import Opposition, moments
from hashmark.league.whatifs.rebuilt import Gains
from hashmark.league.whatifs.trial import (
    OWN,
    THEIRS,
    Lineup,
    Sample,
    Trial,
    difference,
    mean,
)
from hashmark.league.whatifs.wanted import Wanted
from hashmark.sim.results import Estimate

# Situations in which two plans are compared in words.
CLASSES = {
    "on first down": Moment(1, 10, 40),
    "on second and short": Moment(2, 3, 40),
    "on second and long": Moment(2, 9, 40),
    "on third and short": Moment(3, 2, 40),
    "on third and long": Moment(3, 8, 40),
    "inside the ten": Moment(1, 7, 93),
}
LEAST = 0.02  # of a share, to be worth a word
MOST_WORDS = 5


@dataclass(frozen=True)
class Comparison:
    """A changed plan against the unchanged one, run for run with the same luck."""

    trial: Trial
    plan: Plan
    words: str
    before: Sample
    after: Sample
    asked: int
    seed: int
    changes: Sequence[AnyChange] = ()
    rebuilt: Gains | None = None  # the same on rebuilt charts, if asked for
    answered: tuple[Line, Line] | None = None  # before and after, under answers, if asked for

    @property
    def runs(self) -> int:
        return min(self.before.runs, self.after.runs)

    @property
    def measured(self) -> bool:
        """Whether anything was played before the user interrupted."""
        return self.runs > 0

    @property
    def wins(self) -> Estimate:
        return difference(self.after.wins, self.before.wins)

    @property
    def points_for(self) -> Estimate:
        return difference(self.after.total(OWN), self.before.total(OWN))

    @property
    def points_against(self) -> Estimate:
        return difference(self.after.total(THEIRS), self.before.total(THEIRS))

    def sentence(self) -> str:
        """`called 8 % fewer line plunges on first down: +0.58 wins (±0.11)`."""
        said = f"{self.words}: {self.wins:.2f}".replace(" (", " wins (")
        if not self.wins.certain:
            said += f", which {self.runs:,} runs cannot tell apart from zero"
        return said

    def remains(self) -> str:
        """What the opponents' answer would leave of it; nothing if that was not asked for."""
        return answers.remains(*self.answered, self.wins) if self.answered is not None else ""

    def calls(self) -> list[tuple[str, float, float]]:
        """Each play's share of the nine, before and after."""
        shares = [_call_shares(sample) for sample in (self.before, self.after)]
        return list(zip(PLAYS, *shares, strict=True))

    def by_game(self) -> list[tuple[str, float, Estimate]]:
        """Each game of the schedule: the chance to win it, and its change."""
        import numpy as np

        found = []
        for at, fixture in enumerate(self.trial.fixtures):
            old, new = (
                (np.sign(sample.margins[at, : self.runs]) + 1) / 2
                for sample in (self.before, self.after)
            )
            where = "vs" if fixture.at_home else "at"
            whom = teams.code(fixture.opponent, self.trial.ground.recipe.season)
            found.append((f"{where} {whom}", float(old.mean()), difference(new, old)))
        return found

    def to_json(self) -> dict[str, Any]:
        said = {
            **head(self.trial),
            "runs": self.runs,
            "seed": self.seed,
            "interrupted": self.trial.interrupted,
            "change": self.words,
        }
        if self.runs == 0:
            return said
        return {
            **said,
            "sentence": self.sentence(),
            "wins_before": mean(self.before.wins).interval(),
            "wins_after": mean(self.after.wins).interval(),
            "wins": self.wins.interval(),
            "certain": self.wins.certain,
            "rebuilt": self.rebuilt.to_json() if self.rebuilt is not None else None,
            "answered": self._answered(),
            "points_for": self.points_for.interval(),
            "points_against": self.points_against.interval(),
            "calls": [
                {"play": play, "before": old, "after": new} for play, old, new in self.calls()
            ],
            "games": [
                {"game": game, "win_chance": chance, "change": change.interval()}
                for game, chance, change in self.by_game()
            ],
        }

    def _answered(self) -> dict[str, Any] | None:
        if self.answered is None:
            return None
        real, changed = self.answered
        return {
            "remains": self.remains(),
            "unchanged": real.to_json(real),
            "changed": changed.to_json(real),
        }


def head(trial: Trial) -> dict[str, Any]:
    """What every report says first."""
    return {
        "season": trial.season,
        "team": trial.team,
        "name": full_name(trial),
        "plan": trial.ground.recipe.plan,
        "options": dict(trial.ground.recipe.options),
        "made_from": parts_json(trial.made_from),
        "invented": preset.invented(trial.ground.recipe.options),
    }


def unchanged(trial: Trial) -> str:
    """What to call the plan that changes start from: `real plan`, or `plan 'book'`."""
    plan = trial.ground.recipe.plan
    return "real plan" if plan == REAL_PLANS else f"plan {plan!r}"


def note(trial: Trial) -> str:
    """What a reader should know: other plans than the real ones, a part of a season, inventions."""
    recipe = trial.ground.recipe
    said = [plan_note(recipe.plan), *part_notes(trial.made_from)]
    return " ".join([*filter(None, said), preset.invented_note(recipe.options)])


def full_name(trial: Trial) -> str:
    """The team's name in that season; its code in a league of one's own."""
    return teams.name(trial.team, trial.ground.recipe.season)


def compare(
    trial: Trial,
    plan: Plan,
    words: str,
    runs: int,
    seed: int = 0,
    changes: Sequence[AnyChange] = (),
    answered: bool = False,
) -> Comparison:
    """Play the schedule with the unchanged plan and with another.

    With `answered` also with both against opponents that answer them, with the same luck.
    """
    lineups = [Lineup(trial.plan), Lineup(plan)]
    if answered:
        opposition = Opposition(trial)
        for one in (trial.plan, plan):
            lineups += answers.lineups(opposition, one)
    before, after, *under = trial.play(lineups, runs, seed, statistics=True)
    made = Comparison(trial, plan, words, before, after, runs, seed, changes)
    if not answered or trial.interrupted:
        return made
    lines = Line(unchanged(trial), before, *under[:2]), Line("changed plan", after, *under[2:])
    return replace(made, answered=lines)


def ask(
    trial: Trial,
    wanted: Wanted,
    other: str | Plan | None = None,
    runs: int = 1000,
    seed: int = 0,
    answered: bool = False,
) -> Comparison:
    """What the changes that a person wants would bring, made to another plan if one is given."""
    base = trial.plan if other is None else read_plan(other)
    changes = wanted.changes(trial, base, seed)
    changed = replace(ch.apply(base, changes), name=f"{base.name}, changed")
    parts = [] if other is None else [describe(trial.plan, base)]
    parts += [change_words(base, changes)] if changes else []
    words = "; ".join(parts) or "no change"
    return compare(trial, changed, words, runs, seed, changes, answered)


def _call_shares(sample: Sample) -> list[float]:
    counts = [sample.statistic(f"{play.replace('-', '_')}_calls") for play in PLAYS]
    return [count / (sum(counts) or 1) for count in counts]


# --- Words -------------------------------------------------------------------------------


def change_words(plan: Plan, changes: Sequence[AnyChange]) -> str:
    """Quick changes in words; where one call alone is cut, the call that gains most."""
    called = [change for change in changes if isinstance(change, ch.Change)]
    did = [change.words() for change in changes if not isinstance(change, ch.Change)]
    if called:
        said = f"called {ch.words(called)}"
        gainer = _gainer(plan, called[0]) if len(called) == 1 else None
        did.insert(0, f"{said}, more {plural(gainer)}" if gainer else said)
    return " and ".join(did) if len(did) < 3 else ", ".join(did)


def _gainer(plan: Plan, change: ch.Change) -> str | None:
    """The call that takes most of what another one loses."""
    if change.section not in ("play", "formation") or change.amount.kind == "level":
        return None
    if change.amount.value > (0 if change.amount.kind == "points" else 1):
        return None
    moment = _typical(change.situation)
    old, new = (ch.mix(one, change.section, moment) for one in (plan, change.apply(plan)))
    if old is None or new is None:
        return None
    gains = [after - before for before, after in zip(old, new, strict=True)]
    best = max(range(len(gains)), key=lambda at: gains[at])
    return SECTIONS[change.section][best] if gains[best] > 0 else None


def _typical(situation: ch.Situation) -> Moment:
    return moments(situation.bounds())[0]


def describe(old: Plan, new: Plan, most: int = MOST_WORDS) -> str:
    """What one plan does otherwise than another, the largest differences first."""
    found: list[tuple[float, str]] = []
    for section in ("play", "formation"):
        for where, moment in CLASSES.items():
            shares = [ch.mix(plan, section, moment) for plan in (old, new)]
            if shares[0] is None or shares[1] is None:
                continue
            said, size = _moves(SECTIONS[section], shares[0], shares[1])
            if said:
                found.append((size, f"{where} {said}"))
    if old.rows != new.rows and not found:
        return "called the same on ordinary downs, otherwise elsewhere"
    found.sort(key=lambda one: -one[0])
    return "called " + "; ".join(words for _, words in found[:most]) if found else "no change"


def _moves(calls: Sequence[str], old: Sequence[float], new: Sequence[float]) -> tuple[str, float]:
    """The largest loss and the largest gain of share, and how large all moves are together."""
    moves = [after - before for before, after in zip(old, new, strict=True)]
    size = sum(abs(move) for move in moves) / 2
    said = []
    order = sorted(range(len(moves)), key=moves.__getitem__)
    for at in (order[0], order[-1]):
        if abs(moves[at]) >= LEAST:
            more = "more" if moves[at] > 0 else "fewer"
            said.append(f"{abs(moves[at]):.0%} {more} {plural(calls[at])}".replace("%", " %", 1))
    return ", ".join(said), size
