"""Game tree: at each decision node a team calls, at each chance node a roll has its exact odds.

A step of the rules runs anew for each of its rolls, replaying those already made. The next roll is
a chance node: a pool of dice is one roll, and outcomes that the rules cannot distinguish are one
outcome, as in `hashmark.odds`. Exploding dice are therefore a finite list of outcomes without
truncation: a pool's odds are exact, its last outcome being "so many or more".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from hashmark.engine.dice import Pool
from hashmark.engine.events import EventKind, GameEvent, Values
from hashmark.engine.game import Turn
from hashmark.engine.record import NOBODY, MatchRecord, PositionRecord
from hashmark.engine.rule_set import ENDLESS_GAME_MESSAGE, MAX_GAME_STEPS, NO_CALL, RuleSet
from hashmark.errors import EndlessGame
from hashmark.odds.enumeration import DicePath
from hashmark.session.redaction import SecretCalls

RollOdds = Sequence[tuple[int, Fraction]]
PickleRecipe = tuple[Callable[..., Any], tuple[Any, ...]]


class PendingRoll(NamedTuple):
    """A roll that has not been made yet."""

    pool: Pool
    odds: RollOdds


class _RollPending(Exception):
    """A step has reached a roll that has not been made yet."""

    def __init__(self, wanted: PendingRoll) -> None:
        self.wanted = wanted


class _ReplayHandler(DicePath):
    """Effect handler that replays the rolls made so far and stops at the next one."""

    def __init__(self, game: GameTree, fallen: tuple[int, ...]) -> None:
        super().__init__(game.rules)
        self.columns = game.columns
        self.fallen = fallen
        self.events: list[GameEvent] = []

    def _take(self, pool: Pool, column: RollOdds) -> int:
        if len(column) == 1:
            return column[0][0]
        if self.depth == len(self.fallen):
            raise _RollPending(PendingRoll(pool, column))
        self.depth += 1
        return column[self.fallen[self.depth - 1]][0]

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.events.append(GameEvent(event, team, values))


class PastTurn(NamedTuple):
    """A turn that was played, its rolls, and the turns before it."""

    turn: Turn
    rolls: tuple[int, ...]
    before: PastTurn | None
    number: int


class GameTree:
    """All games of a match that begin in one position."""

    def __init__(
        self, rules: RuleSet, m: MatchRecord, start: PositionRecord, pickle_recipe: PickleRecipe
    ) -> None:
        """Build the root; `pickle_recipe` tells pickle how to recreate the same tree."""
        self.rules, self.match, self.pickle_recipe = rules, m, pickle_recipe
        self.columns: dict[tuple[int, int, int], list[tuple[int, Fraction]]] = {}
        self.root = Node(self, start, None)._advance()

    def __reduce__(self) -> PickleRecipe:
        return self.pickle_recipe


class Node:
    """An immutable state of a game; copies share it."""

    def __init__(
        self,
        tree: GameTree,
        position: PositionRecord,
        past: PastTurn | None,
        call: int = NO_CALL,
        rolls: tuple[int, ...] = (),
        pending_roll: PendingRoll | None = None,
    ) -> None:
        """Create a node: `position` after the last step, a roll if another step is under way."""
        self.tree, self.position, self.past = tree, position, past
        self.call, self.rolls, self.pending_roll = call, rolls, pending_roll

    def __deepcopy__(self, memo: object) -> Node:
        return self

    def __reduce__(self) -> PickleRecipe:
        """Pickle the calls and rolls that lead to the node."""
        return _node_after, (self.tree, [(past.turn.call, past.rolls) for past in self.turns()])

    @cached_property
    def is_over(self) -> bool:
        return self.tree.rules.is_over(self.position)

    @cached_property
    def asked(self) -> int:
        """The team to act; NOBODY where a roll is due or the game is over."""
        if self.is_over or self.pending_roll is not None:
            return NOBODY
        return int(self.tree.rules.team_to_act(self.tree.match, self.position))

    @cached_property
    def calls(self) -> list[int]:
        """Legal calls of the team to act."""
        view = self.tree.rules.view(self.tree.match, self.position, self.asked)
        return sorted(self.tree.rules.legal_calls(self.tree.match, view))

    def after_call(self, call: int) -> Node:
        """Return the node after a call."""
        return self._run(call, ())

    def after_roll(self, outcome: int) -> Node:
        """Return the node after an outcome of the pending roll."""
        return self._run(self.call, (*self.rolls, outcome))

    def _run(self, call: int, fallen: tuple[int, ...]) -> Node:
        """Run the step along the rolls made so far, to its end or to the next roll."""
        tree = self.tree
        path = _ReplayHandler(tree, fallen)
        after = self.position.copy()
        after.handler = path
        try:
            tree.rules.step(tree.match, after, call)
        except _RollPending as stop:
            return Node(tree, self.position, self.past, call, fallen, stop.wanted)
        after.handler = None
        return Node(tree, after, self._extended_past(call, fallen, path.events))._advance()

    def _extended_past(
        self, call: int, fallen: tuple[int, ...], events: Sequence[GameEvent]
    ) -> PastTurn:
        """Return the history with one more turn."""
        team = NOBODY
        if call != NO_CALL:
            team = int(self.tree.rules.team_to_act(self.tree.match, self.position))
        turn = Turn(team, call, (), tuple(events), self.position, None, 0)
        number = 1 if self.past is None else self.past.number + 1
        if number >= MAX_GAME_STEPS:
            raise EndlessGame(ENDLESS_GAME_MESSAGE)
        return PastTurn(turn, fallen, self.past, number)

    def _advance(self) -> Node:
        """Advance to the first roll if no team is to call."""
        rules, m = self.tree.rules, self.tree.match
        if self.is_over or rules.questions[rules.question(m, self.position)].calls:
            return self
        return self._run(NO_CALL, ())

    # --- Information sets ----------------------------------------------------------------

    def turns(self) -> list[PastTurn]:
        """Return all turns from the first on, including the one under way."""
        if self.pending_roll is None:
            return list(_backwards(self.past))[::-1]
        return list(_backwards(self._extended_past(self.call, self.rolls, ())))[::-1]

    def known_to(self, viewer: int) -> str:
        """Return everything a viewer has seen and called, in one line: the information state."""
        turns = self.turns()
        secret = self.tree.rules.has_secret_calls
        hidden, dark = self._hidden_from(viewer, turns) if secret else (set(), set())
        names, words = self.tree.rules.calls, []
        for past in turns:
            team, call, number = past.turn.team, past.turn.call, past.number
            call_text = "" if call == NO_CALL else "?" if number in hidden else names[call]
            rolls_text = "" if number in dark else ",".join(map(str, past.rolls))
            words.append(f"{'' if team == NOBODY else team}{call_text}[{rolls_text}]")
        return f"{viewer}: {' '.join(words)}"

    def _hidden_from(self, viewer: int, turns: Sequence[PastTurn]) -> tuple[set[int], set[int]]:
        """Return the turns whose calls are hidden from a viewer, and those whose rolls reveal one.

        Consistent with `redaction.view_for`.
        """
        secrets = SecretCalls(self.tree.rules, self.tree.match)
        standing = []
        for past in turns:
            secrets.add_turn(past.number, past.turn)
            standing.append(set(secrets.hidden_turn_by_team.values()))
        if self.is_over:
            return set(), set()
        hidden = {
            number for number in secrets.revealing_events if turns[number - 1].turn.team != viewer
        }
        return hidden, {
            past.number for past, then in zip(turns, standing, strict=True) if hidden & then
        }


def _backwards(past: PastTurn | None) -> Iterator[PastTurn]:
    while past is not None:
        yield past
        past = past.before


def _node_after(tree: GameTree, turns: Sequence[tuple[int, tuple[int, ...]]]) -> Node:
    """Return the node to which calls and rolls lead."""
    node = tree.root
    for call, fallen in turns:
        if call != NO_CALL:
            node = node.after_call(call)
        for outcome in fallen:
            node = node.after_roll(outcome)
    return node
