"""A single game in plain Python, one call at a time, for single-game environments.

Plays the same games as the simulator and `vector` for equal seed, number and calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hashmark.envs import observation, seats
from hashmark.envs.calls import refusal
from hashmark.envs.seats import Setting
from hashmark.sim.plain import Sampler, illegal_call
from hashmark.table.errors import HashmarkError
from hashmark.table.events import Event, Told
from hashmark.table.game import Game, ListedDice
from hashmark.table.generator import check_seed
from hashmark.table.names import naming
from hashmark.table.record import NOBODY, winner
from hashmark.table.rules import LONGEST_GAME, NO_CALL, RuleSet
from hashmark.table.thinking import CoachTable
from hashmark.telling import report
from hashmark.telling.speech import capital

MOST_UNASKED = 100


class Listener(Sampler):
    """Effect handler that rolls like the simulator and records events since the last call."""

    def __init__(self, rules: RuleSet, seed: int, game: int) -> None:
        super().__init__(rules, seed, game)
        self.told: list[Told] = []

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.told.append(Told(event, team, a, b, c))


class Play:
    """A game that advances by itself until a team without a coach is to call."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.rules = setting, setting.rules
        self.match = setting.match
        self.observation = observation.of(setting.rules)
        self.seed, self.number = 0, -1
        self.position: Any = None
        self.asked = NOBODY

    def begin(self, seed: int, number: int) -> None:
        """Begin game `number` of a seed."""
        self.seed, self.number, self.steps = seed, number, 0
        self.table = Listener(self.rules, seed, number)
        self._coach_handler = CoachTable(self.table.luck)
        self.position = self.setting.start.copy()
        self.position.table = self.table
        self._rewarded_lead = self.setting.first_lead
        self._advance()
        self._update_observation()

    def begin_next(self, seed: int | None, draw: Callable[[], int | None]) -> None:
        """Begin the first game of a seed (drawn if none was ever given), or the next game."""
        if seed is not None:
            self.begin_asked(check_seed(seed), 0)
        elif self.position is None:
            self.begin_asked(seats.any_seed(draw()), 0)
        else:
            self.begin_asked(self.seed, self.number + 1)

    def begin_asked(self, seed: int, number: int) -> None:
        """Begin a game, or the first one after it in which a call is needed at all."""
        for offset in range(MOST_UNASKED):
            self.begin(seed, number + offset)
            if self.asked != NOBODY:
                return
        raise HashmarkError(f"start: of {MOST_UNASKED} games none comes to a question")

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.rules.is_over(self.position)

    @property
    def is_cut(self) -> bool:
        """Whether the game was truncated for taking too many steps."""
        return self.steps >= LONGEST_GAME and not self.is_over

    def _asked(self) -> int:
        """Return the team to act, NOBODY after the end."""
        if self.is_over or self.is_cut:
            return NOBODY
        return int(self.rules.asked(self.match, self.position))

    def call(self, action: Any) -> None:
        """Make a call of the team to act; an illegal one raises an error and changes nothing."""
        if self.position is None:
            raise HashmarkError("reset comes before the first step")
        if self.asked == NOBODY:
            raise HashmarkError("the game is over: reset begins the next one")
        if error := refusal(self.rules.calls, self.mask, action):
            raise error
        self.table.told.clear()
        self._step(int(action))
        self._advance()
        self._update_observation()

    def _update_observation(self) -> None:
        """Update the observation and mask of the team to act; after the end, of the viewer."""
        self.asked = self._asked()
        observer = self.setting.viewer if self.asked == NOBODY else self.asked
        self.row, self.mask = self.seen_by(observer)
        if self.is_cut:
            self.mask[:] = 0

    def _advance(self) -> None:
        """Advance through dice and the coach's calls to the next question."""
        rules, m, g, setting = self.rules, self.match, self.position, self.setting
        while not rules.is_over(g) and self.steps < LONGEST_GAME:
            call = NO_CALL
            if rules.questions[rules.question(m, g)].calls:
                team = rules.asked(m, g)
                if setting.opponent is None or team == setting.seat:
                    return
                with rules.veiled(m, g, team, self._coach_handler):
                    call = rules.decide(setting.opponent, m, g)
                if rules.custom and call not in rules.legal_calls(m, g):
                    raise illegal_call(rules, self.number, call)
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
        return seats.result(winner(self.position), team) if self.is_over else 0.0

    def reward(self, by_points: bool) -> float:
        """Return the viewer's reward since the last one.

        Points scored before the first question count toward the reward of its call.
        """
        viewer = self.setting.viewer
        if not by_points:
            return self.result(viewer)
        before, self._rewarded_lead = self._rewarded_lead, self.lead(viewer)
        return float(self._rewarded_lead - before)

    def seen_by(self, team: int) -> tuple[Any, Any]:
        """Return the observation and action mask of a team."""
        return self.observation.read(self.match, self.position, team)

    def sentences(self) -> list[str]:
        """Return the events since the last call as sentences."""
        with naming(self.names):
            texts = [self.rules.words.sentence(event) for event in self.table.told]
        return [capital(text) for text in texts if text]

    def standing(self, viewer: int) -> list[str]:
        """Return scoreboard, field and situation as a viewer may see them."""
        game = Game(self.rules, self.setting.options, dice=ListedDice([[], []]), names=self.names)
        view = self.rules.view(self.match, self.position, viewer)
        return report.standing(game.as_told(view, []))

    @property
    def names(self) -> tuple[str, str]:
        """Names of the teams."""
        return self.rules.team_names(self.setting.options)
