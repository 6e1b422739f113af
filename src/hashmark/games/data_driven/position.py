"""Position and match records of Data-Driven Football, and the names of their values.

A play may stop for a call in its middle: a formation after a play, a return or a touchback, a
penalty to accept. The position holds everything that is pending then, below "The play in progress";
between two plays those fields have their default values.
"""

from __future__ import annotations

from hashmark.engine.record import (
    MatchRecord,
    PositionRecord,
    each,
    flag,
    named,
    named_or_none,
    per_team,
    points,
    row,
    team_or_none,
    whole,
)
from hashmark.games.data_driven.charts.cells import KIND_FACTOR, KINDS, LONG_SIZE, SHORT_SIZE
from hashmark.games.data_driven.charts.layout import (
    LONG_COLUMNS,
    ROW_SETS,
    SHORT_COLUMNS,
    SHORT_FIELD_COLUMNS,
)
from hashmark.games.data_driven.plans import lookup_tables
from hashmark.games.data_driven.plans.plan import ENTRY_WIDTH, MAX_ENTRIES, NUMBERS, SECTIONS
from hashmark.games.data_driven.tables import (
    ACTIONS,
    FORMATIONS,
    KICKOFF_SPOT,
    OVERTIME_FORMATS,
    PLAYS,
    PRIORITY_COLUMNS,
    PRIORITY_ROWS,
    QUARTER_SECONDS,
    SECONDS_ALLOWED,
    TIMEOUTS_PER_HALF,
)

PHASES = ("coin-toss", "kickoff", "safety-kick", "scrimmage", "try", "over")
COIN_TOSS, KICKOFF, SAFETY_KICK, SCRIMMAGE, TRY, OVER = range(len(PHASES))

MAX_POOCH_YARDS = 99
CALLS = (
    *PLAYS,
    "punt",
    "field-goal",
    "kneel",
    "safety",
    *FORMATIONS,
    "receive",
    "kick",
    "kickoff",
    "squib",
    "onside",
    "return",
    "touchback",
    "let-it-roll",
    "fall-on-it",
    "rekick",
    "keep",
    "tack-on",
    "accept",
    "decline",
    "extra-point",
    "two-point",
    "stand",
    "audible",
    "audible-timeout",
    "let-it-run",
    "timeout",
    "hurry-up",
    "spike",
    *(f"pooch-{yards}" for yards in range(1, MAX_POOCH_YARDS + 1)),
)
FIRST_FORMATION = CALLS.index(FORMATIONS[0])
PUNT, FIELD_GOAL, KNEEL, SAFETY = range(len(PLAYS), FIRST_FORMATION)
(
    RECEIVE,
    KICK,
    KICK_OFF,
    SQUIB,
    ONSIDE,
    RETURN,
    TOUCHBACK,
    LET_IT_ROLL,
    FALL_ON_IT,
    REKICK,
    KEEP,
    TACK_ON,
    ACCEPT,
    DECLINE,
    EXTRA_POINT,
    TWO_POINT,
    STAND,
    AUDIBLE,
    AUDIBLE_TIMEOUT,
    LET_IT_RUN,
    TIMEOUT,
    HURRY_UP,
    SPIKE,
    FIRST_POOCH,
) = range(FIRST_FORMATION + len(FORMATIONS), CALLS.index("pooch-1") + 1)

# Questions. The last six are the stages of a step and occur only within it.
ASKS = (
    "coin",
    "toss",
    "kick",
    "kick-return",
    "rekick",
    "play",
    "formation",
    "offence-audible",
    "defence-audible",
    "roll-or-return",
    "fumble-return",
    "penalty",
    "tack-on",
    "try",
    "offence-timeout",
    "defence-timeout",
    "tempo",
    "roll-again",
    "over",
    "answer",
    "snap",
    "roll",
    "conclude",
    "stand",
    "time",
)
(
    ASK_COIN,
    ASK_TOSS,
    ASK_KICK,
    ASK_KICK_RETURN,
    ASK_REKICK,
    ASK_PLAY,
    ASK_FORMATION,
    ASK_OFFENSE_AUDIBLE,
    ASK_DEFENSE_AUDIBLE,
    ASK_ROLL_OR_RETURN,
    ASK_FUMBLE_RETURN,
    ASK_PENALTY,
    ASK_TACK_ON,
    ASK_TRY,
    ASK_OFFENSE_TIMEOUT,
    ASK_DEFENSE_TIMEOUT,
    ASK_TEMPO,
    ASK_ROLL_AGAIN,
    ASK_OVER,
    TO_ANSWER,
    TO_SNAP,
    TO_ROLL,
    TO_CONCLUDE,
    TO_STAND,
    TO_TIME,
) = range(len(ASKS))

# The play in progress, once it is called: the nine plays, then the others.
NO_PLAY = -1
OTHER_PLAYS = ("punt", "field-goal", "kneel", "safety", "kickoff", "squib", "onside", "extra-point")
ALL_PLAYS = (*PLAYS, *OTHER_PLAYS)
(
    PLAY_PUNT,
    PLAY_FIELD_GOAL,
    PLAY_KNEEL,
    PLAY_SAFETY,
    PLAY_KICKOFF,
    PLAY_SQUIB,
    PLAY_ONSIDE,
    PLAY_EXTRA_POINT,
) = range(len(PLAYS), len(ALL_PLAYS))

# Fouls, in the order of their cells; the last is an OFF 10 in the own end zone (R78).
FOULS = (
    "none",
    "off-5",
    "off-10",
    "off-15",
    "off-40",
    "grounding",
    "def-5",
    "def-5x",
    "def-15",
    "pi",
    "holding",
)
(
    NO_FOUL,
    OFF_5,
    OFF_10,
    OFF_15,
    OFF_40,
    GROUNDING,
    DEF_5,
    DEF_5X,
    DEF_15,
    PI,
    HOLDING,
) = range(len(FOULS))

# How the play ended, once it has.
RESULTS = (
    "none",
    "down",
    "incomplete",
    "touchdown",
    "safety",
    "touchback",
    "good",
    "offset",
    "fifteen",
    "dead-ball",
    "grounded",
)
(
    NO_RESULT,
    ENDS_DOWN,
    ENDS_INCOMPLETE,
    ENDS_TOUCHDOWN,
    ENDS_SAFETY,
    ENDS_TOUCHBACK,
    ENDS_GOOD,
    ENDS_OFFSET,
    ENDS_FIFTEEN,
    ENDS_DEAD_BALL,
    ENDS_GROUNDED,
) = range(len(RESULTS))

# What the offense did on the play, for the statistics.
WAYS = ("none", "run", "complete", "incomplete", "intercepted", "sack", "scramble", "kneel")
NO_WAY, RAN, COMPLETED, MISSED, INTERCEPTED, SACKED, SCRAMBLED, KNELT = range(len(WAYS))

# Stages of overtime (R105).
OVERTIME_STAGES = ("none", "first", "reply", "sudden")
NO_OVERTIME, FIRST_POSSESSION, REPLY, SUDDEN = range(len(OVERTIME_STAGES))

# The values of options.
SUDDEN_DEATH, MODIFIED, NO_OVERTIME_PERIOD, BOTH_POSSESS = range(len(OVERTIME_FORMATS))
MODES = ("basic", "full")
BASIC, FULL = range(len(MODES))
AUDIBLE_MODES = ("off", "board", "pc")
AUDIBLES_OFF, AUDIBLES_BOARD, AUDIBLES_PC = range(len(AUDIBLE_MODES))

OFFENSE, DEFENSE = range(2)
NO_LIMIT = -1
MAX_USAGE = 1999  # a chart allows at most 999, and overtime adds a quarter
DEFENSIVE_PENALTY, DEAD_BALL = 1, 2  # reasons in `extension`
NOWHERE = -200
NO_MID_POINT = -100
MAX_PERIODS = 99  # a playoff game that is level after this many is a tie
CROWD_DIE_FACES = 20  # E3: faces of the die that the home team rolls
MAX_CHANGES = 99  # of possession in one play; beyond it only the holder is tracked
MAX_CELL = len(KINDS) * KIND_FACTOR - 1


class Match(MatchRecord):
    """Options in force and both teams' charts; an option holds the index of its value."""

    mode: int = named(*MODES)
    timing: int = named(*MODES)
    containment: int = flag()
    sack_rate: int = flag()
    def_penalties: int = flag()
    recovery_adjust: int = flag()
    fg_adjust: int = flag()
    goal_line_deduction: int = flag()
    max_usage: int = flag()
    big_play: int = flag()
    muffed_snap: int = flag()
    short_field: int = flag()  # E1: the option is on, and the league has the charts
    home_field: int = whole(0, CROWD_DIE_FACES)  # E3: faces of the die; 0 on neutral ground
    audibles: int = named(*AUDIBLE_MODES)
    kickoff_spot: int = whole(1, 99)
    safety_kick_spot: int = whole(1, 99)
    touchback_spot: int = whole(1, 99)
    kick_touchback_spot: int = whole(1, 99)  # of a kickoff
    fg_depth: int = whole(0, 20)
    five_fifteen: int = flag()
    squib_coverage: int = flag()
    untimed_down: int = flag()
    offence_fumble_return: int = flag()
    def5_presnap_roll: int = flag()
    playoff: int = flag()
    spike_seconds: int = whole(0, 60)
    pi_weight: int = whole(1, 5)
    quarter_seconds: int = whole(SECONDS_ALLOWED[0], SECONDS_ALLOWED[-1])
    overtime: int = named(*OVERTIME_FORMATS)
    overtime_seconds: int = whole(SECONDS_ALLOWED[0], SECONDS_ALLOWED[-1])
    overtime_timeouts: int = whole(0, TIMEOUTS_PER_HALF)
    all_punt_fouls_offset: int = flag()
    decline_holding: int = flag()
    # The charts: home's, then away's; see `charts/layout.py` for their order.
    long_cells: list[int] = row(whole(0, MAX_CELL), 2 * len(LONG_COLUMNS) * LONG_SIZE)
    short_cells: list[int] = row(whole(0, MAX_CELL), 2 * len(SHORT_COLUMNS) * SHORT_SIZE)
    row_sets: list[int] = row(flag(), 2 * len(ROW_SETS) * LONG_SIZE)
    set_kinds: list[int] = row(whole(0, 2), 2 * len(ROW_SETS))  # 0: there is no such chart
    penalty_rows: list[int] = row(whole(0, 31), 2 * LONG_SIZE)  # R89: see `penalties.py`
    supplements: list[int] = row(flag(), 2 * 4)  # fg-adjust, qr, big-play, squib-return
    sack_yards: list[int] = row(whole(-99, 0), 2)
    qr_yards: list[int] = row(whole(0, 99), 2)
    longest_kick: list[int] = row(whole(0, 150), 2)
    hurry_up: list[int] = row(whole(0, 999), 2)
    usage: list[int] = row(whole(NO_LIMIT, 999), 2 * len(PLAYS))
    audible_counts: list[int] = row(whole(0, 3), 4)
    mismatch: list[int] = row(whole(0, 3), len(PLAYS) * len(FORMATIONS))
    # The game plans: book, bold, home's, away's; see `plans/lookup_tables.py`.
    plan_rows: list[int] = row(whole(-9999, 9999, bits=16), 4 * MAX_ENTRIES * ENTRY_WIDTH)
    plan_starts: list[int] = row(whole(0, MAX_ENTRIES), 4 * (len(SECTIONS) + 1))
    plan_index: list[int] = row(
        whole(0, 2**lookup_tables.BITS_PER_WORD - 1, bits=64),
        4 * lookup_tables.WORD_COUNT * lookup_tables.SET_COUNT,
    )
    plan_words: list[int] = row(whole(0, lookup_tables.WORD_COUNT), 4 * (len(SECTIONS) + 1))
    plan_zones: list[int] = row(
        whole(0, lookup_tables.MAX_DISTANCE_CLASSES - 1, bits=16), 4 * lookup_tables.ZONES_SIZE
    )
    plan_places: list[int] = row(whole(-1, MAX_ENTRIES, bits=16), 4 * lookup_tables.PLACES_SIZE)
    plan_downs: list[int] = row(whole(-1, MAX_ENTRIES, bits=16), 4 * lookup_tables.FIRST_SPOT)
    plan_leads: list[int] = row(whole(-1, MAX_ENTRIES, bits=16), 4 * lookup_tables.LEADS_SIZE)
    plan_numbers: list[int] = row(whole(0, 99), 4 * len(NUMBERS))
    short_field_cells: list[int] = row(whole(0, MAX_CELL), len(SHORT_FIELD_COLUMNS) * LONG_SIZE)
    priority: list[int] = row(
        whole(0, len(ACTIONS) - 1), len(PRIORITY_ROWS) * len(PRIORITY_COLUMNS)
    )


class Position(PositionRecord):
    """Complete state of a game of Data-Driven Football."""

    phase: int = named(*PHASES)
    period: int = whole(1, MAX_PERIODS, default=1)
    clock: int = whole(0, SECONDS_ALLOWED[-1], default=QUARTER_SECONDS)
    possession: int = team_or_none()
    spot: int = whole(1, 99, null_value=0)
    down: int = whole(1, 4, null_value=0)
    to_go: int = whole(1, 99, null_value=0)
    score: list[int] = per_team(points())
    timeouts: list[int] = per_team(whole(0, TIMEOUTS_PER_HALF, default=TIMEOUTS_PER_HALF))
    hurry_up: list[int] = per_team(whole(0, 999))
    audibles: list[list[int]] = per_team(each(whole(0, 3), "offence", "defence"))
    usage: list[list[int]] = per_team(each(whole(0, MAX_USAGE, null_value=NO_LIMIT), *PLAYS))
    inbounds: int = whole(0, 2)
    next_kick: int = whole(1, 99, default=KICKOFF_SPOT)
    received_first: int = team_or_none()
    winner: int = named_or_none("home", "away", "tie")
    overtime: int = named(*OVERTIME_STAGES)
    overtime_team: int = team_or_none()  # whose possession it is, in `first` and `reply`
    # The play in progress; its spots are as the holder sees them.
    asks: int = named(*ASKS)
    play: int = named_or_none(*ALL_PLAYS)
    formation: int = named_or_none(*FORMATIONS)
    rolls_on: int = named_or_none(*(column.name for column in LONG_COLUMNS))  # the next roll
    shorter: int = whole(0, MAX_POOCH_YARDS)  # R59: yards taken off a punt
    audibled: int = flag()  # R112: one audible a down, for both sides together
    prompted: int = flag()  # R113: the defense will be prompted as well
    foul: int = named(*FOULS)  # from the play or kick chart, or the penalty chart
    foul_yards: int = whole(0, 150)  # of pass interference and grounding
    return_foul: int = named(*FOULS)
    return_foul_by: int = team_or_none()
    # R76, of the return with the foul
    mid_point: int = whole(-99, 99, default=NO_MID_POINT, null_value=NO_MID_POINT)
    holder: int = team_or_none()  # the team with the ball, or that had it last
    start: int = whole(-150, 150, default=NOWHERE, null_value=NOWHERE)  # of the return
    at: int = whole(-150, 250, default=NOWHERE, null_value=NOWHERE)  # where the play ended
    result: int = named(*RESULTS)
    out: int = flag()  # R20: an asterisk
    changes: int = whole(0, MAX_CHANGES)  # changes of possession, not counting the kick
    way: int = named(*WAYS)
    gain: int = whole(-150, 150)  # of the offense; for a punt its length
    # yards of a kick's return
    returned: int = whole(-150, 150, default=NOWHERE, null_value=NOWHERE)
    kick_shift: int = whole(-60, 60)  # R80, R83, R84: yards by which the next kickoff is moved
    seconds: int = whole(0, 120)  # length of the play, while its clock windows are open
    extension: int = whole(0, 2)  # R104, only within a step: why the period may go on
    penalty_roll: int = whole(0, 31)  # R89: result of the defense's one roll
