"""Football field as SVG: lines, ball, line to gain, drive and directions of play.

Home defends the left goal line for every viewer. Color is never the only signal: end zones have
names and patterns, the line to gain is dashed and labeled, and title and description give
everything in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

from markupsafe import Markup

from hashmark.engine.record import AWAY, HOME, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.session.redaction import SPECTATOR
from hashmark.text.phrases import (
    capitalize,
    team_clause,
    team_sentence,
    team_text,
    yard_line,
    yards_text,
)
from hashmark.web.svg.drive import DrivePath
from hashmark.web.svg.markup import EMPTY, group, line, path, rect, svg_image, tag, text
from hashmark.web.svg.team_colors import team_class

UNITS_PER_YARD = 6.0  # SVG units per yard
END_ZONE_DEPTH = 10 * UNITS_PER_YARD  # depth of an end zone
WIDTH, HEIGHT = 120 * UNITS_PER_YARD, 320.0  # 53 1/3 yards from sideline to sideline
TOP_MARGIN = BOTTOM_MARGIN = 44.0  # space above and below the field for labels
MIDDLE_Y = TOP_MARGIN + HEIGHT / 2
HASH_ROWS_Y = (TOP_MARGIN + HEIGHT * 0.4, TOP_MARGIN + HEIGHT * 0.6)  # the two rows of hash marks
NUMBER_BASELINES_Y = (TOP_MARGIN + 52, TOP_MARGIN + HEIGHT - 30)  # baselines of the yard numbers
BALL_Y_BY_HASH = {
    "left": HASH_ROWS_Y[0],
    "center": MIDDLE_Y,
    "right": HASH_ROWS_Y[1],
}  # vertical ball position for home, going right
LETTER_WIDTH = 0.62  # width of a letter relative to its height
CAPITAL_WIDTH = 0.8  # the same for a letter-spaced capital
MIN_ARC_HEIGHT, MAX_ARC_HEIGHT = 14.0, 70.0  # least and greatest height of a drive's arcs
NO_DRIVE = DrivePath()


def draw_field(
    rules: RuleSet,
    match: MatchRecord,
    position: PositionRecord,
    path: Sequence[int] = (),
    viewer: int = SPECTATOR,
    *,
    names: TeamNames,
    past_drive: DrivePath = NO_DRIVE,
) -> Markup:
    """Draw the field as the viewer may see it.

    `path` has the spots of the current drive as the team with the ball counts them, the oldest
    first and the present one last; `drive.drive_path` returns them. Where there is none,
    `past_drive` is drawn, the one that has ended.
    """
    g = rules.view(match, position, viewer)
    to_gain = rules.words.line_to_gain(match, g) if has_ball(g) else None
    short, in_progress = short_names(names), rules.has_ball_moved(match, g)
    return svg_image(
        WIDTH,
        TOP_MARGIN + HEIGHT + BOTTOM_MARGIN,
        _title(g, in_progress, short),
        _grass(),
        *(_end_zone(team, short[team].upper()) for team in (HOME, AWAY)),
        _lines(),
        _numbers(),
        _to_gain(g, to_gain),
        _drive_arcs(g.possession, path, _ball_y(g)) if has_ball(g) else EMPTY,
        EMPTY if path else _past_arcs(past_drive),
        _ball(g, in_progress, short),
        desc=_describe(rules, match, g, to_gain, path, names),
        class_="drawn-field",
    )


def has_ball(g: PositionRecord) -> bool:
    """Return whether the ball is on the field: not before the toss, nor at a try without a spot."""
    return bool(g.possession in (HOME, AWAY) and 0 < g.spot < 100)


def spot_x(team: int, spot: float) -> float:
    """Return the x coordinate of a team's spot."""
    return END_ZONE_DEPTH + UNITS_PER_YARD * (spot if team == HOME else 100 - spot)


def direction_of(team: int) -> int:
    """Return a team's direction of play: 1 to the right, -1 to the left."""
    return 1 if team == HOME else -1


# --- Static parts -------------------------------------------------------------------------


@cache
def _grass() -> Markup:
    """Draw the ground, mown in bands of ten yards."""
    bands = [
        rect(
            END_ZONE_DEPTH + UNITS_PER_YARD * yard,
            TOP_MARGIN,
            10 * UNITS_PER_YARD,
            HEIGHT,
            class_="mown",
        )
        for yard in range(0, 100, 20)
    ]
    return group(rect(0, TOP_MARGIN, WIDTH, HEIGHT, class_="grass"), *bands)


@lru_cache(maxsize=256)
def _end_zone(team: int, name: str) -> Markup:
    """Draw a team's end zone with its color, pattern and name."""
    x = 0 if team == HOME else WIDTH - END_ZONE_DEPTH
    size = min(38.0, (HEIGHT - 24) / (CAPITAL_WIDTH * max(len(name), 1)))
    turn = -90 if team == HOME else 90
    lift = size * 0.35 * (1 if team == HOME else -1)
    middle = x + END_ZONE_DEPTH / 2 + lift
    word = text(
        middle,
        MIDDLE_Y,
        name,
        class_="zone-name",
        text_anchor="middle",
        font_size=size,
        transform=f"rotate({turn} {middle:g} {MIDDLE_Y:g})",
    )
    inside = tag(
        "svg",
        rect(0, 0, END_ZONE_DEPTH, HEIGHT, class_="zone"),
        _stripes() if team == HOME else _dots(),
        x=x,
        y=TOP_MARGIN,
        width=END_ZONE_DEPTH,
        height=HEIGHT,
    )
    return group(inside, word, class_=team_class(team))


def _stripes() -> Markup:
    """Draw the home team's pattern."""
    steps = " ".join(
        f"M0 {y}L{END_ZONE_DEPTH:g} {y - END_ZONE_DEPTH:g}"
        for y in range(0, int(HEIGHT + END_ZONE_DEPTH), 24)
    )
    return path(steps, class_="pattern-line")


def _dots() -> Markup:
    """Draw the visitors' pattern."""
    places = [
        (x + 12 * (row % 2), 8 + 16 * row)
        for row in range(int(HEIGHT / 16))
        for x in range(6, int(END_ZONE_DEPTH), 24)
    ]
    dots = "".join(f"M{x} {y}a3 3 0 1 0 .01 0z" for x, y in places)
    return path(dots, class_="pattern-dot")


@cache
def _lines() -> Markup:
    """Draw goal lines, a line every five yards, hash marks for the other yards, and the border."""
    whole = "".join(
        f"M{spot_x(HOME, yard):g} {TOP_MARGIN:g}v{HEIGHT:g}" for yard in range(5, 100, 5)
    )
    top, bottom = TOP_MARGIN + 3, TOP_MARGIN + HEIGHT - 11
    rows = (top, HASH_ROWS_Y[0] - 4, HASH_ROWS_Y[1] - 4, bottom)
    marks = "".join(
        f"M{spot_x(HOME, yard):g} {y:g}v8" for yard in range(1, 100) if yard % 5 for y in rows
    )
    goals = "".join(f"M{spot_x(HOME, yard):g} {TOP_MARGIN:g}v{HEIGHT:g}" for yard in (0, 100))
    return group(
        path(marks, class_="hash-mark"),
        path(whole, class_="yard-line"),
        path(goals, class_="goal-line"),
        rect(1.5, TOP_MARGIN + 1.5, WIDTH - 3, HEIGHT - 3, class_="side-line"),
    )


@cache
def _numbers() -> Markup:
    """Draw the yard numbers on both sides, with arrows to the nearer goal line."""
    painted = []
    for yard in range(10, 100, 10):
        x = spot_x(HOME, yard)
        number = min(yard, 100 - yard)
        for y in NUMBER_BASELINES_Y:
            painted.append(text(x, y, str(number), text_anchor="middle", class_="yard-number"))
            if number < 50:
                direction = -1 if yard < 50 else 1
                tip = x + 27 * direction
                painted.append(
                    path(f"M{tip:g} {y - 9:g}l{-7 * direction} -4v8z", class_="yard-arrow")
                )
    return group(*painted, aria_hidden="true")


# --- Changing parts -----------------------------------------------------------------------


def _to_gain(g: PositionRecord, to_gain: int | None) -> Markup:
    """Draw the line to gain, dashed, with its label below the field."""
    if to_gain is None or not 0 < to_gain < 100:
        return EMPTY
    x = spot_x(g.possession, to_gain)
    label = "to gain"
    half = 46.0
    label_x = min(max(x, half), WIDTH - half)
    top = TOP_MARGIN + HEIGHT
    return group(
        line(x, TOP_MARGIN, x, top, class_="gain-edge"),
        line(x, TOP_MARGIN, x, top, class_="gain-line"),
        path(f"M{x:g} {top:g}l-8 11h16z", class_="gain-flag"),
        rect(label_x - half, top + 10, 2 * half, 30, rx=6, class_="gain-flag"),
        text(label_x, top + 32, label, text_anchor="middle", class_="gain-word"),
    )


def _past_arcs(drive: DrivePath) -> Markup:
    """Draw a drive that has ended, in the middle of the field."""
    arcs = _drive_arcs(drive.team, drive.spots, MIDDLE_Y)
    return group(arcs, class_="past-drive") if arcs else EMPTY


def _drive_arcs(team: int, spots: Sequence[int], y: float) -> Markup:
    """Draw a drive: an arc for each play, gains above the ball, losses below it."""
    if len(spots) < 2:
        return EMPTY
    steps, ends = [], []
    for start, end in pairwise(spots):
        x, end_x = spot_x(team, start), spot_x(team, end)
        height = min(MIN_ARC_HEIGHT + abs(end_x - x) * 0.35, MAX_ARC_HEIGHT) * (
            -1 if end >= start else 1
        )
        steps.append(f"M{x:g} {y:g}Q{(x + end_x) / 2:g} {y + 2 * height:g} {end_x:g} {y:g}")
        ends.append(x)
    dots = "".join(f"M{x - 5:g} {y:g}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z" for x in ends)
    flag = path(f"M{ends[0]:g} {y + 5:g}v22", class_="drive-start")
    arcs = "".join(steps)
    return group(
        path(arcs, class_="drive-edge"),
        path(arcs, class_="drive-way"),
        flag,
        path(dots, class_="drive-dot"),
        class_=team_class(team),
    )


def _ball_y(g: PositionRecord) -> float:
    """Return the y coordinate of the ball: on its hash mark if the game tracks it."""
    y = BALL_Y_BY_HASH.get(g.to_json().get("hash", ""), MIDDLE_Y)
    return y if g.possession == HOME else 2 * MIDDLE_Y - y


def _ball(g: PositionRecord, in_progress: bool, names: TeamNames) -> Markup:
    """Draw the line of scrimmage, the ball, its direction, and its team.

    While a play is in progress, only the spot that it started from is marked.
    """
    if not has_ball(g):
        return EMPTY
    label = "Line of scrimmage" if in_progress else capitalize(names[g.possession])
    x, y, direction = spot_x(g.possession, g.spot), _ball_y(g), direction_of(g.possession)
    chevrons = _chevrons(x, y, direction)
    laces = path("M-7 0h14M-5 -3v6M0 -3v6M5 -3v6", class_="laces")
    ball = group(
        path("M-15 0Q0 -17 15 0Q0 17 -15 0z", class_="ball-place" if in_progress else "ball"),
        EMPTY if in_progress else laces,
        transform=f"translate({x:g} {y:g})",
        class_="ball-spot",
    )
    return group(
        line(x, TOP_MARGIN, x, TOP_MARGIN + HEIGHT, class_="scrimmage-edge"),
        line(x, TOP_MARGIN, x, TOP_MARGIN + HEIGHT, class_="scrimmage"),
        path(chevrons, class_="ahead-edge"),
        path(chevrons, class_="ahead"),
        ball,
        _ball_label(g.possession, x, label),
        class_=team_class(g.possession),
    )


def _chevrons(x: float, y: float, direction: int) -> str:
    """Return the path of the direction marks, as many as fit before the goal line."""
    goal = WIDTH - END_ZONE_DEPTH if direction > 0 else END_ZONE_DEPTH
    starts = (x + direction * (20 + 15 * index) for index in range(3))
    fitting = (start for start in starts if (goal - start) * direction > 14)
    return "".join(
        f"M{start:g} {y - 12:g}l{direction * 11} 12l{-direction * 11} 12" for start in fitting
    )


def _ball_label(team: int, x: float, name: str) -> Markup:
    """Draw a label above the ball with its team and an arrow in its direction."""
    half = max(40.0, len(name) * 26 * LETTER_WIDTH / 2 + 22)
    label_x = min(max(x, half + 2), WIDTH - half - 2)
    direction = direction_of(team)
    tip = label_x + direction * (half - 8)
    arrow = path(f"M{tip:g} 18l{-direction * 13} -9v18z", class_="tag-arrow")
    return group(
        path(f"M{x:g} {TOP_MARGIN:g}l-9 -11h18z", class_="tag"),
        rect(label_x - half, 0, 2 * half, 36, rx=7, class_="tag"),
        arrow,
        text(label_x - direction * 8, 27, name, text_anchor="middle", class_="tag-name"),
    )


# --- Text alternative -----------------------------------------------------------------------


def _title(g: PositionRecord, in_progress: bool, names: TeamNames) -> str:
    if not has_ball(g):
        return "Football field without a ball"
    spot = yard_line(g.possession, g.spot, names)
    if in_progress:
        return f"Football field: {team_clause(names[g.possession], '[runs]')} a play from {spot}"
    return f"Football field: {team_clause(names[g.possession], '[has] the ball')} at {spot}"


def _describe(
    rules: RuleSet,
    match: MatchRecord,
    g: PositionRecord,
    to_gain: int | None,
    spots: Sequence[int],
    names: TeamNames,
) -> str:
    """Describe the situation, both teams' directions, the line to gain and the drive."""
    left, right = short = short_names(names)
    defense = team_sentence(left, f"[defends] the left end zone, {team_text(right)} the right one")
    sentences = [defense]
    if not rules.is_over(g):
        sentences.append(f"{capitalize(rules.words.situation(match, g, names))}.")
    if has_ball(g):
        direction = "right" if g.possession == HOME else "left"
        sentences.append(team_sentence(short[g.possession], f"[drives] to the {direction}"))
        if to_gain is not None and 0 < to_gain < 100:
            sentences.append(f"The line to gain is {yard_line(g.possession, to_gain, short)}.")
        sentences += [_describe_drive(g, spots, short)] if len(spots) > 1 else []
    return " ".join(sentences)


def _describe_drive(g: PositionRecord, spots: Sequence[int], names: TeamNames) -> str:
    start = yard_line(g.possession, spots[0], names)
    gained = spots[-1] - spots[0]
    distance = f"gained {yards_text(gained)}" if gained >= 0 else f"lost {yards_text(-gained)}"
    return f"The drive started at {start} and has {distance} so far."
