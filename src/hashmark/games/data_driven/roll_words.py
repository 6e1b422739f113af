"""Purpose of each roll of Data-Driven Football: the column or chart it was made on."""

from __future__ import annotations

from hashmark.engine.dice import COIN
from hashmark.engine.game import Turn
from hashmark.engine.rolls import Purpose, Roll
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.cells import BLANK, LONG_SIZE, SHORT_SIZE, spell
from hashmark.games.data_driven.dice import BOUNCE_DIE, CROWD_DIE, DEFENSE_DICE, FALSE_READ_DIE
from hashmark.games.data_driven.position import Match

COLUMN_NAMES = {
    "qt": "quarterback trapped",
    "big-play": "big play",
    "int-return": "interception return",
    "fg-adjust": "field goal, defense",
    "qr": "containment",
}
# For each set of rows: what is rolled for, and the texts for a row in it and not in it.
ROW_SET_TEXTS = {
    "recovery": ("fumble recovery", "kept", "lost"),
    "pat-miss": ("extra point", "missed", "good"),
    "muffed-snap": ("snap", "muffed", "clean"),
    "sack-rate": ("sack rate", "changed", "no change"),
    "recovery-adjust": ("recovery, defense", "changed", "no change"),
    "onside": ("onside kick", "recovered", "lost"),
    "pre-snap": ("before the snap?", "yes", "no"),
    "holding": ("holding in the end zone?", "yes", "no"),
    "between-downs": ("between downs?", "yes", "no"),
}


def in_words(name: str) -> str:
    """Return a play, formation or chart name without hyphens."""
    return name.replace("-", " ")


def cell_text(cell: int) -> str:
    """Return a cell as printed; a white box is 0."""
    return "0" if cell == BLANK else spell(cell)


def column_name(name: str) -> str:
    """Return the display name of a column of 30 or 5 cells."""
    kind, *rest = name.split(".")
    if kind == "offence":
        return in_words(rest[0])
    if kind == "defence":
        return f"{in_words(rest[0])} against {in_words(rest[1])}"
    if kind == "pi-yards":
        return "interference yards"
    if kind == "short-field":
        return stop_name(rest[0])
    return COLUMN_NAMES.get(kind, in_words(kind))


def stop_name(name: str) -> str:
    """Return the display name of a short-field column: "run, 5 yards to goal"."""
    if name.startswith("chains"):
        return "measurement"
    line, yards, kind = name.split("-")
    where = "to goal" if line == "goal" else "to gain"
    return f"{kind}, {yards} yards or less {where}"


def stop_text(cell: int) -> str:
    """E1: Return a short-field cell in words: a white box lets the play stand."""
    return "play stands" if cell == BLANK else spell(cell)


def column_of(m: Match, roll: Roll) -> layout.ChartColumn | None:
    """Return the chart column that was rolled on; None for any other roll."""
    for cells, columns, size in (
        (m.long_cells, layout.LONG_COLUMNS, LONG_SIZE),
        (m.short_cells, layout.SHORT_COLUMNS, SHORT_SIZE),
        (m.short_field_cells, layout.SHORT_FIELD_COLUMNS, LONG_SIZE),
    ):
        if roll.cells is cells:
            return columns[roll.first_cell // size % len(columns)]
    return None


def roll_purpose(m: Match, turn: Turn, roll: Roll) -> Purpose:
    """Return what a roll was for, with its total and the cell it shows."""
    column = column_of(m, roll)
    if column is not None:
        spelling = stop_text if column in layout.SHORT_FIELD_COLUMNS else cell_text
        return Purpose(column_name(column.name), f"{roll.outcome}, {spelling(roll.cell)}")
    if roll.cells is m.row_sets:
        which = layout.ROW_SETS[roll.first_cell // LONG_SIZE % len(layout.ROW_SETS)]
        label, inside, outside = ROW_SET_TEXTS[which]
        return Purpose(label, f"{roll.outcome}, {inside if roll.cell else outside}")
    if roll.cells is m.penalty_rows:
        return Purpose("penalty check", f"{roll.outcome}, {_penalties(m, roll)}")
    return _chartless_purpose(roll)


def _penalties(m: Match, roll: Roll) -> str:
    """Return the columns of the defense's penalty chart that contain the row."""
    first = roll.team * len(layout.ROW_SETS) + layout.DEF_5_ROWS
    shown = [
        f"{layout.SET_KINDS[name][m.set_kinds[first + index] - 1]}s {in_words(name).upper()}"
        for index, name in enumerate(layout.PENALTY_SETS)
        if roll.cell >> index & 1
    ]
    return ", ".join(shown) or "no foul"


def _chartless_purpose(roll: Roll) -> Purpose:
    """Return the purpose of dice that no chart is read with."""
    labels = {
        COIN: "coin toss",
        FALSE_READ_DIE: "false read",
        CROWD_DIE: "home field",
        BOUNCE_DIE: "yards of the roll",
        DEFENSE_DICE: "direction of the roll",
    }
    return Purpose(labels.get(roll.pool, "which foul"))
