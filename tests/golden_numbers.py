"""Arguments for rules that are called alone, drawn by parameter name.

In most games a few names say what a number is; any other may be anything. Two-Minute Drill has
rules that compute with a hand of dice in a list, the work space: those get one with a made-up hand
and made-up surveys, and the numbers that go with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from golden_near import Neighborhood
from hashmark.engine.generator import RandomStream

# Lowest value of a parameter of this name, and the number of values; others may be anything.
RANGES = {
    **dict.fromkeys(("team", "us", "kicker", "holder", "receiver", "side"), (0, 2)),
    **dict.fromkeys(("own", "noted_own"), (0, 2)),
    **dict.fromkeys(("play", "extension"), (0, 17)),
    **dict.fromkeys(("foul", "noted"), (0, 11)),
    **dict.fromkeys(("down", "timeouts"), (1, 4)),
    **dict.fromkeys(("die", "best", "taken", "also"), (-1, 9)),
    "style": (0, 3),
    "which": (0, 4),
    "plan": (0, 4),
    "section": (0, 9),
    "row": (2, 11),
    "column": (0, 18),
    "kind": (0, 16),
    "formation": (0, 6),
}
DRILL = {  # the same for Two-Minute Drill
    **dict.fromkeys(("a", "b", "c"), (0, 6)),
    **dict.fromkeys(("ot", "runs"), (0, 4)),
    **dict.fromkeys(("dt", "odd", "flag", "spent"), (0, 2)),
    **dict.fromkeys(("first", "second", "die"), (-1, 9)),
    **dict.fromkeys(("x", "y", "minus"), (1, 6)),
    **dict.fromkeys(("ot_pips", "dt_pips", "saved", "paid", "hash_mark", "to"), (0, 3)),
    **dict.fromkeys(("timeouts", "efforts"), (0, 4)),
    **dict.fromkeys(("size", "count"), (0, 7)),
    "kept": (-1, 10),
    "six": (1, 2),
    "face": (0, 14),
    "clock": (-1, 42),
    "end": (0, 14),
    "gain": (-6, 20),
    "total": (2, 17),
    "spot": (1, 99),
    "to_go": (1, 30),
    "at": (0, 40),
    "mode": (-1, 6),
    "ot_way": (0, 321),
    "dt_way": (0, 13),
}
KNOWN = {
    *RANGES,
    *DRILL,
    "call",
    "cell",
    "s",
    "key",
    "defence",
    "defense",
    "part",
    "best",
    "sign",
    "top",
}
ROLLED = ("number", "first", "second", "roll")  # two dice side by side, in Rapid Roll
CELLS = (
    *("5", "-3", "0", "12*", "6!", "TD", "(TD)", "(4)", "B", "INT 7", "F 3", "BLK 4", "PI 9", "QT"),
    *("OFF 5", "OFF 10", "OFF 15*", "DEF 5", "DEF 5X", "DEF 15", "INC", "G", "NG", "-8*", "44", ""),
)


class Numbers:
    """Arguments of one call of a rule, drawn by the names of its parameters."""

    def __init__(
        self,
        game: str,
        calls: Sequence[int],
        random: RandomStream,
        near: Neighborhood | None = None,
    ) -> None:
        self.game, self.calls, self.random, self.near = game, calls, random, near
        self.space: WorkSpace | None = None

    def draw(self, name: str, annotation: str) -> Any:
        """Return a plausible value for a parameter of this name, or the work space."""
        if self.near and annotation == "int" and name not in KNOWN and self.random.randbelow(2):
            return self.near.number(0, self.random)
        if self.game != "two-minute-drill":
            return draw_number(self.calls, self.random, name, annotation)
        if name in ("w", "key") and self.space is None:
            self.space = WorkSpace(self.random)
        if self.space is not None and name in WorkSpace.NAMES:
            return self.space.draw(name)
        if name == "top":
            return 4 + 2 * self.random.randbelow(5)
        if name in DRILL:
            limit = 12 if self.random.randbelow(2) else DRILL[name][1]
            return DRILL[name][0] + self.random.randbelow(min(limit, DRILL[name][1]))
        return draw_number(self.calls, self.random, name, annotation)

    def changes(self) -> Iterator[list[tuple[int, int]]]:
        """Yield what changed in the work space, if there is one."""
        if self.space is not None:
            yield self.space.changes()


def draw_number(calls: Sequence[int], random: RandomStream, name: str, annotation: str) -> int:
    """Return a plausible value for a parameter of this name."""
    if annotation == "bool":
        return random.randbelow(2)
    if name == "call":
        return (
            calls[random.randbelow(len(calls))]
            if calls and random.randbelow(2)
            else random.randbelow(40)
        )
    if name == "cell":
        from hashmark.games.data_driven.charts.cells import parse

        return parse(CELLS[random.randbelow(len(CELLS))])
    if name in RANGES:
        return RANGES[name][0] + random.randbelow(RANGES[name][1])
    if name in ROLLED and random.randbelow(8):
        return 10 * (1 + random.randbelow(6)) + 1 + random.randbelow(6)
    small, spot = random.randbelow(13), random.randbelow(101)
    return (random.randbelow(2), small, spot, random.randbelow(31) - 15)[random.randbelow(4)]


class WorkSpace:
    """Hand of six dice with faces near each other, pips and payments, and made-up surveys."""

    NAMES = ("w", "s", "key", "defense", "part", "best", "sign")

    def __init__(self, random: RandomStream) -> None:
        from hashmark.games.two_minute_drill import lookahead, search

        self.random, self.layout = random, lookahead
        first, step = random.randbelow(1000), 1 + random.randbelow(1000)
        self.w = [(first + number * step) % 1009 for number in range(search.WORK_SIZE)]
        for survey in range(lookahead.SURVEY_COUNT):
            self._begin(lookahead.FIRST_SURVEY + survey * lookahead.SURVEY_SIZE)
        face = 1 + random.randbelow(6)
        for die in range(4):
            top = 4 + 2 * random.randbelow(5)
            self.w[lookahead.HIGHEST + die] = top
            self.w[lookahead.FACE + die] = self._near(face, top)
        for die in range(2):
            self.w[lookahead.DEFENSE + die] = self._near(face, 6)
        for index, lowest, count in (
            (lookahead.PAID, 0, 3),
            (lookahead.OT_PIPS, 0, 3),
            (lookahead.DT_PIPS, 0, 3),
            (lookahead.ONLY_OT, -1, 5),
            (lookahead.ONLY_DT, -1, 3),
            (lookahead.ONLY_RUNS, -1, 5),
        ):
            self.w[index] = lowest + random.randbelow(count)
        self.before = [*self.w]

    def _begin(self, s: int) -> None:
        """Fill the beginning of a survey; some values of extra effort stay unknown."""
        self.w[s + self.layout.FILLED] = int(self.random.randbelow(6) > 0)
        self.w[s + self.layout.CLOCK] = self.random.randbelow(41)
        self.w[s + self.layout.TIMEOUTS] = self.random.randbelow(4)
        for index in range(
            s + self.layout.EFFORT + self.random.randbelow(3), s + self.layout.SURVEY_SIZE, 3
        ):
            self.w[index] = self.layout.UNKNOWN

    def _near(self, face: int, top: int) -> int:
        return min(top, max(1, face + self.random.randbelow(3) - 1))

    def _face_counts(self, first: int, count: int) -> int:
        """Return dice as one number that counts them by face."""
        return sum(1 << 4 * face for face in self.w[first : first + count])

    def draw(self, name: str) -> Any:
        """Return the list, the start of a survey, or a number that goes with the hand."""
        layout, random = self.layout, self.random
        if name == "w":
            return self.w
        if name == "s":
            return layout.FIRST_SURVEY + random.randbelow(layout.SURVEY_COUNT) * layout.SURVEY_SIZE
        if name == "sign":
            return 1 - 2 * random.randbelow(2)
        if name == "best":
            return random.randbelow(1009) - 1
        defense = self._face_counts(layout.DEFENSE, 2)
        offense = self._face_counts(layout.FACE, 4)
        if name == "key":
            return offense + defense
        return offense if name == "part" and random.randbelow(2) else defense

    def changes(self) -> list[tuple[int, int]]:
        pairs = enumerate(zip(self.before, self.w, strict=True))
        return [(index, new) for index, (old, new) in pairs if old != new]
