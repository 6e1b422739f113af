"""One game in plain Python, a call at a time, for the environments that step a single game.

The same games as those of the simulator and of `vector` for the same seed, number and calls.
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
    """Rolls as the simulator does, and keeps what was told since somebody last asked."""

    def __init__(self, rules: RuleSet, seed: int, game: int) -> None:
        super().__init__(rules, seed, game)
        self.told: list[Told] = []

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.told.append(Told(event, team, a, b, c))


class Play:
    """A game that goes on by itself until a call is wanted of somebody who is no coach."""

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
        self._at_hand = CoachTable(self.table.luck)
        self.position = self.setting.start.copy()
        self.position.table = self.table
        self._rewarded = self.setting.first_lead
        self._go_on()
        self._look()

    def begin_next(self, seed: int | None, draw: Callable[[], int | None]) -> None:
        """Begin the first game of a seed, of one that is drawn if none was given yet, or the next
        game."""
        if seed is not None:
            self.begin_asked(check_seed(seed), 0)
        elif self.position is None:
            self.begin_asked(seats.any_seed(draw()), 0)
        else:
            self.begin_asked(self.seed, self.number + 1)

    def begin_asked(self, seed: int, number: int) -> None:
        """Begin a game, or the first one after it in which a call is wanted at all."""
        for further in range(MOST_UNASKED):
            self.begin(seed, number + further)
            if self.asked != NOBODY:
                return
        raise HashmarkError(f"start: of {MOST_UNASKED} games none comes to a question")

    @property
    def is_over(self) -> bool:
        """Whether the game has come to its end."""
        return self.rules.is_over(self.position)

    @property
    def is_cut(self) -> bool:
        """Whether it has taken more steps than any game does."""
        return self.steps >= LONGEST_GAME and not self.is_over

    def _asked(self) -> int:
        """The team whose call is wanted, NOBODY after the end."""
        if self.is_over or self.is_cut:
            return NOBODY
        return int(self.rules.asked(self.match, self.position))

    def call(self, action: Any) -> None:
        """Make a call of the team that is asked; one that is not allowed changes nothing."""
        if self.position is None:
            raise HashmarkError("reset comes before the first step")
        if self.asked == NOBODY:
            raise HashmarkError("the game is over: reset begins the next one")
        if refused := refusal(self.rules.calls, self.mask, action):
            raise refused
        self.table.told.clear()
        self._step(int(action))
        self._go_on()
        self._look()

    def _look(self) -> None:
        """What the team that is asked sees and may call; after the end what the viewer sees."""
        self.asked = self._asked()
        looks = self.setting.viewer if self.asked == NOBODY else self.asked
        self.row, self.mask = self.seen_by(looks)
        if self.is_cut:
            self.mask[:] = 0

    def _go_on(self) -> None:
        """Dice that nobody is asked for, and the calls of the coach."""
        rules, m, g, setting = self.rules, self.match, self.position, self.setting
        while not rules.is_over(g) and self.steps < LONGEST_GAME:
            call = NO_CALL
            if rules.questions[rules.question(m, g)].calls:
                team = rules.asked(m, g)
                if setting.opponent is None or team == setting.seat:
                    return
                with rules.veiled(m, g, team, self._at_hand):
                    call = rules.decide(setting.opponent, m, g)
                if rules.custom and call not in rules.legal_calls(m, g):
                    raise illegal_call(rules, self.number, call)
            self._step(call)

    def _step(self, call: int) -> None:
        self.rules.step(self.match, self.position, call)
        self.steps += 1

    def lead(self, team: int) -> int:
        """By how many points a team leads."""
        score = self.position.score
        return int(score[team] - score[1 - team])

    def result(self, team: int) -> float:
        """What the game was to a team: 1 won, -1 lost, 0 a tie or not over."""
        return seats.result(winner(self.position), team) if self.is_over else 0.0

    def reward(self, by_points: bool) -> float:
        """The viewer's reward for what has happened since the last one.

        Points made before the first question come with the reward of its call.
        """
        viewer = self.setting.viewer
        if not by_points:
            return self.result(viewer)
        before, self._rewarded = self._rewarded, self.lead(viewer)
        return float(self._rewarded - before)

    def seen_by(self, team: int) -> tuple[Any, Any]:
        """What a team sees, and the mask of its calls."""
        return self.observation.read(self.match, self.position, team)

    def sentences(self) -> list[str]:
        """What happened since the last call, in words."""
        with naming(self.names):
            said = [self.rules.words.sentence(told) for told in self.table.told]
        return [capital(one) for one in said if one]

    def standing(self, viewer: int) -> list[str]:
        """Scoreboard, field and situation, as a viewer may see them."""
        game = Game(self.rules, self.setting.options, dice=ListedDice([[], []]), names=self.names)
        seen = self.rules.view(self.match, self.position, viewer)
        return report.standing(game.as_told(seen, []))

    @property
    def names(self) -> tuple[str, str]:
        """What the teams are called."""
        return self.rules.team_names(self.setting.options)
