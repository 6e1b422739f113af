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
from hashmark.games.rapid_roll.flags import offended_team
from hashmark.games.rapid_roll.numbers import ALL_THE_WAY
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import (
    CELLS,
    CHARTS,
    COLUMNS,
    FIRST_DOWN_YARDS,
    SHADING,
    SUMS,
)
from hashmark.text.phrases import (
    FIRST_ORDINALS,
    capitalize,
    down_text,
    gain_text,
    ordinal,
    team_clause,
    team_sentence,
    team_text,
    yard_line,
    yards_text,
)
from hashmark.text.summary import END_OF_HALF, Drive, events_with_score

QUARTERS = {number: f"{name} quarter" for number, name in enumerate(FIRST_ORDINALS, 1)}
SHOWN_NUMBERS = 12  # numbers of the clock line shown beside the score: two steps of a double


def period_name(period: int) -> str:
    """Return a quarter, or overtime with its number from the second on."""
    if period in QUARTERS:
        return QUARTERS[period]
    return "overtime" if period == 5 else f"{ordinal(period - 4)} overtime"


def the_period(period: int) -> str:
    """Return a period as a sentence names it: "the 1st quarter", "overtime"."""
    return period_name(period) if period == 5 else f"the {period_name(period)}"


def clock(m: Match, g: Position) -> str:
    """Return the quarter, the numbers left in it, and the end of the clock line."""
    if g.phase == p.OVER:
        return "final"
    written = g.log[1 : 1 + g.log[0]]
    dots = "... " if len(written) > SHOWN_NUMBERS else ""
    line = dots + " ".join(map(str, written[-SHOWN_NUMBERS:])) if written else "empty"
    return f"{period_name(g.period)}, {g.clock} left; clock line: {line}"


def short_clock(m: Match, g: Position) -> str:
    """Return the quarter and the numbers left in it, without the line."""
    return "final" if g.phase == p.OVER else f"{period_name(g.period)}, {g.clock} left"


def play_begins(m: Match, g: Position) -> bool:
    """Return whether a play begins here, with nothing of the last one open."""
    return g.window == p.NONE


def ball_has_moved(m: Match, g: Position) -> bool:
    """Return whether the ball has left its spot; in the clock windows it is back at one."""
    return p.SIDELINE_CHOICE <= g.window <= p.MAGIC_CHOICE


def place_text(team: int, spot: int, names: TeamNames) -> str:
    """Return where the ball is: "at the home 30", "3 yards deep in the away end zone"."""
    if 0 < spot < 100:
        return f"at {yard_line(team, spot, names)}"
    owner = names[team if spot <= 0 else 1 - team]
    deep = -spot if spot <= 0 else spot - 100
    zone = f"{yards_text(deep)} deep in the {owner} end zone"
    return zone if deep else f"at the {owner} goal line"


def situation(m: Match, g: Position, names: TeamNames) -> str:
    """Return the situation that the coach faces, in half a sentence."""
    if g.phase == p.OVER:
        home, away = g.score
        return "a tie" if home == away else team_clause(names[0 if home > away else 1], "[wins]")
    if g.phase == p.COIN_TOSS and g.window == p.NONE:
        return f"overtime: {team_clause(names[0], '[rolls] for the coin toss')}"
    pending = WINDOW_WORDS[g.window]
    return _down_or_kick(g, names) + (pending(g, names) if pending else "")


def outcome_situation(m: Match, g: Position, names: TeamNames) -> str:
    """Return the situation of a possible later position, without the number still to be written."""
    is_unwritten = WINDOW_WORDS[g.window] is _unwritten_text and g.phase != p.OVER
    return _down_or_kick(g, names) if is_unwritten else situation(m, g, names)


def _down_or_kick(g: Position, names: TeamNames) -> str:
    team = names[g.possession]
    if g.window == p.TOSS:
        return team_clause(team, "[has] won the coin toss")
    if g.phase == p.SCRIMMAGE:
        return f"{team}: {down_text(g.down, g.to_go, g.possession, g.spot, names)}"
    line = yard_line(g.possession, g.spot, names)
    if g.phase == p.TRY:
        return team_clause(team, f"[lines] up for the try at {line}")
    return team_clause(team, f"[kicks] off from {line}")


def _carrier_text(g: Position, names: TeamNames) -> str:
    place = place_text(g.carrier, g.at, names)
    return f"; {team_clause(names[g.carrier], f'[has] the ball {place}')}"


def _foul_text(g: Position, names: TeamNames) -> str:
    flag = flag_text(1 - offended_team(g), g.foul, g.foul_yards, names)
    return f"{_carrier_text(g, names)}; {flag}"


def _magic_text(g: Position, names: TeamNames) -> str:
    return f"{_carrier_text(g, names)}; {magic_text(g.magic[g.possession])} left"


def _unwritten_text(g: Position, names: TeamNames) -> str:
    left = ", ".join(f"{names[team]} {g.timeouts[team]}" for team in range(2))
    return f"; {g.roll} is about to go on the clock line; time-outs: {left}"


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
    "{n}",
    "{n}",
    "{n} and a first down",
    "pass interference, {n}",
    "{n} and a re-kick",
    "{n} added to the return",
    "the return comes back to the 10",
)
SAVES = {
    1: "[gets] away with one: the defense drops the interception",
    2: "[wins] the gamble: the interception becomes a 15-yard completion",
    3: "[gets] away with one: the pass is knocked down, not intercepted",
}
PLAYS = {  # what a team does on each call
    "line-run": "[runs] up the middle",
    "end-run": "[runs] outside",
    "short-pass": "[tries] a short pass",
    "medium-pass": "[tries] a medium pass",
    "deep-pass": "[goes] deep",
    "long-pass": "[goes] long",
    "screen-pass": "[sets] up a screen",
    "sneak": "[tries] a quarterback sneak",
    "reverse": "[runs] a reverse",
    "trick-pass": "[tries] a trick pass",
    "fake-punt-short-pass": "[fakes] a punt, [tries] a short pass",
    "fake-punt-end-run": "[fakes] a punt, [runs] outside",
    "fake-field-goal-short-pass": "[fakes] a field goal, [tries] a short pass",
    "fake-field-goal-end-run": "[fakes] a field goal, [runs] outside",
    "punt": "[punts]",
    "field-goal": "[tries] a field goal",
    "extra-point": "[tries] the extra point",
    "kickoff": "[kicks] off",
    "onside": "[tries] an onside kick",
}
CHOICES = {
    "receive": "[chooses] to receive",
    "kick": "[chooses] to kick off",
    "sideline": "[gives] up 3 yards to get out of bounds",
    "return": "[chooses] to return it",
    "roll": "[lets] it roll",
    "touchback": "[takes] the touchback",
    "accept": "[accepts] the penalty",
    "decline": "[declines] the penalty",
}
TOO_SHORT = "the clock line is too short to rewind"
TIMES = {2: " twice"}


def foul_text(foul: int, n: int) -> str:
    """Return what a foul costs; interference that is waved off has no yards."""
    return FOULS[foul].format(n=yards_text(n)) if n else "pass interference"


def flag_text(team: int, foul: int, n: int, names: TeamNames) -> str:
    """Return a flag: "flag on the Bombers: 5 yards"."""
    return f"flag on {team_text(names[team])}: {foul_text(foul, n)}"


def magic_text(n: int) -> str:
    """Return a number of magic yards with their noun."""
    return yards_text(n).replace(" ", " magic ")


def _moved_text(t: GameEvent, gained: str, lost: str, names: TeamNames) -> str:
    """Return a gain and where it ended; `lost` names the play if there was no gain."""
    if t.touchdown:
        return f"{gained} into the end zone"
    place = place_text(t.team, t.spot, names).removeprefix("at ")
    if t.yards > 0:
        return f"{gained} to {place}"
    return f"{gain_text(t.yards)} on the {lost}{f', back to {place}' if t.yards else ''}"


def _kick_return_text(t: GameEvent) -> str:
    """Return a kickoff return; its spot is that of the ball, which may have been fumbled since."""
    return f"[returns] the kickoff {yards_text(t.yards)}{' to the end zone' * t.touchdown}"


def _long_gain_text(t: GameEvent) -> str:
    is_score = t.gain == ALL_THE_WAY
    gain = "doubles, all the way" if is_score else f"a long gain of {yards_text(t.gain)}"
    return f"[rolls] {gain}; {TOO_SHORT}"


def _timeout_text(t: GameEvent) -> str:
    verb = "[is] charged a time-out (TM)" if t.due else "[calls] a time-out"
    return f"{verb}, {t.left or 'none'} left"


def _turnover_text(t: GameEvent) -> str:
    return f"[turns] the ball over{'' if t.times == 1 else TIMES.get(t.times, f' {t.times} times')}"


def _first_down_text(t: GameEvent, names: TeamNames) -> str:
    down = down_text(1, min(FIRST_DOWN_YARDS, 100 - t.spot), t.team, t.spot, names)
    return (
        team_sentence(names[t.team], f"[has] the ball: {down}") if t.changed_hands else f"{down}."
    )


def _shading_text(t: GameEvent) -> str:
    result = {-1: "incomplete", 0: "stopped for no gain"}.get(t.gain, f"a {t.gain}-yard gain")
    return f"Shaded cell: {result}."


# What a team does; the verbs in brackets agree with its name.
PREDICATES: dict[str, Callable[[GameEvent, TeamNames], str]] = {
    "snaps": lambda t, names: (
        f"{PLAYS[p.PLAY_CALLS[t.call]]} and [rolls] {t.number // 10} and {t.number % 10}"
    ),
    "rewinds": lambda t, names: (
        f"[rewinds] {t.places} {'place' if t.places == 1 else 'places'} to {t.number}"
    ),
    "throws": lambda t, names: f"[rolls] {t.number}; {TOO_SHORT}",
    "throws sum": lambda t, names: f"[rolls] a total of {t.sum}; {TOO_SHORT}",
    "throws long": lambda t, names: _long_gain_text(t),
    "repeated": lambda t, names: "[calls] the same play twice in a row and [fumbles] the snap",
    "saved": lambda t, names: SAVES[t.way],
    "chooses": lambda t, names: CHOICES[p.CALLS[t.call]],
    "fumbles": lambda t, names: f"[fumbles] {place_text(t.team, t.spot, names)}",
    "recovers": lambda t, names: f"[recovers] the ball {place_text(t.team, t.spot, names)}",
    "catches": lambda t, names: f"[catches] it {place_text(t.team, t.spot, names)}",
    "time out": lambda t, names: _timeout_text(t),
    "over on downs": lambda t, names: "[turns] the ball over on downs",
    "magic yards": lambda t, names: f"[adds] {magic_text(t.yards)}, {t.left or 'none'} left",
    "fake credit": lambda t, names: f"[earns] a magic yard for the fake and now [has] {t.left}",
    "new quarterback": lambda t, names: "[brings] in a new quarterback",
    "kicks again": lambda t, names: f"[kicks] again from {yard_line(t.team, t.spot, names)}",
    "tries again": lambda t, names: f"[gets] another try from {yard_line(t.team, t.spot, names)}",
    "toss won": lambda t, names: f"[wins] the coin toss on a {t.face}",
    "runs": lambda t, names: _moved_text(t, f"[runs] {yards_text(t.yards)}", "run", names),
    "passes for": lambda t, names: _moved_text(
        t, f"[completes] a {t.yards}-yard pass", "pass", names
    ),
    "spikes": lambda t, names: "[spikes] the ball",
    "is intercepted": lambda t, names: "[is] intercepted",
    "is sacked": lambda t, names: f"[is] sacked for a loss of {yards_text(t.loss)}",
    "loses ball": lambda t, names: _turnover_text(t),
    "returns punt": lambda t, names: _moved_text(
        t, f"[returns] the punt {yards_text(t.yards)}", "punt return", names
    ),
    "returns kick": lambda t, names: _kick_return_text(t),
    "touchdown": lambda t, names: "[scores] a touchdown",
    "safety": lambda t, names: "[scores] a safety",
    "field goal good": lambda t, names: f"[kicks] a {t.yards}-yard field goal",
    "extra point good": lambda t, names: "[makes] the extra point",
    "two points good": lambda t, names: "[converts] the two-point try",
}

# Events whose sentence is not about what a team does.
SENTENCES: dict[str, Callable[[GameEvent, TeamNames], str]] = {
    "reads": lambda t, names: (
        f"{t.row} on the {COLUMNS[t.column]} chart: {CELLS[COLUMNS[t.column]][t.row - 2]}."
    ),
    "shaded": lambda t, names: _shading_text(t),
    "rolls dead": lambda t, names: (
        f"After the roll, the ball is {place_text(t.team, t.spot, names)}."
    ),
    "flagged": lambda t, names: (
        f"{capitalize(flag_text(t.team, t.foul, t.yards, names))}"
        f"{', waved off after the score' if t.dropped else ''}."
    ),
    "first and ten": _first_down_text,
    "down": lambda t, names: f"{down_text(t.down, t.to_go, t.team, t.spot, names)}.",
    "no play": lambda t, names: "The penalty wipes out the play.",
    "incomplete": lambda t, names: "Incomplete pass.",
    "field goal fails": lambda t, names: f"The {t.yards}-yard field goal is no good.",
    "try fails": lambda t, names: "The try is no good.",
    "writes": lambda t, names: f"{t.number} goes on the clock line; {t.left or 'none'} left.",
    "not written": lambda t, names: f"{t.number} stays off the clock line.",
    "quarter over": lambda t, names: f"End of {the_period(t.period)}.",
    "game over": lambda t, names: "End of the game.",
}


def sentence(event: GameEvent, names: TeamNames) -> str:
    """Return an event as a sentence."""
    if event.name in SENTENCES:
        return SENTENCES[event.name](event, names)
    return team_sentence(names[event.team], PREDICATES[event.name](event, names))


# --- Dice and scores ---------------------------------------------------------------------


def roll_purpose(m: Match, turn: Turn, roll: Roll) -> Purpose:
    """Name the roll of the play, or a follow-up roll where the clock line is too short."""
    if roll.pool is TOSS_DIE:
        return Purpose(roll.pool.label)
    faces = [die.face for die in roll.dice]
    if roll is turn.rolls[0] and 0 <= turn.call < len(p.PLAY_CALLS):
        return Purpose(p.PLAY_CALLS[turn.call].replace("-", " "), f"sum {sum(faces)}")
    return Purpose("follow-up roll", f"sum {sum(faces[-2:])}")


SCORING = Scoring(
    {"touchdown": "touchdown", "field goal good": "{length} field goal", "safety": "safety"},
    try_texts={
        "extra point good": "kick good",
        "two points good": "two-point try good",
        "try fails": "try no good",
    },
    touchdown_texts={
        "runs": "{length} run",
        "passes for": "{length} pass",
        "returns punt": "{length} punt return",
        "returns kick": "{length} kickoff return",
        "recovers": "fumble recovery",
    },
    opponent_touchdown_texts={"is intercepted": "interception return"},
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
    "field goal fails": "missed field goal",
    "safety": "safety",
    "is intercepted": "interception",
    "loses ball": "fumble",
    "over on downs": "turnover on downs",
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
    call_phrases={
        "kickoff": "kicking deep",
        "onside": "trying an onside kick",
        "field-goal": "kicking the field goal",
        "punt": "punting",
        "extra-point": "kicking the extra point",
    },
    call_meanings={
        "line-run": "up the middle; usually a short gain",
        "end-run": "outside; may get out of bounds, may lose yards",
        "short-pass": "safe and short; intercepted 1 time in 36",
        "medium-pass": "the best chance of 10 yards",
        "deep-pass": "20 yards or more; intercepted 2 times in 36",
        "long-pass": "for the touchdown; never intercepted on 1st down",
        "screen-pass": "a short pass: 2 yards less, no interceptions",
        "sneak": "1 yard on 26 of 36 rolls",
        "reverse": "an end run: gains count double, losses triple",
        "trick-pass": "a long pass: 20 more yards on long gains, but sacks are intercepted",
        "fake-punt-short-pass": "one fake a game; earns a magic yard",
        "fake-punt-end-run": "one fake a game; earns a magic yard",
        "fake-field-goal-short-pass": "one fake a game; earns a magic yard",
        "fake-field-goal-end-run": "one fake a game; earns a magic yard",
        "punt": "a short punt from the opponent's 45 or closer",
        "field-goal": "3 points if the kick is long enough",
        "spike": "uses a down to keep the last play off the clock",
        "extra-point": "1 point, good on 32 of 36 rolls",
        "kickoff": "usually returned to between the 15 and the 40",
        "onside": "the kicking team recovers 9 times in 36",
        "receive": "the opponent kicks off",
        "kick": "kick off",
        "replace-qb": "three completions for double yards, then more sacks and interceptions",
        "keep-qb": "the quarterback stays in",
        "sideline": "give up 3 yards to get out of bounds",
        "stay-in": "stay in bounds; the play stands",
        "return": "run it back on the return chart",
        "roll": "let it roll dead; no return",
        "touchback": "take the ball at the touchback spot",
        "accept": "enforce the penalty",
        "decline": "the play stands",
        "timeout": "keep this play off the clock",
        "no-timeout": "let the clock run",
    },
    box_lines=(
        ("yards", "Total yards"),
        ("passing_completions/passing_attempts", "Completions/attempts"),
        ("passing_yards", "Passing yards"),
        ("passing_touchdowns", "Passing touchdowns"),
        ("passing_interceptions", "Interceptions thrown"),
        ("rushing_attempts", "Rushing attempts"),
        ("rushing_yards", "Rushing yards"),
        ("rushing_touchdowns", "Rushing touchdowns"),
        ("sacked_count/sacked_yards", "Times sacked/yards lost"),
        ("turnovers", "Turnovers"),
        ("punt_returns_count/punt_returns_yards", "Punt returns/yards"),
        ("kick_returns_count/kick_returns_yards", "Kickoff returns/yards"),
        ("field_goals_made/field_goals_attempts", "Field goals made/attempted"),
    ),
    list_drives=list_drives,
    roll_purpose=roll_purpose,
    short_clock=short_clock,
    play_begins=play_begins,
    period_name=period_name,
    scoring=SCORING,
)
