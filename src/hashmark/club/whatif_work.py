"""Job that simulates a team's season under a changed plan.

With `answered` it also simulates the change when every opponent responds with its best calls.
"""

from __future__ import annotations

from textwrap import shorten
from typing import Any

from hashmark.club import kinds
from hashmark.club.kinds import Result, Running, Settings
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Plan
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.league.facts import schedule, teams
from hashmark.league.seasons.season import Recipe, choose_plan
from hashmark.league.whatifs import whatif_page
from hashmark.league.whatifs.trial import Trial, real_field
from hashmark.league.whatifs.wanted import Wanted
from hashmark.league.whatifs.whatif import ask
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import shown

MOST_RUNS = 5_000  # a few minutes on one core, with all answers
LISTS = ("pass_rate", "play", "blitz_rate", "formation", "tempo")
TEXTS = ("fourth_down", "when")
MOST_CHANGES = 40
LONGEST_TITLE = 120  # characters of the description of changes


class WhatIf:
    """Job type that runs `hashmark whatif` with a change of the user's choice."""

    name = "whatif"
    goes_on = False
    bounded = False
    needs = ("numba",)

    def read(self, settings: Settings) -> dict[str, Any]:
        kinds.only(settings, "season", "team", "runs", "seed", *LISTS, *TEXTS, "plan", "answered")
        year = kinds.season(settings)
        parsed: dict[str, Any] = {
            "season": year,
            "team": _parse_team(settings, year),
            **kinds.runs_and_seed(settings, MOST_RUNS),
            "answered": kinds.yes(settings, "answered"),
        }
        for name in LISTS:
            if changes := _parse_changes(settings, name):
                parsed[name] = changes
        for name in TEXTS:
            if (value := kinds.text(settings, name)) is not None:
                parsed[name] = value
        plan = kinds.text(settings, "plan", plans.LARGEST_TEXT)
        if plan is not None:
            parsed["plan"] = write_plan(_parse_plan(plan))
        _check(wanted_of(parsed), "plan" in parsed)
        return parsed

    def materials(self, settings: Settings) -> str:
        return kinds.digest(kinds.of_season(settings["season"]))

    def title(self, settings: Settings) -> str:
        year, team = settings["season"], settings["team"]
        description = wanted_of(settings).words()
        if "plan" in settings:
            description = f"another plan, {description}" if description else "another plan"
        changed = shorten(description, LONGEST_TITLE, placeholder=" …")
        return f"What if: {teams.name(team, year)} {year}, {changed}, {settings['runs']:,} times"

    def commands(self, settings: Settings) -> list[list[str]]:
        arguments = ["whatif", str(settings["season"]), settings["team"]]
        if "plan" in settings:
            arguments += ["--plan", _plan_name(settings)]
        for name in (*LISTS, *TEXTS):
            given = settings.get(name, [])
            for value in [given] if isinstance(given, str) else given:
                arguments += [f"--{name.replace('_', '-')}={value}"]
        arguments += ["--runs", str(settings["runs"]), "--seed", str(settings["seed"])]
        return [[*arguments, "--answered"] if settings["answered"] else arguments]

    def files(self, settings: Settings) -> dict[str, str]:
        return {_plan_name(settings): settings["plan"]} if "plan" in settings else {}

    def run(self, settings: Settings, running: Running) -> Result:
        year = settings["season"]
        with kinds.shipped():
            recipe = Recipe(year, None, choose_plan(year, None))
            trial = Trial(
                real_field(recipe, settings["team"]),
                threads=running.threads,
                cluster=running.cluster,
                progress=running.progress,
                interrupted=running.interrupted,
            )
            answer = ask(
                trial,
                wanted_of(settings),
                _parse_plan(settings["plan"]) if "plan" in settings else None,
                settings["runs"],
                settings["seed"],
                answered=settings["answered"],
            )
            page = whatif_page.report(answer) if answer.measured else None
            files = {changed_file(settings): write_plan(answer.plan)}
            return Result(answer.to_json(), page, files, whole=not trial.interrupted)


def changed_file(settings: Settings) -> str:
    """Return the name of the changed plan's file, which is part of the result."""
    return f"{_file_stem(settings)}-changed{plans.SUFFIX}"


def wanted_of(settings: Settings) -> Wanted:
    """Return the quick changes among the settings."""
    given: dict[str, Any] = {name: settings[name] for name in (*LISTS, *TEXTS) if name in settings}
    return Wanted(**given)


def _check(wanted: Wanted, has_other_plan: bool) -> None:
    """Raise HashmarkError if the changes are invalid or change nothing."""
    wanted.check()
    if not wanted.anything and not has_other_plan:
        raise HashmarkError(
            "say what to change: pass_rate, play, blitz_rate, formation, tempo, fourth_down or "
            "a whole plan"
        )
    if wanted.when is not None and not wanted.anything:
        raise HashmarkError("when: it limits quick changes such as pass_rate +10%: give one")


def _parse_team(settings: Settings, year: int) -> str:
    """Parse the code of a team that played in that season."""
    code = teams.read(kinds.text(settings, "team") or "")
    with kinds.shipped():
        codes = {team for game in schedule.load(year).regular for team in (game.home, game.away)}
    if code not in codes:
        raise HashmarkError(f"{code} has no game in the schedule of {year}")
    return code


def _parse_changes(settings: Settings, name: str) -> list[str]:
    """Parse one or several changes."""
    given = settings.get(name, [])
    values = [given] if isinstance(given, str) else given
    if not isinstance(values, list | tuple):
        raise HashmarkError(f"{name}: {shown(given)} is not a list of changes")
    if len(values) > MOST_CHANGES:
        raise HashmarkError(f"{name}: {len(values)} changes are more than {MOST_CHANGES}")
    parsed = [kinds.text({name: value}, name) for value in values]
    return [value for value in parsed if value is not None]


def _parse_plan(text: str) -> Plan:
    """Parse a whole plan."""
    return plans.read(text, "the plan")


def _file_stem(settings: Settings) -> str:
    return f"{settings['team']}-{settings['season']}"


def _plan_name(settings: Settings) -> str:
    """Return the name of the plan file that the command reads."""
    return f"{_file_stem(settings)}{plans.SUFFIX}"


KIND = WhatIf()
