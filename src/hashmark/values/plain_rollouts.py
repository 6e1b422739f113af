"""Games played out in plain Python: slow, and the proof of the compiled way."""

from __future__ import annotations

from typing import Any

from hashmark.sim.plain import Sampler
from hashmark.table.errors import EndlessGame
from hashmark.table.generator import COACHES, DICE, Stream
from hashmark.table.record import NOBODY, winner
from hashmark.table.rules import LONGEST_GAME, NO_CALL, NO_END, RANDOM, Coach, RuleSet
from hashmark.table.thinking import CoachTable
from hashmark.values.rollout_jobs import (
    BY_CHANCE,
    BY_COACH,
    COACHED,
    KEYED,
    LONGEST_SECRET,
    MOST,
    NEVER_SEEN,
    SOUGHT,
    Job,
)


class PlainRollout:
    """One game of a job."""

    def __init__(self, rules: RuleSet, m: Any, job: Job, seed: int, rollout: int) -> None:
        self.rules, self.m, self.job = rules, m, job
        self.seed, self.rollout = seed, rollout
        self.drives, self.had_ball, self.plays = [0, 0], NOBODY, 0

    def play(self) -> tuple[int, int]:
        """Who wins it, and by how many points home does."""
        won = self._winner()
        return won, self.g.score[0] - self.g.score[1]

    def _winner(self) -> int:
        for tries in range(BY_CHANCE if self.job.seen is not None else 1):
            self._begin(tries)
            if self.job.seen is None or self._seek(tries):
                return self._play()
        return NEVER_SEEN

    def _begin(self, tries: int) -> None:
        self.g = self.job.start.copy()
        self.g.table = self.table = Sampler(self.rules, self.seed, self.rollout)
        self._open(SOUGHT + 2 * tries)

    def _open(self, first: int) -> None:
        """Dice and the coaches' luck from these streams on."""
        self.table.dice = Stream(self.seed, self.rollout, first + DICE)
        self.table.luck = Stream(self.seed, self.rollout, first + COACHES)

    def _seek(self, tries: int) -> bool:
        """Let a hidden call be made; whether it leads to what is seen."""
        coach = RANDOM if tries > BY_COACH else self.rules.playing_out
        for _ in range(LONGEST_SECRET):
            if self.rules.is_over(self.g):
                return False
            self._step(self._call_of(coach))
            seen = self.rules.view(self.m, self.g, self.job.team)
            if seen.flat() == self.job.seen.flat():
                return True
        return False

    def _play(self) -> int:
        """From the first call to the end."""
        waiting, key_it = self.job.call != COACHED, self.job.seen is None
        for _ in range(LONGEST_GAME):
            if self.rules.is_over(self.g):
                return winner(self.g)
            if key_it and self._begins():
                self._key()
            key_it = True
            asked = bool(self.rules.questions[self.rules.question(self.m, self.g)].calls)
            forced = waiting and asked
            waiting = waiting and not asked
            self._step(self.job.call if forced else self._call_of(self.rules.playing_out))
        raise EndlessGame(NO_END)

    def _step(self, call: int) -> None:
        self.rules.step(self.m, self.g, call)

    def _call_of(self, coach: Coach) -> int:
        """What the coach of the team that is asked calls, if one is."""
        rules, m, g = self.rules, self.m, self.g
        if not rules.questions[rules.question(m, g)].calls:
            return NO_CALL
        with rules.veiled(m, g, rules.asked(m, g), CoachTable(self.table.luck)):
            return rules.decide(coach, m, g)

    def _begins(self) -> bool:
        """Whether a play begins here."""
        question = self.rules.questions[self.rules.question(self.m, self.g)]
        return self.rules.play_over(self.m, self.g) and not question.is_window

    def _key(self) -> None:
        """Give the play its own dice."""
        team = self.g.possession & 1
        if team != self.had_ball:
            self.had_ball, self.plays = team, 0
            self.drives[team] += 1
        self.plays += 1
        key = (self.drives[team] % MOST * MOST + self.plays % MOST) * 2 + team
        self._open(2 * key + KEYED)
