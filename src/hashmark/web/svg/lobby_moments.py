"""A moment of a game in the lobby: a drive to a touchdown, played with its dice.

The drive comes from a game of the rule set itself between its usual opponents. It moves once, for
less than five seconds, and again under the pointer; a still picture of it stands beside it for
readers who want no motion (`.resting` instead of `.moving`, chosen by the page's style sheet). The
movement is part of the SVG, so that it needs neither a script nor an inline style.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from hashmark.engine.drawings import DrawnDie
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import HOME
from hashmark.engine.rule_set import Coach, RuleSet
from hashmark.errors import HashmarkError
from hashmark.session.opponents import default_opponent
from hashmark.web.svg.die_shapes import die_group
from hashmark.web.svg.markup import class_names, group, line, path, rect, tag, text
from hashmark.web.svg.team_colors import team_class

WIDTH, HEIGHT = 320.0, 180.0
FIELD_HEIGHT = 118.0
ZONE_WIDTH = 25.0  # of an end zone: as much as ten yards in scale
YARD = (WIDTH - 2 * ZONE_WIDTH) / 100
BALL_Y, ARC_HEIGHT = 72.0, 46.0
DICE_Y, DICE_SIZE, DICE_GAP = 149.0, 40.0, 8.0
MAX_DICE = 4
MAX_SECONDS = 4.5  # of a moment; what moves for longer would need a button that stops it
GOOD_HOPS = range(3, 7)  # gains and losses of a drive that is worth showing
GOOD_YARDS = 40
MAX_TURNS = 400  # played to find one
SEED = 7
TOUCHDOWN_POINTS = (6, 7, 8)


@dataclass(frozen=True)
class Hop:
    """One gain or loss of a drive, and the dice that were rolled for it."""

    start: int
    end: int
    dice: tuple[DrawnDie, ...]


@dataclass(frozen=True)
class Moment:
    """Drive of a team, from its first spot to the end zone if it came so far."""

    team: int
    hops: tuple[Hop, ...]

    @property
    def is_touchdown(self) -> bool:
        return self.hops[-1].end >= 100

    @property
    def yards(self) -> int:
        return self.hops[-1].end - self.hops[0].start

    @property
    def is_good(self) -> bool:
        """Whether the drive is worth showing: long, but not of too many plays."""
        return self.is_touchdown and len(self.hops) in GOOD_HOPS and self.yards >= GOOD_YARDS


def draw_moment(rules: RuleSet) -> Markup | None:
    """Return the moving picture of a game; None if no drive of it can be shown."""
    moment = find_moment(rules)
    if moment is None:
        return None
    picture_id = f"moment-{rules.name}"
    return tag(
        "svg",
        tag("title", _title(rules, moment)),
        *_field(),
        group(*_still(moment), class_="resting"),
        group(*_moving(moment, picture_id), class_="moving"),
        id=picture_id,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        role="img",
        class_="drawn-picture moment",
    )


def _title(rules: RuleSet, moment: Moment) -> str:
    end = "a touchdown" if moment.is_touchdown else f"{moment.yards} yards gained"
    plays = "one play" if len(moment.hops) == 1 else f"{len(moment.hops)} gains and losses"
    return f"{rules.title}: a drive of {plays}, {end}, with the dice that were rolled"


# --- Finding a drive ------------------------------------------------------------------------------


@cache
def find_moment(rules: RuleSet) -> Moment | None:
    """Return the first good drive of some games of the usual coaches, or else the longest one."""
    found: list[Moment] = []
    try:
        for moment in _drives(rules):
            found.append(moment)
            if moment.is_good:
                return moment
    except HashmarkError:  # the game needs options or files that are missing
        pass
    return max(found, key=lambda moment: moment.yards, default=None)


def _drives(rules: RuleSet) -> Iterator[Moment]:
    coach = rules.coach(default_opponent(rules.name).removeprefix("coach:"))
    turns = 0
    setup = rules.setup
    options = {} if setup.default_preset else setup.quick_start  # a hard preset has few touchdowns
    for seed in range(SEED, SEED + MAX_TURNS):
        game = Game(rules, options, dice=SeededDice(seed=seed))
        while not game.is_over and turns < MAX_TURNS:
            turns += 1
            _play_turn(game, coach)
        yield from _drives_of(game)
        if turns >= MAX_TURNS:
            return


def _play_turn(game: Game, coach: Coach) -> None:
    if game.wants_call:
        game.play(game.decide(coach))
    else:
        game.play()


def _drives_of(game: Game) -> Iterator[Moment]:
    """Yield the drives of a game: runs of turns in which the same team has the ball."""
    hops: list[Hop] = []
    dice: list[DrawnDie] = []
    for index, turn in enumerate(game.turns):
        before = turn.before
        after = game.turns[index + 1].before if index + 1 < len(game.turns) else game.position
        team = int(before.possession)
        if team < 0 or not 0 < before.spot < 100:
            continue
        rolled = [
            DrawnDie(die.die, die.face, team=die.team) for roll in turn.rolls for die in roll.dice
        ]
        dice = rolled or dice
        points = after.score[team] - before.score[team]
        keeps_ball = after.possession == team and 0 < after.spot < 100 and not points
        end = 100 if points in TOUCHDOWN_POINTS else int(after.spot)
        if (keeps_ball or end == 100) and end != before.spot:
            hops.append(Hop(int(before.spot), end, tuple(dice[-MAX_DICE:])))
        if not keeps_ball:
            if hops:
                yield Moment(team, tuple(hops))
            hops, dice = [], []


# --- The picture ----------------------------------------------------------------------------------


def _x(team: int, spot: float) -> float:
    along = min(max(spot, 0.0), 104.0) * YARD
    return ZONE_WIDTH + along if team == HOME else WIDTH - ZONE_WIDTH - along


def _field() -> list[Markup]:
    """Draw the field from above, with a line every ten yards, and the ground for the dice."""
    lines = "".join(
        f"M{ZONE_WIDTH + 10 * step * YARD:g} 0V{FIELD_HEIGHT:g}" for step in range(1, 10)
    )
    right = WIDTH - ZONE_WIDTH
    return [
        rect(0, 0, WIDTH, HEIGHT, class_="tray-ground"),
        rect(0, 0, WIDTH, FIELD_HEIGHT, class_="grass"),
        rect(0, 0, ZONE_WIDTH, FIELD_HEIGHT, class_="zone is-home"),
        rect(right, 0, ZONE_WIDTH, FIELD_HEIGHT, class_="zone is-away"),
        path(lines, class_="yard-line"),
        line(ZONE_WIDTH, 0, ZONE_WIDTH, FIELD_HEIGHT, class_="goal-line"),
        line(right, 0, right, FIELD_HEIGHT, class_="goal-line"),
    ]


def _still(moment: Moment) -> list[Markup]:
    end = _x(moment.team, moment.hops[-1].end)
    return [
        *(path(_arc(moment, hop), class_="drive-way") for hop in moment.hops),
        group(*_ball(), transform=f"translate({end:g} {BALL_Y:g})"),
        group(*_dice(moment.hops[-1].dice)),
        *_banner(moment),
    ]


def _moving(moment: Moment, picture_id: str) -> list[Markup]:
    count = len(moment.hops)
    seconds = MAX_SECONDS / count
    pieces = []
    for index, hop in enumerate(moment.hops):
        begin = _begin(picture_id, index * seconds)
        pieces += [
            _shown_from(begin, path(_arc(moment, hop), class_="drive-way")),
            _shown_from(
                begin,
                *_dice(hop.dice),
                until="" if index == count - 1 else _begin(picture_id, (index + 1) * seconds),
            ),
        ]
    pieces += [
        group(*_ball(), _flight(moment, picture_id)),
        _shown_from(_begin(picture_id, MAX_SECONDS), *_banner(moment)),
    ]
    return pieces


def _begin(picture_id: str, seconds: float) -> str:
    """Return when a movement begins: after the page is loaded, and again under the pointer."""
    return f"{seconds:.2f}s;{picture_id}.mouseenter+{seconds:.2f}s"


def _shown_from(begin: str, *inside: Markup, until: str = "") -> Markup:
    """Draw something that is hidden before a time, and after another one."""
    first = begin.split(";", 1)[1].split(".mouseenter", 1)[0]
    steps = [
        tag("set", attributeName="visibility", to="hidden", begin=f"0s;{first}.mouseenter"),
        tag("set", attributeName="visibility", to="visible", begin=begin),
    ]
    if until:
        steps.append(tag("set", attributeName="visibility", to="hidden", begin=until))
    return group(*inside, *steps)


def _flight(moment: Moment, picture_id: str) -> Markup:
    """Move the ball along the arcs, with a rest after each."""
    count = len(moment.hops)
    way = "".join(
        _arc(moment, hop) if not at else _curve(moment, hop) for at, hop in enumerate(moment.hops)
    )
    lengths = [abs(hop.end - hop.start) or 1 for hop in moment.hops]
    points, times, done = ["0"], ["0"], 0.0
    for index, length in enumerate(lengths):
        done += length / sum(lengths)
        points += [f"{min(done, 1):.3f}"] * 2
        times += [f"{(index + 0.55) / count:.3f}", f"{(index + 1) / count:.3f}"]
    return tag(
        "animateMotion",
        path=way,
        dur=f"{MAX_SECONDS:g}s",
        begin=_begin(picture_id, 0.0),
        fill="freeze",
        calcMode="linear",
        keyPoints=";".join(points),
        keyTimes=";".join(times),
    )


def _arc(moment: Moment, hop: Hop) -> str:
    return f"M{_x(moment.team, hop.start):g} {BALL_Y:g}{_curve(moment, hop)}"


def _curve(moment: Moment, hop: Hop) -> str:
    start, end = _x(moment.team, hop.start), _x(moment.team, hop.end)
    height = ARC_HEIGHT * min(1.0, 0.25 + abs(end - start) / 90)
    return f"Q{(start + end) / 2:g} {BALL_Y - height:g} {end:g} {BALL_Y:g}"


def _ball() -> list[Markup]:
    return [
        tag("ellipse", cx=0, cy=0, rx=9, ry=6, class_="ball"),
        path("M-4 0H4M-2 -2V2M2 -2V2", class_="laces"),
    ]


def _dice(dice: Sequence[DrawnDie]) -> list[Markup]:
    left = WIDTH / 2 - (len(dice) - 1) * (DICE_SIZE + DICE_GAP) / 2
    return [
        die_group(die, left + index * (DICE_SIZE + DICE_GAP), DICE_Y, DICE_SIZE, 0)
        for index, die in enumerate(sorted(dice, key=lambda die: die.team))
    ]


def _banner(moment: Moment) -> list[Markup]:
    if not moment.is_touchdown:
        return []
    words = class_names("moment-word", team_class(moment.team))
    return [
        rect(WIDTH / 2 - 82, 10, 164, 30, rx=8, class_=class_names("tag", team_class(moment.team))),
        text(WIDTH / 2, 31, "TOUCHDOWN", text_anchor="middle", class_=words),
    ]
