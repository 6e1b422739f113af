"""Value functions of solved games, compressed: read and evaluated in plain Python.

A solution is a matrix: a row for each key (a position without time, score and which team is which,
see `solver_keys`), a column for each time and lead. Few patterns explain it, so the file holds
the matrix as a product of two thin ones, `rank` numbers a row and a column. A *region* is a set of
times with the same keys and a product of its own. Between the times of a region values are
interpolated.

The file is a line of JSON, then the compressed regions. `hashmark.values.train` writes it.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, partial
from itertools import accumulate
from operator import mul
from pathlib import Path
from typing import Any

from hashmark.engine import solver_keys as k
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.value_function import Chances, MeasuredError, ShippedValues
from hashmark.errors import HashmarkError

FORMAT = "hashmark-values/1"
FILE_NAME = "values.bin"

TimeGroup = tuple[int, int, int]
"""Period and carried fields: times that differ only in their clock."""


def shipped_values(data_dir: Path) -> ShippedValues:
    """Declare the value function in a game's data directory, for the game's default options."""
    path = data_dir / FILE_NAME
    return ShippedValues(partial(_supports, path), partial(_load_for, path))


def _supports(path: Path, rules: RuleSet, m: MatchRecord) -> bool:
    return bool(m.flat() == rules.new_match().flat()) and path.exists()


def _load_for(path: Path, rules: RuleSet, m: MatchRecord) -> LowRankValues:
    return _load(rules, path)


@cache
def _load(rules: RuleSet, path: Path) -> LowRankValues:
    return LowRankValues(rules, path.read_bytes())


def key_code(flat: Sequence[int], digits: Iterable[Sequence[int]]) -> int:
    """Return the number of a key: `digits` has index, lowest value and base of each digit."""
    code = 0
    for index, low, base in digits:
        digit = flat[index] - low
        if not 0 <= digit < base:
            return -1
        code = code * base + digit
    return code


class LowRankValues:
    """Value function of one rule set."""

    is_best_play = True

    def __init__(self, rules: RuleSet, content: bytes) -> None:
        head, _, body = content.partition(b"\n")
        header = json.loads(head)
        identity = (header["format"], header["rules"], header["version"])
        if identity != (FORMAT, rules.name, rules.version):
            raise HashmarkError(f"the value function of {rules.name} is for another version of it")
        self.rules = rules
        self.error = measured_error(header["error"])
        self.training: dict[str, Any] = header["training"]
        self._digits: list[list[int]] = header["digits"]
        self._max_lead: int = header["max_lead"]
        self._spans: dict[TimeGroup, list[Span]] = {}
        begin = 0
        for entry in header["regions"]:
            region = Region(entry, body[begin : begin + entry["size"]])
            begin += entry["size"]
            for group, clocks in _clocks_by_group(entry["times"]).items():
                self._spans.setdefault(group, []).append(Span(region, clocks))

    def chances(self, m: MatchRecord, g: PositionRecord) -> Chances | None:
        """Return the chances of a position, or None if no game reaches it."""
        key, place = g.copy(), [0] * k.PLACE_SIZE
        k.split_key(self.rules, m, key, place)
        code = key_code(key.flat(), self._digits)
        for span in self._spans.get((place[k.PERIOD], place[k.CARRIED], place[k.MORE_CARRIED]), ()):
            found = span.chances(place[k.CLOCK], code, place[k.LEAD], self._max_lead)
            if found is not None:
                won, tied, lost = found
                return (lost, tied, won) if place[k.IS_FLIPPED] else (won, tied, lost)
        return None


def _clocks_by_group(times: Iterable[Sequence[int]]) -> dict[TimeGroup, list[tuple[int, int]]]:
    """Return the clocks of each group, ascending, with the numbers of their times."""
    groups: dict[TimeGroup, list[tuple[int, int]]] = {}
    for number, (period, clock, carried, more) in enumerate(times):
        groups.setdefault((period, carried, more), []).append((clock, number))
    return {group: sorted(clocks) for group, clocks in groups.items()}


def measured_error(entry: dict[str, Any]) -> MeasuredError:
    """Return the measured error in the header of a file."""
    return MeasuredError(**{**entry, "rms_by_tenth": tuple(entry["rms_by_tenth"])})


class Span:
    """The times of a region that differ only in their clock."""

    def __init__(self, region: Region, clocks: list[tuple[int, int]]) -> None:
        self.region = region
        self.clocks = [clock for clock, _ in clocks]
        self.numbers = [number for _, number in clocks]

    def chances(self, clock: int, code: int, lead: int, max_lead: int) -> Chances | None:
        """Return the chances of the team to act, between the two nearest times, or None."""
        region, clocks = self.region, self.clocks
        above = bisect_left(clocks, clock)
        if above == len(clocks) or clock < clocks[0]:
            return None
        row = region.row_of(code)
        if row < 0:
            return None
        if region.has_leads and abs(lead) > max_lead:
            return (1.0, 0.0, 0.0) if lead > 0 else (0.0, 0.0, 1.0)
        column = lead + max_lead if region.has_leads else 0
        worth, tie = region.values(row, self.numbers[above], column)
        if clocks[above] != clock:
            share = (clocks[above] - clock) / (clocks[above] - clocks[above - 1])
            other_worth, other_tie = region.values(row, self.numbers[above - 1], column)
            worth += share * (other_worth - worth)
            tie += share * (other_tie - tie)
        worth = min(max(worth, 0.0), 1.0)
        tie = min(max(tie, 0.0), 2 * worth, 2 - 2 * worth)
        return worth - tie / 2, tie, 1 - worth - tie / 2


class Region:
    """Times with the same keys; decompressed on first use."""

    def __init__(self, entry: dict[str, Any], packed: bytes) -> None:
        self.has_leads: bool = entry["has_leads"]
        self.rank: int = entry["rank"]
        self._keys: int = entry["keys"]
        self._columns: int = entry["columns"]  # of one time
        self._times = len(entry["times"])
        self._scales: list[float] = entry["scales"]
        self._tie_scale: float = entry["tie_scale"]
        self._packed = packed
        self._patterns: dict[int, tuple[array[float], array[float]]] = {}

    @cached_property
    def _steps(self) -> tuple[array[int], array[int]]:
        """Differences of the codes of the keys, and of all other numbers."""
        raw = zlib.decompress(self._packed)
        codes, steps = array("I", raw[: 4 * self._keys]), array("H", raw[4 * self._keys :])
        if sys.byteorder == "big":
            codes.byteswap()
            steps.byteswap()
        return codes, steps

    @cached_property
    def _codes(self) -> array[int]:
        return array("I", accumulate(self._steps[0]))

    @cached_property
    def _rows(self) -> array[int]:
        """The numbers of all keys, row by row."""
        rows = array("h", bytes(2 * self._keys * self.rank))
        for component in range(self.rank):
            begin = component * self._keys
            rows[component :: self.rank] = _summed(self._steps[1][begin : begin + self._keys])
        return rows

    def _patterns_at(self, time: int) -> tuple[array[float], array[float]]:
        """Return the columns of worth and of ties at a time."""
        if time not in self._patterns:
            self._patterns[time] = (
                self._unpacked(time, 0, 1.0),
                self._unpacked(time, 1, self._tie_scale),
            )
        return self._patterns[time]

    def _unpacked(self, time: int, kind: int, factor: float) -> array[float]:
        matrix = array("d", bytes(8 * self._columns * self.rank))
        for component, scale in enumerate(self._scales):
            plane = kind * self.rank + component
            begin = self.rank * self._keys + (plane * self._times + time) * self._columns
            numbers = _summed(self._steps[1][begin : begin + self._columns])
            matrix[component :: self.rank] = array("d", [factor * scale * n for n in numbers])
        return matrix

    def row_of(self, code: int) -> int:
        """Return the row of a key, or -1."""
        codes = self._codes
        row = bisect_left(codes, code) if code >= 0 else len(codes)
        return row if row < len(codes) and codes[row] == code else -1

    def values(self, row: int, time: int, column: int) -> tuple[float, float]:
        """Return worth and tie probability of the team to act."""
        rank = self.rank
        numbers = self._rows[row * rank : (row + 1) * rank]
        worths, ties = self._patterns_at(time)
        columns = slice(column * rank, (column + 1) * rank)
        return 0.5 + sum(map(mul, numbers, worths[columns])), sum(map(mul, numbers, ties[columns]))


def _summed(steps: array[int]) -> array[int]:
    """Return the signed numbers whose differences, modulo 65536, are given."""
    return array("h", array("H", [step & 0xFFFF for step in accumulate(steps)]).tobytes())
