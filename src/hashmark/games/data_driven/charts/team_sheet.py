"""A team's charts laid out as on paper: for the terminal, for HTML and for PDF."""

from __future__ import annotations

from dataclasses import dataclass

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.chart_file import ChartFile, League, RowSet, Team
from hashmark.games.data_driven.charts.layout import (
    HOME_FIELD_LIMITS,
    PENALTY_SETS,
    SET_KINDS,
    SHORT_FIELD_COLUMNS,
)
from hashmark.games.data_driven.tables import FORMATIONS, PASSES, PLAYS, PRIORITY_COLUMNS
from hashmark.sheets.document import Block, Cell, Column, Document, Heading, Note, Page, Table

Box = tuple[str, str]  # text and color
SIDE_NAMES = {"offence": "offense", "defence": "defense"}  # by key of a file
SPECIAL_TEAMS_CHARTS = (
    "kickoff",
    "kick-return",
    "punt",
    "punt-return",
    "field-goal",
    "int-return",
    "fumble-return",
    "big-play",
)


@dataclass(frozen=True)
class PrintedChart:
    """Printed chart: a title, headings, and rows of texts with their colors."""

    title: str
    headings: list[str]
    rows: list[list[Box]]


def _row_texts(rows: range, columns: list[tuple[int, ...]]) -> list[list[Box]]:
    return [
        [(str(row), "white"), *(_box(column[index]) for column in columns)]
        for index, row in enumerate(rows)
    ]


def _box(cell: int) -> Box:
    return c.spell(cell), c.color(cell)


def _add_row_set(rows: list[list[Box]], row_set: RowSet | None, inside: Box, outside: Box) -> None:
    """Add a column that says of each row whether it is in a set of rows."""
    mask = row_set.mask if row_set is not None else 0
    for index, row in enumerate(rows):
        row.append(inside if mask >> index & 1 else outside)


def offense_chart(team: Team) -> PrintedChart:
    """Return the nine plays, B and QT, with the recovery rows at the side."""
    names = [*(f"offence.{play}" for play in PLAYS), "breakaway", "qt"]
    rows = _row_texts(c.OFFENSE_ROWS, [team.columns[name] for name in names])
    _add_row_set(rows, team.sets.get("recovery"), ("kept", "green"), ("lost", "red"))
    plays = [f"{number} {play}" for number, play in enumerate(PLAYS, 1)]
    return PrintedChart("Offense", ["dice", *plays, "B", "QT", "fumble"], rows)


def special_chart(team: Team) -> PrintedChart:
    """Return kicks and returns, with the extra points at the side."""
    names = [name for name in SPECIAL_TEAMS_CHARTS if name in team.columns]
    rows = _row_texts(c.OFFENSE_ROWS, [team.columns[name] for name in names])
    _add_row_set(rows, team.sets.get("pat-miss"), ("miss", "red"), ("good", "white"))
    return PrintedChart("Special teams", ["dice", *names, "PAT"], rows)


def defense_charts(team: Team) -> list[PrintedChart]:
    """Return one small chart for each formation, and one of coverage and adjustments."""
    charts = []
    for letter, formation in zip("ABCDEF", FORMATIONS, strict=True):
        columns = [team.columns[f"defence.{formation}.{play}"] for play in PLAYS]
        rows = _row_texts(c.DEFENSE_ROWS, columns)
        charts.append(PrintedChart(f"Formation {letter}: {formation}", ["dice", *PLAYS], rows))
    names = [
        name
        for name in ("kick-coverage", "punt-coverage", "fg-adjust", "qr")
        if name in team.columns
    ]
    rows = _row_texts(c.DEFENSE_ROWS, [team.columns[name] for name in names])
    return [*charts, PrintedChart("Coverage and adjustments", ["dice", *names], rows)]


def supplement_lines(team: Team) -> list[tuple[str, str]]:
    """Return everything of a team that is not a column of cells, as label and text."""
    lines = []
    for name, rows in team.sets.items():
        if name in ("recovery", "pat-miss"):
            continue
        kinds = SET_KINDS.get(name)
        label = f"penalties {name}" if name in PENALTY_SETS else name
        kind = f"{kinds[rows.kind - 1]} on " if kinds else ""
        lines.append((label, f"{kind}{c.spell_rows(rows.mask)}"))
    if team.sack_yards:
        lines.append(("sack yards", str(team.sack_yards)))
    if team.qr_yards:
        lines.append(("QR yards", str(team.qr_yards)))
    lines.append(("hurry-up", str(team.hurry_up)))
    if team.max_usage is not None:
        pairs = zip(PLAYS, team.max_usage, strict=True)
        lines.append(("max usage", ", ".join(f"{play} {most}" for play, most in pairs)))
    field = zip(HOME_FIELD_LIMITS, team.home_field, strict=True)
    lines.append(("home field", ", ".join(f"{name} {value}" for name, value in field)))
    return lines


def league_charts(league: League) -> list[PrintedChart]:
    """Return what all teams share: the Priority Chart, squib returns, pass interference."""
    priority = [
        [(row, "white"), *((action, "white") for action in actions)]
        for row, actions in league.priority.items()
    ]
    charts = [PrintedChart("Priority Chart", ["offense, defense", *PRIORITY_COLUMNS], priority)]
    names = ["squib-return", *(f"pi-yards.{play}" for play in PASSES)]
    present = [name for name in names if name in league.columns]
    if present:
        rows = _row_texts(c.OFFENSE_ROWS, [league.columns[name] for name in present])
        charts.append(PrintedChart("League", ["dice", *present], rows))
    return [*charts, *_short_field_charts(league)]


def _short_field_charts(league: League) -> list[PrintedChart]:
    """E1: Return the charts of our extension, against runs and against passes."""
    charts = []
    for kind in ("run", "pass"):
        names = [column.name for column in SHORT_FIELD_COLUMNS if column.name.endswith(kind)]
        present = [name for name in names if name in league.columns]
        if present:
            heads = [name.rpartition(".")[2].removesuffix(f"-{kind}") for name in present]
            rows = _row_texts(c.OFFENSE_ROWS, [league.columns[name] for name in present])
            charts.append(
                PrintedChart(f"Short field, {kind} (our extension)", ["dice", *heads], rows)
            )
    return charts


def league_lines(league: League) -> list[tuple[str, str]]:
    """Return the league's sets of rows and mismatches."""
    lines = [(name, c.spell_rows(rows.mask)) for name, rows in league.sets.items()]
    return [
        *lines,
        *((f"mismatch, {SIDE_NAMES[side]}", pairs) for side, pairs in league.mismatch.items()),
    ]


# --- On paper ------------------------------------------------------------------------


def _table(chart: PrintedChart) -> Table:
    columns = [Column(heading, 1.0, "center") for heading in chart.headings]
    rows = [[Cell(text, "plain", c.GROUNDS[color]) for text, color in row] for row in chart.rows]
    return Table(columns, rows, title="")


def _blocks(charts: list[PrintedChart]) -> list[Block]:
    blocks: list[Block] = []
    for chart in charts:
        blocks += [Heading(chart.title), _table(chart)]
    return blocks


def _lines(lines: list[tuple[str, str]]) -> Table:
    return Table([Column("", 1), Column("", 4)], [[label, text] for label, text in lines])


def build_document(file: ChartFile, team: Team) -> Document:
    """Return a team's charts to print and play with real dice."""
    legend = Note(
        "Offense dice: ten times black, plus yellow and white. Defense dice: red plus green. "
        "Green: gain. Red: loss. Black: incomplete. Yellow: penalty. White: no yards.",
        small=True,
    )
    coverage = [Note(f"Partial season: {file.made_from}.")] if file.made_from is not None else []
    league = [*_blocks(league_charts(file.league)), _lines(league_lines(file.league))]
    pages: dict[str, list[Block]] = {
        "Offense": [_table(offense_chart(team)), legend],
        "Special teams": [_table(special_chart(team)), legend],
        "Defense": _blocks(defense_charts(team)),
        "Supplements": [_lines(supplement_lines(team))],
        "League": league,
    }
    return Document(
        f"{team.name} ({team.key})",
        [Page(title, [*coverage, *blocks], landscape=True) for title, blocks in pages.items()],
    )
