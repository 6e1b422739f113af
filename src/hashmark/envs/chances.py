"""A game as a tree: at each node a team calls, or a roll falls with its exact odds.

A step of the rules is run anew for each of its rolls, along those that have fallen. Where the path
ends, the roll that is wanted is a node of chance: a pool of dice is one roll, and outcomes that the
rules cannot tell apart are one outcome, as in `hashmark.odds`. Dice that explode without end are
therefore a list of outcomes that ends, with nothing cut off: a pool's odds are exact, its last
outcome being "so many or more".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from hashmark.odds.plain import Path
from hashmark.table.dice import Pool
from hashmark.table.errors import EndlessGame
from hashmark.table.events import Event, Told
from hashmark.table.game import Turn
from hashmark.table.record import NOBODY
from hashmark.table.rules import LONGEST_GAME, NO_CALL, NO_END, RuleSet
from hashmark.table.secrets import Secrets

Column = Sequence[tuple[int, Fraction]]
Remade = tuple[Callable[..., Any], tuple[Any, ...]]


class Wanted(NamedTuple):
    """A roll that has not fallen yet."""

    pool: Pool
    column: Column


class _Rolls(Exception):
    """A step has come to a roll that has not fallen yet."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted


class _Fallen(Path):
    """Follows the rolls that have fallen, and says which one is wanted next."""

    def __init__(self, game: Tree, fallen: tuple[int, ...]) -> None:
        super().__init__(game.rules)
        self.columns = game.columns
        self.fallen = fallen
        self.told: list[Told] = []

    def _take(self, pool: Pool, column: Column) -> int:
        if len(column) == 1:
            return column[0][0]
        if self.depth == len(self.fallen):
            raise _Rolls(Wanted(pool, column))
        self.depth += 1
        return column[self.fallen[self.depth - 1]][0]

    def tell(self, event: Event, team: int, a: int, b: int, c: int) -> None:
        self.told.append(Told(event, team, a, b, c))


class Past(NamedTuple):
    """A turn that was played, the rolls that fell in it, and what was before."""

    turn: Turn
    fallen: tuple[int, ...]
    before: Past | None
    number: int


class Tree:
    """All games of a match that begin in one position."""

    def __init__(self, rules: RuleSet, m: Any, start: Any, remade: Remade) -> None:
        """`remade` says how another process comes to the same tree."""
        self.rules, self.match, self.remade = rules, m, remade
        self.columns: dict[tuple[int, int, int], list[tuple[int, Fraction]]] = {}
        self.root = Node(self, start, None)._go_on()

    def __reduce__(self) -> Remade:
        return self.remade


class Node:
    """A moment of a game; it never changes, so whoever copies it may keep it."""

    def __init__(
        self,
        tree: Tree,
        position: Any,
        past: Past | None,
        call: int = NO_CALL,
        fallen: tuple[int, ...] = (),
        wanted: Wanted | None = None,
    ) -> None:
        """`position` is where the last step ended; if a roll is `wanted`, another has begun."""
        self.tree, self.position, self.past = tree, position, past
        self.call, self.fallen, self.wanted = call, fallen, wanted

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    def __reduce__(self) -> Remade:
        """Kept as the calls and rolls that lead to it."""
        return _node_after, (self.tree, [(one.turn.call, one.fallen) for one in self.turns()])

    @cached_property
    def is_over(self) -> bool:
        return self.tree.rules.is_over(self.position)

    @cached_property
    def asked(self) -> int:
        """The team that is asked, NOBODY where a roll is wanted or the game is over."""
        if self.is_over or self.wanted is not None:
            return NOBODY
        return int(self.tree.rules.asked(self.tree.match, self.position))

    @cached_property
    def calls(self) -> list[int]:
        """What the team that is asked may call."""
        seen = self.tree.rules.view(self.tree.match, self.position, self.asked)
        return sorted(self.tree.rules.legal_calls(self.tree.match, seen))

    def after_call(self, call: int) -> Node:
        """The moment after a call."""
        return self._run(call, ())

    def after_roll(self, outcome: int) -> Node:
        """The moment after the roll that is wanted has fallen."""
        return self._run(self.call, (*self.fallen, outcome))

    def _run(self, call: int, fallen: tuple[int, ...]) -> Node:
        """Run the step along the rolls that have fallen, to its end or to the next one."""
        tree = self.tree
        path = _Fallen(tree, fallen)
        after = self.position.copy()
        after.table = path
        try:
            tree.rules.step(tree.match, after, call)
        except _Rolls as stop:
            return Node(tree, self.position, self.past, call, fallen, stop.wanted)
        after.table = None
        return Node(tree, after, self._and(call, fallen, path.told))._go_on()

    def _and(self, call: int, fallen: tuple[int, ...], told: Sequence[Told]) -> Past:
        """The past with one more turn."""
        team = NOBODY
        if call != NO_CALL:
            team = int(self.tree.rules.asked(self.tree.match, self.position))
        turn = Turn(team, call, (), tuple(told), self.position, None, 0)
        number = 1 if self.past is None else self.past.number + 1
        if number >= LONGEST_GAME:
            raise EndlessGame(NO_END)
        return Past(turn, fallen, self.past, number)

    def _go_on(self) -> Node:
        """Where nobody is asked, on to the first roll of the dice that are wanted."""
        rules, m = self.tree.rules, self.tree.match
        if self.is_over or rules.questions[rules.question(m, self.position)].calls:
            return self
        return self._run(NO_CALL, ())

    # --- What is known of it --------------------------------------------------------------

    def turns(self) -> list[Past]:
        """All turns from the first on, the one that is under way included."""
        if self.wanted is None:
            return list(_backwards(self.past))[::-1]
        return list(_backwards(self._and(self.call, self.fallen, ())))[::-1]

    def known_to(self, viewer: int) -> str:
        """Everything that a viewer has seen and called, in one line: the information set."""
        turns = self.turns()
        secret = self.tree.rules.calls_in_secret
        hidden, dark = self._hidden_from(viewer, turns) if secret else (set(), set())
        names, words = self.tree.rules.calls, []
        for past in turns:
            team, call, number = past.turn.team, past.turn.call, past.number
            said = "" if call == NO_CALL else "?" if number in hidden else names[call]
            fell = "" if number in dark else ",".join(map(str, past.fallen))
            words.append(f"{'' if team == NOBODY else team}{said}[{fell}]")
        return f"{viewer}: {' '.join(words)}"

    def _hidden_from(self, viewer: int, turns: Sequence[Past]) -> tuple[set[int], set[int]]:
        """The turns whose calls a viewer does not know, and those whose rolls would tell of one.

        As `secrets.seen` has it.
        """
        secrets = Secrets(self.tree.rules, self.tree.match)
        standing = []
        for past in turns:
            secrets.take(past.number, past.turn)
            standing.append(set(secrets.standing.values()))
        if self.is_over:
            return set(), set()
        hidden = {at for at in secrets.until if turns[at - 1].turn.team != viewer}
        return hidden, {
            past.number for past, then in zip(turns, standing, strict=True) if hidden & then
        }


def _backwards(past: Past | None) -> Iterator[Past]:
    while past is not None:
        yield past
        past = past.before


def _node_after(tree: Tree, turns: Sequence[tuple[int, tuple[int, ...]]]) -> Node:
    """The node to which calls and rolls lead."""
    node = tree.root
    for call, fallen in turns:
        if call != NO_CALL:
            node = node.after_call(call)
        for outcome in fallen:
            node = node.after_roll(outcome)
    return node
