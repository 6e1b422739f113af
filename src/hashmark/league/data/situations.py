"""Situations of real plans: the entries of each section, in order of precedence.

Each section is a list of `when` ranges; the first match is used. The lists are the same for all
teams and seasons, so that plans can be compared entry by entry. They are fine where plays are
frequent and coarse where they are rare.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

Range = tuple[int, int]
When = dict[str, Range]

UNBOUNDED = 999
ANY: When = {}


def _range(value: int | Range) -> Range:
    return value if isinstance(value, tuple) else (value, value)


def when(**ranges: int | Range) -> When:
    """Return a situation; `to_go` becomes `to-go`, as in plan files."""
    return {key.replace("_", "-"): _range(value) for key, value in ranges.items()}


def combine(common: When, *parts: Iterable[When]) -> list[When]:
    """Return the common ranges combined with every combination of the parts."""
    combined = []
    for combination in product(*parts):
        ranges = dict(common)
        for part in combination:
            ranges.update(part)
        combined.append(ranges)
    return combined


# --- The end of an overtime ------------------------------------------------------------

# One in seven ten-minute overtimes reaches its last seconds. The team in possession then plays for
# a field goal, tied or behind, as at the end of the fourth quarter: both are counted together.
OVERTIME = (5, 99)
OVERTIME_END = when(period=OVERTIME, time=(0, 120))
TIED, BEHIND = when(lead=0), when(lead=(-8, -1))
FIELD_GOAL_DECIDES = when(lead=(-3, 0), period=OVERTIME)
LAST_TWO_MINUTES = [when(time=(0, 30)), when(time=(31, 60)), when(time=(61, 120))]


def is_overtime_end(when: When) -> bool:
    """Return whether a situation is the end of an overtime, counted with the 4th quarter."""
    return when.get("period") == OVERTIME and "time" in when


# --- Plays ---------------------------------------------------------------------------

# By down and distance: fine for ordinary drives, coarser where score or clock dictate the call.
FINE_DOWNS = [
    when(down=1, to_go=(1, 7)),
    when(down=1, to_go=(8, 10)),
    when(down=1),
    when(down=2, to_go=(1, 2)),
    when(down=2, to_go=(3, 5)),
    when(down=2, to_go=(6, 7)),
    when(down=2, to_go=(8, 10)),
    when(down=2),
    when(down=3, to_go=1),
    when(down=3, to_go=(2, 3)),
    when(down=3, to_go=(4, 6)),
    when(down=3, to_go=(7, 10)),
    when(down=3),
    when(down=4, to_go=1),
    when(down=4, to_go=(2, 3)),
    when(down=4),
]
MEDIUM_DOWNS = [
    when(down=1),
    when(down=2, to_go=(1, 5)),
    when(down=2),
    when(down=(3, 4), to_go=(1, 3)),
    when(down=(3, 4), to_go=(4, 6)),
    when(down=(3, 4)),
]
COARSE_DOWNS = [
    when(down=(1, 2)),
    when(down=(3, 4), to_go=(1, 3)),
    when(down=(3, 4)),
]
GOAL_LINE_DOWNS = [when(down=1), when(down=2), when(down=3), when(down=4)]

HALF_END = when(period=2, time=(0, 120))
TRAILING_LATE = [  # behind, with little time left
    when(period=4, lead=(-UNBOUNDED, -9), time=(0, 600)),
    when(period=4, lead=(-8, -1), time=(0, 240)),
]
LEADING_LATE = [  # ahead, with little time left
    when(period=4, lead=(9, UNBOUNDED), time=(0, 600)),
    when(period=4, lead=(1, 8), time=(0, 300)),
]
FAR_BEHIND = when(period=(3, 4), lead=(-UNBOUNDED, -10))
FAR_AHEAD = when(period=(3, 4), lead=(10, UNBOUNDED))
OWN_HALF, THEIR_HALF = when(spot=(1, 44)), when(spot=(45, 79))
RED_ZONE = when(spot=(80, 99))
TWO_POINT = when(down=0)  # a try has no down

PLAY: list[When] = [
    *combine({**OVERTIME_END, **TIED}, [when(spot=(1, 61)), when(spot=(62, 99))], COARSE_DOWNS),
    *combine({**OVERTIME_END, **BEHIND}, [RED_ZONE, ANY], COARSE_DOWNS),
    *combine(HALF_END, [OWN_HALF, THEIR_HALF], MEDIUM_DOWNS[:3]),
    *combine(HALF_END, [OWN_HALF, THEIR_HALF], COARSE_DOWNS[1:]),
    *combine(HALF_END, COARSE_DOWNS),
    *(one for chase in TRAILING_LATE for one in combine(chase, [RED_ZONE, ANY], COARSE_DOWNS)),
    *(one for lead in LEADING_LATE for one in combine(lead, MEDIUM_DOWNS)),
    *combine(when(spot=(96, 99)), GOAL_LINE_DOWNS),
    *combine(FAR_BEHIND, [RED_ZONE], COARSE_DOWNS),
    *combine(FAR_BEHIND, MEDIUM_DOWNS),
    *combine(FAR_AHEAD, [RED_ZONE], COARSE_DOWNS),
    *combine(FAR_AHEAD, MEDIUM_DOWNS),
    *combine(when(spot=(90, 95)), MEDIUM_DOWNS),
    *combine(when(spot=(80, 89)), MEDIUM_DOWNS),
    *combine(when(spot=(1, 9)), MEDIUM_DOWNS),
    *FINE_DOWNS,
    TWO_POINT,
]

# --- Kicks and kneels instead of a play -----------------------------------------------

EARLY_DOWNS = when(down=(1, 3))
LEADING_FOURTH_QUARTER = when(period=4, lead=(1, UNBOUNDED))
INSTEAD: list[When] = [
    # The end of an overtime: a field goal on its last play, no punt.
    *combine(
        {**EARLY_DOWNS, **FIELD_GOAL_DECIDES},
        [when(time=(0, 10)), when(time=(11, 20)), when(time=(21, 40))],
        [when(spot=(50, 61)), when(spot=(62, 79)), when(spot=(80, 99))],
    ),
    *combine(
        {**FIELD_GOAL_DECIDES, **when(down=4, time=(0, 30))},
        [when(spot=(1, 54)), when(spot=(55, 61)), when(spot=(62, 99))],
    ),
    # First three downs: kneel when the game or half is decided, kick on its last play.
    *combine(
        LEADING_FOURTH_QUARTER, [when(time=(0, 40))], [when(down=1), when(down=2), when(down=3)]
    ),
    *combine(
        LEADING_FOURTH_QUARTER, [when(time=(41, 80))], [when(down=1), when(down=2), when(down=3)]
    ),
    *combine(LEADING_FOURTH_QUARTER, [when(time=(81, 120))], [when(down=1), when(down=2)]),
    *combine(
        {**EARLY_DOWNS, **when(period=2)},
        [when(time=(0, 20)), when(time=(21, 40))],
        [when(spot=(1, 49)), when(spot=(50, 61)), when(spot=(62, 79)), when(spot=(80, 99))],
    ),
    *combine(
        {**EARLY_DOWNS, **when(period=4, lead=(-3, 0))},
        [when(time=(0, 20)), when(time=(21, 40))],
        [when(spot=(62, 79)), when(spot=(80, 99))],
    ),
    {**EARLY_DOWNS, **when(period=(5, 99), spot=(70, 99))},
    EARLY_DOWNS,
    # Fourth down late: behind, ahead, or at the end of the half.
    *combine(
        when(down=4, period=4, lead=(-UNBOUNDED, -9), time=(0, 480)),
        [when(spot=(1, 39)), when(spot=(40, 99))],
        [when(to_go=(1, 3)), when(to_go=(4, 9)), ANY],
    ),
    *combine(
        when(down=4, period=4, lead=(-8, -4), time=(0, 240)),
        [when(spot=(1, 39)), when(spot=(40, 99))],
        [when(to_go=(1, 5)), ANY],
    ),
    *combine(
        when(down=4, period=4, lead=(-3, -1), time=(0, 150)),
        [when(spot=(1, 44)), when(spot=(45, 61))],
        [when(to_go=(1, 5)), ANY],
    ),
    *combine(
        when(down=4, period=4, lead=(1, UNBOUNDED), time=(0, 240)),
        [when(spot=(1, 49)), when(spot=(50, 61)), when(spot=(62, 99))],
        [when(to_go=1), ANY],
    ),
    *combine(
        when(down=4, period=2, time=(0, 30)),
        [when(spot=(1, 54)), when(spot=(55, 61)), when(spot=(62, 99))],
    ),
    # Fourth down in an ordinary drive, by spot and distance.
    when(down=4, spot=(1, 19)),
    *combine(when(down=4, spot=(20, 34)), [when(to_go=1), ANY]),
    *combine(when(down=4, spot=(35, 44)), [when(to_go=1), when(to_go=(2, 3)), ANY]),
    *combine(when(down=4, spot=(45, 49)), [when(to_go=1), when(to_go=(2, 3)), ANY]),
    *combine(when(down=4, spot=(50, 54)), [when(to_go=1), when(to_go=(2, 4)), ANY]),
    *combine(
        when(down=4),
        [when(spot=(55, 58)), when(spot=(59, 61)), when(spot=(62, 64)), when(spot=(65, 68))],
        [when(to_go=1), when(to_go=(2, 4)), when(to_go=(5, 8)), ANY],
    ),
    *combine(
        when(down=4),
        [when(spot=(69, 79)), when(spot=(80, 89)), when(spot=(90, 96))],
        [when(to_go=1), when(to_go=(2, 3)), ANY],
    ),
    *combine(when(down=4), [when(to_go=1), ANY]),  # from the 3 in
]

# --- Tries and kickoffs ----------------------------------------------------------------

TRY: list[When] = [
    *(when(period=4, lead=lead) for lead in (-18, -13, -11, -10, -8, -5, -4, -2, 1, 2, 4, 5, 12)),
    when(period=4),
    *(when(period=3, lead=lead) for lead in (-10, -5, -2, 1, 5)),
    ANY,
]
KICKOFF: list[When] = [
    when(period=4, lead=(-UNBOUNDED, -9), time=(0, 300)),
    when(period=4, lead=(-UNBOUNDED, -9), time=(301, 600)),
    when(period=4, lead=(-8, -1), time=(0, 60)),
    when(period=4, lead=(-8, -1), time=(61, 150)),
    when(period=4, lead=(-8, -1), time=(151, 300)),
    when(period=2, time=(0, 25)),
    when(period=4, lead=(0, UNBOUNDED), time=(0, 25)),
    when(period=4),
    ANY,
]

# --- The clock -------------------------------------------------------------------------

OFFENSE_TIMEOUT: list[When] = [
    *combine(when(period=OVERTIME, lead=(-16, 0)), LAST_TWO_MINUTES),
    *combine(when(period=2), LAST_TWO_MINUTES, [when(spot=(1, 39)), when(spot=(40, 99))]),
    *combine(when(period=4, lead=(-16, 0)), LAST_TWO_MINUTES),
    when(period=4, lead=(-16, 0), time=(121, 300)),
    when(period=(2, 4), time=(0, 300)),
    ANY,
]
DEFENSE_TIMEOUT: list[When] = [
    *combine({**TIED, **when(period=OVERTIME)}, LAST_TWO_MINUTES),
    *combine(when(period=4, lead=(-16, -1)), LAST_TWO_MINUTES),
    when(period=4, lead=(-16, -1), time=(121, 180)),
    when(period=4, lead=(-16, -1), time=(181, 300)),
    when(period=4, lead=0, time=(0, 120)),
    *combine(when(period=2), LAST_TWO_MINUTES),
    ANY,
]
TEMPO: list[When] = [
    *combine(when(period=OVERTIME, lead=(-16, 0)), LAST_TWO_MINUTES[:2]),
    *combine(when(period=OVERTIME), [TIED, when(lead=(-16, -1))], LAST_TWO_MINUTES[2:]),
    *combine(when(period=2, time=(0, 30)), [when(spot=(1, 49)), when(spot=(50, 99))]),
    *combine(when(period=2, time=(31, 120)), [when(spot=(1, 39)), when(spot=(40, 99))]),
    *combine(when(period=4, lead=(-16, -1)), [*LAST_TWO_MINUTES, when(time=(121, 300))]),
    when(period=4, lead=0, time=(0, 120)),
    when(period=4, lead=(-UNBOUNDED, -9)),
    when(period=4, lead=(1, UNBOUNDED), time=(0, 300)),
    when(lead=(-UNBOUNDED, -9)),
    ANY,
]
