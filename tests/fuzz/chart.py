"""Fuzzes chart files: every fault is named, and charts without one can be used for everything."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import figures, team_sheet
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.export import each_cell
from hashmark.sheet import render

from . import hostile
from .harness import Finding, Fuzzer, main, poor_sentence

MORE = """
[teams.HERONS]
like = "OTTERS"
name = "Herons"
season = 2030
recovery = "10-12"
"""


@cache
def honest() -> str:
    """The shipped invented teams, and one that is like another."""
    return (charts.SHIPPED / "invented.toml").read_text(encoding="utf-8") + MORE


def make(random: Random) -> bytes:
    if random.random() < 0.05:
        count = random.choice((3, 30, 1200))
        chain = "".join(f'[teams.T{n}]\nlike = "T{n + 1}"\n' for n in range(count))
        return (honest() + chain + f'[teams.T{count}]\nlike = "OTTERS"\n').encode()
    return hostile.toml_case(random, honest())


def check(case: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.toml"
        path.write_bytes(case)
        read, faults = charts.check(path)
        for said in faults:
            if wrong := poor_sentence(said):
                raise Finding(wrong)
        if read is None or faults:
            return
        figures.warnings(read)
        for owner in figures.owners(read).values():
            [one.to_json() for one in figures.of_owner(owner)]
        list(each_cell(read))
        for team in read.teams.values():
            render(team_sheet.document(read, team), "text")
        RULES.new_match({"charts": str(path)})


FUZZER = Fuzzer("chart", ".toml", make, check)

if __name__ == "__main__":
    main(FUZZER)
