"""What another plan would have brought a team, as work for a page.

With `answered` also what is left of it when every opponent answers with its best calls.
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

MOST_RUNS = 5_000  # some minutes of one core, with all answers
LISTS = ("pass_rate", "play", "blitz_rate", "formation", "tempo")
TEXTS = ("fourth_down", "when")
MOST_CHANGES = 40
LONGEST_TITLE = 120  # letters, for what is changed


class WhatIf:
    """`hashmark whatif` with a change of one's own."""

    name = "whatif"
    goes_on = False
    bounded = False
    needs = ("numba",)

    def read(self, settings: Settings) -> dict[str, Any]:
        kinds.only(settings, "season", "team", "runs", "seed", *LISTS, *TEXTS, "plan", "answered")
        year = kinds.season(settings)
        read: dict[str, Any] = {
            "season": year,
            "team": _team(settings, year),
            **kinds.runs_and_seed(settings, MOST_RUNS),
            "answered": kinds.yes(settings, "answered"),
        }
        for name in LISTS:
            if found := _texts(settings, name):
                read[name] = found
        for name in TEXTS:
            if (said := kinds.text(settings, name)) is not None:
                read[name] = said
        plan = kinds.text(settings, "plan", plans.LARGEST_TEXT)
        if plan is not None:
            read["plan"] = write_plan(_plan(plan))
        _check(wanted_of(read), "plan" in read)
        return read

    def materials(self, settings: Settings) -> str:
        return kinds.digest(kinds.of_season(settings["season"]))

    def title(self, settings: Settings) -> str:
        year, team = settings["season"], settings["team"]
        said = wanted_of(settings).words()
        if "plan" in settings:
            said = f"another plan, {said}" if said else "another plan"
        changed = shorten(said, LONGEST_TITLE, placeholder=" …")
        return f"What if: {teams.name(team, year)} {year}, {changed}, {settings['runs']:,} times"

    def commands(self, settings: Settings) -> list[list[str]]:
        words = ["whatif", str(settings["season"]), settings["team"]]
        if "plan" in settings:
            words += ["--plan", _file(settings)]
        for name in (*LISTS, *TEXTS):
            given = settings.get(name, [])
            for one in [given] if isinstance(given, str) else given:
                words += [f"--{name.replace('_', '-')}={one}"]
        words += ["--runs", str(settings["runs"]), "--seed", str(settings["seed"])]
        return [[*words, "--answered"] if settings["answered"] else words]

    def files(self, settings: Settings) -> dict[str, str]:
        return {_file(settings): settings["plan"]} if "plan" in settings else {}

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
            found = ask(
                trial,
                wanted_of(settings),
                _plan(settings["plan"]) if "plan" in settings else None,
                settings["runs"],
                settings["seed"],
                answered=settings["answered"],
            )
            page = whatif_page.report(found) if found.measured else None
            files = {changed_file(settings): write_plan(found.plan)}
            return Result(found.to_json(), page, files, whole=not trial.interrupted)


def changed_file(settings: Settings) -> str:
    """What the file of the changed plan is called, which is made with the result."""
    return f"{_stem(settings)}-changed{plans.SUFFIX}"


def wanted_of(settings: Settings) -> Wanted:
    """The quick changes among the settings."""
    given: dict[str, Any] = {name: settings[name] for name in (*LISTS, *TEXTS) if name in settings}
    return Wanted(**given)


def _check(wanted: Wanted, other_plan: bool) -> None:
    """Refuse what cannot be read, and what changes nothing."""
    wanted.check()
    if not wanted.anything and not other_plan:
        raise HashmarkError(
            "say what to change: pass_rate, play, blitz_rate, formation, tempo, fourth_down or "
            "a whole plan"
        )
    if wanted.when is not None and not wanted.anything:
        raise HashmarkError("when: it limits quick changes such as pass_rate +10%: give one")


def _team(settings: Settings, year: int) -> str:
    """The code of a team that played in that season."""
    code = teams.read(kinds.text(settings, "team") or "")
    with kinds.shipped():
        played = {one for game in schedule.load(year).regular for one in (game.home, game.away)}
    if code not in played:
        raise HashmarkError(f"{code} has no game in the schedule of {year}")
    return code


def _texts(settings: Settings, name: str) -> list[str]:
    """Changes, one or several."""
    given = settings.get(name, [])
    several = [given] if isinstance(given, str) else given
    if not isinstance(several, list | tuple):
        raise HashmarkError(f"{name}: {shown(given)} is not a list of changes")
    if len(several) > MOST_CHANGES:
        raise HashmarkError(f"{name}: {len(several)} changes are more than {MOST_CHANGES}")
    read = [kinds.text({name: one}, name) for one in several]
    return [one for one in read if one is not None]


def _plan(text: str) -> Plan:
    """A whole plan from its text."""
    return plans.read(text, "the plan")


def _stem(settings: Settings) -> str:
    return f"{settings['team']}-{settings['season']}"


def _file(settings: Settings) -> str:
    """What the file of the plan is called that the command reads."""
    return f"{_stem(settings)}{plans.SUFFIX}"


KIND = WhatIf()
