"""Charts and plans of a season from play-by-play that somebody brings, as work for a page.

What comes from a stranger is read in a process that may take only so much memory and time
(`bounded`), and checked as `hashmark charts build` checks it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hashmark.club import kinds
from hashmark.club.kinds import Result, Running, Settings
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.text import write_season
from hashmark.pages.report import Report, Section, Table
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import shown

if TYPE_CHECKING:
    from hashmark.league.charts.build import Built

FIRST, LAST = 1920, 2100  # seasons, for those who mistype
PARQUET, GZIP = b"PAR1", b"\x1f\x8b"
DIGEST = re.compile(r"[0-9a-f]{64}")
NAMES = {".parquet": "Parquet", ".csv.gz": "packed CSV", ".csv": "CSV"}


def suffix_of(content: bytes) -> str:
    """What kind of file this is, by what is in it; refused if it is none that is read."""
    if len(content) > 8 and content.startswith(PARQUET) and content.endswith(PARQUET):
        return ".parquet"
    if content.startswith(GZIP):
        return ".csv.gz"
    first = content[:4096].partition(b"\n")[0]
    if first.count(b",") > 3 and b"\0" not in content[:4096]:
        return ".csv"
    raise HashmarkError(
        "this is no play-by-play: expected a Parquet or CSV file in the layout of nflverse"
    )


def question(season: Any, content: bytes, partial: bool = False) -> dict[str, Any]:
    """The settings of a work on this file."""
    return {
        "season": season,
        "partial": partial,
        "suffix": suffix_of(content),
        "digest": hashlib.sha256(content).hexdigest(),
    }


class Charts:
    """`hashmark charts build` and `hashmark plan build`."""

    name = "charts"
    goes_on = False
    bounded = True
    needs = ("polars", "numpy")

    def read(self, settings: Settings) -> dict[str, Any]:
        kinds.only(settings, "season", "partial", "suffix", "digest")
        year = kinds.whole(settings, "season")
        if not FIRST <= year <= LAST:
            raise HashmarkError(f"season: {shown(year)} is not between {FIRST} and {LAST}")
        suffix, digest = kinds.text(settings, "suffix"), kinds.text(settings, "digest")
        if suffix not in NAMES or digest is None or not DIGEST.fullmatch(digest):
            raise HashmarkError("charts are made from a file: bring one at /charts")
        partial = kinds.yes(settings, "partial")
        return {"season": year, "partial": partial, "suffix": suffix, "digest": digest}

    def materials(self, settings: Settings) -> str:
        return ""

    def title(self, settings: Settings) -> str:
        return f"Charts of {settings['season']} from play-by-play"

    def commands(self, settings: Settings) -> list[list[str]]:
        words = [str(settings["season"]), "--pbp", _plays(settings)]
        words += ["--partial"] if settings["partial"] else []
        return [["charts", "build", *words], ["plan", "build", *words]]

    def files(self, settings: Settings) -> dict[str, str]:
        return {}

    def run(self, settings: Settings, running: Running) -> Result:
        from hashmark.league.charts import build
        from hashmark.league.facts import pbp
        from hashmark.league.plans import tendencies

        source = running.files.get(_plays(settings))
        if source is None:
            raise HashmarkError("the play-by-play did not arrive: bring it again")
        steps = iter(range(1, 1000))

        def heard(*said: object) -> None:
            running.progress(min(next(steps), STEPS - 1), STEPS)

        year, partial = settings["season"], settings["partial"]
        try:
            built = build.build_charts(source, year, progress=heard, partial=partial)
            called = tendencies.season_plans(pbp.load(source, year), partial=partial)
        except HashmarkError as fault:
            said = str(fault).replace(str(source), "the file").replace(Path(source).name, "it")
            raise HashmarkError(said) from None
        files = {
            f"{year}{charts.SUFFIX}": built.text(),
            f"{year}{plans.SEASON_SUFFIX}": write_season(str(year), called),
        }
        told = {"file": f"{year}{charts.SUFFIX}", **built.to_json()}
        return Result(told, report(built, files), files)


STEPS = 12


def report(built: Built, files: Mapping[str, str]) -> Report:
    """What was made, how much of it is the season, and how true it is."""
    year, made_from = built.season, built.charts.made_from
    whole = "a whole season" if made_from is None else f"{made_from}, not a whole season"
    fidelity = built.fidelity()
    rows: list[tuple[str, ...]] = []
    for one in fidelity.plays:
        for event, (wanted, got, worst) in one.events.items():
            error = f"{216 * worst:.1f} of 216"
            rows.append((one.play, event, f"{wanted:.3%}", f"{got:.3%}", error))
        wanted, got, worst = one.yards
        rows.append((one.play, "yards", f"{wanted:.3f}", f"{got:.3f}", f"{worst:.3f}"))
    made = [(what, rest) for what, _, rest in (line.partition(": ") for line in built.report)]
    return Report(
        f"Charts of {year} from your play-by-play",
        f"The charts of {len(built.teams)} teams and their real plans, from {whole}. "
        f"{_shipped(year, files)}".rstrip(),
        [
            Section("What they were made of", [Table("", ("Of the file", ""), made, left=2)]),
            Section(
                "How true they are",
                [
                    Table(
                        "Columns under the average defence, exact; the league, by calls",
                        ("Column", "Result", "Wanted", "Got", "Largest error"),
                        rows,
                        left=2,
                    )
                ],
                fidelity.sentence(),
            ),
        ],
    )


def _shipped(year: int, files: Mapping[str, str]) -> str:
    """Whether the game ships the very same."""
    own = charts.SHIPPED / f"{year}{charts.SUFFIX}"
    if own.is_file() and own.read_text(encoding="utf-8") == files[own.name]:
        return "They are, letter for letter, the charts that come with the game."
    return ""


def _plays(settings: Settings) -> str:
    """What the file is called that was brought."""
    return f"pbp_{settings['season']}{settings['suffix']}"


KIND = Charts()
