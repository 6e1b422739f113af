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

FAR = 999
ANY: When = {}


def _range(value: int | Range) -> Range:
    return value if isinstance(value, tuple) else (value, value)


def when(**ranges: int | Range) -> When:
    """Return a situation; `to_go` becomes `to-go`, as in plan files."""
    return {key.replace("_", "-"): _range(value) for key, value in ranges.items()}


def cross(common: When, *parts: Iterable[When]) -> list[When]:
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
OVERTIME_ENDS = when(period=OVERTIME, time=(0, 120))
LEVEL, BEHIND = when(lead=0), when(lead=(-8, -1))
KICK_DECIDES = when(lead=(-3, 0), period=OVERTIME)
LATE = [when(time=(0, 30)), when(time=(31, 60)), when(time=(61, 120))]


def ends_overtime(when: When) -> bool:
    """Return whether a situation is the end of an overtime, counted with the 4th quarter."""
    return when.get("period") == OVERTIME and "time" in when


# --- Plays ---------------------------------------------------------------------------

# By down and distance: fine for ordinary drives, coarser where score or clock dictate the call.
FINE = [
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
MIDDLING = [
    when(down=1),
    when(down=2, to_go=(1, 5)),
    when(down=2),
    when(down=(3, 4), to_go=(1, 3)),
    when(down=(3, 4), to_go=(4, 6)),
    when(down=(3, 4)),
]
COARSE = [
    when(down=(1, 2)),
    when(down=(3, 4), to_go=(1, 3)),
    when(down=(3, 4)),
]
GOAL_LINE = [when(down=1), when(down=2), when(down=3), when(down=4)]

HALF_ENDS = when(period=2, time=(0, 120))
CHASES = [  # behind, with little time left
    when(period=4, lead=(-FAR, -9), time=(0, 600)),
    when(period=4, lead=(-8, -1), time=(0, 240)),
]
PROTECTS = [  # ahead, with little time left
    when(period=4, lead=(9, FAR), time=(0, 600)),
    when(period=4, lead=(1, 8), time=(0, 300)),
]
FAR_BEHIND = when(period=(3, 4), lead=(-FAR, -10))
FAR_AHEAD = when(period=(3, 4), lead=(10, FAR))
OWN_HALF, THEIR_HALF = when(spot=(1, 44)), when(spot=(45, 79))
RED_ZONE = when(spot=(80, 99))
TWO_POINT = when(down=0)  # a try has no down

PLAY: list[When] = [
    *cross({**OVERTIME_ENDS, **LEVEL}, [when(spot=(1, 61)), when(spot=(62, 99))], COARSE),
    *cross({**OVERTIME_ENDS, **BEHIND}, [RED_ZONE, ANY], COARSE),
    *cross(HALF_ENDS, [OWN_HALF, THEIR_HALF], MIDDLING[:3]),
    *cross(HALF_ENDS, [OWN_HALF, THEIR_HALF], COARSE[1:]),
    *cross(HALF_ENDS, COARSE),
    *(one for chase in CHASES for one in cross(chase, [RED_ZONE, ANY], COARSE)),
    *(one for lead in PROTECTS for one in cross(lead, MIDDLING)),
    *cross(when(spot=(96, 99)), GOAL_LINE),
    *cross(FAR_BEHIND, [RED_ZONE], COARSE),
    *cross(FAR_BEHIND, MIDDLING),
    *cross(FAR_AHEAD, [RED_ZONE], COARSE),
    *cross(FAR_AHEAD, MIDDLING),
    *cross(when(spot=(90, 95)), MIDDLING),
    *cross(when(spot=(80, 89)), MIDDLING),
    *cross(when(spot=(1, 9)), MIDDLING),
    *FINE,
    TWO_POINT,
]

# --- Kicks and kneels instead of a play -----------------------------------------------

EARLY = when(down=(1, 3))
WON = when(period=4, lead=(1, FAR))
INSTEAD: list[When] = [
    # The end of an overtime: a field goal on its last play, no punt.
    *cross(
        {**EARLY, **KICK_DECIDES},
        [when(time=(0, 10)), when(time=(11, 20)), when(time=(21, 40))],
        [when(spot=(50, 61)), when(spot=(62, 79)), when(spot=(80, 99))],
    ),
    *cross(
        {**KICK_DECIDES, **when(down=4, time=(0, 30))},
        [when(spot=(1, 54)), when(spot=(55, 61)), when(spot=(62, 99))],
    ),
    # First three downs: kneel when the game or half is decided, kick on its last play.
    *cross(WON, [when(time=(0, 40))], [when(down=1), when(down=2), when(down=3)]),
    *cross(WON, [when(time=(41, 80))], [when(down=1), when(down=2), when(down=3)]),
    *cross(WON, [when(time=(81, 120))], [when(down=1), when(down=2)]),
    *cross(
        {**EARLY, **when(period=2)},
        [when(time=(0, 20)), when(time=(21, 40))],
        [when(spot=(1, 49)), when(spot=(50, 61)), when(spot=(62, 79)), when(spot=(80, 99))],
    ),
    *cross(
        {**EARLY, **when(period=4, lead=(-3, 0))},
        [when(time=(0, 20)), when(time=(21, 40))],
        [when(spot=(62, 79)), when(spot=(80, 99))],
    ),
    {**EARLY, **when(period=(5, 99), spot=(70, 99))},
    EARLY,
    # Fourth down late: behind, ahead, or at the end of the half.
    *cross(
        when(down=4, period=4, lead=(-FAR, -9), time=(0, 480)),
        [when(spot=(1, 39)), when(spot=(40, 99))],
        [when(to_go=(1, 3)), when(to_go=(4, 9)), ANY],
    ),
    *cross(
        when(down=4, period=4, lead=(-8, -4), time=(0, 240)),
        [when(spot=(1, 39)), when(spot=(40, 99))],
        [when(to_go=(1, 5)), ANY],
    ),
    *cross(
        when(down=4, period=4, lead=(-3, -1), time=(0, 150)),
        [when(spot=(1, 44)), when(spot=(45, 61))],
        [when(to_go=(1, 5)), ANY],
    ),
    *cross(
        when(down=4, period=4, lead=(1, FAR), time=(0, 240)),
        [when(spot=(1, 49)), when(spot=(50, 61)), when(spot=(62, 99))],
        [when(to_go=1), ANY],
    ),
    *cross(
        when(down=4, period=2, time=(0, 30)),
        [when(spot=(1, 54)), when(spot=(55, 61)), when(spot=(62, 99))],
    ),
    # Fourth down in an ordinary drive, by spot and distance.
    when(down=4, spot=(1, 19)),
    *cross(when(down=4, spot=(20, 34)), [when(to_go=1), ANY]),
    *cross(when(down=4, spot=(35, 44)), [when(to_go=1), when(to_go=(2, 3)), ANY]),
    *cross(when(down=4, spot=(45, 49)), [when(to_go=1), when(to_go=(2, 3)), ANY]),
    *cross(when(down=4, spot=(50, 54)), [when(to_go=1), when(to_go=(2, 4)), ANY]),
    *cross(
        when(down=4),
        [when(spot=(55, 58)), when(spot=(59, 61)), when(spot=(62, 64)), when(spot=(65, 68))],
        [when(to_go=1), when(to_go=(2, 4)), when(to_go=(5, 8)), ANY],
    ),
    *cross(
        when(down=4),
        [when(spot=(69, 79)), when(spot=(80, 89)), when(spot=(90, 96))],
        [when(to_go=1), when(to_go=(2, 3)), ANY],
    ),
    *cross(when(down=4), [when(to_go=1), ANY]),  # from the 3 in
]

# --- Tries and kickoffs ----------------------------------------------------------------

TRY: list[When] = [
    *(when(period=4, lead=lead) for lead in (-18, -13, -11, -10, -8, -5, -4, -2, 1, 2, 4, 5, 12)),
    when(period=4),
    *(when(period=3, lead=lead) for lead in (-10, -5, -2, 1, 5)),
    ANY,
]
KICKOFF: list[When] = [
    when(period=4, lead=(-FAR, -9), time=(0, 300)),
    when(period=4, lead=(-FAR, -9), time=(301, 600)),
    when(period=4, lead=(-8, -1), time=(0, 60)),
    when(period=4, lead=(-8, -1), time=(61, 150)),
    when(period=4, lead=(-8, -1), time=(151, 300)),
    when(period=2, time=(0, 25)),
    when(period=4, lead=(0, FAR), time=(0, 25)),
    when(period=4),
    ANY,
]

# --- The clock -------------------------------------------------------------------------

OFFENCE_TIMEOUT: list[When] = [
    *cross(when(period=OVERTIME, lead=(-16, 0)), LATE),
    *cross(when(period=2), LATE, [when(spot=(1, 39)), when(spot=(40, 99))]),
    *cross(when(period=4, lead=(-16, 0)), LATE),
    when(period=4, lead=(-16, 0), time=(121, 300)),
    when(period=(2, 4), time=(0, 300)),
    ANY,
]
DEFENCE_TIMEOUT: list[When] = [
    *cross({**LEVEL, **when(period=OVERTIME)}, LATE),
    *cross(when(period=4, lead=(-16, -1)), LATE),
    when(period=4, lead=(-16, -1), time=(121, 180)),
    when(period=4, lead=(-16, -1), time=(181, 300)),
    when(period=4, lead=0, time=(0, 120)),
    *cross(when(period=2), LATE),
    ANY,
]
TEMPO: list[When] = [
    *cross(when(period=OVERTIME, lead=(-16, 0)), LATE[:2]),
    *cross(when(period=OVERTIME), [LEVEL, when(lead=(-16, -1))], LATE[2:]),
    *cross(when(period=2, time=(0, 30)), [when(spot=(1, 49)), when(spot=(50, 99))]),
    *cross(when(period=2, time=(31, 120)), [when(spot=(1, 39)), when(spot=(40, 99))]),
    *cross(when(period=4, lead=(-16, -1)), [*LATE, when(time=(121, 300))]),
    when(period=4, lead=0, time=(0, 120)),
    when(period=4, lead=(-FAR, -9)),
    when(period=4, lead=(1, FAR), time=(0, 300)),
    when(lead=(-FAR, -9)),
    ANY,
]
