"""Job that simulates a team's season under a changed plan.

With `answered` it also simulates the change when every opponent responds with its best calls.
"""

from __future__ import annotations

from textwrap import shorten
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.league.data import schedule, teams
from hashmark.league.whatifs.change_request import ChangeRequest
from hashmark.sanitize import quote
from hashmark.web.jobs import job_types
from hashmark.web.jobs.job_types import JobContext, JobResult, Settings

MAX_RUNS = 5_000  # a few minutes on one core, with all answers
LIST_SETTINGS = ("pass_rate", "play", "blitz_rate", "formation", "tempo")
TEXT_SETTINGS = ("fourth_down", "when")
MAX_CHANGES = 40
MAX_DESCRIPTION_LENGTH = 120  # characters of the description of changes


class WhatIfJobType:
    """Job type that runs `hashmark whatif` with a change of the user's choice."""

    name = "whatif"
    is_resumable = False
    is_sandboxed = False
    required_libraries = ("numba",)

    def parse_settings(self, settings: Settings) -> dict[str, Any]:
        job_types.reject_unknown_settings(
            settings,
            "season",
            "team",
            "runs",
            "seed",
            *LIST_SETTINGS,
            *TEXT_SETTINGS,
            "plan",
            "answered",
        )
        year = job_types.parse_season(settings)
        parsed: dict[str, Any] = {
            "season": year,
            "team": _parse_team(settings, year),
            **job_types.parse_runs_and_seed(settings, MAX_RUNS),
            "answered": job_types.parse_bool(settings, "answered"),
        }
        for name in LIST_SETTINGS:
            if changes := _parse_changes(settings, name):
                parsed[name] = changes
        for name in TEXT_SETTINGS:
            if (value := job_types.parse_text(settings, name)) is not None:
                parsed[name] = value
        plan = job_types.parse_text(settings, "plan", plans.MAX_PLAN_BYTES)
        if plan is not None:
            parsed["plan"] = write_plan(_parse_plan(plan))
        _check(requested_changes(parsed), "plan" in parsed)
        return parsed

    def digest_inputs(self, settings: Settings) -> str:
        return job_types.digest_files(job_types.season_files(settings["season"]))

    def title(self, settings: Settings) -> str:
        year, team = settings["season"], settings["team"]
        description = requested_changes(settings).words()
        if "plan" in settings:
            description = f"a different plan, {description}" if description else "a different plan"
        changed = shorten(description, MAX_DESCRIPTION_LENGTH, placeholder=" …")
        return (
            f"What if: {year} {teams.full_name(team, year)}, {changed}, {settings['runs']:,} runs"
        )

    def commands(self, settings: Settings) -> list[list[str]]:
        arguments = ["whatif", str(settings["season"]), settings["team"]]
        if "plan" in settings:
            arguments += ["--plan", _plan_name(settings)]
        for name in (*LIST_SETTINGS, *TEXT_SETTINGS):
            given = settings.get(name, [])
            for value in [given] if isinstance(given, str) else given:
                arguments += [f"--{name.replace('_', '-')}={value}"]
        arguments += ["--runs", str(settings["runs"]), "--seed", str(settings["seed"])]
        return [[*arguments, "--answered"] if settings["answered"] else arguments]

    def files(self, settings: Settings) -> dict[str, str]:
        return {_plan_name(settings): settings["plan"]} if "plan" in settings else {}

    def run(self, settings: Settings, context: JobContext) -> JobResult:
        from hashmark.league.whatifs.whatif_run import WhatIfRequest, ask_change, run_request

        with job_types.shipped_files_only():
            question = ask_change(
                requested_changes(settings),
                _parse_plan(settings["plan"]) if "plan" in settings else None,
                settings["runs"],
                settings["seed"],
                settings["answered"],
            )
            result = run_request(
                WhatIfRequest(settings["season"], settings["team"], question),
                threads=context.threads,
                cluster=context.cluster,
                progress=context.progress,
                interrupted=context.interrupted,
            )
            files = {changed_plan_name(settings): result.plan_text() or ""}
            return JobResult(result.to_json(), result.report(), files, result.is_complete)


def changed_plan_name(settings: Settings) -> str:
    """Return the name of the changed plan's file, which is part of the result."""
    return f"{_file_stem(settings)}-changed{plans.SUFFIX}"


def requested_changes(settings: Settings) -> ChangeRequest:
    """Return the quick changes among the settings."""
    changes: dict[str, Any] = {
        name: settings[name] for name in (*LIST_SETTINGS, *TEXT_SETTINGS) if name in settings
    }
    return ChangeRequest(**changes)


def _check(request: ChangeRequest, has_other_plan: bool) -> None:
    """Raise HashmarkError if the changes are invalid or change nothing."""
    request.validate()
    if not request.has_changes and not has_other_plan:
        raise HashmarkError(
            "choose what to change: pass_rate, play, blitz_rate, formation, tempo, fourth_down or "
            "a whole plan"
        )
    if request.when is not None and not request.has_changes:
        raise HashmarkError("when: it limits a change such as pass_rate +10%, and there is none")


def _parse_team(settings: Settings, year: int) -> str:
    """Parse the code of a team that played in that season."""
    code = teams.parse_team(job_types.parse_text(settings, "team") or "")
    with job_types.shipped_files_only():
        codes = {team for game in schedule.load(year).regular for team in (game.home, game.away)}
    if code not in codes:
        raise HashmarkError(f"{code} has no games on the {year} schedule")
    return code


def _parse_changes(settings: Settings, name: str) -> list[str]:
    """Parse one or several changes."""
    value = settings.get(name, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list | tuple):
        raise HashmarkError(f"{name}: {quote(value)} is not a list of changes")
    if len(values) > MAX_CHANGES:
        raise HashmarkError(f"{name}: at most {MAX_CHANGES} changes are allowed, not {len(values)}")
    parsed = [job_types.parse_text({name: value}, name) for value in values]
    return [value for value in parsed if value is not None]


def _parse_plan(text: str) -> Plan:
    """Parse a whole plan."""
    return plans.parse_text(text, "the plan")


def _file_stem(settings: Settings) -> str:
    return f"{settings['team']}-{settings['season']}"


def _plan_name(settings: Settings) -> str:
    """Return the name of the plan file that the command reads."""
    return f"{_file_stem(settings)}{plans.SUFFIX}"


KIND = WhatIfJobType()
