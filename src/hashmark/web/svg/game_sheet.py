"""A game's own sheet as HTML: dice trays, boxes, charts and cards.

Every part is accessible markup: a chart is a table with headings, a call is a button that submits
the page's form `FORM_ID`, and every visible mark also has a text. Dice carry their names in
`data-die` and choices the dice that they use in `data-dice`, so that a page can offer a choice die
by die.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from markupsafe import Markup

from hashmark.engine.drawings import (
    MARK_MEANINGS,
    Box,
    BoxLine,
    BoxSheet,
    Card,
    Cards,
    Chart,
    ChartCell,
    ChartRow,
    Choice,
    Choices,
    Drawing,
    DrawingPart,
    DrawnDie,
    Slot,
    Slots,
    TextPart,
    Tray,
    draw_call_charts,
    make_drawing,
)
from hashmark.engine.game import Game
from hashmark.engine.team_names import TeamNames, short_names
from hashmark.session.redaction import SPECTATOR
from hashmark.text.phrases import capitalize
from hashmark.web.svg.die_shapes import die_svg, die_title
from hashmark.web.svg.markup import EMPTY, class_names, join_markup, tag
from hashmark.web.svg.team_colors import team_class

FORM_ID = "question"  # ID of the form that asks for a call


def draw_game_sheet(game: Game, viewer: int = SPECTATOR) -> Markup:
    """Return the sheet of a game already redacted for this viewer; "" if it has none."""
    drawing = make_drawing(game, viewer)
    return EMPTY if drawing is None else render_drawing(drawing, game.names)


def render_call_charts(game: Game) -> Markup:
    """Return the charts of the calls of this moment; "" if none are made from a chart."""
    drawing = draw_call_charts(game)
    return EMPTY if drawing is None else render_drawing(drawing, game.names)


def render_drawing(drawing: Drawing, names: TeamNames) -> Markup:
    """Render a drawing as markup."""
    if not drawing.parts:
        return EMPTY
    short = short_names(names)
    parts = (_part(part, short) for part in drawing.parts)
    return tag("section", *parts, class_="drawn-paper", aria_label=drawing.title)


def _part(part: DrawingPart, names: TeamNames) -> Markup:
    match part:
        case Tray():
            return _block("tray", part.title, _tray(part))
        case Slots():
            return _block("slots", part.title, *(_slot(item) for item in part.slots))
        case Choices():
            note = tag("p", part.note, class_="part-note pick-rule") if part.note else EMPTY
            listed = tag("ul", *(_choice(item) for item in part.choices))
            return _block("choices", part.title, note, listed)
        case BoxSheet():
            return _block("sheet", part.title, _sheet(part))
        case Chart():
            return _block("chart", "", _chart(part))
        case Cards():
            cards = (_card(item, names) for item in part.cards)
            return _block("cards", part.title, tag("ul", *cards))
        case TextPart():
            return tag("p", part.text, class_="part-text")


def _block(kind: str, title: str, *inside: Markup) -> Markup:
    head = tag("h3", title, class_="part-title") if title else EMPTY
    return tag("div", head, *inside, class_=f"part part-{kind}")


# --- Dice ---------------------------------------------------------------------------------


def _tray(tray: Tray) -> Markup:
    dice = tag("ul", *(tag("li", _die_markup(die)) for die in tray.dice), class_="dice-list")
    note = tag("p", tray.note, class_="part-note") if tray.note else EMPTY
    return dice + note


def _die_markup(die: DrawnDie) -> Markup:
    """Return a die with its name below; a button if it stands for a call."""
    svg = die_svg(die, die_title(die))
    labels = [
        _die_name(die),
        tag("span", die.note, class_="die-name") if die.note else EMPTY,
    ]
    if not die.call:
        return tag(
            "span",
            svg,
            *labels,
            class_=class_names("lying", team_class(die.team)),
            data_die=die.name,
            data_label=die.label or None,
        )
    return tag(
        "button",
        svg,
        *labels,
        **_submit_attributes(die.call),
        data_die=die.name,
        class_=class_names("lying", team_class(die.team)),
    )


def _die_name(die: DrawnDie) -> Markup:
    name = die.label or die.name
    return tag("span", name, class_="die-name", aria_hidden="true") if name else EMPTY


def _submit_attributes(call: str) -> dict[str, str]:
    """Return the attributes of a button that submits a call, with or without a script."""
    return {"type": "submit", "form": FORM_ID, "name_": "call", "value": call}


def _slot(slot: Slot) -> Markup:
    dice = [_die_markup(die) for die in slot.dice] or [tag("span", "", class_="no-dice")]
    return tag(
        "div",
        tag("span", slot.label, class_="slot-label"),
        tag("span", *dice, class_="slot-dice"),
        tag("span", slot.text, class_="slot-text") if slot.text else EMPTY,
        class_="slot",
    )


def _choice(choice: Choice) -> Markup:
    names = " ".join(die.name for die in choice.dice if die.name)
    dice = [
        tag(
            "span",
            die_svg(die, die_title(die)),
            _die_name(die),
            class_=class_names("lying", team_class(die.team)),
        )
        for die in choice.dice
    ]
    button = tag(
        "button",
        tag("span", *dice, class_="choice-dice") if dice else EMPTY,
        tag("span", choice.text, class_="choice-text"),
        **_submit_attributes(choice.call),
        data_dice=names or None,
    )
    return tag("li", button)


# --- Boxes --------------------------------------------------------------------------------


def _sheet(sheet: BoxSheet) -> Markup:
    """Return the lines of a sheet; if one has a label, all leave room for it."""
    labelled = any(line.label for line in sheet.lines)
    return join_markup(_line(line, labelled) for line in sheet.lines)


def _line(line: BoxLine, labelled: bool) -> Markup:
    """Return a row of boxes; screen readers read it as one unless it contains calls."""
    calls = any(box.call for box in line.boxes)
    boxes = [_box(box) for box in line.boxes]
    row = (
        tag("div", *boxes, class_="boxes")
        if calls
        else tag("div", *boxes, class_="boxes", role="img", aria_label=_describe_line(line))
    )
    note = tag("p", line.note, class_="part-note") if line.note else EMPTY
    label = tag("span", line.label, class_="line-label") if labelled else EMPTY
    return tag("div", label, row, note, class_="line")


def _box(box: Box) -> Markup:
    css_classes = class_names(
        "box", f"mark-{box.mark}" if box.mark else "", "wide" if len(box.text) > 3 else ""
    )
    if not box.call:
        return tag("span", box.text, class_=css_classes)
    mark_label = tag("span", f" {MARK_MEANINGS[box.mark]}", class_="spoken") if box.mark else EMPTY
    return tag("button", box.text, mark_label, **_submit_attributes(box.call), class_=css_classes)


def _describe_line(line: BoxLine) -> str:
    """Describe the boxes: written ones one by one, blank ones by count and mark."""
    descriptions = []
    for written, run in groupby(line.boxes, key=lambda box: bool(box.text)):
        boxes = list(run)
        descriptions += (
            [_describe_box(box) for box in boxes] if written else _describe_blanks(boxes)
        )
    words = ", ".join(descriptions) or "nothing"
    return f"{line.label}: {words}" if line.label else words


def _describe_box(box: Box) -> str:
    return f"{box.text} ({MARK_MEANINGS[box.mark]})" if box.mark else box.text


def _describe_blanks(boxes: Sequence[Box]) -> list[str]:
    counts = Counter(box.mark for box in boxes)
    return [f"{count} {MARK_MEANINGS[mark] or 'blank'}" for mark, count in counts.items()]


# --- Charts and cards ---------------------------------------------------------------------


def _chart(chart: Chart) -> Markup:
    """Return a chart as a table with a caption; a wide one scrolls, also with the keyboard."""
    head = [tag("th", heading, scope="col") for heading in chart.headings]
    note = tag("p", chart.note, class_="part-note") if chart.note else EMPTY
    table = tag(
        "table",
        tag("caption", chart.title),
        tag("thead", tag("tr", *head)),
        tag("tbody", *(_row(row) for row in chart.rows)),
        class_=team_class(chart.team) or None,
    )
    frame = tag(
        "div", table, class_="chart-frame", tabindex="0", role="region", aria_label=chart.title
    )
    return frame + note


def _row(row: ChartRow) -> Markup:
    cells = [_cell(cell) for cell in row.cells]
    name = tag("th", row.label, scope="row")
    return tag("tr", name, *cells, class_="is-current" if row.current else None)


def _cell(cell: ChartCell) -> Markup:
    css_classes = class_names(
        f"ground-{cell.color}" if cell.color else "", f"mark-{cell.mark}" if cell.mark else ""
    )
    mark_label = (
        tag("span", f" ({MARK_MEANINGS[cell.mark]})", class_="spoken") if cell.mark else EMPTY
    )
    return tag("td", cell.text, mark_label, class_=css_classes)


def _card(card: Card, names: TeamNames) -> Markup:
    """Return a call: open, face down, or not made yet."""
    team_name = capitalize(names[card.team]) if card.team in (0, 1) else ""
    state = "open" if card.text else "down" if card.is_played else "empty"
    text = card.text or ("face down" if card.is_played else "not called yet")
    return tag(
        "li",
        tag("span", f"{team_name}: {card.label}" if team_name else card.label, class_="card-label"),
        tag("span", text, class_="card-text"),
        class_=class_names("card", f"card-{state}", team_class(card.team)),
    )
