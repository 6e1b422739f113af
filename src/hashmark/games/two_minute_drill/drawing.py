"""Drawing of a two-minute drill in progress: the dice, where they are placed, and the sheet.

The team to act picks dice: each call that takes some, or turns one, is a choice that shows them
as they would be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hashmark.engine.drawings import (
    DEFAULT_COLORS,
    Box,
    BoxLine,
    BoxSheet,
    Choice,
    Choices,
    Drawing,
    DrawingPart,
    DrawnDie,
    Poster,
    Slot,
    Slots,
    Tray,
)
from hashmark.engine.game import Game
from hashmark.engine.record import AWAY, HOME
from hashmark.engine.rule_set import CallCode
from hashmark.errors import join_names
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.hand import referee_sum, turned_die, turned_face, yards_dt
from hashmark.games.two_minute_drill.meaning import pips_text
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.sheet import PAIRS, sheet_boxes
from hashmark.games.two_minute_drill.tables import DICE, DT, OT, REFEREE_TABLE, TOP_FACE
from hashmark.sheets.document import boxes_to_drawing

KINDS = tuple(f"d{TOP_FACE[die]}" for die in range(len(DICE)))
TWINS = {"d6a": "first", "d6b": "second", "dta": "first", "dtb": "second"}
VERBS = {  # each call that names dice
    "reroll": "reroll",
    "pick": "keep",
    "buy": "pay to keep",
    "turn": "turn",
    "referee": "referee gets",
    "yards": "yards by",
}


def drawing(game: Game, viewer: int) -> Drawing:
    """Return what is on the table now; the team to act also sees its calls."""
    m, g = game.match, game.position
    asked = game.wants_call and game.team_to_act == viewer
    calls = game.legal_calls() if asked else []
    parts: list[DrawingPart] = []
    tray = _tray(g)
    if tray.dice:
        parts.append(tray)
    choices = list(_choices(m, g, calls, game))
    if choices:
        note = _rule_of_picks(g, game.question.name)
        parts.append(Choices(game.question.text, choices, note))
    if any(g.dice):
        parts.append(_slots(g))
    return Drawing("Game sheet", [*parts, boxes_to_drawing(sheet_boxes(g), "Sheet")])


def _die(g: Position, die: int, face: int = 0, note: str = "") -> DrawnDie:
    label = die_label(g, die)
    return DrawnDie(KINDS[die], face or g.dice[die], DICE[die], _team(g, die), "", note, "", label)


def _team(g: Position, die: int) -> int:
    return 1 - g.possession if die in DT else g.possession


def _color(team: int) -> str:
    return DEFAULT_COLORS[team][0]


def die_label(g: Position, die: int) -> str:
    """Return a die in words: "blue d8", or "first orange d6" if there are two of them."""
    words = (TWINS.get(DICE[die], ""), _color(_team(g, die)), KINDS[die])
    return " ".join(word for word in words if word)


def label_call(g: Position, name: str) -> str:
    """Return a call that names dice in words: "referee gets blue d4 and first orange d6"."""
    verb, _, named = name.partition(":")
    if verb not in VERBS:
        return ""
    if verb == "turn":
        die, change = named[:-2], int(named[-2:])
        index = DICE.index(die)
        return f"turn {die_label(g, index)} to {g.dice[index] + change}"
    return f"{VERBS[verb]} {join_names(die_label(g, DICE.index(die)) for die in named.split(','))}"


def _rule_of_picks(g: Position, question: str) -> str:
    """Return which dice a question takes, for a player who picks others."""
    offense, defense = _color(g.possession), _color(1 - g.possession)
    rules = {
        "reroll": f"Only the {defense} dice can be rolled again, for 1 space.",
        "pick": f"The d4 and the {defense} dice always stay. Keep three others, at least one of "
        "them a d6. Apart from a d6, the lowest dice are free; any others cost 1 space.",
        "referee": f"The referee gets one {offense} and one {defense} die.",
        "yards": f"Pick one {offense} die; the {defense} die that is left is subtracted.",
    }
    return rules.get(question, "Only a die of a team with pips left can be turned.")


# --- Dice ---------------------------------------------------------------------------------


def _tray(g: Position) -> Tray:
    """Return the dice that are not placed yet."""
    placed = (g.referee_ot, g.referee_dt)
    loose = [die for die in range(len(DICE)) if g.dice[die] and die not in placed]
    dice = [
        _die(g, die, note="top" if g.dice[die] == TOP_FACE[die] else "")
        for die in loose
        if g.yards_ot < 0
    ]
    pips = pips_text(g)
    return Tray("Dice on the table", dice, f"Pips: {pips}." if pips else "")


def _slots(g: Position) -> Slots:
    """Return the three pairs of the sheet with the dice placed there."""
    (referee, _, _), (side, _, _), (yards, _, _) = PAIRS
    first = [g.referee_ot, g.referee_dt] if g.referee_ot >= 0 else []
    third = [g.yards_ot, yards_dt(g)] if g.yards_ot >= 0 else []
    rest = [die for die in OT if third and g.dice[die] and die not in (*first, *third)]
    return Slots(
        "Dice assignments",
        [
            Slot(f"{referee}: OT + DT", _dice(g, first), _referee_says(g)),
            Slot(f"{side}: OT + OT", _dice(g, rest), "even left, odd right"),
            Slot(f"{yards}: OT - DT", _dice(g, third), f"{g.gain:+d} so far" if third else ""),
        ],
    )


def _dice(g: Position, dice: Sequence[int]) -> list[DrawnDie]:
    return [_die(g, die) for die in dice]


def _referee_says(g: Position) -> str:
    """Return the line of the referee's table that the pair has reached."""
    if g.referee_ot < 0:
        return "7 to 9 is a good play"
    total = referee_sum(g)
    for sums, call, _ in REFEREE_TABLE:
        low, _, high = sums.rstrip("+").partition("-")
        if int(low) <= total and (sums.endswith("+") or total <= int(high or low)):
            return f"{total}: {call}"
    return str(total)


# --- Choices ------------------------------------------------------------------------------


def _choices(m: Match, g: Position, calls: Sequence[CallCode], game: Game) -> Iterator[Choice]:
    """Yield the calls that take dice or turn one, each with its meaning here."""
    words = game.rules.words
    for code in calls:
        name = game.rules.calls[code]
        dice = _taken(g, code, name)
        if dice:
            yield Choice(name, dice, words.meaning_at(m, g, code, name, game.names))


def _taken(g: Position, call: int, name: str) -> list[DrawnDie]:
    """Return the dice that a call names, as they would be after it."""
    if p.FIRST_TURN <= call < p.FIRST_REFEREE:
        return [_die(g, turned_die(call), turned_face(g, call))]
    named = name.partition(":")[2].split(",")
    return [_die(g, DICE.index(die)) for die in named if die in DICE and g.dice[DICE.index(die)]]


# Shown in the lobby.
POSTER = Poster(
    (
        "A solo game: five points down, 75 yards to go, 40 spaces on the clock.",
        "Roll eight dice, keep six, and place them in pairs: one for the referee, one for the side "
        "of the field, one for the yards.",
        "Every play uses up spaces, three time-outs save a few, and only a touchdown wins.",
    ),
    dice=(
        DrawnDie("d12", 11, team=HOME),
        DrawnDie("d8", 6, team=HOME),
        DrawnDie("d4", 3, team=HOME),
        DrawnDie("d6", 5, team=AWAY),
        DrawnDie("d10", 7, team=HOME),
    ),
    paper=BoxSheet(
        "Game sheet",
        [
            BoxLine("Down", [Box("1"), Box("2"), Box("3", "current"), Box("4")]),
            BoxLine("Clock", [Box("", "crossed")] * 10),
            BoxLine("Clock", [*[Box("", "crossed")] * 4, *[Box()] * 5, Box("12", "shaded")]),
            BoxLine("Time-outs", [Box("T", "crossed"), Box("T"), Box("T")]),
        ],
    ),
)
