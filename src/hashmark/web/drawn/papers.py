"""A game's own paper as HTML: trays of dice, sheets with boxes, charts, cards.

Every part is real markup that can be read out and reached by keys: a chart is a table with
headings, what stands for a call is a button that sends it in the form `FORM` of the page, and a
mark that is seen is said as well. Dice bear their names in `data-die`, choices the dice that they
take in `data-dice`, so that a page may let a choice be made die by die.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup

from hashmark.table.drawings import (
    MARKS,
    Box,
    Card,
    Cards,
    Cell,
    Chart,
    Choice,
    Choices,
    Die,
    Drawing,
    Line,
    Part,
    Row,
    Sheet,
    Slot,
    Slots,
    Text,
    Tray,
    drawing_of,
)
from hashmark.table.game import Game
from hashmark.table.names import SHORT_NAMES, naming
from hashmark.table.secrets import WATCHER
from hashmark.telling.speech import capital
from hashmark.web.drawn.shapes import die_svg, named
from hashmark.web.drawn.sides import side
from hashmark.web.drawn.tags import NOTHING, classes, joined, tag

FORM = "question"  # the id of the form in which a page asks for a call


def paper(game: Game, viewer: int = WATCHER) -> Markup:
    """The paper of a game that is as the viewer may see it (`secrets.seen`); "" if it has none."""
    drawing = drawing_of(game, viewer)
    with naming(game.names):
        return NOTHING if drawing is None else render(drawing)


def render(drawing: Drawing) -> Markup:
    """Any drawing as markup, for the names in force."""
    if not drawing.parts:
        return NOTHING
    parts = (_part(one) for one in drawing.parts)
    return tag("section", *parts, class_="drawn-paper", aria_label=drawing.title)


def _part(part: Part) -> Markup:
    match part:
        case Tray():
            return _block("tray", part.title, _tray(part))
        case Slots():
            return _block("slots", part.title, *(_slot(one) for one in part.slots))
        case Choices():
            return _block("choices", part.title, tag("ul", *(_choice(one) for one in part.choices)))
        case Sheet():
            return _block("sheet", part.title, _sheet(part))
        case Chart():
            return _block("chart", "", _chart(part))
        case Cards():
            return _block("cards", part.title, tag("ul", *(_card(one) for one in part.cards)))
        case Text():
            return tag("p", part.text, class_="part-text")


def _block(kind: str, title: str, *inside: Markup) -> Markup:
    head = tag("h3", title, class_="part-title") if title else NOTHING
    return tag("div", head, *inside, class_=f"part part-{kind}")


# --- Dice ---------------------------------------------------------------------------------


def _tray(tray: Tray) -> Markup:
    dice = tag("ul", *(tag("li", _lying(die)) for die in tray.dice), class_="dice-list")
    note = tag("p", tray.note, class_="part-note") if tray.note else NOTHING
    return dice + note


def _lying(die: Die) -> Markup:
    """A die with its name below; a button if it stands for a call."""
    drawn = die_svg(die, named(die))
    words = [
        tag("span", die.name, class_="die-name", aria_hidden="true") if die.name else NOTHING,
        tag("span", die.note, class_="die-name") if die.note else NOTHING,
    ]
    if not die.call:
        return tag(
            "span", drawn, *words, class_=classes("lying", side(die.team)), data_die=die.name
        )
    return tag(
        "button",
        drawn,
        *words,
        **_sends(die.call),
        data_die=die.name,
        class_=classes("lying", side(die.team)),
    )


def _sends(call: str) -> dict[str, str]:
    """What makes a button say a call, with a script or without one."""
    return {"type": "submit", "form": FORM, "name_": "call", "value": call}


def _slot(slot: Slot) -> Markup:
    dice = [_lying(die) for die in slot.dice] or [tag("span", "", class_="no-dice")]
    return tag(
        "div",
        tag("span", slot.label, class_="slot-label"),
        tag("span", *dice, class_="slot-dice"),
        tag("span", slot.text, class_="slot-text") if slot.text else NOTHING,
        class_="slot",
    )


def _choice(choice: Choice) -> Markup:
    names = " ".join(die.name for die in choice.dice if die.name)
    dice = [
        tag(
            "span",
            die_svg(die, named(die)),
            tag("span", die.name, class_="die-name", aria_hidden="true"),
            class_=classes("lying", side(die.team)),
        )
        for die in choice.dice
    ]
    button = tag(
        "button",
        tag("span", *dice, class_="choice-dice") if dice else NOTHING,
        tag("span", choice.text, class_="choice-text"),
        **_sends(choice.call),
        data_dice=names or None,
    )
    return tag("li", button)


# --- Boxes --------------------------------------------------------------------------------


def _sheet(sheet: Sheet) -> Markup:
    """Lines under each other; if any has a label, all leave room for one."""
    labelled = any(one.label for one in sheet.lines)
    return joined(_line(one, labelled) for one in sheet.lines)


def _line(one: Line, labelled: bool) -> Markup:
    """A row of boxes; without a call in it, it is read out as one."""
    calls = any(box.call for box in one.boxes)
    boxes = [_box(box) for box in one.boxes]
    row = (
        tag("div", *boxes, class_="boxes")
        if calls
        else tag("div", *boxes, class_="boxes", role="img", aria_label=_line_words(one))
    )
    note = tag("p", one.note, class_="part-note") if one.note else NOTHING
    label = tag("span", one.label, class_="line-label") if labelled else NOTHING
    return tag("div", label, row, note, class_="line")


def _box(box: Box) -> Markup:
    names = classes(
        "box", f"mark-{box.mark}" if box.mark else "", "wide" if len(box.text) > 3 else ""
    )
    if not box.call:
        return tag("span", box.text, class_=names)
    spoken = tag("span", f" {MARKS[box.mark]}", class_="spoken") if box.mark else NOTHING
    return tag("button", box.text, spoken, **_sends(box.call), class_=names)


def _line_words(one: Line) -> str:
    """The boxes in words: written ones one by one, blank ones by how many are marked how."""
    said = []
    for written, run in groupby(one.boxes, key=lambda box: bool(box.text)):
        boxes = list(run)
        said += [_box_words(box) for box in boxes] if written else _blank_words(boxes)
    words = ", ".join(said) or "nothing"
    return f"{one.label}: {words}" if one.label else words


def _box_words(box: Box) -> str:
    return f"{box.text} ({MARKS[box.mark]})" if box.mark else box.text


def _blank_words(boxes: Sequence[Box]) -> list[str]:
    counts = Counter(box.mark for box in boxes)
    return [f"{count} {MARKS[mark] or 'blank'}" for mark, count in counts.items()]


# --- Charts and cards ---------------------------------------------------------------------


def _chart(chart: Chart) -> Markup:
    """A table with its caption; a wide one is scrolled by itself, also with the keyboard."""
    head = [tag("th", heading, scope="col") for heading in chart.headings]
    note = tag("p", chart.note, class_="part-note") if chart.note else NOTHING
    table = tag(
        "table",
        tag("caption", chart.title),
        tag("thead", tag("tr", *head)),
        tag("tbody", *(_row(row) for row in chart.rows)),
        class_=side(chart.team) or None,
    )
    frame = tag(
        "div", table, class_="chart-frame", tabindex="0", role="region", aria_label=chart.title
    )
    return frame + note


def _row(row: Row) -> Markup:
    cells = [_cell(cell) for cell in row.cells]
    name = tag("th", row.label, scope="row")
    return tag("tr", name, *cells, class_="is-current" if row.current else None)


def _cell(cell: Cell) -> Markup:
    names = classes(
        f"ground-{cell.ground}" if cell.ground else "", f"mark-{cell.mark}" if cell.mark else ""
    )
    spoken = tag("span", f" ({MARKS[cell.mark]})", class_="spoken") if cell.mark else NOTHING
    return tag("td", cell.text, spoken, class_=names)


def _card(card: Card) -> Markup:
    """A call: open, face down, or not yet there."""
    whose = capital(SHORT_NAMES[card.team]) if card.team in (0, 1) else ""
    state = "open" if card.text else "down" if card.laid else "empty"
    text = card.text or ("face down" if card.laid else "not called yet")
    return tag(
        "li",
        tag("span", f"{whose}: {card.label}" if whose else card.label, class_="card-label"),
        tag("span", text, class_="card-text"),
        class_=classes("card", f"card-{state}", side(card.team)),
    )
