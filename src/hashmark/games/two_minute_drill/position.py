"""Match and position records of the two-minute drill, and the names of their values."""

from __future__ import annotations

from typing import Any

from hashmark.engine.events import Statistics
from hashmark.engine.record import (
    FieldKind,
    MatchRecord,
    PositionRecord,
    each,
    flag,
    named,
    named_or_none,
    per_team,
    points,
    team,
    team_or_none,
    whole,
)
from hashmark.games.two_minute_drill import tables as t
from hashmark.games.two_minute_drill.value_table import ENTRIES

PHASES = (
    "scrimmage",
    "reroll",
    "pick",
    "special",
    "combine",
    "pips",
    "referee",
    "yards",
    "effort",
    "result",
    "over",
)
SCRIMMAGE, REROLL, PICK, SPECIAL, COMBINE, PIPS, REFEREE, YARDS, EFFORT, RESULT, OVER = range(11)

_kept_names = [",".join(t.DICE[die] for die in three) for three in t.KEEPABLE_SETS]

CALLS = (
    "stand",
    "reroll:dta",
    "reroll:dtb",
    "reroll:dta,dtb",
    *(f"pick:{names}" for names in _kept_names),
    *(f"buy:{names}" for names in _kept_names),
    "accept",
    "time-out",
    "done",
    *(f"turn:{die}{sign}1" for die in t.DICE for sign in "+-"),
    *(f"referee:{t.DICE[ot]},{t.DICE[dt]}" for ot in t.OT for dt in t.DT),
    *(f"yards:{t.DICE[ot]}" for ot in t.OT),
    "stop",
    "effort",
    "play",
    "penalty",
)
STAND, REROLL_A, REROLL_B, REROLL_BOTH = range(4)
FIRST_PICK = CALLS.index(f"pick:{_kept_names[0]}")
FIRST_BUY = CALLS.index(f"buy:{_kept_names[0]}")
ACCEPT, TIME_OUT, DONE = (CALLS.index(name) for name in ("accept", "time-out", "done"))
FIRST_TURN = CALLS.index("turn:d4+1")  # then by die: one up, one down
FIRST_REFEREE = CALLS.index("referee:d4,dta")  # then by OT die: with dta, with dtb
FIRST_YARDS = CALLS.index("yards:d4")
STOP, EFFORT_ROLL, PLAY, PENALTY = (
    CALLS.index(name) for name in ("stop", "effort", "play", "penalty")
)

LEFT, CENTER, RIGHT = range(3)
FOR_OT, FOR_DT = range(2)  # the team that may use the pips
MAX_TO_GO = 108  # 1st & 10 at the 99, then losses back to the offense's own 1


class ConstantTable(FieldKind):
    """Field that holds a constant table for a coach; not part of the match as JSON."""

    def __init__(self, table: list[int]) -> None:
        super().__init__(table)
        self.shape = (len(table),)

    def json_expression(self, value: str, known: dict[str, Any]) -> str:
        return "None"


def constant_table(table: list[int]) -> Any:
    """Declare a field that holds the same table in every match."""
    return ConstantTable(table)


REFEREE_CLOCKS = ("text", "sheet")
BY_TEXT, BY_SHEET = range(len(REFEREE_CLOCKS))
TWO_THREES = ("both", "one")
ONE_COUNTS = TWO_THREES.index("one")
CENTER_OUTS = ("any-play", "first-play")
ANY_PLAY = CENTER_OUTS.index("any-play")


class Match(MatchRecord):
    """Options in force, and the value table of the searching coach."""

    start_clock: int = whole(1, t.FULL_CLOCK_SPACES, default=t.FULL_CLOCK_SPACES)
    start_timeouts: int = whole(0, t.TIMEOUTS_PER_DRIVE, default=t.TIMEOUTS_PER_DRIVE)
    start_spot: int = whole(1, 99, default=t.START_SPOT)
    d12_leaves_at: int = whole(0, t.FULL_CLOCK_SPACES, default=t.D12_LEAVES_AT)
    d10_leaves_at: int = whole(0, t.FULL_CLOCK_SPACES, default=t.D10_LEAVES_AT)
    referee_clock: int = named(*REFEREE_CLOCKS)
    reply: int = flag()
    touchdown_in_time: int = flag()
    two_threes: int = named(*TWO_THREES)
    center_out: int = named(*CENTER_OUTS)
    values: list[int] = constant_table(ENTRIES)


class Position(PositionRecord):
    """State of a two-minute drill.

    The fields from `dice` on describe the play in progress; between plays they are empty. A die
    that is not in play or was not kept has no face.
    """

    phase: int = named(*PHASES)
    period: int = whole(1, 2, default=1)
    clock: int = whole(0, t.FULL_CLOCK_SPACES, default=t.FULL_CLOCK_SPACES)
    possession: int = team()
    spot: int = whole(1, 99, default=t.START_SPOT, null_value=0)  # null in an end zone
    score: list[int] = per_team(points())
    down: int = whole(1, 4, default=1)
    to_go: int = whole(1, MAX_TO_GO, default=t.FIRST_DOWN_YARDS)
    timeouts: int = whole(0, t.TIMEOUTS_PER_DRIVE, default=t.TIMEOUTS_PER_DRIVE)
    hash: int = named("left", "center", "right", default=CENTER)
    chance: int = flag()
    winner: int = team_or_none()
    dice: list[int] = each(whole(1, t.HIGHEST_FACE, null_value=0), *t.DICE)
    pips: list[int] = each(whole(0, 4), "offence", "defence")
    combined: int = flag()  # a time-out was spent on the dice of this play
    referee_ot: int = named_or_none(*t.DICE)
    referee_dt: int = named_or_none(*t.DICE)
    yards_ot: int = named_or_none(*t.DICE)
    gain: int = whole(-5, 200)
    efforts: int = whole(0, 100)


STATISTICS = Statistics(
    "points",
    "plays",
    "yards",
    "first_downs",
    "touchdowns",
    "turnovers",
    "rolls",
    "rerolls",
    "picks_bought",
    "pips_used",
    "efforts",
    "out_of_bounds",
    "dead_balls",
    "triples_forward",
    "triples_back",
    "quads_forward",
    "quads_back",
    "fives",
    "sixes",
    "penalty_yards",
    "timeouts_for_dice",
    "timeouts_for_clock",
    "referee_offence_penalty",
    "referee_incomplete",
    "referee_fumble_lost",
    "referee_fumble_kept",
    "referee_good",
    "referee_defence_penalty",
    "penalties_taken",
    "last_chances",
    "last_chances_made",
    "clock_plays",
    "clock_yards",
    "clock_efforts",
    "clock_in_bounds",
    "clock_rerolls",
    "clock_picks",
    "clock_incomplete",
    "clock_fumbles",
    "clock_penalties",
    "clock_recoveries",
    "clock_saved",
    "clock_erased",
    "clock_beyond",
    "lost_on_time",
    "lost_on_downs",
    "lost_on_fumble",
    "lost_on_last_chance",
    "lost_on_safety",
    "lost_on_return",
)
_event = STATISTICS.declare

# Event kinds. Several dice are packed into one number, four bits for each face.
ROLLS = _event("rolls", "offense_faces", "defense_faces", adds={"rolls": 1})
REROLLS = _event("rerolls", "defense_faces", adds={"rerolls": 1, "clock_rerolls": 1})
BUYS = _event("buys", adds={"picks_bought": 1, "clock_picks": 1})
KEEPS = _event("keeps", "offense_faces")  # 0 for those left out
TURNS = _event("turns", "die", "face", adds={"pips_used": 1})
STOPS_FOR_DICE = _event("stops for dice", "timeouts_left", adds={"timeouts_for_dice": 1})
# Special results.
TRIPLE_FORWARD = _event("triple forward", "face", adds={"triples_forward": 1})
TRIPLE_BACK = _event("triple back", "face", adds={"triples_back": 1})
QUAD_FORWARD = _event("quad forward", "face", adds={"quads_forward": 1})
QUAD_BACK = _event("quad back", "face", adds={"quads_back": 1})
FIVE = _event("five", "face", "erased_spaces", adds={"fives": 1, "clock_erased": "erased_spaces"})
SIX_ODD = _event("six odd", "face", adds={"sixes": 1})
SIX_EVEN = _event("six even", "face", adds={"sixes": 1, "turnovers": 1, "lost_on_return": 1})
DEAD_BALL = _event("dead ball", "yards", "spot", adds={"dead_balls": 1, "penalty_yards": "yards"})
# The referee.
_PAIR = ("offense_die", "defense_die", "sum")
OFFENSE_PENALTY = _event("offence penalty", *_PAIR, adds={"referee_offence_penalty": 1})
INCOMPLETE = _event(
    "incomplete", *_PAIR, adds={"referee_incomplete": 1, "plays": 1, "clock_incomplete": 1}
)
FUMBLE_LOST = _event(
    "fumble lost",
    *_PAIR,
    adds={"referee_fumble_lost": 1, "plays": 1, "turnovers": 1, "clock_fumbles": 1},
)
FUMBLE_KEPT = _event(
    "fumble kept", *_PAIR, adds={"referee_fumble_kept": 1, "plays": 1, "clock_fumbles": 1}
)
GOOD_PLAY = _event("good play", *_PAIR, adds={"referee_good": 1})
DEFENSE_PENALTY = _event("defence penalty", *_PAIR, adds={"referee_defence_penalty": 1})
LAST_CHANCE = _event("last chance", adds={"last_chances": 1})
RECOVERS = _event("recovers", *_PAIR, adds={"last_chances_made": 1, "clock_recoveries": 1})
# Yards and clock.
EFFORT_MADE = _event("effort", "face", "yards", adds={"efforts": 1})  # yards so far
GAINS = _event("gains", "yards", "spot", "side", adds={"plays": 1, "yards": "yards"})
OUT_OF_BOUNDS = _event("out of bounds", adds={"out_of_bounds": 1})
MARKS = _event(
    "marks",
    "for_yards",
    "for_effort",
    "for_staying",
    adds={
        "clock_plays": 2,
        "clock_yards": "for_yards",
        "clock_efforts": "for_effort",
        "clock_in_bounds": "for_staying",
    },
)  # besides the two of every play
BEYOND = _event("beyond", "spaces", adds={"clock_beyond": "spaces"})  # marks without a space
SAVES_CLOCK = _event(
    "saves clock",
    "spaces",
    "timeouts_left",
    adds={"timeouts_for_clock": 1, "clock_saved": "spaces"},
)
TAKES_PENALTY = _event(
    "takes penalty",
    "yards",
    "spaces",
    "spot",
    adds={"plays": 1, "penalties_taken": 1, "penalty_yards": "yards", "clock_penalties": "spaces"},
)
FIRST_DOWN = _event("first down", "spot", adds={"first_downs": 1})
# Ends.
TOUCHDOWN = _event("touchdown", adds={"points": 6, "touchdowns": 1})
REACHES_RANGE = _event("reaches range", adds={"points": 3})
RETURNED = _event("returned", adds={"points": 6, "touchdowns": 1})
SAFETY = _event("safety", adds={"points": 2})
OUT_OF_TIME = _event("out of time", adds={"lost_on_time": 1})
LOST_ON_DOWNS = _event("lost on downs", adds={"lost_on_downs": 1, "turnovers": 1})
LOST_ON_FUMBLE = _event("lost on fumble", adds={"lost_on_fumble": 1})
LOST_ON_LAST_CHANCE = _event("lost on last chance", adds={"lost_on_last_chance": 1})
LOST_ON_SAFETY = _event("lost on safety", adds={"lost_on_safety": 1})
REPLY = _event("reply", "spaces")
