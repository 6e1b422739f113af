"""Chart files and game plans with one change each: every error message, and a digest of the rest.

`tests/golden/data-driven-files.txt` has a line for each change: the error message, or a digest of
everything the file is read and shown as. `make golden` rewrites it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven import made_from
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import export, figures, team_sheet
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import check as plan_check
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans import text as plan_text
from hashmark.games.data_driven.tables import PLAYS
from hashmark.storage import search_path

Json = dict[str, Any]

SCENARIOS = Path(__file__).parents[3] / "scenarios"
GOLDEN = Path(__file__).parents[3] / "golden" / "data-driven-files.txt"
FULL = "full"  # a change of a file that must be complete
REMOVED = "(gone)"  # marks a value to remove

# --- Changes ----------------------------------------------------------------------------


def column(*first: str) -> list[str]:
    """Return a column of 30 cells that begins with these."""
    return [*first, *(str(20 + number % 4) for number in range(30 - len(first)))]


CHARTS: dict[str, Any] = {
    "format": charts.FORMAT,
    "name": "small",
    "partial": True,
    "league": {
        "season": 1999,
        "kickoff-spot": 35,
        "overtime": "modified",
        "overtime-seconds": 600,
        "overtime-timeouts": 2,
        "onside": "13-20",
        "pre-snap": "10-15,21",
        "squib-return": column("F 4", "TD", "OFF 10"),
        "pi-yards": {"screen": column()},
        "mismatch": {"offence": "1B 2B", "defence": "3C"},
        "priority": {"B": ["ADD", "OFF", "DEF", "DEF", "DEF", "DEF", "DEF"], "TD": {"#": "ADD"}},
    },
    "teams": {
        "A": {
            "name": "Able",
            "season": 2001,
            "recovery": "10-18,20",
            "pat-miss": "10",
            "muffed-snap": "11-12",
            "sack-rate": {"kind": "SCK", "rows": "10-12", "sack-yards": -7, "qr-yards": 5},
            "recovery-adjust": {"kind": "NG", "rows": "30"},
            "penalties": {"def-5": {"commit": "10-12"}, "pi": {"cancel": "30-39"}},
            "hurry-up": 4,
            "max-usage": {play: 3 + index for index, play in enumerate(PLAYS)},
            "home-field": {"offence-audibles": 2, "defence-audibles": 1, "hfa": 1, "road": 2},
            "offence": {
                "short-pass": column("6!", "INT 14", "PI 9", "QT", "OFF 4*", "INC", "-8*"),
                "draw": {"10": "B", "11": "DEF 5X"},
            },
            "defence": {"blitz": {"draw": ["-4", "(3)", "(0)", "F 3", "(-2)"]}},
            "kickoff": column("OFF 40", "OFF 5"),
            "punt": column("BLK 3", "44*", "DEF 15"),
            "breakaway": column("TD", "13*"),
            "fg-adjust": ["G", "", "NG", "", ""],
            "big-play": column("TD"),
        },
        "B": {
            "like": "A",
            "name": "Baker",
            "offence": {"short-pass": {"12": "INT 3"}},
            "defence": {"blitz": {"draw": {"2": "7"}}},
            "penalties": {"pi": {"commit": "10"}, "def-5": {"cancel": "11"}},
        },
    },
}
PLAN: dict[str, Any] = {
    "format": plans.FORMAT,
    "name": "small",
    "numbers": {"return-depth": 4, "roll-inside": 6},
    "play": [
        {"when": {"down": 3, "to-go": [7, 99], "lead": [-999, -9], "period": 4}, "draw": 1},
        {"when": {"spot": [80, 99], "down": [0, 4]}, "line-plunge": 3, "screen": 1},
        {"when": {"time": [0, 120], "down": [1, 2]}, "long-pass": 2, "off-tackle": 5},
        {"line-plunge": 1, "sideline-pass": 1000},
    ],
    "formation": [{"when": {"down": 0}, "blitz": 1}, {"standard": 2, "dime": 1}],
    "instead": [{"when": {"down": 4, "spot": [1, 60]}, "punt": 1}, {"play": 1}],
    "try": [{"when": {"lead": -2}, "two-point": 1}, {"extra-point": 1}],
    "kickoff": [{"kickoff": 9, "onside": 1}],
    "offence-timeout": [{"let-it-run": 1}],
    "defence-timeout": [{"when": {"period": [2, 4], "time": [30, 90]}, "timeout": 1}],
    "tempo": [{"let-it-run": 1, "spike": 2}],
    "audible": [{"stand": 1, "audible": 2, "audible-timeout": 1}],
}
SEASON: dict[str, Any] = {
    **PLAN,
    "format": plans.SEASON_FORMAT,
    "teams": {
        "AAA": {"kickoff": "3 1 1", "numbers": {"return-depth": 2}},
        "BBB": {"play": "=\n1 2 3 4 5 6 7 8 9\n=\n=", "try": "0 1\n="},
    },
}
ODD_VALUES: tuple[Any, ...] = (REMOVED, True, -1, 4711, "x", [], {"x": 1}, "")
TEXTS = ("INT 3", "F 2", "(TD)", "100", "-100", "OFF 40", "12", "B", "G", "*", "OFF 7", "7!", 7)
ROWS = ("", "9", "10-40", "12-10", "10-12,11", "39", "10-39", 10)
RANGES = (
    *(0, 1, 4, 5, 50, 99, 100, -100, 10000, [1, 2], [3, 4], [2, 4], [0, 0], [2, 3], [1, 4]),
    *([4, 99], [5, 99], [3, 1], [1, 1, 1], [-7, -3], [3, 7], [-3, 4], [0, 4], [-3, 0], [0, 99]),
    *([-99, 0], [-99, 5], [-99, -4], [-100, -1], [5, 999], [-5, 999], [1, 60], [40, 50], [51, 98]),
    *([0, 75], [65, 1800], [60, 1799], [1, 99], [2, 99], [60, 60], [1, True], [98, 99], [97, 99]),
    *([0, 9999], [0, 9998], [0, 10000], [-9999, 9999], [-9999, 9998], [-10000, 0], [0, 98], [2, 4]),
)
MADE_FROM_VALUES = (
    {"weeks": 4, "of-weeks": 17, "games": 60, "of-games": 256},
    {"weeks": 18, "of-weeks": 17, "games": 60, "of-games": 256},
    {"weeks": 4},
    None,
)
MORE_CHANGES: tuple[tuple[Any, tuple[str, ...], tuple[Any, ...]], ...] = (
    (CHARTS, ("format",), ("data-driven-charts/2",)),
    *((base, (made_from.MADE_FROM,), MADE_FROM_VALUES) for base in (CHARTS, PLAN, SEASON)),
    (CHARTS, ("name",), ("n" * 41, "n" * 40, "n" * 100)),
    (CHARTS, ("league", "kickoff-spot"), (REMOVED, 0, 1, 99, 100)),
    (CHARTS, ("league", "overtime-seconds"), (REMOVED, 9, 10, 3600, 3601)),
    (CHARTS, ("league", "overtime-timeouts"), (REMOVED, 0, 3, 4)),
    (CHARTS, ("league", "overtime"), ("golden", "sudden-death")),
    (CHARTS, ("league", "onside"), ROWS),
    (CHARTS, ("league", "squib-return"), (column("FC"), column()[:29], {"9": "1", "39": "2"})),
    (CHARTS, ("league", "pi-yards"), ({"draw": column()}, {"screen": column("-1")})),
    (CHARTS, ("league", "mismatch", "offence"), ("1G", "0A", "1BB", "9F 1A")),
    (CHARTS, ("league", "priority", "B"), (["ADD"] * 6, ["ADD"] * 6 + ["SUB"], {"(TD)": "OFF"})),
    (CHARTS, ("league", "priority", "X"), (["ADD"] * 7, {"#": "OFF"})),
    (CHARTS, ("teams", "A", "recovery"), ROWS),
    (CHARTS, ("teams", "A", "sack-rate", "kind"), ("QR", "G")),
    (CHARTS, ("teams", "A", "sack-rate", "sack-yards"), (REMOVED, -99, -100, 0)),
    (CHARTS, ("teams", "A", "sack-rate", "qr-yards"), (REMOVED, 1, 99, 100, 0)),
    (CHARTS, ("teams", "A", "recovery-adjust", "kind"), ("G", "QR")),
    (CHARTS, ("teams", "A", "penalties", "pi"), ({"commit": "10", "cancel": "11"}, {"commit": ""})),
    (CHARTS, ("teams", "A", "hurry-up"), (REMOVED, 0, 999, 1000)),
    (CHARTS, ("teams", "A", "max-usage", "draw"), (REMOVED, 0, 999, 1000)),
    (CHARTS, ("teams", "A", "home-field", "road"), (REMOVED, 0, 3)),
    (CHARTS, ("teams", "A", "home-field", "hfa"), (REMOVED, 3, 4)),
    (CHARTS, ("teams", "A", "offence", "short-pass"), (["OFF 5"] * 30, column(*["12!"] * 3))),
    *((CHARTS, ("teams", "A", "offence", play, "10"), TEXTS) for play in ("draw", "screen")),
    (CHARTS, ("teams", "A", "breakaway", "11"), (*TEXTS, "13")),
    (CHARTS, ("teams", "A", "punt", "12"), TEXTS),
    (CHARTS, ("teams", "A", "qr"), (["(4)", "(-4)", "(0)", "(3)", "2"], ["TD"] * 5)),
    (
        CHARTS,
        ("teams", "A", "defence", "blitz", "screen"),
        (["(TD)", "INT 4", "QT", "INC", "F 2"],),
    ),
    (CHARTS, ("teams", "B", "like"), ("C", "B", ["A"])),
    (CHARTS, ("teams", "A", "like"), ("B",)),
    (CHARTS, ("teams", "B", "breakaway"), ({"39": "TD"}, {"9": "TD"}, ["TD"])),
    (CHARTS, ("teams", "B", "fg-adjust"), ({"5": "G"}, {"1": "1"})),
    *((PLAN, ("play", "1", "when", key), RANGES) for key in plans.SITUATION_RANGES),
    (PLAN, ("play", "1", "when"), ({"down": 3, "to-go": 1}, {"to-go": [3, 5]}, {"downs": 1})),
    (PLAN, ("play", "1", "when"), ({"spot": [79, 99]}, {"spot": [80, 80]}, {"spot": [96, 96]})),
    (PLAN, ("play", "0", "when"), ({}, {"spot": [2, 99]}, {"spot": [1, 98]}, {"down": [1, 4]})),
    (
        PLAN,
        ("play", "0"),
        ({"draw": 0}, {"draw": 1001}, {"punt": 1}, {"when": {"spot": 97}, "draw": 1}),
    ),
    (PLAN, ("instead",), ([{"when": {"down": [1, 3]}, "play": 1}], [{"pooch-15": 1}])),
    (
        PLAN,
        ("formation",),
        ([{"when": {"spot": [1, 97]}, "nickel": 1}], [{"when": {"down": [1, 4]}, "dime": 1}]),
    ),
    (PLAN, ("numbers", "return-depth"), (0, 9, 10)),
    (PLAN, ("numbers", "roll-inside"), (0, 10, 11)),
    (PLAN, ("name",), ("n" * 41, "n" * 40)),
    (PLAN, ("kickoff",), ([{"kickoff": 1}] * 401, [{"kickoff": 1}] * 3)),
    (
        SEASON,
        ("teams", "BBB", "try"),
        ("=", "=\n1", "0 0\n=", "1 1001\n=", "1 -1\n=", " 1 12345\n="),
    ),
    (SEASON, ("teams", "BBB", "play"), ("=\n=\n=\n=",)),
    (SEASON, ("teams", "AAA", "numbers"), ({"return-depth": 10}, {"x": 1})),
    (SEASON, ("name",), ("n" * 41,)),
)


def paths(base: Json | list[Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every path of the base, but not each cell of a column."""
    inside = base.items() if isinstance(base, dict) else enumerate(base)
    for key, value in inside:
        here = (*path, str(key))
        yield here
        if isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict)):
            yield from paths(value, here)


def value_at(base: Json, place: tuple[str, ...]) -> Any:
    """Return the value at a path."""
    for key in place:
        base = base[int(key)] if isinstance(base, list) else base[key]
    return base


def changes() -> Iterator[tuple[str, Json, tuple[str, ...], Any]]:
    """Yield kind, base, path and the new value there."""
    kinds = (("charts", CHARTS, CHARTS), ("plan", PLAN, PLAN), ("season", SEASON, SEASON["teams"]))
    for kind, base, walked in kinds:
        for number, place in enumerate(paths(walked, ("teams",) if kind == "season" else ())):
            for value in (ODD_VALUES[number % 8], ODD_VALUES[(3 * number + 2) % 8]):
                yield kind, base, place, value
        for place in ((), *paths(walked)):
            if isinstance(value_at(walked, place), dict):
                yield kind, base, (*(("teams",) if kind == "season" else ()), *place, "colour"), 1
        for its_base, place, values in MORE_CHANGES:
            if its_base is base:
                yield from ((kind, base, place, value) for value in values)
    for place in (("teams", "A", "max-usage", "draw"), ("teams", "A", "recovery"), ("league",)):
        yield FULL, {**CHARTS, "partial": False}, place, REMOVED
    for owner in (("teams", "A"), ("league",)):
        for key in list(CHARTS[owner[0]]["A"] if len(owner) > 1 else CHARTS[owner[0]])[::2]:
            yield "sheets", CHARTS, (*owner, key), REMOVED


def with_change(base: Json, place: tuple[str, ...], value: object) -> Any:
    """Return a copy of the base with one change; a list of cells may be changed row by row."""
    copy = json.loads(json.dumps(base))
    inside = copy
    for key in place[:-1]:
        if isinstance(inside, dict) and isinstance(inside.get(key), list) and key != "draw":
            rows = inside[key]
            if rows and isinstance(rows[0], str):
                inside[key] = {str(row): cell for row, cell in enumerate(rows, 10)}
        inside = inside[int(key)] if isinstance(inside, list) else inside.setdefault(key, {})
    last: Any = int(place[-1]) if isinstance(inside, list) else place[-1]
    if value == REMOVED:
        del inside[last]
    else:
        inside[last] = value
    return copy


# --- Digests ---------------------------------------------------------------------------


def digest_charts(raw: Json) -> Any:
    reader = charts.ChartFileReader(Path("case.toml"))
    file = reader.read_file(raw)
    if reader.faults:
        return reader.faults
    return digest(file, figures.find_warnings(file), list(export.iter_cells(file)))


def digest_sheets(raw: Json) -> Any:
    """Return a digest of the teams' sheets and the figures of their columns."""
    file = charts.ChartFileReader(Path("case.toml")).read_file(raw)
    sheets = [team_sheet.build_document(file, team) for team in file.teams.values()]
    owners = figures.owners(file)
    figured = [
        figure.to_json() for owner in owners.values() for figure in figures.owner_figures(owner)
    ]
    return digest(list(owners), figured, sheets)


SITUATIONS = tuple(
    {"down": down, "to-go": to_go, "spot": spot, "lead": lead, "time": time, "period": period}
    for down, to_go, spot, lead, time, period in (
        (3, 7, 45, -9, 500, 4),
        (1, 10, 80, 0, 120, 2),
        (2, 4, 40, 3, 121, 5),
        (0, 2, 98, -2, 0, 1),
    )
)


def digest_plan(raw: Json) -> Any:
    plan = plans.parse(raw, "case.plan.toml")
    chosen = [plans.find_fitting_entry(plan.section("play"), situation) for situation in SITUATIONS]
    again = plans.build_plan(plan.name, plan.sections())
    texts = [*plan_text.describe(plan), plan_text.write_plan(plan), *plan_check.find_warnings(plan)]
    return digest(plan, chosen, again, texts)


def digest_season(raw: Json) -> Any:
    season_plans = plans.parse_season(raw, "case.plans.toml")
    season = plans.SeasonPlans(Path("case.plans.toml"), season_plans)
    teams = [season.team(code) for code in ("AAA", "bbb", "League") if code.upper() in season_plans]
    return digest(season_plans, teams, plan_text.write_season("case", season_plans))


def digest(*things: object) -> str:
    return hashlib.blake2b(repr(things).encode(), digest_size=6).hexdigest()


DIGESTS: dict[str, Callable[[Json], Any]] = {
    "charts": digest_charts,
    FULL: digest_charts,
    "sheets": digest_sheets,
    "plan": digest_plan,
    "season": digest_season,
}


def golden_line(kind: str, base: Json, place: tuple[str, ...], value: object) -> str:
    try:
        out = DIGESTS[kind](with_change(base, place, value))
    except HashmarkError as complaint:
        out = [str(complaint)]
    now = json.dumps(value)
    now = now if len(now) < 80 else f"{now[:60]}... {digest(now)}"
    return f"{kind} {' '.join(place)} = {now}: {out if isinstance(out, str) else ' | '.join(out)}"


def all_lines() -> list[str]:
    return [golden_line(*change) for change in changes()]


def change_ranges() -> list[range]:
    """Return the changes in ranges, one for each test; sheets take long."""
    kinds = [change[0] for change in changes()]
    sheets = kinds.index("sheets")
    cuts = [*range(0, sheets, 40), *range(sheets, len(kinds), 3), len(kinds)]
    return [range(first, last) for first, last in pairwise(cuts)]


@pytest.mark.parametrize("part", change_ranges(), ids=str)
def test_changed_files_match_the_golden_lines(part: range) -> None:
    if os.environ.get("UPDATE_GOLDEN") and part.start == 0:
        GOLDEN.write_text("\n".join(all_lines()) + "\n", encoding="utf-8")
    golden = GOLDEN.read_text(encoding="utf-8").splitlines()
    all_changes = list(changes())
    assert len(all_changes) == len(golden)
    for index in part:
        assert golden_line(*all_changes[index]) == golden[index]


def test_a_chart_report_has_all_keys_in_json() -> None:
    path = SCENARIOS / "data-driven-short-field.toml"
    report = figures.check_chart_file(path).to_json()
    assert list(report) == ["file", "made_from", "faults", "missing", "warnings", "columns"]
    assert report["file"] == str(path)
    assert (report["made_from"], report["faults"]) == (None, [])
    assert report["missing"]
    gone = figures.check_chart_file(path.with_name("gone.toml")).to_json()
    assert gone["faults"]
    assert (gone["missing"], gone["columns"]) == ([], {})


def test_only_complete_chart_files_are_listed(tmp_path: Path) -> None:
    heads = {"whole": charts.FORMAT, "part": f'{charts.FORMAT}"\npartial = true #', "other": "x"}
    for name, head in heads.items():
        text = f'format = "{head}"\n'
        (tmp_path / f"{name}{charts.SUFFIX}").write_text(text, encoding="utf-8")
    with search_path.search_beside(tmp_path / "game.log"):
        names = charts.list_names()
    assert {"invented", "2008", "whole"} <= set(names)
    assert not {"part", "other"} & set(names)


def test_a_plan_may_begin_with_a_byte_order_mark() -> None:
    text = plan_text.write_plan(plans.load("book"))
    assert plans.parse_text(f"\ufeff{text}", "marked") == plans.parse_text(text, "marked")


def test_a_team_of_a_season_may_have_a_hyphen_in_its_name() -> None:
    """The name is looked up among the teams, not among files."""
    with pytest.raises(HashmarkError, match=r"2008\.plans\.toml.*'ARI-X'"):
        plans.load("2008:ARI-X")


def test_every_cell_and_row_set_parses_as_before() -> None:
    """Every text that a cell may be, and some that it may not: its meaning and color."""
    forms = ("{}", "{}*", "{}!", "{}*!", "({})", "INT {}", "F {}", "BLK {}", "OFF {}*", "PI {}")
    texts = [form.format(n) for form in forms for n in (-151, -150, -7, -1, 0, 1, 2, 7, 150, 151)]
    texts += [*c.KINDS, "", "(TD)", "INT", "F", "BLK", "PI", "x", "1.5", "OFF 7", "--1"]
    assert digest([cell_facts(text) for text in texts]) == "dbdaa1473e69"
    sets = (
        "10",
        "10-39",
        "39",
        "12,14-16",
        "10,11",
        "9",
        "40",
        "10-40",
        "12-11",
        "10,10",
        "",
        " 10",
    )
    assert digest([row_set_facts(text) for text in sets]) == "56c35141bd54"


def cell_facts(text: str) -> Any:
    try:
        cell = c.parse(text)
    except ValueError as fault:
        return str(fault)
    questions = (c.is_number, c.is_out, c.is_bold, c.is_penalty, c.spell, c.color, c.number_of)
    return cell, [bool(ask(cell)) if ask.__name__[:3] == "is_" else ask(cell) for ask in questions]


def row_set_facts(text: str) -> Any:
    try:
        mask = c.parse_rows(text)
    except ValueError as fault:
        return str(fault)
    return mask, c.spell_rows(mask)
