"""What-if comparisons: how a team's wins change under another plan, with the same luck otherwise.

Changes start from the plan that the team has in its trial: its real plan or, if the season has no
plan file, that of all teams. Every report says which.
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

# Situations in which two plans are compared.
CLASSES = {
    "on first down": Moment(1, 10, 40),
    "on second and short": Moment(2, 3, 40),
    "on second and long": Moment(2, 9, 40),
    "on third and short": Moment(3, 2, 40),
    "on third and long": Moment(3, 8, 40),
    "inside the ten": Moment(1, 7, 93),
}
LEAST = 0.02  # smallest change of a share that is described
MOST_WORDS = 5


@dataclass(frozen=True)
class Comparison:
    """A changed plan against the unchanged one, paired run by run."""

    trial: Trial
    plan: Plan
    words: str
    before: Sample
    after: Sample
    asked: int
    seed: int
    changes: Sequence[AnyChange] = ()
    rebuilt: Gains | None = None  # the same on rebuilt charts, if requested
    answered: tuple[Line, Line] | None = None  # before and after, under responses, if requested

    @property
    def runs(self) -> int:
        return min(self.before.runs, self.after.runs)

    @property
    def measured(self) -> bool:
        """Whether anything was played before an interruption."""
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
        """Return `called 8 % fewer line plunges on first down: +0.58 wins (±0.11)`."""
        text = f"{self.words}: {self.wins:.2f}".replace(" (", " wins (")
        if not self.wins.certain:
            text += f", which {self.runs:,} runs cannot tell apart from zero"
        return text

    def remains(self) -> str:
        """Describe what remains after the opponents' response; empty if not requested."""
        return answers.remains(*self.answered, self.wins) if self.answered is not None else ""

    def calls(self) -> list[tuple[str, float, float]]:
        """Return the share of each of the nine plays, before and after."""
        shares = [_call_shares(sample) for sample in (self.before, self.after)]
        return list(zip(PLAYS, *shares, strict=True))

    def by_game(self) -> list[tuple[str, float, Estimate]]:
        """Return the win probability of each game of the schedule, and its change."""
        import numpy as np

        games = []
        for index, fixture in enumerate(self.trial.fixtures):
            old, new = (
                (np.sign(sample.margins[index, : self.runs]) + 1) / 2
                for sample in (self.before, self.after)
            )
            where = "vs" if fixture.at_home else "at"
            opponent = teams.code(fixture.opponent, self.trial.ground.recipe.season)
            games.append((f"{where} {opponent}", float(old.mean()), difference(new, old)))
        return games

    def to_json(self) -> dict[str, Any]:
        data = {
            **head(self.trial),
            "runs": self.runs,
            "seed": self.seed,
            "interrupted": self.trial.interrupted,
            "change": self.words,
        }
        if self.runs == 0:
            return data
        return {
            **data,
            "sentence": self.sentence(),
            "wins_before": mean(self.before.wins).interval(),
            "wins_after": mean(self.after.wins).interval(),
            "wins": self.wins.interval(),
            "certain": self.wins.certain,
            "rebuilt": self.rebuilt.to_json() if self.rebuilt is not None else None,
            "answered": self._responses_json(),
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

    def _responses_json(self) -> dict[str, Any] | None:
        if self.answered is None:
            return None
        real, changed = self.answered
        return {
            "remains": self.remains(),
            "unchanged": real.to_json(real),
            "changed": changed.to_json(real),
        }


def head(trial: Trial) -> dict[str, Any]:
    """Return the fields common to all JSON reports."""
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
    """Return the name of the unchanged plan: `real plan`, or `plan 'book'`."""
    plan = trial.ground.recipe.plan
    return "real plan" if plan == REAL_PLANS else f"plan {plan!r}"


def note(trial: Trial) -> str:
    """Return the note of a report: plans other than the real ones, partial sources, assumptions."""
    recipe = trial.ground.recipe
    notes = [plan_note(recipe.plan), *part_notes(trial.made_from)]
    return " ".join([*filter(None, notes), preset.invented_note(recipe.options)])


def full_name(trial: Trial) -> str:
    """Return the team's name in that season; its code in an invented league."""
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

    With `with_responses` both are also played against opponents that respond, with the same luck.
    """
    lineups = [Lineup(trial.plan), Lineup(plan)]
    if answered:
        opposition = Opposition(trial)
        for candidate in (trial.plan, plan):
            lineups += answers.lineups(opposition, candidate)
    before, after, *responding = trial.play(lineups, runs, seed, statistics=True)
    comparison = Comparison(trial, plan, words, before, after, runs, seed, changes)
    if not answered or trial.interrupted:
        return comparison
    lines = (
        Line(unchanged(trial), before, *responding[:2]),
        Line("changed plan", after, *responding[2:]),
    )
    return replace(comparison, answered=lines)


def ask(
    trial: Trial,
    wanted: Wanted,
    other: str | Plan | None = None,
    runs: int = 1000,
    seed: int = 0,
    answered: bool = False,
) -> Comparison:
    """Measure the requested changes, applied to another plan if one is given."""
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


# --- Descriptions --------------------------------------------------------------------------


def change_words(plan: Plan, changes: Sequence[AnyChange]) -> str:
    """Describe changes; if a single call is cut, name the call that gains most."""
    share_changes = [change for change in changes if isinstance(change, ch.Change)]
    descriptions = [change.words() for change in changes if not isinstance(change, ch.Change)]
    if share_changes:
        text = f"called {ch.words(share_changes)}"
        gainer = _gaining_call(plan, share_changes[0]) if len(share_changes) == 1 else None
        descriptions.insert(0, f"{text}, more {plural(gainer)}" if gainer else text)
    return " and ".join(descriptions) if len(descriptions) < 3 else ", ".join(descriptions)


def _gaining_call(plan: Plan, change: ch.Change) -> str | None:
    """Return the call that takes most of the share another one loses."""
    if change.section not in ("play", "formation") or change.amount.kind == "level":
        return None
    if change.amount.value > (0 if change.amount.kind == "points" else 1):
        return None
    moment = _typical_situation(change.situation)
    old, new = (ch.mix(version, change.section, moment) for version in (plan, change.apply(plan)))
    if old is None or new is None:
        return None
    gains = [after - before for before, after in zip(old, new, strict=True)]
    best = max(range(len(gains)), key=lambda index: gains[index])
    return SECTIONS[change.section][best] if gains[best] > 0 else None


def _typical_situation(situation: ch.Situation) -> Moment:
    return moments(situation.bounds())[0]


def describe(old: Plan, new: Plan, most: int = MOST_WORDS) -> str:
    """Describe how one plan differs from another, the largest differences first."""
    differences: list[tuple[float, str]] = []
    for section in ("play", "formation"):
        for where, moment in CLASSES.items():
            shares = [ch.mix(plan, section, moment) for plan in (old, new)]
            if shares[0] is None or shares[1] is None:
                continue
            text, size = _describe_moves(SECTIONS[section], shares[0], shares[1])
            if text:
                differences.append((size, f"{where} {text}"))
    if old.rows != new.rows and not differences:
        return "called the same on ordinary downs, otherwise elsewhere"
    differences.sort(key=lambda difference: -difference[0])
    return (
        "called " + "; ".join(words for _, words in differences[:most])
        if differences
        else "no change"
    )


def _describe_moves(
    calls: Sequence[str], old: Sequence[float], new: Sequence[float]
) -> tuple[str, float]:
    """Describe the largest loss and gain of share; also return the total of all moves."""
    moves = [after - before for before, after in zip(old, new, strict=True)]
    size = sum(abs(move) for move in moves) / 2
    descriptions = []
    order = sorted(range(len(moves)), key=moves.__getitem__)
    for index in (order[0], order[-1]):
        if abs(moves[index]) >= LEAST:
            more = "more" if moves[index] > 0 else "fewer"
            descriptions.append(
                f"{abs(moves[index]):.0%} {more} {plural(calls[index])}".replace("%", " %", 1)
            )
    return ", ".join(descriptions), size
