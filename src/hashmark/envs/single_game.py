"""A single game in plain Python, one call at a time, for single-game environments.

Plays the same games as the simulator and `vector` for equal seed, number and calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hashmark.engine.coach_requests import CoachHandler
from hashmark.engine.events import EventKind, GameEvent, Values
from hashmark.engine.game import Game, ListedDice
from hashmark.engine.generator import check_seed
from hashmark.engine.record import NOBODY, winner
from hashmark.engine.rule_set import MAX_GAME_STEPS, NO_CALL, RuleSet
from hashmark.envs import observation, settings
from hashmark.envs.actions import check_action
from hashmark.envs.observation import Mask, Row
from hashmark.envs.settings import GameSetting
from hashmark.errors import HashmarkError
from hashmark.sim.plain import SamplingHandler, illegal_call_error
from hashmark.text import game_report
from hashmark.text.phrases import capitalize

MAX_GAMES_WITHOUT_QUESTION = 100


class RecordingHandler(SamplingHandler):
    """Effect handler that rolls like the simulator and records events since the last call."""

    def __init__(self, rules: RuleSet, seed: int, game: int) -> None:
        super().__init__(rules, seed, game)
        self.events: list[GameEvent] = []

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.events.append(GameEvent(event, team, values))


class SingleGame:
    """A game that advances by itself until a team without a coach is to call."""

    def __init__(self, setting: GameSetting) -> None:
        self.setting, self.rules = setting, setting.rules
        self.match = setting.match
        self.observation = observation.of(setting.rules)
        self.seed, self.number = 0, -1
        self.position: Any = None
        self.asked = NOBODY

    def begin(self, seed: int, number: int) -> None:
        """Begin game `number` of a seed."""
        self.seed, self.number, self.steps = seed, number, 0
        self.handler = RecordingHandler(self.rules, seed, number)
        self._coach_handler = CoachHandler(self.handler.coach_stream)
        self.position = self.setting.start.copy()
        self.position.handler = self.handler
        self._rewarded_lead = self.setting.first_lead
        self._advance()
        self._update_observation()

    def begin_next(self, seed: int | None, draw: Callable[[], int | None]) -> None:
        """Begin the first game of a seed (drawn if none was ever given), or the next game."""
        if seed is not None:
            self.begin_with_question(check_seed(seed), 0)
        elif self.position is None:
            self.begin_with_question(settings.seed_from(draw()), 0)
        else:
            self.begin_with_question(self.seed, self.number + 1)

    def begin_with_question(self, seed: int, number: int) -> None:
        """Begin a game, or the first one after it in which a call is needed at all."""
        for offset in range(MAX_GAMES_WITHOUT_QUESTION):
            self.begin(seed, number + offset)
            if self.asked != NOBODY:
                return
        raise HashmarkError(f"start: none of {MAX_GAMES_WITHOUT_QUESTION} games needs a call")

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.rules.is_over(self.position)

    @property
    def is_truncated(self) -> bool:
        """Whether the game was truncated for taking too many steps."""
        return self.steps >= MAX_GAME_STEPS and not self.is_over

    def _asked(self) -> int:
        """Return the team to act, NOBODY after the end."""
        if self.is_over or self.is_truncated:
            return NOBODY
        return int(self.rules.team_to_act(self.match, self.position))

    def call(self, action: object) -> None:
        """Make a call of the team to act; an illegal one raises an error and changes nothing."""
        if self.position is None:
            raise HashmarkError("call reset() before step()")
        if self.asked == NOBODY:
            raise HashmarkError("the game is over: call reset() to start the next one")
        call = check_action(self.rules.calls, self.mask, action)
        self.handler.events.clear()
        self._step(call)
        self._advance()
        self._update_observation()

    def _update_observation(self) -> None:
        """Update the observation and mask of the team to act; after the end, of the viewer."""
        self.asked = self._asked()
        observer = self.setting.viewer if self.asked == NOBODY else self.asked
        self.row, self.mask = self.observe(observer)
        if self.is_truncated:
            self.mask[:] = 0

    def _advance(self) -> None:
        """Advance through dice and the coach's calls to the next question."""
        rules, m, g, setting = self.rules, self.match, self.position, self.setting
        while not rules.is_over(g) and self.steps < MAX_GAME_STEPS:
            call = NO_CALL
            if rules.questions[rules.question(m, g)].calls:
                team = rules.team_to_act(m, g)
                if setting.opponent is None or team == setting.seat:
                    return
                with rules.redacted(m, g, team, self._coach_handler):
                    call = rules.decide(setting.opponent, m, g)
                if rules.is_custom and call not in rules.legal_calls(m, g):
                    raise illegal_call_error(rules, self.number, call)
            self._step(call)

    def _step(self, call: int) -> None:
        self.rules.step(self.match, self.position, call)
        self.steps += 1

    def lead(self, team: int) -> int:
        """Return a team's lead in points."""
        score = self.position.score
        return int(score[team] - score[1 - team])

    def result(self, team: int) -> float:
        """Return a team's result: 1 won, -1 lost, 0 a tie or not over."""
        return settings.game_result(winner(self.position), team) if self.is_over else 0.0

    def reward(self, by_points: bool) -> float:
        """Return the viewer's reward since the last one.

        Points scored before the first question count toward the reward of its call.
        """
        viewer = self.setting.viewer
        if not by_points:
            return self.result(viewer)
        before, self._rewarded_lead = self._rewarded_lead, self.lead(viewer)
        return float(self._rewarded_lead - before)

    def observe(self, team: int) -> tuple[Row, Mask]:
        """Return the observation and action mask of a team."""
        return self.observation.read(self.match, self.position, team)

    def sentences(self) -> list[str]:
        """Return the events since the last call as sentences."""
        texts = [self.rules.words.sentence(event, self.names) for event in self.handler.events]
        return [capitalize(text) for text in texts if text]

    def standing(self, viewer: int) -> list[str]:
        """Return scoreboard, field and situation as a viewer may see them."""
        game = Game(self.rules, self.setting.options, dice=ListedDice([[], []]), names=self.names)
        view = self.rules.view(self.match, self.position, viewer)
        return game_report.situation_lines(game.read_only_copy(view, []))

    @property
    def names(self) -> tuple[str, str]:
        """Names of the teams."""
        return self.rules.team_names(self.setting.options)
