"""Rollouts in plain Python: slow, and the reference for the compiled kernel."""

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
    """One rollout of a job."""

    def __init__(self, rules: RuleSet, m: Any, job: Job, seed: int, rollout: int) -> None:
        self.rules, self.m, self.job = rules, m, job
        self.seed, self.rollout = seed, rollout
        self.drives, self.had_ball, self.plays = [0, 0], NOBODY, 0

    def play(self) -> tuple[int, int]:
        """Play the game; return the winner and home's margin."""
        won = self._winner()
        return won, self.g.score[0] - self.g.score[1]

    def _winner(self) -> int:
        for tries in range(BY_CHANCE if self.job.seen is not None else 1):
            self._start(tries)
            if self.job.seen is None or self._replay_hidden_call(tries):
                return self._play()
        return NEVER_SEEN

    def _start(self, tries: int) -> None:
        self.g = self.job.start.copy()
        self.g.table = self.table = Sampler(self.rules, self.seed, self.rollout)
        self._open_streams(SOUGHT + 2 * tries)

    def _open_streams(self, first: int) -> None:
        """Open the dice stream and the coaches' stream at these stream numbers."""
        self.table.dice = Stream(self.seed, self.rollout, first + DICE)
        self.table.luck = Stream(self.seed, self.rollout, first + COACHES)

    def _replay_hidden_call(self, tries: int) -> bool:
        """Replay the hidden call; return whether it leads to the observed position."""
        coach = RANDOM if tries > BY_COACH else self.rules.playing_out
        for _ in range(LONGEST_SECRET):
            if self.rules.is_over(self.g):
                return False
            self._step(self._call_of(coach))
            view = self.rules.view(self.m, self.g, self.job.team)
            if view.flat() == self.job.seen.flat():
                return True
        return False

    def _play(self) -> int:
        """Play from the first call to the end; return the winner."""
        call_pending, may_key = self.job.call != COACHED, self.job.seen is None
        for _ in range(LONGEST_GAME):
            if self.rules.is_over(self.g):
                return winner(self.g)
            if may_key and self._play_begins():
                self._key_play()
            may_key = True
            asked = bool(self.rules.questions[self.rules.question(self.m, self.g)].calls)
            use_job_call = call_pending and asked
            call_pending = call_pending and not asked
            self._step(self.job.call if use_job_call else self._call_of(self.rules.playing_out))
        raise EndlessGame(NO_END)

    def _step(self, call: int) -> None:
        self.rules.step(self.m, self.g, call)

    def _call_of(self, coach: Coach) -> int:
        """Return the coach's call for the team to act, or NO_CALL."""
        rules, m, g = self.rules, self.m, self.g
        if not rules.questions[rules.question(m, g)].calls:
            return NO_CALL
        with rules.veiled(m, g, rules.asked(m, g), CoachTable(self.table.luck)):
            return rules.decide(coach, m, g)

    def _play_begins(self) -> bool:
        """Return whether a play begins here."""
        question = self.rules.questions[self.rules.question(self.m, self.g)]
        return self.rules.play_over(self.m, self.g) and not question.is_window

    def _key_play(self) -> None:
        """Switch to the dice streams of the play that begins."""
        team = self.g.possession & 1
        if team != self.had_ball:
            self.had_ball, self.plays = team, 0
            self.drives[team] += 1
        self.plays += 1
        key = (self.drives[team] % MOST * MOST + self.plays % MOST) * 2 + team
        self._open_streams(2 * key + KEYED)
