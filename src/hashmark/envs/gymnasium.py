"""Gymnasium environment: one seat of a game against a coach.

    import gymnasium
    import hashmark.envs.gymnasium

    env = gymnasium.make("hashmark/FourthDown-v1", opponent="book")
    row, info = env.reset(seed=1)
    row, reward, ended, cut, info = env.step(call)   # a call where info["action_mask"] is 1

Reset with a seed begins game 0 of that seed, the same game that `simulate` plays; each further
reset begins the next game. An illegal call is replaced by the first legal one, or refused with
`illegal="refuse"`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark import extras

try:
    from gymnasium import Env
    from gymnasium.spaces import Box, Dict, Discrete
except ImportError as fault:
    raise extras.missing_library_error("hashmark.envs.gymnasium", "gymnasium") from fault

from hashmark.engine.generator import check_seed
from hashmark.engine.record import NOBODY, TEAMS
from hashmark.engine.rule_set import RuleSet
from hashmark.envs import registration, rendering, settings
from hashmark.envs.actions import is_legal
from hashmark.envs.settings import Opponent
from hashmark.envs.single_game import SingleGame
from hashmark.errors import HashmarkError, UnknownName

FLAT, NAMED = "flat", "named"
OBSERVATIONS = (FLAT, NAMED)
RENDER_MODES = ("ansi", "rgb_array")
REFUSE, REPLACE = "refuse", "replace"
ILLEGAL_ACTIONS = (REFUSE, REPLACE)


class GameEnv(Env[Any, Any]):
    """A game from the seat of one team."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str | RuleSet,
        *,
        seat: str = "home",
        opponent: Opponent | None = None,
        reward: str = settings.RESULT,
        observation: str = FLAT,
        illegal: str = REPLACE,
        options: Mapping[str, Any] | None = None,
        start: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Create the environment.

        `opponent` is a coach of the game, by name or as a function; `options` are those of the
        game; `start` is a position in which every game begins. An illegal action is replaced by the
        first legal call, and `info["replaced"]` is true; `illegal="refuse"` raises an error.
        """
        if seat == settings.BOTH:
            raise UnknownName("seat", seat, TEAMS)
        if observation not in OBSERVATIONS:
            raise UnknownName("observation", observation, OBSERVATIONS)
        if illegal not in ILLEGAL_ACTIONS:
            raise UnknownName("illegal", illegal, ILLEGAL_ACTIONS)
        check_render_mode(render_mode)
        self.replaces_illegal, self.was_replaced = illegal == REPLACE, False
        self.setting = settings.make_setting(
            game, seat=seat, opponent=opponent, options=options, start=start
        )
        self.rules = self.setting.rules
        self.by_points = settings.check_reward(reward) == settings.POINTS
        self.is_named, self.render_mode = observation == NAMED, render_mode
        self.play = SingleGame(self.setting)
        layout = self.play.observation
        low, high, number = layout.low, layout.high, layout.dtype.type
        if self.is_named:
            parts = layout.groups.items()
            self.observation_space = Dict(
                {name: Box(low[part], high[part], dtype=number) for name, part in parts}
            )
        else:
            self.observation_space = Box(low, high, dtype=number)
        self.action_space = Discrete(len(self.rules.calls))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the first game of a seed, the next game, or game `options["game"]`."""
        super().reset(seed=seed)
        unknown = [key for key in options or {} if key != "game"]
        if unknown:
            raise UnknownName("option of reset", unknown[0], ["game"])
        self.play.begin_next(seed, lambda: self.np_random_seed)
        if options and "game" in options:
            self.play.begin_with_question(self.play.seed, check_seed(options["game"], "game"))
        self.was_replaced = False
        return self._observation(), self._info()

    def step(self, action: object) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make a call; the coach and the dice advance the game to the next question."""
        play = self.play
        if self.replaces_illegal:
            action = self._legal_action(action)
        play.call(action)
        reward = play.reward(self.by_points)
        return self._observation(), reward, play.is_over, play.is_truncated, self._info()

    def _legal_action(self, action: object) -> object:
        """Return the action if it is legal, else the first legal one."""
        self.was_replaced = not is_legal(self.play.mask, action)
        return int(self.play.mask.argmax()) if self.was_replaced else action

    def _observation(self) -> Any:
        row = self.play.row
        if not self.is_named:
            return row
        return {name: row[part] for name, part in self.play.observation.groups.items()}

    def _info(self) -> dict[str, Any]:
        mask = {"action_mask": self.play.mask}
        return {**mask, "replaced": self.was_replaced} if self.replaces_illegal else mask

    def action_masks(self) -> Any:
        """Return the mask of legal calls, for learners that expect this method."""
        return self.play.mask.astype(bool)

    def render(self) -> Any:
        """Render what the seat may see, as text or as an image."""
        return render_game(self.play, self.render_mode, self.setting.viewer)


def check_render_mode(mode: str | None) -> None:
    """Raise an error for an unknown render mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise UnknownName("render_mode", mode, RENDER_MODES)


def render_game(play: SingleGame, mode: str | None, viewer: int = NOBODY) -> Any:
    """Render a game as a viewer may see it: text or an RGB array, None without a mode."""
    if mode is None:
        return None
    if play.position is None:
        raise HashmarkError("call reset() before render()")
    if mode == "ansi":
        return "\n".join([*play.sentences(), *play.standing(viewer)]) + "\n"
    view = play.rules.view(play.match, play.position, viewer)
    return rendering.render_field(play.rules, play.match, view, play.names)


registration.register_games()
