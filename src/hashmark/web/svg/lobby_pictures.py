"""Picture of a game in the lobby: its dice on a field, with its sheet if it uses one.

A game declares what its picture shows (`Presentation.poster`). For one that does not, some turns
are played, and the dice rolled in them are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from markupsafe import Markup

from hashmark.engine.drawings import Box, BoxSheet, Chart, DrawnDie, Poster
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import AWAY, HOME
from hashmark.engine.rolls import RolledDie
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.web.svg import markup
from hashmark.web.svg.die_shapes import die_group
from hashmark.web.svg.markup import EMPTY, class_names, group, path, rect, text

WIDTH, HEIGHT = 320.0, 180.0
HORIZON = 34.0  # top of the grass
SHEET_FRAME = (24.0, 30.0, 168.0, 132.0)  # left, top, width, height
SAMPLE_TURNS = 12  # played to find out a game's dice
MAX_DICE = 6
TILT_DEGREES = (-9, 7, -4, 11, -13, 5, 9, -6)  # degrees, so that dice look thrown
MAX_DIE_SIZES = {1: 128.0, 2: 96.0, 3: 84.0}  # size of dice without a sheet, by their number


def draw_lobby_picture(rules: RuleSet) -> Markup:
    """Return the picture of a game, with a text alternative."""
    poster = rules.presentation.poster
    dice = sample_dice(rules) if poster is None else tuple(poster.dice)
    paper = None if poster is None else poster.paper
    inside = [_ground(), _paper(paper), *(_on_paper(dice) if paper else _on_grass(dice))]
    return markup.svg_image(
        WIDTH, HEIGHT, _title(rules, poster, dice), *inside, class_="drawn-picture"
    )


def game_sentences(rules: RuleSet) -> tuple[str, ...]:
    """Return the description of a game: its three sentences, or its summary."""
    return (
        (rules.summary,)
        if rules.presentation.poster is None
        else rules.presentation.poster.sentences
    )


def _title(rules: RuleSet, poster: Poster | None, dice: Sequence[DrawnDie]) -> str:
    kinds = dict.fromkeys(die.kind for die in dice)
    paper = poster.paper.title if poster is not None and poster.paper is not None else ""
    return f"{rules.title}: {', '.join([*kinds, *([paper] if paper else [])])} on a football field"


@cache
def sample_dice(rules: RuleSet) -> tuple[DrawnDie, ...]:
    """Return the dice rolled in a game's first turns; of each kind, those of the largest roll."""
    rolls = _play_rolls(rules)
    largest: dict[str, Sequence[RolledDie]] = {}
    for roll in rolls:
        for kind in dict.fromkeys(die.die for die in roll):
            same = [die for die in roll if die.die == kind]
            if len(same) > len(largest.get(kind, ())):
                largest[kind] = same
    all_dice = [
        DrawnDie(die.die, die.face, team=die.team) for roll in largest.values() for die in roll
    ]
    by_team = sorted(all_dice, key=lambda die: die.team)
    return tuple(by_team[:MAX_DICE]) or (DrawnDie("d6", 4, team=HOME), DrawnDie("d6", 3, team=AWAY))


def _play_rolls(rules: RuleSet) -> list[Sequence[RolledDie]]:
    """Play the first turns of a game with a random coach and return its rolls."""
    rolls: list[Sequence[RolledDie]] = []
    try:
        game = Game(rules, {}, dice=SeededDice(seed=4))
        coach = rules.coach("random")
        while len(game.turns) < SAMPLE_TURNS and not game.is_over:
            turn = game.play(game.decide(coach))
            rolls += [roll.dice for roll in turn.rolls]
    except HashmarkError:  # the game needs options or files that are missing
        return rolls
    return rolls


# --- The ground ---------------------------------------------------------------------------


def _ground() -> Markup:
    """Draw the sky and grass up to a horizon, with converging yard lines."""
    bands, lines = [], []
    for step in range(-5, 6):
        near, far = 160 + step * 64, 160 + step * 36
        lines.append(f"M{near} {HEIGHT:g}L{far} {HORIZON:g}")
        if step % 2:
            bands.append(f"M{near} {HEIGHT:g}L{far} {HORIZON:g}H{far + 36}L{near + 64} {HEIGHT:g}z")
    across = [
        f"M{160 + (step + 0.5) * (36 + 28 * depth) - 4:g} {HORIZON + 146 * depth:g}h8"
        for depth in (0.28, 0.62)
        for step in range(-5, 5)
    ]
    return group(
        rect(0, 0, WIDTH, HEIGHT, class_="sky"),
        rect(0, HORIZON, WIDTH, HEIGHT - HORIZON, class_="grass"),
        path("".join(bands), class_="mown"),
        path("".join([*lines, *across]), class_="yard-line"),
        path(f"M0 {HORIZON:g}H{WIDTH:g}", class_="goal-line"),
    )


# --- Dice ---------------------------------------------------------------------------------


def _on_grass(dice: Sequence[DrawnDie]) -> list[Markup]:
    """Draw dice in a row, larger if they are few; those of two teams face each other."""
    count = min(len(dice), MAX_DICE)
    dice = sorted(dice[:count], key=lambda die: die.team)
    apart = 24.0 if len({die.team for die in dice}) == 2 else 0.0
    gap = 14.0 if count < 4 else 6.0
    size = min(MAX_DIE_SIZES.get(count, 56.0), (WIDTH - 24 - apart) / count - gap)
    x, pieces = (WIDTH - count * (size + gap) + gap - apart) / 2, []
    for index, die in enumerate(dice):
        if index and apart and die.team != dice[index - 1].team:
            x += apart
        pieces.append(_tilted_die(die, x + size / 2, 102 + (-7, 8)[index % 2], size, index))
        x += size + gap
    return pieces


def _on_paper(dice: Sequence[DrawnDie]) -> list[Markup]:
    """Draw dice next to the sheet, the first ones on its edge."""
    places = ((226, 62, 58), (278, 92, 56), (222, 128, 54), (284, 150, 46), (282, 38, 44))
    return [
        _tilted_die(die, x, y, size, index)
        for index, (die, (x, y, size)) in enumerate(zip(dice, places, strict=False))
    ]


def _tilted_die(die: DrawnDie, x: float, y: float, size: float, index: int) -> Markup:
    shadow = markup.tag(
        "ellipse", cx=x + 3, cy=y + size * 0.5, rx=size * 0.5, ry=size * 0.12, class_="shadow"
    )
    return group(shadow, die_group(die, x, y, size, TILT_DEGREES[index % len(TILT_DEGREES)]))


# --- The sheet ----------------------------------------------------------------------------


def _paper(paper: BoxSheet | Chart | None) -> Markup:
    """Draw a slightly tilted sheet of paper."""
    if paper is None:
        return EMPTY
    x, y, width, height = SHEET_FRAME
    inside = _chart(paper) if isinstance(paper, Chart) else _sheet(paper)
    return group(
        rect(x + 4, y + 5, width, height, rx=3, class_="shadow"),
        rect(x, y, width, height, rx=3, class_="paper"),
        text(x + 10, y + 18, paper.title, class_="paper-title"),
        *inside,
        transform=f"rotate(-4 {x + width / 2:g} {y + height / 2:g})",
    )


def _sheet(sheet: BoxSheet) -> list[Markup]:
    """Draw rows of boxes."""
    x, y, width, height = SHEET_FRAME
    row_height = (height - 34) / max(len(sheet.lines), 1)
    pieces = []
    for row, line in enumerate(sheet.lines):
        size = min((width - 20) / max(len(line.boxes), 1), row_height - 4, 24.0)
        for column, box in enumerate(line.boxes):
            pieces.append(_box(box, x + 10 + column * size, y + 27 + row * row_height, size))
    return pieces


def _box(box: Box, x: float, y: float, size: float) -> Markup:
    marked = f"mark-{box.mark}" if box.mark else ""
    inner = size - 2
    pieces = [rect(x, y, inner, inner, rx=2, class_=class_names("box", marked))]
    if box.text:
        center = (x + inner / 2, y + inner * 0.72)
        pieces.append(
            text(*center, box.text, text_anchor="middle", font_size=size * 0.5, class_="box-text")
        )
    if box.mark == "crossed":
        pieces.append(
            path(
                f"M{x:g} {y:g}l{inner:g} {inner:g}M{x + inner:g} {y:g}l{-inner:g} {inner:g}",
                class_="cross",
            )
        )
    return group(*pieces)


def _chart(chart: Chart) -> list[Markup]:
    """Draw a grid of cells."""
    x, y, width, height = SHEET_FRAME
    columns = max(len(chart.headings) - 1, 1)
    cell_width, cell_height = (width - 20) / columns, (height - 36) / max(len(chart.rows), 1)
    pieces = []
    for row, chart_row in enumerate(chart.rows):
        for column, cell in enumerate(chart_row.cells):
            left, top = x + 10 + column * cell_width, y + 27 + row * cell_height
            css_classes = class_names(
                "cell",
                f"ground-{cell.color}" if cell.color else "",
                f"mark-{cell.mark}" if cell.mark else "",
            )
            pieces.append(
                rect(left, top, cell_width - 1.5, cell_height - 1.5, rx=1.5, class_=css_classes)
            )
            size = min(cell_height * 0.56, cell_width / max(len(cell.text), 2) * 1.4)
            pieces.append(
                text(
                    left + cell_width / 2 - 0.7,
                    top + cell_height * 0.66,
                    cell.text,
                    text_anchor="middle",
                    font_size=size,
                    class_=class_names("cell-text", f"ground-{cell.color}" if cell.color else ""),
                )
            )
    return pieces
