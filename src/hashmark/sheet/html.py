"""A sheet as one web page that needs nothing else; it prints one sheet of paper for each page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from hashmark.sheet.document import (
    Block,
    Box,
    Boxes,
    BoxRow,
    Cards,
    Cell,
    Column,
    Columns,
    Document,
    Entries,
    Field,
    Heading,
    Note,
    Page,
    Table,
)
from hashmark.sheet.drawing import Area, Label, Point, Shape, Stroke, draw_field, field_height
from hashmark.sheet.layout import scale_of
from hashmark.sheet.letters import one_line, printable
from hashmark.sheet.paper import MARGIN, Paper, room_on

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --desk: #e9e9e4; --ink: #1a1a1a; --soft: #6b6b6b;
  --rule: #8c8c8c; --faint: #b8b8b8; --ground: #ebebe8; --band: #f7f7f5; --scale: 1;
  --row: 6.4mm; --line: 5.2mm; --side: 6.6mm; --letters: 3.3mm; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #1d1f21; --desk: #121314;
  --ink: #e8e6e1; --soft: #a3a19b; --rule: #6a6a68; --faint: #5d5e62; --ground: #2e3033;
  --band: #242628; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--desk); color: var(--ink);
  font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif;
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }
.page { background: var(--paper); max-width: 210mm; margin: 6mm auto; padding: 12mm;
  overflow-x: auto; box-shadow: 0 1px 6px #0003; font-size: var(--letters); line-height: 1.3; }
.page.wide { max-width: 297mm; }
.page > header { display: flex; justify-content: space-between; align-items: baseline;
  gap: 1em; border-bottom: .5mm solid var(--ink); margin-bottom: 3mm; padding-bottom: .8mm; }
h1 { font-size: 5.4mm; margin: 0; } h2 { font-size: 4.4mm; font-weight: normal; margin: 0; }
h3 { font-size: 3.7mm; margin: 0 0 1mm; break-after: avoid; }
p { margin: 0 0 3mm; white-space: pre-line; overflow-wrap: anywhere; }
p.small { font-size: 2.7mm; color: var(--soft); }
table { width: 100%; border-collapse: collapse; table-layout: fixed; margin: 0 0 3mm;
  border: 1px solid var(--rule); }
thead { display: table-header-group; } tr { break-inside: avoid; }
th, td { border: 1px solid var(--rule); padding: .3mm 1mm; overflow-wrap: anywhere;
  white-space: pre-line; height: var(--line); line-height: 1.2; }
th { background: var(--ground); font-size: .87em; }
.pencil td { height: var(--row); } .many tbody tr:nth-child(even) { background: var(--band); }
.left { text-align: left; } .center { text-align: center; } .right { text-align: right; }
td.strong { font-weight: bold; } td.shaded { background: var(--ground); }
td.struck { text-decoration: line-through; }
td.green { background: #cdeccd; color: #1a1a1a; } td.red { background: #f7cdc9; color: #1a1a1a; }
td.yellow { background: #fff0a3; color: #1a1a1a; } td.black { background: #333; color: #fff; }
.entries { display: flex; gap: 5mm; margin: 0 0 3mm; }
.entry { display: flex; gap: 1.5mm; align-items: baseline; min-width: 0; }
.entry label { color: var(--soft); }
.entry b { flex: 1; border-bottom: 1px solid var(--rule); min-height: 1.5em; min-width: 8mm;
  overflow-wrap: anywhere; }
.boxes { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 1.2mm 2mm;
  align-items: start; margin: 0 0 3mm; }
.boxes.bare { grid-template-columns: minmax(0, 1fr); }
.boxes .label { line-height: var(--side); }
.line { display: flex; flex-wrap: wrap; padding: 0 1px 1px 0; }
.box { position: relative; display: inline-flex; justify-content: center; align-items: center;
  min-width: var(--side); width: calc(var(--side) * var(--wide, 1)); height: var(--side);
  margin: 0 -1px -1px 0; padding: 0 .5mm;
  border: 1px solid var(--rule); white-space: nowrap; }
.line.whole { flex-wrap: nowrap; }
.line.whole .box { min-width: 0; flex: 0 1 calc(var(--side) * var(--wide, 1)); height: auto;
  aspect-ratio: var(--wide, 1); padding: 0; font-size: min(1em, 2.6mm); }
.box.shaded { background: var(--ground); }
.box.current { outline: .6mm solid var(--ink); outline-offset: -1.1mm; font-weight: bold; }
.box svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.box span { position: relative; }
.box path { fill: none; stroke: var(--ink); stroke-width: 1.4; vector-effect: non-scaling-stroke; }
.box.written path { stroke: var(--faint); stroke-width: 2; }
.box.ticked.written { padding-right: 5mm; }
.box.ticked svg { inset: 0 .4mm 0 auto; width: 4.6mm; }
.box.ticked path { stroke: var(--ink); stroke-width: 1.8; }
.dense th, .dense td { height: 3.45mm; line-height: 1.15; padding: 0 .8mm; }
.dense { font-size: 2.65mm; }
.cards { display: grid; grid-template-columns: repeat(var(--across), 1fr); margin: 0 0 3mm;
  padding-right: 1px; }
.card { border: 1px dashed var(--rule); height: var(--tall); text-align: center;
  padding: calc(var(--tall) * .12) 4mm 0; display: flex; flex-direction: column; gap: 2mm;
  overflow: hidden; break-inside: avoid; margin: 0 -1px -1px 0; }
.card b { font-size: calc(var(--tall) * .42); line-height: 1; }
.card strong { font-size: 4.6mm; } .card span { font-size: 2.8mm; color: var(--soft); }
.columns { display: flex; gap: 6mm; align-items: flex-start; }
.columns > div { min-width: 0; flex-basis: 0; }
.field { display: block; width: 100%; height: auto; margin: 0 0 3mm; overflow: visible;
  break-inside: avoid; }
.field text { font-family: inherit; dominant-baseline: central; }
.field .backed { paint-order: stroke; stroke: var(--paper); stroke-width: .8; }
@media screen and (max-width: 600px) { .page { padding: 4mm 3mm; margin: 0 0 4mm; }
  .columns, .entries { display: block; } .page > header { display: block; }
  table.many { min-width: 150mm; } }
@media print { body { background: none; }
  .page { max-width: none; margin: 0; padding: 0; box-shadow: none; overflow: visible;
    break-after: page; --row: calc(6.1mm * var(--scale)); --line: calc(4.6mm * var(--scale));
    --side: calc(6.2mm * min(1.1, var(--scale)));
    --letters: calc(3.05mm * max(.8, min(1, var(--scale)))); }
  .page th, .page td { padding-top: 0; padding-bottom: 0; }
  .dense { font-size: 2.3mm; }
  .page:last-child { break-after: auto; } .page.wide { page: wide; } }
"""
SIZES: dict[Paper, str] = {"a4": "A4", "letter": "letter"}
TONES = {tone: f"var(--{tone})" for tone in ("ink", "soft", "faint", "ground", "band")}


def render(document: Document, paper: Paper = "a4") -> str:
    """The whole document as one page of HTML."""
    size = SIZES[paper]
    pages = "\n".join(_page(document.title, page, paper) for page in document.pages)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_line(document.title)}</title>\n<style>{STYLE}"
        f"@page {{ size: {size} portrait; margin: {MARGIN}mm; }}\n"
        f"@page wide {{ size: {size} landscape; margin: {MARGIN}mm; }}\n"
        f"</style>\n</head>\n<body>\n{pages}\n</body>\n</html>\n"
    )


def _line(text: str) -> str:
    return escape(one_line(text))


def _text(text: str) -> str:
    return escape(printable(text))


def _page(title: str, page: Page, paper: Paper) -> str:
    width, height = room_on(page, paper)
    kind = "page wide" if page.landscape else "page"
    head = f"<header><h1>{_line(title)}</h1><h2>{_line(page.heading)}</h2></header>"
    scale = scale_of(page, paper)
    blocks = _blocks(page.blocks, width, height * min(1.0, scale))
    return f'<section class="{kind}" style="--scale: {scale:g}">\n{head}\n{blocks}\n</section>'


def _blocks(blocks: Iterable[Block], width: float, height: float) -> str:
    """Blocks in a frame of so many millimetres; only the drawing of a field needs to know."""
    return "\n".join(_block(block, width, height) for block in blocks)


def _block(block: Block, width: float, height: float) -> str:
    match block:
        case Heading(text):
            return _heading(text)
        case Note(text, small):
            return f"<p{_class('small' if small else '')}>{_text(text)}</p>"
        case Entries():
            return _entries(block)
        case Table():
            return _heading(block.title) + _table(block)
        case Boxes():
            return _heading(block.title) + _boxes(block)
        case Field():
            return _field(block, width, height)
        case Cards():
            return _cards(block)
        case Columns():
            return _columns(block, width, height)


def _class(*names: str) -> str:
    named = " ".join(name for name in names if name)
    return f' class="{named}"' if named else ""


def _heading(text: str) -> str:
    return f"<h3>{_line(text)}</h3>" if one_line(text) else ""


def _entries(block: Entries) -> str:
    inside = "".join(
        f'<div class="entry" style="flex:{entry.width:g} 1 0">'
        f"<label>{_line(entry.label)}</label><b>{_line(entry.text)}</b></div>"
        for entry in block.entries
    )
    return f'<div class="entries">{inside}</div>'


def _columns(block: Columns, width: float, height: float) -> str:
    inside = "\n".join(
        f'<div style="flex-grow:{share:.5f}">{_blocks(blocks, width * share - 3, height)}</div>'
        for blocks, share in zip(block.columns, block.widths, strict=True)
    )
    return f'<div class="columns">{inside}</div>'


# --- Tables and boxes --------------------------------------------------------------------


def _table(table: Table) -> str:
    if not table.columns:
        return ""
    whole = sum(column.width for column in table.columns)
    cols = "".join(f'<col style="width:{100 * c.width / whole:.3f}%">' for c in table.columns)
    heads = "".join(f'<th class="{c.align}">{_text(c.heading)}</th>' for c in table.columns)
    head = f"<thead><tr>{heads}</tr></thead>" if any(c.heading for c in table.columns) else ""
    rows = "\n".join(_row(table.columns, row) for row in table.filled())
    many = len(table.columns) > 4
    kind = _class(
        "pencil" if table.is_for_pencil else "",
        "many" if many else "",
        "dense" if table.dense else "",
    )
    return f"<table{kind}><colgroup>{cols}</colgroup>{head}\n<tbody>{rows}</tbody></table>"


def _row(columns: Sequence[Column], cells: Sequence[Cell]) -> str:
    drawn = (
        f"<td{_class(column.align, '' if cell.style == 'plain' else cell.style, cell.ground)}>"
        f"{_text(cell.text)}</td>"
        for column, cell in zip(columns, cells, strict=True)
    )
    return f"<tr>{''.join(drawn)}</tr>"


def _boxes(block: Boxes) -> str:
    if not any(row.label for row in block.rows):
        inside = "".join(f"<div>{_box_lines(row)}</div>" for row in block.rows)
        return f'<div class="boxes bare">{inside}</div>'
    inside = "".join(
        f'<div class="label">{_line(row.label)}</div><div>{_box_lines(row)}</div>'
        for row in block.rows
    )
    return f'<div class="boxes">{inside}</div>'


def _box_lines(row: BoxRow) -> str:
    per_row = row.per_row if row.per_row > 0 else max(1, len(row.boxes))
    chunks = [row.boxes[at : at + per_row] for at in range(0, len(row.boxes), per_row)]
    kind = _class("line", "whole" if row.per_row > 0 else "")
    return "".join(f"<div{kind}>{''.join(map(_box, chunk))}</div>" for chunk in chunks)


_SIGNS = {"crossed": "M0 0L20 20M20 0L0 20", "ticked": "M4 11L8 15L16 5"}


def _box(box: Box) -> str:
    kind = _class("box", "" if box.style == "open" else box.style, "written" if box.text else "")
    sign = _SIGNS.get(box.style, "")
    ratio = ' preserveAspectRatio="none"' if box.style == "crossed" else ""
    drawn = f'<svg viewBox="0 0 20 20"{ratio}><path d="{sign}"/></svg>' if sign else ""
    size = f' style="--wide:{box.width:g}"' if box.width != 1 else ""
    return f"<span{kind}{size}>{drawn}<span>{_line(box.text)}</span></span>"


# --- Cards ---------------------------------------------------------------------------------


def _cards(block: Cards) -> str:
    drawn = "".join(
        f'<div class="card"><b>{_line(card.sign)}</b><strong>{_line(card.name)}</strong>'
        f"<span>{_text(card.text)}</span></div>"
        for card in block.cards
    )
    size = f"--across: {block.per_row}; --tall: {block.height:g}mm"
    return f'<div class="cards" style="{size}">{drawn}</div>'


# --- The field -----------------------------------------------------------------------------


def _field(field: Field, width: float, page_height: float) -> str:
    width = max(width, 20.0)
    height = field_height(field, width, page_height)
    shapes = "".join(map(_shape, draw_field(field, width, height)))
    return (
        f'<svg class="field" viewBox="0 0 {width:.2f} {height:.2f}" role="img" '
        f'aria-label="football field">{shapes}</svg>'
    )


def _shape(shape: Shape) -> str:
    match shape:
        case Stroke(points, weight, tone, dashes):
            dashed = f' stroke-dasharray="{dashes[0]:g} {dashes[1]:g}"' if dashes else ""
            return (
                f'<polyline points="{_points(points)}" fill="none" stroke="{TONES[tone]}" '
                f'stroke-width="{weight:g}"{dashed}/>'
            )
        case Area(points, tone):
            return f'<polygon points="{_points(points)}" fill="{TONES[tone]}"/>'
        case Label():
            return _label(shape)


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


def _label(label: Label) -> str:
    x, y = label.at
    turn = f' transform="rotate(-90 {x:.2f} {y:.2f})"' if label.turned else ""
    bold = ' font-weight="bold"' if label.bold else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{label.size:.2f}" '
        f'text-anchor="{label.anchor}" fill="{TONES[label.tone]}"{bold}{turn}'
        f"{_class('backed' if label.backed else '')}>{_line(label.text)}</text>"
    )
