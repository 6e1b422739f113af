"""Job that simulates a season many times; it can be interrupted at any point and resumed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.data import schedule
from hashmark.league.seasons.checkpoints import CheckpointText
from hashmark.league.seasons.season import REAL_PLANS
from hashmark.sanitize import quote
from hashmark.storage import search_path
from hashmark.web.jobs import job_types
from hashmark.web.jobs.job_types import JobContext, JobResult, Settings

MAX_RUNS = 10_000  # a few minutes on one core


class SeasonJobType:
    """Job type that runs `hashmark season`."""

    name = "season"
    is_resumable = True
    is_sandboxed = False
    required_libraries = ("numba",)

    def parse_settings(self, settings: Settings) -> dict[str, Any]:
        job_types.reject_unknown_settings(settings, "season", "runs", "seed", "plan", "charts")
        uploaded = job_types.parse_text(settings, "charts")
        if uploaded is not None and not job_types.SHA256_HEX.fullmatch(uploaded):
            raise HashmarkError("charts: submit this job on the page of these charts")
        parsed: dict[str, Any] = {
            "season": job_types.parse_season(settings)
            if uploaded is None
            else _parse_scheduled_season(settings),
            **job_types.parse_runs_and_seed(settings, MAX_RUNS),
        }
        plan = job_types.parse_text(settings, "plan")
        if plan is not None and plan != REAL_PLANS:
            with job_types.shipped_files_only():
                plan_names = search_path.available_names(plans.SUFFIX, charts.SHIPPED)
            if plan not in plan_names:
                raise UnknownName("game plan", plan, (REAL_PLANS, *plan_names))
            parsed["plan"] = plan
        return parsed if uploaded is None else {**parsed, "charts": uploaded}

    def digest_inputs(self, settings: Settings) -> str:
        paths = job_types.season_files(settings["season"]) if "charts" not in settings else []
        if "plan" in settings:
            with job_types.shipped_files_only():
                paths.append(plans.find(settings["plan"]))
        return job_types.digest_files(paths)

    def title(self, settings: Settings) -> str:
        plan_note = f", all teams on the plan {settings['plan']!r}" if "plan" in settings else ""
        charts_note = " on uploaded charts" if "charts" in settings else ""
        return f"{settings['season']} season{charts_note}, {settings['runs']:,} runs{plan_note}"

    def commands(self, settings: Settings) -> list[list[str]]:
        arguments = ["season", str(settings["season"])]
        arguments += ["--runs", str(settings["runs"]), "--seed", str(settings["seed"])]
        return [[*arguments, "--plan", settings["plan"]] if "plan" in settings else arguments]

    def files(self, settings: Settings) -> dict[str, str]:
        return {}

    def run(self, settings: Settings, context: JobContext) -> JobResult:
        from hashmark.league.seasons.season_run import SeasonRequest, run_season

        runs = settings["runs"]
        files = _uploaded_files(settings, context)
        request = SeasonRequest(
            settings["season"], runs, settings["seed"], plan=settings.get("plan")
        )
        with job_types.shipped_files_only(Path(path).parent for path in context.files.values()):
            result = run_season(
                request,
                threads=context.threads,
                cluster=context.cluster,
                resume=CheckpointText(context.checkpoint.read, context.checkpoint.write),
                progress=lambda done: context.progress(done, runs),
                interrupted=context.interrupted,
            )
            return JobResult(result.to_json(), result.report(), files, result.is_complete)


def digest_uploads(files: Mapping[str, bytes]) -> str:
    """Return the digest that identifies uploaded charts and plans."""
    hasher = hashlib.sha256()
    for name in sorted(files):
        hasher.update(f"{name} {len(files[name])}\n".encode())
        hasher.update(files[name])
    return hasher.hexdigest()


def _uploaded_files(settings: Settings, running: JobContext) -> dict[str, str]:
    """Return the uploaded charts and plans, if the season is played on them."""
    if "charts" not in settings:
        return {}
    contents = {name: Path(path).read_bytes() for name, path in running.files.items()}
    if digest_uploads(contents) != settings["charts"]:
        raise HashmarkError("the charts did not arrive: submit the job again on their page")
    return {name: content.decode() for name, content in contents.items()}


def _parse_scheduled_season(settings: Settings) -> int:
    """Parse a season whose schedule ships with the game."""
    year = job_types.parse_int(settings, "season")
    with job_types.shipped_files_only():
        known = schedule.available_seasons()
    if year not in known:
        listed = ", ".join(map(str, known))
        raise HashmarkError(f"no schedule for the {quote(year)} season: expected one of {listed}")
    return year


KIND = SeasonJobType()
