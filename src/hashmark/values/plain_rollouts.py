"""Rollouts in plain Python: slow, and the reference for the compiled kernel."""

from __future__ import annotations

from hashmark.engine.coach_requests import CoachHandler
from hashmark.engine.generator import COACH_STREAM, DICE_STREAM, RandomStream
from hashmark.engine.record import NOBODY, MatchRecord, PositionRecord, winner
from hashmark.engine.rule_set import (
    ENDLESS_GAME_MESSAGE,
    MAX_GAME_STEPS,
    NO_CALL,
    RANDOM_COACH,
    Coach,
    RuleSet,
)
from hashmark.errors import EndlessGame
from hashmark.sim.plain import SamplingHandler
from hashmark.values.rollout_jobs import (
    COACH_CALLS,
    COACH_TRIES,
    FIRST_PLAY_STREAM,
    FIRST_SEARCH_STREAM,
    KEYED_PLAYS,
    MAX_SECRET_STEPS,
    MAX_TRIES,
    NO_MATCHING_CALL,
    RolloutJob,
)


class PlainRollout:
    """One rollout of a job."""

    def __init__(
        self, rules: RuleSet, m: MatchRecord, job: RolloutJob, seed: int, rollout: int
    ) -> None:
        self.rules, self.m, self.job = rules, m, job
        self.seed, self.rollout = seed, rollout
        self.drives, self.had_ball, self.plays = [0, 0], NOBODY, 0

    def play(self) -> tuple[int, int]:
        """Play the game; return the winner and home's margin."""
        won = self._winner()
        return won, self.g.score[0] - self.g.score[1]

    def _winner(self) -> int:
        seen = self.job.seen
        for tries in range(1 if seen is None else MAX_TRIES):
            self._start(tries)
            if seen is None or self._replay_hidden_call(seen, tries):
                return self._play()
        return NO_MATCHING_CALL

    def _start(self, tries: int) -> None:
        self.g = self.job.start.copy()
        self.g.handler = self.table = SamplingHandler(self.rules, self.seed, self.rollout)
        self._open_streams(FIRST_SEARCH_STREAM + 2 * tries)

    def _open_streams(self, first: int) -> None:
        """Open the dice stream and the coaches' stream at these stream numbers."""
        self.table.dice_stream = RandomStream(self.seed, self.rollout, first + DICE_STREAM)
        self.table.coach_stream = RandomStream(self.seed, self.rollout, first + COACH_STREAM)

    def _replay_hidden_call(self, seen: PositionRecord, tries: int) -> bool:
        """Replay the hidden call; return whether it leads to the observed position."""
        coach = RANDOM_COACH if tries > COACH_TRIES else self.rules.rollout_coach
        for _ in range(MAX_SECRET_STEPS):
            if self.rules.is_over(self.g):
                return False
            self.rules.step(self.m, self.g, self._call_of(coach))
            if self.rules.view(self.m, self.g, self.job.team) == seen:
                return True
        return False

    def _play(self) -> int:
        """Play from the first call to the end; return the winner."""
        call_pending, may_key = self.job.call != COACH_CALLS, self.job.seen is None
        for _ in range(MAX_GAME_STEPS):
            if self.rules.is_over(self.g):
                return winner(self.g)
            if may_key and self._play_begins():
                self._key_play()
            may_key = True
            asked = bool(self.rules.questions[self.rules.question(self.m, self.g)].calls)
            use_job_call = call_pending and asked
            call_pending = call_pending and not asked
            call = self.job.call if use_job_call else self._call_of(self.rules.rollout_coach)
            self.rules.step(self.m, self.g, call)
        raise EndlessGame(ENDLESS_GAME_MESSAGE)

    def _call_of(self, coach: Coach) -> int:
        """Return the coach's call for the team to act, or NO_CALL."""
        rules, m, g = self.rules, self.m, self.g
        if not rules.questions[rules.question(m, g)].calls:
            return NO_CALL
        with rules.redacted(m, g, rules.team_to_act(m, g), CoachHandler(self.table.coach_stream)):
            return rules.decide(coach, m, g)

    def _play_begins(self) -> bool:
        """Return whether a play begins here."""
        question = self.rules.questions[self.rules.question(self.m, self.g)]
        return self.rules.is_play_over(self.m, self.g) and not question.is_window

    def _key_play(self) -> None:
        """Switch to the dice streams of the play that begins."""
        team = self.g.possession & 1
        if team != self.had_ball:
            self.had_ball, self.plays = team, 0
            self.drives[team] += 1
        self.plays += 1
        key = (self.drives[team] % KEYED_PLAYS * KEYED_PLAYS + self.plays % KEYED_PLAYS) * 2 + team
        self._open_streams(2 * key + FIRST_PLAY_STREAM)
