"""Plays of simulated games as arrays: one row for each play, the same games as `simulate` plays.

    for batch in record_games(work, games):
        batch.rows, batch.gains

A play begins where the rule set says so (`RuleSet.begins_play`); what follows within it (a penalty
to accept, a time-out to take) belongs to its row. The plain loop is the reference for the compiled
one: both give the same arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hashmark.engine.record import PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.sim import plain

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hashmark.sim.run import SimulationWork

# Columns of a row: the game, the first call of each team, and fields of the position.
GAME, HOME_CALL, AWAY_CALL = 0, 1, 2
PHASE, PERIOD, CLOCK, POSSESSION, SPOT, DOWN, TO_GO, HOME_SCORE, AWAY_SCORE = range(3, 12)
ROW_SIZE = 12
FIELDS = ("phase", "period", "clock", "possession", "spot", "down", "to_go")
BATCH_ROWS = 60_000  # room for the plays of one batch
MAX_BATCH_GAMES = 2_000


@dataclass(frozen=True)
class PlayBatch:
    """Rows of some consecutive games, in order of play.

    The columns of `rows` are those above; the first holds the number of the game within the batch.
    `gains` has a row of statistics for each play and team.
    """

    first: int
    games: int
    rows: npt.NDArray[np.int32]
    gains: npt.NDArray[np.int16]


def record_games(work: SimulationWork, games: int) -> Iterator[PlayBatch]:
    """Play games number 0 to `games - 1` and yield their plays in batches."""
    record = _plain_recorder(work) if work.is_plain else _compiled_recorder(work)
    first, count = 0, 1
    while first < games:
        batch = record(first, min(count, games - first))
        yield batch
        first += batch.games
        rows_per_game = max(1, len(batch.rows) // batch.games)
        count = max(1, min(MAX_BATCH_GAMES, BATCH_ROWS * 9 // (10 * rows_per_game)))


def _compiled_recorder(work: SimulationWork) -> Callable[[int, int], PlayBatch]:
    import numpy as np

    from hashmark.compiler import dispatch, registration
    from hashmark.sim import play_kernel as kernel

    rules = work.rules
    match = dispatch.match_array(rules, work.m)
    start = dispatch.position_array(rules, work.g, dispatch.sampling_fields(rules))
    play = registration.compile_loop(kernel.record_plays, rules, "plays")
    coaches = work.coach_arguments()
    width = len(rules.statistics.names)
    room = BATCH_ROWS

    def record(first: int, count: int) -> PlayBatch:
        nonlocal room
        while True:
            counts = np.zeros(kernel.COUNTS_SIZE, np.int64)
            rows = np.empty((room, ROW_SIZE), np.int32)
            gains = np.empty((room, 2, width), np.int16)
            numbers = (np.uint64(work.seed), np.uint64(first))
            arrays = (counts, rows, gains)
            play(rules, match, start, start.copy(), *numbers, count, *coaches, *arrays)
            if counts[kernel.ILLEGAL_GAME]:
                number = first + int(counts[kernel.ILLEGAL_GAME]) - 1
                raise plain.illegal_call_error(rules, number, int(counts[kernel.ILLEGAL_CALL]))
            done, used = int(counts[kernel.GAMES]), int(counts[kernel.ROWS])
            if done:
                return PlayBatch(first, done, rows[:used], gains[:used])
            room *= 2  # one game alone has more plays than there is room for

    return record


class PlayLog:
    """Builds the rows of plays step by step, in plain Python."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.rows: list[list[int]] = []
        self.gains: list[list[list[int]]] = []
        self._counts: list[list[int]] = []  # statistics at the beginning of the current play

    def begin_game(self) -> None:
        self._counts = []

    def before_step(
        self,
        game: int,
        m: Any,
        g: PositionRecord,
        team: int,
        call: int,
        counts: list[list[int]],
    ) -> None:
        """Note a step that is about to be made by a call, or by dice alone."""
        rules = self.rules
        if not self._counts or rules.begins_play(m, g):
            self.end_play(counts)
            fields = [int(getattr(g, name)) for name in FIELDS]
            score: Any = g.score
            self.rows.append([game, NO_CALL, NO_CALL, *fields, score[0], score[1]])
            self._counts = [list(row) for row in counts]
        if call != NO_CALL and self.rows[-1][1 + team] == NO_CALL:
            self.rows[-1][1 + team] = call

    def end_play(self, counts: list[list[int]]) -> None:
        """Close the current play, if there is one, with the statistics after it."""
        if self._counts:
            self.gains.append(
                [
                    [after - before for before, after in zip(old, new, strict=True)]
                    for old, new in zip(self._counts, counts, strict=True)
                ]
            )

    def batch(self, first: int, games: int) -> PlayBatch:
        import numpy as np

        width = len(self.rules.statistics.names)
        rows = np.array(self.rows, np.int32).reshape(len(self.rows), -1)
        gains = np.array(self.gains, np.int16).reshape(len(self.rows), 2, width)
        return PlayBatch(first, games, rows, gains)


def _plain_recorder(work: SimulationWork) -> Callable[[int, int], PlayBatch]:
    def record(first: int, count: int) -> PlayBatch:
        log = PlayLog(work.rules)
        for index in range(count):
            log.begin_game()

            def note(
                g: PositionRecord,
                team: int,
                call: int,
                counts: list[list[int]],
                game: int = index,
            ) -> None:
                log.before_step(game, work.m, g, team, call, counts)

            start = (work.rules, work.m, work.g, work.seed, first + index, work.coaches)
            _, counts, _ = plain.play_game(*start, before_step=note)
            log.end_play(counts)
        return log.batch(first, count)

    return record
