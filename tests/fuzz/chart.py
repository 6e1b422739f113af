"""Fuzzer of chart files: every fault is named, and charts without faults work everywhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import figures, team_sheet
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.export import iter_cells
from hashmark.sheets import render

from . import hostile
from .harness import Finding, Fuzzer, find_sentence_fault, main

DERIVED_TEAM = """
[teams.HERONS]
like = "OTTERS"
name = "Herons"
season = 2030
recovery = "10-12"
"""


@cache
def valid_text() -> str:
    """Return the shipped invented teams, and one team derived from another."""
    return (charts.SHIPPED / "invented.toml").read_text(encoding="utf-8") + DERIVED_TEAM


def make(random: Random) -> bytes:
    if random.random() < 0.05:
        count = random.choice((3, 30, 1200))
        chain = "".join(f'[teams.T{n}]\nlike = "T{n + 1}"\n' for n in range(count))
        return (valid_text() + chain + f'[teams.T{count}]\nlike = "OTTERS"\n').encode()
    return hostile.make_toml(random, valid_text())


def check(case: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.toml"
        path.write_bytes(case)
        chart_file, faults = charts.check(path)
        for message in faults:
            if problem := find_sentence_fault(message):
                raise Finding(problem)
        if chart_file is None or faults:
            return
        figures.find_warnings(chart_file)
        for owner in figures.owners(chart_file).values():
            [figure.to_json() for figure in figures.owner_figures(owner)]
        list(iter_cells(chart_file))
        for team in chart_file.teams.values():
            render(team_sheet.build_document(chart_file, team), "text")
        RULES.new_match({"charts": str(path)})


FUZZER = Fuzzer("chart", ".toml", make, check)

if __name__ == "__main__":
    main(FUZZER)
