"""Text of Rapid Roll Football: the clock line, the situation, and each event as a sentence."""

from __future__ import annotations

from collections.abc import Callable

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game, Turn
from hashmark.engine.presentation import Scoring, Words
from hashmark.engine.rolls import Purpose, Roll
from hashmark.engine.team_names import TeamNames
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.clock import TOSS_DIE
from hashmark.games.rapid_roll.numbers import ALL_THE_WAY
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import CELLS, CHARTS, COLUMNS, SHADING, SUMS
from hashmark.text.phrases import FIRST_ORDINALS, capitalize, yard_line, yards_text
from hashmark.text.summary import END_OF_HALF, Drive, events_with_score

DOWNS = dict(enumerate(FIRST_ORDINALS, 1))
QUARTERS = {number: f"{name} quarter" for number, name in DOWNS.items()}
SHOWN_NUMBERS = 12  # numbers of the clock line shown beside the score: two steps of a double


def period_name(period: int) -> str:
    """Return a quarter, or overtime with its number from the second on."""
    if period in QUARTERS:
        return QUARTERS[period]
    return "overtime" if period == 5 else f"overtime {period - 4}"


def clock(m: Match, g: Position) -> str:
    """Return the quarter, the numbers left in it, and the end of the clock line."""
    if g.phase == p.OVER:
        return "final"
    written = g.log[1 : 1 + g.log[0]]
    dots = "... " if len(written) > SHOWN_NUMBERS else ""
    line = dots + " ".join(map(str, written[-SHOWN_NUMBERS:])) if written else "empty"
    return f"{period_name(g.period)}, {g.clock} left; line: {line}"


def short_clock(m: Match, g: Position) -> str:
    """Return the quarter and the numbers left in it, without the line."""
    return "final" if g.phase == p.OVER else f"{period_name(g.period)}, {g.clock} left"


def play_begins(m: Match, g: Position) -> bool:
    """Return whether a play begins here, with nothing of the last one open."""
    return g.window == p.NONE


def ball_has_moved(m: Match, g: Position) -> bool:
    """Return whether the ball is moving; while only the clock is open, it lies where it will be."""
    return p.SIDELINE_CHOICE <= g.window <= p.MAGIC_CHOICE


def describe_spot(team: int, spot: int, names: TeamNames) -> str:
    """Return a spot in words, end zones included."""
    if 0 < spot < 100:
        return yard_line(team, spot, names)
    owner = names[team if spot <= 0 else 1 - team]
    deep = -spot if spot <= 0 else spot - 100
    return f"{yards_text(deep)} deep in the {owner} end zone" if deep else f"the {owner} goal line"


def down_and_distance(g: Position) -> str:
    """Return down and distance: "3rd and 7", "1st and goal"."""
    to_go = "goal" if g.to_go == 100 - g.spot else str(g.to_go)
    return f"{DOWNS[g.down]} and {to_go}"


def situation(m: Match, g: Position, names: TeamNames) -> str:
    """Return the situation that the coach faces, in half a sentence."""
    if g.phase == p.OVER:
        home, away = g.score
        return "a tie" if home == away else f"{names[0 if home > away else 1]} wins"
    if g.phase == p.COIN_TOSS and g.window == p.NONE:
        return f"overtime: {names[0]} throws for the toss"
    pending = WINDOW_WORDS[g.window]
    return _down_or_kick(g, names) + (pending(g, names) if pending else "")


def outcome_situation(m: Match, g: Position, names: TeamNames) -> str:
    """Return the situation of a possible later position, without the number still to be written."""
    is_unwritten = WINDOW_WORDS[g.window] is _unwritten_text and g.phase != p.OVER
    return _down_or_kick(g, names) if is_unwritten else situation(m, g, names)


def _down_or_kick(g: Position, names: TeamNames) -> str:
    team = names[g.possession]
    if g.window == p.TOSS:
        return f"{team} has won the toss"
    if g.phase == p.SCRIMMAGE:
        return f"{team}: {down_and_distance(g)} at {yard_line(g.possession, g.spot, names)}"
    if g.phase == p.TRY:
        return f"{team} tries from {yard_line(g.possession, g.spot, names)}"
    return f"{team} kicks off from {yard_line(g.possession, g.spot, names)}"


def _carrier_text(g: Position, names: TeamNames) -> str:
    return f"; {names[g.carrier]} has it at {describe_spot(g.carrier, g.at, names)}"


def _foul_text(g: Position, names: TeamNames) -> str:
    return f"{_carrier_text(g, names)}; flag: {foul_name(g.foul, g.foul_yards)}"


def _magic_text(g: Position, names: TeamNames) -> str:
    return f"{_carrier_text(g, names)}; {yards_text(g.magic[g.possession])} of magic left"


def _unwritten_text(g: Position, names: TeamNames) -> str:
    left = ", ".join(f"{names[team]} {g.timeouts[team]}" for team in range(2))
    return f"; {g.roll} is to be written; time outs: {left}"


WINDOW_WORDS: tuple[Callable[[Position, TeamNames], str] | None, ...] = (
    None,
    None,
    None,
    None,
    _carrier_text,
    _carrier_text,
    _carrier_text,
    _foul_text,
    _magic_text,
    _unwritten_text,
    _unwritten_text,
)


def line_to_gain(m: Match, g: Position) -> int | None:
    """Return the line to gain, which exists on scrimmage downs only."""
    return g.spot + g.to_go if g.phase == p.SCRIMMAGE else None


# --- Events ------------------------------------------------------------------------------

FOULS = (
    "offence {n}",
    "defence {n}",
    "defence {n} and a first down",
    "pass interference, {n}",
    "kicking team {n}, kick again",
    "kicking team {n} more",
    "receiving team, the 10",
)
SAVES = {1: "drops the interception", 2: "turns it into 15 yards", 3: "knocks it away"}
KICK_VERBS = {p.KICK_OFF: "kicks off", p.ONSIDE: "kicks onside", p.EXTRA_POINT: "kicks the try"}


def foul_name(foul: int, n: int) -> str:
    """Return a foul with its yards."""
    return FOULS[foul].format(n=yards_text(n))


def _snap_text(t: GameEvent) -> str:
    what = KICK_VERBS.get(t.call, f"calls {p.PLAY_CALLS[t.call]}")
    return f"{what} and rolls {t.number // 10} and {t.number % 10}"


def _gain_text(t: GameEvent, verb: str, names: TeamNames) -> str:
    moved = yards_text(t.yards) if t.yards >= 0 else f"a loss of {yards_text(-t.yards)}"
    end = ", touchdown" if t.touchdown else f", to {describe_spot(t.team, t.spot, names)}"
    return f"{verb} {moved if t.yards else 'no gain'}{end}"


def _long_gain_text(t: GameEvent) -> str:
    gain = (
        "doubles, all the way" if t.gain == ALL_THE_WAY else f"a long gain of {yards_text(t.gain)}"
    )
    return f"throws for it (the line is too short): {gain}"


def _first_down_text(t: GameEvent, names: TeamNames) -> str:
    return f"has 1st and {'goal' if t.spot >= 90 else '10'} at {yard_line(t.team, t.spot, names)}"


def _shading_text(t: GameEvent) -> str:
    result = {-1: "incomplete", 0: "stopped for no gain"}.get(t.gain, f"a gain of {t.gain}")
    return f"has a shaded cell: {result}"


SENTENCES: dict[str, Callable[[GameEvent, TeamNames], str]] = {
    "snaps": lambda t, names: _snap_text(t),
    "reads": lambda t, names: (
        f"reads {COLUMNS[t.column]} {t.row}: {CELLS[COLUMNS[t.column]][t.row - 2]}"
    ),
    "rewinds": lambda t, names: f"rewinds {t.places} to {t.number // 10}{t.number % 10}",
    "throws": lambda t, names: f"throws {t.number} for it (the line is too short)",
    "throws sum": lambda t, names: f"throws a sum of {t.sum} for it (the line is too short)",
    "throws long": lambda t, names: _long_gain_text(t),
    "shaded": lambda t, names: _shading_text(t),
    "repeated": lambda t, names: "has called the same twice: the snap is fumbled",
    "saved": lambda t, names: (
        f"is saved: the defence {SAVES[t.way]}" if t.way != 2 else f"{SAVES[t.way]}"
    ),
    "chooses": lambda t, names: f"chooses {p.CALLS[t.call]}",
    "fumbles": lambda t, names: f"fumbles at {describe_spot(t.team, t.spot, names)}",
    "recovers": lambda t, names: f"recovers at {describe_spot(t.team, t.spot, names)}",
    "catches": lambda t, names: f"catches it at {describe_spot(t.team, t.spot, names)}",
    "rolls dead": lambda t, names: f"lets it roll dead at {describe_spot(t.team, t.spot, names)}",
    "flagged": lambda t, names: (
        f"is flagged ({foul_name(t.foul, t.yards)}){', dropped' if t.dropped else ''}"
    ),
    "time out": lambda t, names: f"takes a time out{' (TM)' if t.due else ''}, {t.left} left",
    "first and ten": _first_down_text,
    "down": lambda t, names: (
        f"has {DOWNS[t.down]} and {t.to_go} at {yard_line(t.team, t.spot, names)}"
    ),
    "over on downs": lambda t, names: "loses the ball on downs",
    "no play": lambda t, names: "has no play: the penalty is accepted",
    "magic yards": lambda t, names: f"adds {yards_text(t.yards)} of magic, {t.left} left",
    "fake credit": lambda t, names: f"gets a magic yard for the fake, {t.left} now",
    "new quarterback": lambda t, names: "brings a new quarterback",
    "kicks again": lambda t, names: f"must kick again from {yard_line(t.team, t.spot, names)}",
    "tries again": lambda t, names: f"tries again from {yard_line(t.team, t.spot, names)}",
    "toss won": lambda t, names: f"wins the toss ({t.face})",
    "runs": lambda t, names: _gain_text(t, "runs for", names),
    "passes for": lambda t, names: _gain_text(t, "completes a pass for", names),
    "incomplete": lambda t, names: "throws incomplete",
    "spikes": lambda t, names: "spikes the ball",
    "is intercepted": lambda t, names: "is intercepted",
    "is sacked": lambda t, names: f"is sacked for a loss of {yards_text(t.loss)}",
    "loses ball": lambda t, names: (
        "loses the ball" if t.times == 1 else f"loses the ball {t.times} times"
    ),
    "returns punt": lambda t, names: _gain_text(t, "returns the punt for", names),
    "returns kick": lambda t, names: _gain_text(t, "returns the kick for", names),
    "touchdown": lambda t, names: "scores a touchdown",
    "safety": lambda t, names: "scores a safety",
    "field goal good": lambda t, names: f"kicks a field goal from {yards_text(t.yards)}",
    "field goal fails": lambda t, names: f"fails with a field goal from {yards_text(t.yards)}",
    "extra point good": lambda t, names: "kicks the extra point",
    "two points good": lambda t, names: "makes the two-point try",
    "try fails": lambda t, names: "fails on the try",
}

WITHOUT_TEAM: dict[str, Callable[[GameEvent], str]] = {
    "writes": lambda t: f"{t.number} is written, {t.left} left.",
    "not written": lambda t: f"{t.number} is not written.",
    "quarter over": lambda t: f"End of the {period_name(t.period)}.",
    "game over": lambda t: "End of the game.",
}


def sentence(event: GameEvent, names: TeamNames) -> str:
    """Return an event as a sentence."""
    if event.name in WITHOUT_TEAM:
        return WITHOUT_TEAM[event.name](event)
    return capitalize(f"{names[event.team]} {SENTENCES[event.name](event, names)}.")


# --- Dice and scores ---------------------------------------------------------------------


def roll_purpose(m: Match, turn: Turn, roll: Roll) -> Purpose:
    """Name the roll of the play, or a further number where the clock line is too short."""
    if roll.pool is TOSS_DIE:
        return Purpose(roll.pool.label)
    faces = [die.face for die in roll.dice]
    if roll is turn.rolls[0] and 0 <= turn.call < len(p.PLAY_CALLS):
        return Purpose(p.PLAY_CALLS[turn.call].replace("-", " "), f"sum {sum(faces)}")
    return Purpose("further number", f"sum {sum(faces[-2:])}")


SCORING = Scoring(
    {"touchdown": "touchdown", "field goal good": "field goal of {yards}", "safety": "safety"},
    try_texts={
        "extra point good": "kick good",
        "two points good": "two points",
        "try fails": "try failed",
    },
    touchdown_texts={
        "runs": "run of {yards}",
        "passes for": "pass of {yards}",
        "returns punt": "punt return of {yards}",
        "returns kick": "kick return of {yards}",
        "recovers": "fumble recovered",
    },
    opponent_touchdown_texts={"is intercepted": "interception"},
)


# --- Charts and drives -------------------------------------------------------------------


def list_tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the printed charts for `hashmark rules`; shaded cells have a star."""
    titles = ("Plays and returns (* shaded)", "Kicks and flags")
    charts = []
    for title, chart in zip(titles, CHARTS, strict=True):
        rows = [
            [
                str(total),
                *(
                    cells[total - 2] + (" *" if total in SHADING.get(name, ()) else "")
                    for name, cells in chart.items()
                ),
            ]
            for total in SUMS
        ]
        charts.append((title, ["sum", *chart], rows))
    return charts


RESULTS = {
    "touchdown": "touchdown",
    "field goal good": "field goal",
    "field goal fails": "missed kick",
    "safety": "safety",
    "is intercepted": "interception",
    "loses ball": "fumble",
    "over on downs": "downs",
}


def list_drives(game: Game) -> list[Drive]:
    """Return every possession: the snaps between two changes of the ball."""
    possessions: list[Drive] = []
    for turn, event, score in events_with_score(game):
        before = turn.before
        if event.name == "snaps" and before.phase == p.SCRIMMAGE:
            if not possessions or possessions[-1].result or possessions[-1].team != event.team:
                possessions.append(Drive(event.team, before.period, before.clock, before.spot))
            possessions[-1].plays += 1
        if not possessions:
            continue
        if not possessions[-1].result or event.name in SCORING.try_texts:
            possessions[-1].score = score
        _add_to_drive(possessions[-1], event)
    return possessions


def _add_to_drive(drive: Drive, event: GameEvent) -> None:
    """Add an event to the drive it belongs to."""
    if drive.result:
        return
    if event.name in ("runs", "passes for", "is sacked"):
        drive.yards += event.yards
    elif event.name == "writes":
        drive.time += 1
    if event.name == "first and ten" and event.team != drive.team:
        drive.result = "punt"
    elif event.name == "quarter over" and event.period in (2, 4):
        drive.result = END_OF_HALF
    elif event.name in RESULTS:
        drive.result = RESULTS[event.name]


WORDS = Words(
    ball_has_moved=ball_has_moved,
    clock=clock,
    situation=situation,
    outcome_situation=outcome_situation,
    sentence=sentence,
    line_to_gain=line_to_gain,
    list_tables=list_tables,
    call_meanings={
        "line-run": "up the middle; rarely much, rarely nothing",
        "end-run": "outside; may go out of bounds, may lose",
        "short-pass": "safe and short; 1 in 36 intercepted",
        "medium-pass": "the best chance of ten yards",
        "deep-pass": "20 yards and more, 2 in 36 intercepted",
        "long-pass": "for the touchdown; never intercepted on 1st down",
        "screen-pass": "short pass, 2 yards less, no interceptions",
        "sneak": "1 yard on 26 of 36 rolls",
        "reverse": "end run: gains twice, losses three times",
        "trick-pass": "long pass: long gains 20 more, sacks are intercepted",
        "fake-punt-short-pass": "one fake a game; a magic yard for later",
        "fake-punt-end-run": "one fake a game; a magic yard for later",
        "fake-field-goal-short-pass": "one fake a game; a magic yard for later",
        "fake-field-goal-end-run": "one fake a game; a magic yard for later",
        "punt": "short punts from the opponents' 45 on",
        "field-goal": "three points if the figure reaches",
        "spike": "a down for the number of the last play",
        "extra-point": "one point, 32 in 36",
        "kickoff": "returned to the 15 to 40 as a rule",
        "onside": "9 in 36 for the kicking team",
        "receive": "the opponents kick off",
        "kick": "kick off",
        "replace-qb": "three completions count twice, then sacks and interceptions",
        "keep-qb": "the quarterback stays",
        "sideline": "3 yards less, out of bounds",
        "stay-in": "the play stands",
        "return": "a number for the return column",
        "roll": "a number for the roll; no return",
        "touchback": "the ball at the 20",
        "accept": "the penalty counts",
        "decline": "the play stands",
        "timeout": "the number is not written",
        "no-timeout": "the number is written",
    },
    box_lines=(
        ("yards", "Yards"),
        ("passing_completions/passing_attempts", "Passes completed"),
        ("passing_yards", "Passing yards"),
        ("passing_touchdowns", "Passing touchdowns"),
        ("passing_interceptions", "Interceptions thrown"),
        ("rushing_attempts", "Runs"),
        ("rushing_yards", "Rushing yards"),
        ("rushing_touchdowns", "Rushing touchdowns"),
        ("sacked_count/sacked_yards", "Sacks (yards lost)"),
        ("turnovers", "Turnovers"),
        ("punt_returns_count/punt_returns_yards", "Punt returns (yards)"),
        ("kick_returns_count/kick_returns_yards", "Kick returns (yards)"),
        ("field_goals_made/field_goals_attempts", "Field goals"),
    ),
    list_drives=list_drives,
    roll_purpose=roll_purpose,
    short_clock=short_clock,
    play_begins=play_begins,
    period_name=period_name,
    scoring=SCORING,
)
