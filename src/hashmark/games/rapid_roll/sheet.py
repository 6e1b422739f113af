"""Score sheet (R84 to R87): points, timeouts, clock lines, downs, statistics; filled or blank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hashmark.engine.events import GameEvent
from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables
from hashmark.games.rapid_roll.position import Position
from hashmark.games.rapid_roll.tables import CELLS, CHARTS, COLUMNS, SHADING, SUMS
from hashmark.games.rapid_roll.words import (
    QUARTERS,
    foul_text,
    magic_text,
    period_name,
)
from hashmark.sheets import shared_blocks
from hashmark.sheets.document import (
    Block,
    Box,
    Boxes,
    BoxRow,
    Cell,
    Column,
    Columns,
    Document,
    Entries,
    Entry,
    Heading,
    Note,
    Page,
    Table,
    without_breaks,
)
from hashmark.text.phrases import capitalize, down_and_distance, yard_line
from hashmark.text.summary import positions_after

BOXES_PER_ROW = 15  # of a clock line: three rows, as printed
DEFAULT_QUARTER_NUMBERS = 40
HALVES = (("1st half", 3), ("2nd half", 3), ("overtime", 2))  # with their timeouts
BLANK_ROWS = 34


def sheet(game: Game | None) -> Document:
    """Return the sheet of a game so far, or blank sheets for real dice."""
    title = "Rapid Roll Football"
    if game is None:
        lines = clock_lines([[]] * 5, DEFAULT_QUARTER_NUMBERS)
        return Document(
            title,
            [
                Page("Score sheet", [*_head(None), lines, *_figures(None)]),
                *(Page(f"Down and field position, {half}", _downs()) for half, _ in HALVES[:2]),
                Page("Charts", _charts(), landscape=True),
            ],
        )
    now = capitalize(game.rules.words.situation(game.match, game.position, game.names))
    written = numbers_by_period(game)
    line_count = max(len(written), 5)
    lines = clock_lines(
        [*written, *([[]] * (line_count - len(written)))], game.match.numbers_per_quarter
    )
    return Document(
        title,
        [
            Page(now, [*_head(game), lines, *_figures(game), *_scores(game)]),
            Page("Down and field position", [play_table(game)]),
        ],
    )


# --- Points and time-outs (R84) ------------------------------------------------------------


def _head(game: Game | None) -> list[Block]:
    names = Entries([Entry("Home"), Entry("Away"), Entry("Date", width=0.6)])
    return [*([names] if game is None else []), _points(game), timeout_boxes(game)]


def _names(game: Game | None) -> TeamNames:
    return TEAMS if game is None else game.names


def _points(game: Game | None) -> Table:
    """Return the points by quarter; those of a set-up start count for its quarter."""
    periods = (*(name.split()[0] for name in QUARTERS.values()), "overtime")
    if game is None:
        return shared_blocks.scoreboard(periods)
    scored = shared_blocks.count_points(game, lambda g: min(int(g.period), 5))
    first = game.turns[0].before if game.turns else game.position
    last = min(game.position.period, 5)
    rows = []
    for team in range(2):
        by_period = scored[team]
        by_period[min(first.period, 5)] = by_period.get(min(first.period, 5), 0) + first.score[team]
        rows.append([by_period.get(period, 0) for period in range(1, last + 1)])
    return shared_blocks.scoreboard(periods, rows, game.position.score, game.names)


def timeout_boxes(game: Game | None) -> Boxes:
    """Return the timeouts left in each half and in overtime; used ones are crossed out."""
    rows = []
    for team, name in enumerate(_names(game)):
        boxes = []
        for half, (label, maximum) in enumerate(HALVES):
            left = None if game is None else _timeouts_left(game, half, team)
            boxes.append(Box(label, "shaded", width=3))
            boxes += [_timeout_box(count, left) for count in range(maximum, -1, -1)]
        rows.append(BoxRow(name, boxes))
    return Boxes(rows, title="Time-outs left")


def _timeout_box(count: int, left: int | None) -> Box:
    if left is None or count < left:
        return Box(str(count))
    return Box(str(count), "current" if count == left else "crossed")


def _half(period: int) -> int:
    return 0 if period <= 2 else (1 if period <= 4 else 2)


def _timeouts_left(game: Game, half: int, team: int) -> int | None:
    """Return the timeouts of a team at the end of a half, or now; None before the half begins."""
    positions = [*(turn.before for turn in game.turns), game.position]
    counts = [int(g.timeouts[team]) for g in positions if _half(g.period) == half]
    return counts[-1] if counts else None


# --- Clock lines (R85) -----------------------------------------------------------------------


def numbers_by_period(game: Game) -> list[list[int]]:
    """Return the written numbers, a list for each period that has begun.

    The numbers on the line of a set-up start are assigned backward from where its clock stood.
    """
    first = game.turns[0].before if game.turns else game.position
    periods: list[list[int]] = [[] for _ in range(game.position.period)]
    initial = list(first.log[1 : 1 + first.log[0]])
    period, room = first.period, game.match.numbers_per_quarter - first.clock
    while initial and period >= 1:
        taken = initial[len(initial) - min(room, len(initial)) :] if room else []
        periods[period - 1] = taken
        initial = initial[: len(initial) - len(taken)]
        period, room = period - 1, game.match.numbers_per_quarter
    for turn in game.turns:
        written = [event.number for event in turn.events if event.name == "writes"]
        periods[turn.before.period - 1] += written
    return periods


def clock_lines(periods: Sequence[Sequence[int]], length: int) -> Boxes:
    """Return a row of boxes for each period, filled with its numbers in order."""
    rows = []
    for number, written in enumerate(periods, 1):
        boxes = [Box(str(value)) for value in written]
        blank = [Box()] * (length - len(written))
        label = period_name(number)
        rows.append(BoxRow(label, [*boxes, *blank], per_row=BOXES_PER_ROW))
    return Boxes(rows, title="Game clock")


# --- Down and field position (R86) -----------------------------------------------------------


@dataclass
class PlayRow:
    """One line of the play-by-play list."""

    period: int
    clock: int
    team: int
    situation: str
    spot: str
    call: str
    number: int
    follow_ups: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    score: str = ""


def plays(game: Game) -> list[PlayRow]:
    """Return every snap and kick of a game with its results."""
    rows: list[PlayRow] = []
    names = short_names(game.names)
    for turn, after in zip(game.turns, positions_after(game), strict=True):
        before = turn.before
        for event in turn.events:
            if event.name == "snaps":
                rows.append(_start_row(before, event, names))
            elif rows and event.name in FOLLOW_UPS:
                rows[-1].follow_ups.append(FOLLOW_UPS[event.name](event))
            elif rows and event.name == "reads" and event.column in COLUMNS_SHOWN_BY_CELL:
                cell = CELLS[COLUMNS[event.column]][event.row - 2]
                rows[-1].results += [] if cell.startswith("ret to") else [cell]
            elif rows and event.name in SHORT_RESULTS:
                rows[-1].results.append(SHORT_RESULTS[event.name](event, names[event.team]))
        if rows and list(after.score) != list(before.score):
            rows[-1].score = f"{after.score[0]}–{after.score[1]}"
    return rows


def _start_row(g: Position, event: GameEvent, names: TeamNames) -> PlayRow:
    if g.phase == p.SCRIMMAGE:
        situation = without_breaks(down_and_distance(g.down, g.to_go, g.spot))
    else:
        situation = p.PHASES[g.phase]
    spot = without_breaks(yard_line(g.possession, g.spot, names).removeprefix("the "))
    call = p.PLAY_CALLS[event.call]
    return PlayRow(g.period, g.clock, event.team, situation, spot, call, event.number)


FOLLOW_UPS: dict[str, Callable[[GameEvent], str]] = {
    "rewinds": lambda t: str(t.number),
    "throws": lambda t: f"({t.number})",
    "throws sum": lambda t: f"({t.sum})",
    "throws long": lambda t: f"({t.gain // 6 if t.gain < 100 else 'doubles'})",
}

COLUMNS_SHOWN_BY_CELL = (
    tables.KICKOFF,
    tables.ONSIDE,
    tables.PUNT,
    tables.SHORT_PUNT,
    tables.PUNT_RETURN,
)

SHORT_RESULTS: dict[str, Callable[[GameEvent, str], str]] = {
    "runs": lambda t, team: f"run {t.yards}",
    "passes for": lambda t, team: f"pass {t.yards}",
    "incomplete": lambda t, team: "incomplete",
    "is sacked": lambda t, team: f"sack {t.yards}",
    "is intercepted": lambda t, team: "intercepted",
    "fumbles": lambda t, team: f"{team} fumble",
    "recovers": lambda t, team: f"{team} recovery",
    "returns punt": lambda t, team: f"returned {t.yards}",
    "returns kick": lambda t, team: f"returned {t.yards}",
    "rolls dead": lambda t, team: "rolls dead",
    "flagged": lambda t, team: (
        f"flag on {team}: {foul_text(t.foul, t.yards)}{', waved off' if t.dropped else ''}"
    ),
    "no play": lambda t, team: "no play",
    "kicks again": lambda t, team: "re-kick",
    "tries again": lambda t, team: "another try",
    "magic yards": lambda t, team: magic_text(t.yards),
    "over on downs": lambda t, team: "turnover on downs",
    "touchdown": lambda t, team: "TOUCHDOWN",
    "safety": lambda t, team: "SAFETY",
    "field goal good": lambda t, team: f"{t.yards} yards, good",
    "field goal fails": lambda t, team: f"{t.yards} yards, no good",
    "extra point good": lambda t, team: "good",
    "two points good": lambda t, team: "good for two",
    "try fails": lambda t, team: "no good",
    "time out": lambda t, team: f"{team} time-out",
    "spikes": lambda t, team: "spike",
    "not written": lambda t, team: "not on the clock",
}


def play_table(game: Game) -> Table:
    """Return the play-by-play list, filled."""
    columns = [
        Column("Qtr", 0.6, "center"),
        Column("Left", 0.7, "right"),
        Column("Team", 1, "left"),
        Column("Down", 1.5, "left"),
        Column("Ball on", 1.2, "left"),
        Column("Call", 2, "left"),
        Column("Roll", 0.7, "center"),
        Column("Follow-up", 1.4, "left"),
        Column("Result", 4.5, "left"),
        Column("Score", 1, "center"),
    ]
    names = short_names(game.names)
    rows: list[list[str | Cell]] = [
        [
            str(play.period) if play.period <= 4 else "OT",
            str(play.clock),
            names[play.team],
            play.situation,
            play.spot,
            play.call,
            str(play.number),
            " ".join(play.follow_ups),
            ", ".join(play.results),
            Cell(play.score, "strong"),
        ]
        for play in plays(game)
    ]
    return Table(columns, rows)


def _downs() -> list[Block]:
    """Return a blank play-by-play list in three columns, with room for the plays of a half."""
    columns = [Column("", 0.6), Column("Down", 1.1), Column("Ball on", 1.1), Column("Play", 1.8)]
    return [Columns([[Table(columns, fill=BLANK_ROWS)] for _ in range(3)])]


# --- Figures (R87) -----------------------------------------------------------------------------

FIGURES = (
    ("Passing", "attempts", p.PASSES),
    ("", "completions", p.COMPLETIONS),
    ("", "yards", p.PASSING_YARDS),
    ("", "touchdowns", p.PASSING_TOUCHDOWNS),
    ("", "interceptions", p.INTERCEPTIONS),
    ("", "sacks", p.SACKS),
    ("", "yards lost", p.SACK_YARDS),
    ("Rushing", "attempts", p.RUSHES),
    ("", "yards", p.RUSHING_YARDS),
    ("", "touchdowns", p.RUSHING_TOUCHDOWNS),
    ("Turnovers", "", p.TURNOVERS),
    ("Punt returns", "number", p.PUNT_RETURNS),
    ("", "yards", p.PUNT_RETURN_YARDS),
    ("", "touchdowns", p.PUNT_RETURN_TOUCHDOWNS),
    ("Kickoff returns", "number", p.KICK_RETURNS),
    ("", "yards", p.KICK_RETURN_YARDS),
    ("", "touchdowns", p.KICK_RETURN_TOUCHDOWNS),
    ("Field goals", "made", p.FIELD_GOALS_MADE),
    ("", "attempts", p.FIELD_GOALS_TRIED),
)
LEFT_FIGURES = 10  # rows in the left table


def _figures(game: Game | None) -> list[Block]:
    """Return the statistics of both teams in two tables side by side."""
    stats = ((), ()) if game is None else game.position.stats
    rows = [
        [heading, what, *(str(row[index]) if row else "" for row in stats)]
        for heading, what, index in FIGURES
    ]
    columns = [
        Column("", 1.5),
        Column("", 1.4),
        *(Column(name, 0.8, "right") for name in short_names(_names(game))),
    ]
    halves = [[Table(columns, half)] for half in (rows[:LEFT_FIGURES], rows[LEFT_FIGURES:])]
    return [Heading("Team statistics"), Columns(halves)]


def _scores(game: Game) -> list[Block]:
    """Return the scoring summary if there was any score."""
    summary = shared_blocks.scoring_table(game)
    return [] if summary is None else [summary]


# --- Charts, for play with real dice -----------------------------------------------------------


def _charts() -> list[Block]:
    """Return both charts; shaded cells have a gray background."""
    titles = ("Plays and returns", "Kicks and flags")
    blocks: list[Block] = []
    for title, chart in zip(titles, CHARTS, strict=True):
        columns = [Column("", 0.4, "center"), *(Column(name, 1, "center") for name in chart)]
        rows: list[list[str | Cell]] = []
        for total in SUMS:
            cells: list[str | Cell] = [Cell(str(total), "strong")]
            for name, column in chart.items():
                shaded = total in SHADING.get(name, ())
                cells.append(Cell(column[total - 2], "shaded" if shaded else "plain"))
            rows.append(cells)
        blocks.append(Table(columns, rows, title=title))
    return [*blocks, Note(REMINDERS, small=True)]


REMINDERS = """\
Follow-up numbers: count back on the clock line by the difference of the two dice (doubles: 6) and \
keep counting back for every number the play needs; roll if the line is too short.
(1): first digit. (2): sum; a 66 is fumbled. (x2): twice the sum. long: six times the sum; doubles \
score, and a gain to exactly the 20 or 10 is fumbled. loss: first digit. scramble: sacked on an \
even sum, a run on an odd one; on a yard line ending in 0, a sack is fumbled and a run goes twice \
as far and out of bounds. rd: the punt rolls on by the sum; doubles bounce it back.
FLAG: one number for the play, then one for the penalty; + is added at the end of the play, \
with a first down. TM: the team with the ball is charged a time-out. ob: out of bounds."""
