"""Job that builds the charts and plans of a season from uploaded play-by-play.

Uploads are untrusted: they are read in a process with tight memory and time limits
(`is_sandboxed`) and pass the same checks as in `hashmark charts build`.
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

FIRST, LAST = 1920, 2100  # plausible seasons; anything else is a typo
PARQUET, GZIP = b"PAR1", b"\x1f\x8b"
DIGEST = re.compile(r"[0-9a-f]{64}")
NAMES = {".parquet": "Parquet", ".csv.gz": "packed CSV", ".csv": "CSV"}


def suffix_of(content: bytes) -> str:
    """Detect the file type from the content; raise HashmarkError if it is not supported."""
    if len(content) > 8 and content.startswith(PARQUET) and content.endswith(PARQUET):
        return ".parquet"
    if content.startswith(GZIP):
        return ".csv.gz"
    first_line = content[:4096].partition(b"\n")[0]
    if first_line.count(b",") > 3 and b"\0" not in content[:4096]:
        return ".csv"
    raise HashmarkError(
        "this is no play-by-play: expected a Parquet or CSV file in the layout of nflverse"
    )


def question(season: Any, content: bytes, partial: bool = False) -> dict[str, Any]:
    """Return the settings of a charts job for this file."""
    return {
        "season": season,
        "partial": partial,
        "suffix": suffix_of(content),
        "digest": hashlib.sha256(content).hexdigest(),
    }


class Charts:
    """Job type that runs `hashmark charts build` and `hashmark plan build`."""

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
        arguments = [str(settings["season"]), "--pbp", _pbp_name(settings)]
        arguments += ["--partial"] if settings["partial"] else []
        return [["charts", "build", *arguments], ["plan", "build", *arguments]]

    def files(self, settings: Settings) -> dict[str, str]:
        return {}

    def run(self, settings: Settings, running: Running) -> Result:
        from hashmark.league.charts import build
        from hashmark.league.facts import pbp
        from hashmark.league.plans import tendencies

        source = running.files.get(_pbp_name(settings))
        if source is None:
            raise HashmarkError("the play-by-play did not arrive: bring it again")
        steps = iter(range(1, 1000))

        def report_step(*message: object) -> None:
            running.progress(min(next(steps), STEPS - 1), STEPS)

        year, partial = settings["season"], settings["partial"]
        try:
            built = build.build_charts(source, year, progress=report_step, partial=partial)
            season_plans = tendencies.season_plans(pbp.load(source, year), partial=partial)
        except HashmarkError as error:
            message = str(error).replace(str(source), "the file").replace(Path(source).name, "it")
            raise HashmarkError(message) from None
        files = {
            f"{year}{charts.SUFFIX}": built.text(),
            f"{year}{plans.SEASON_SUFFIX}": write_season(str(year), season_plans),
        }
        data = {"file": f"{year}{charts.SUFFIX}", **built.to_json()}
        return Result(data, report(built, files), files)


STEPS = 12


def report(built: Built, files: Mapping[str, str]) -> Report:
    """Build the report page: data used, completeness and fidelity of the charts."""
    year, made_from = built.season, built.charts.made_from
    whole = "a whole season" if made_from is None else f"{made_from}, not a whole season"
    fidelity = built.fidelity()
    rows: list[tuple[str, ...]] = []
    for play_fidelity in fidelity.plays:
        for event, (expected, actual, worst) in play_fidelity.events.items():
            error = f"{216 * worst:.1f} of 216"
            rows.append((play_fidelity.play, event, f"{expected:.3%}", f"{actual:.3%}", error))
        expected, actual, worst = play_fidelity.yards
        rows.append(
            (play_fidelity.play, "yards", f"{expected:.3f}", f"{actual:.3f}", f"{worst:.3f}")
        )
    input_rows = [
        (label, rest) for label, _, rest in (line.partition(": ") for line in built.report)
    ]
    return Report(
        f"Charts of {year} from your play-by-play",
        f"The charts of {len(built.teams)} teams and their real plans, from {whole}. "
        f"{_shipped_note(year, files)}".rstrip(),
        [
            Section("What they were made of", [Table("", ("Of the file", ""), input_rows, left=2)]),
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


def _shipped_note(year: int, files: Mapping[str, str]) -> str:
    """Return a sentence if these are exactly the charts that ship with the game."""
    shipped_file = charts.SHIPPED / f"{year}{charts.SUFFIX}"
    if (
        shipped_file.is_file()
        and shipped_file.read_text(encoding="utf-8") == files[shipped_file.name]
    ):
        return "They are, letter for letter, the charts that come with the game."
    return ""


def _pbp_name(settings: Settings) -> str:
    """Return the name of the uploaded play-by-play file."""
    return f"pbp_{settings['season']}{settings['suffix']}"


KIND = Charts()
