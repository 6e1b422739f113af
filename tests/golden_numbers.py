"""Arguments for rules that are called alone, drawn by parameter name.

In most games a few names say what a number is; any other may be anything. Two-Minute Drill has
rules that compute with a hand of dice in a list, the work space: those get one with a made-up hand
and made-up surveys, and the numbers that go with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from golden_near import Near
from hashmark.table.generator import Stream

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
KNOWN = {*RANGES, *DRILL, "call", "cell", "s", "key", "defence", "part", "best", "sign", "top"}
ROLLED = ("number", "first", "second", "roll")  # two dice side by side, in Rapid Roll
CELLS = (
    *("5", "-3", "0", "12*", "6!", "TD", "(TD)", "(4)", "B", "INT 7", "F 3", "BLK 4", "PI 9", "QT"),
    *("OFF 5", "OFF 10", "OFF 15*", "DEF 5", "DEF 5X", "DEF 15", "INC", "G", "NG", "-8*", "44", ""),
)


class Numbers:
    """Arguments of one call of a rule, drawn by the names of its parameters."""

    def __init__(
        self, game: str, calls: Sequence[int], random: Stream, near: Near | None = None
    ) -> None:
        self.game, self.calls, self.random, self.near = game, calls, random, near
        self.space: WorkSpace | None = None

    def draw(self, name: str, annotation: str) -> Any:
        """Return a plausible value for a parameter of this name, or the work space."""
        if self.near and annotation == "int" and name not in KNOWN and self.random.below(2):
            return self.near.number(0, self.random)
        if self.game != "two-minute-drill":
            return any_number(self.calls, self.random, name, annotation)
        if name in ("w", "key") and self.space is None:
            self.space = WorkSpace(self.random)
        if self.space is not None and name in WorkSpace.NAMES:
            return self.space.draw(name)
        if name == "top":
            return 4 + 2 * self.random.below(5)
        if name in DRILL:
            limit = 12 if self.random.below(2) else DRILL[name][1]
            return DRILL[name][0] + self.random.below(min(limit, DRILL[name][1]))
        return any_number(self.calls, self.random, name, annotation)

    def changes(self) -> Iterator[list[tuple[int, int]]]:
        """Yield what changed in the work space, if there is one."""
        if self.space is not None:
            yield self.space.changes()


def any_number(calls: Sequence[int], random: Stream, name: str, annotation: str) -> int:
    """Return a plausible value for a parameter of this name."""
    if annotation == "bool":
        return random.below(2)
    if name == "call":
        return calls[random.below(len(calls))] if calls and random.below(2) else random.below(40)
    if name == "cell":
        from hashmark.games.data_driven.charts.cells import parse

        return parse(CELLS[random.below(len(CELLS))])
    if name in RANGES:
        return RANGES[name][0] + random.below(RANGES[name][1])
    if name in ROLLED and random.below(8):
        return 10 * (1 + random.below(6)) + 1 + random.below(6)
    small, spot = random.below(13), random.below(101)
    return (random.below(2), small, spot, random.below(31) - 15)[random.below(4)]


class WorkSpace:
    """Hand of six dice with faces near each other, pips and payments, and made-up surveys."""

    NAMES = ("w", "s", "key", "defence", "part", "best", "sign")

    def __init__(self, random: Stream) -> None:
        from hashmark.games.two_minute_drill import lookahead, search

        self.random, self.layout = random, lookahead
        first, step = random.below(1000), 1 + random.below(1000)
        self.w = [(first + number * step) % 1009 for number in range(search.WORK)]
        for survey in range(lookahead.SURVEYS):
            self._begin(lookahead.FIRST_SURVEY + survey * lookahead.SURVEY)
        face = 1 + random.below(6)
        for die in range(4):
            top = 4 + 2 * random.below(5)
            self.w[lookahead.HIGHEST + die] = top
            self.w[lookahead.FACE + die] = self._near(face, top)
        for die in range(2):
            self.w[lookahead.DEFENCE + die] = self._near(face, 6)
        for index, lowest, count in (
            (lookahead.PAID, 0, 3),
            (lookahead.OT_PIPS, 0, 3),
            (lookahead.DT_PIPS, 0, 3),
            (lookahead.ONLY_OT, -1, 5),
            (lookahead.ONLY_DT, -1, 3),
            (lookahead.ONLY_RUNS, -1, 5),
        ):
            self.w[index] = lowest + random.below(count)
        self.before = [*self.w]

    def _begin(self, s: int) -> None:
        """Fill the beginning of a survey; some values of extra effort stay unknown."""
        self.w[s + self.at.MADE] = int(self.random.below(6) > 0)
        self.w[s + self.at.CLOCK] = self.random.below(41)
        self.w[s + self.at.TIMEOUTS] = self.random.below(4)
        for index in range(s + self.at.EFFORT + self.random.below(3), s + self.at.SURVEY, 3):
            self.w[index] = self.at.UNKNOWN

    def _near(self, face: int, top: int) -> int:
        return min(top, max(1, face + self.random.below(3) - 1))

    def _face_counts(self, first: int, count: int) -> int:
        """Return dice as one number that counts them by face."""
        return sum(1 << 4 * face for face in self.w[first : first + count])

    def draw(self, name: str) -> Any:
        """Return the list, the start of a survey, or a number that goes with the hand."""
        layout, random = self.layout, self.random
        if name == "w":
            return self.w
        if name == "s":
            return layout.FIRST_SURVEY + random.below(layout.SURVEYS) * layout.SURVEY
        if name == "sign":
            return 1 - 2 * random.below(2)
        if name == "best":
            return random.below(1009) - 1
        defence = self._face_counts(layout.DEFENCE, 2)
        offence = self._face_counts(layout.FACE, 4)
        if name == "key":
            return offence + defence
        return offence if name == "part" and random.below(2) else defence

    def changes(self) -> list[tuple[int, int]]:
        pairs = enumerate(zip(self.before, self.w, strict=True))
        return [(index, new) for index, (old, new) in pairs if old != new]
