"""Job that builds the charts and plans of a season from uploaded play-by-play.

Uploads are untrusted: they are read in a process with tight memory and time limits
(`is_sandboxed`) and pass the same checks as in `hashmark charts build`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.text import write_season
from hashmark.sanitize import quote
from hashmark.web.jobs import job_types
from hashmark.web.jobs.job_types import JobContext, JobResult, Settings

MIN_SEASON, MAX_SEASON = 1920, 2100  # plausible seasons; anything else is a typo
PARQUET_MAGIC, GZIP_MAGIC = b"PAR1", b"\x1f\x8b"
PROGRESS_STEPS = 12
FORMAT_NAMES = {".parquet": "Parquet", ".csv.gz": "packed CSV", ".csv": "CSV"}


def detect_suffix(content: bytes) -> str:
    """Detect the file type from the content; raise HashmarkError if it is not supported."""
    if len(content) > 8 and content.startswith(PARQUET_MAGIC) and content.endswith(PARQUET_MAGIC):
        return ".parquet"
    if content.startswith(GZIP_MAGIC):
        return ".csv.gz"
    first_line = content[:4096].partition(b"\n")[0]
    if first_line.count(b",") > 3 and b"\0" not in content[:4096]:
        return ".csv"
    raise HashmarkError(
        "this is not play-by-play: expected a Parquet or CSV file in nflverse format"
    )


def charts_settings(season: object, content: bytes, partial: bool = False) -> dict[str, Any]:
    """Return the settings of a charts job for this file."""
    return {
        "season": season,
        "partial": partial,
        "suffix": detect_suffix(content),
        "digest": hashlib.sha256(content).hexdigest(),
    }


class ChartsJobType:
    """Job type that runs `hashmark charts build` and `hashmark plan build`."""

    name = "charts"
    is_resumable = False
    is_sandboxed = True
    required_libraries = ("polars", "numpy")

    def parse_settings(self, settings: Settings) -> dict[str, Any]:
        job_types.reject_unknown_settings(settings, "season", "partial", "suffix", "digest")
        year = job_types.parse_int(settings, "season")
        if not MIN_SEASON <= year <= MAX_SEASON:
            raise HashmarkError(
                f"season: {quote(year)} is not between {MIN_SEASON} and {MAX_SEASON}"
            )
        suffix, digest = (
            job_types.parse_text(settings, "suffix"),
            job_types.parse_text(settings, "digest"),
        )
        if (
            suffix not in FORMAT_NAMES
            or digest is None
            or not job_types.SHA256_HEX.fullmatch(digest)
        ):
            raise HashmarkError("charts are made from a file: upload one at /charts")
        partial = job_types.parse_bool(settings, "partial")
        return {"season": year, "partial": partial, "suffix": suffix, "digest": digest}

    def digest_inputs(self, settings: Settings) -> str:
        return ""

    def title(self, settings: Settings) -> str:
        return f"{settings['season']} charts from play-by-play"

    def commands(self, settings: Settings) -> list[list[str]]:
        arguments = [str(settings["season"]), "--pbp", _pbp_name(settings)]
        arguments += ["--partial"] if settings["partial"] else []
        return [["charts", "build", *arguments], ["plan", "build", *arguments]]

    def files(self, settings: Settings) -> dict[str, str]:
        return {}

    def run(self, settings: Settings, context: JobContext) -> JobResult:
        from hashmark.league.charts import build
        from hashmark.league.charts.charts_report import build_charts_report
        from hashmark.league.data import play_by_play, play_file_limits
        from hashmark.league.plans import real_plans

        source = context.files.get(_pbp_name(settings))
        if source is None:
            raise HashmarkError("the play-by-play did not arrive: upload it again")
        steps = iter(range(1, 1000))

        def report_step(*message: object) -> None:
            context.progress(min(next(steps), PROGRESS_STEPS - 1), PROGRESS_STEPS)

        year, partial = settings["season"], settings["partial"]
        try:
            play_file_limits.check_file(Path(source))
            plays = play_by_play.load(source, year)
            play_file_limits.check_teams(plays)
            built = build.build_charts(source, year, progress=report_step, partial=partial)
            season_plans = real_plans.build_season_plans(plays, partial=partial)
        except HashmarkError as error:
            message = str(error).replace(str(source), "the file").replace(Path(source).name, "it")
            raise HashmarkError(message) from None
        files = {
            f"{year}{charts.SUFFIX}": built.text(),
            f"{year}{plans.SEASON_SUFFIX}": write_season(str(year), season_plans),
        }
        data = {"file": f"{year}{charts.SUFFIX}", **built.to_json()}
        return JobResult(data, build_charts_report(built), files)


def _pbp_name(settings: Settings) -> str:
    """Return the name of the uploaded play-by-play file."""
    return f"pbp_{settings['season']}{settings['suffix']}"


KIND = ChartsJobType()
