"""A season played again many times, as work for a page: it can stop anywhere and go on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hashmark.club import kinds
from hashmark.club.kinds import Result, Running, Settings
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.facts import schedule
from hashmark.league.seasons.certainty import Certainty
from hashmark.league.seasons.rebuilds import fitting
from hashmark.league.seasons.saved import InText
from hashmark.league.seasons.season import REAL_PLANS, Recipe, choose_plan
from hashmark.league.seasons.season_page import season_page
from hashmark.league.seasons.simulate import simulate_season
from hashmark.table import places
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.readable import shown

DIGEST = re.compile(r"[0-9a-f]{64}")
MOST_RUNS = 10_000  # some minutes of one core


class Season:
    """`hashmark season`."""

    name = "season"
    goes_on = True
    bounded = False
    needs = ("numba",)

    def read(self, settings: Settings) -> dict[str, Any]:
        kinds.only(settings, "season", "runs", "seed", "plan", "charts")
        brought = kinds.text(settings, "charts")
        if brought is not None and not DIGEST.fullmatch(brought):
            raise HashmarkError("charts: ask for it at the page where these charts were made")
        read: dict[str, Any] = {
            "season": kinds.season(settings) if brought is None else _scheduled(settings),
            **kinds.runs_and_seed(settings, MOST_RUNS),
        }
        plan = kinds.text(settings, "plan")
        if plan is not None and plan != REAL_PLANS:
            with kinds.shipped():
                named = places.names(plans.SUFFIX, charts.SHIPPED)
            if plan not in named:
                raise UnknownName("game plan", plan, (REAL_PLANS, *named))
            read["plan"] = plan
        return read if brought is None else {**read, "charts": brought}

    def materials(self, settings: Settings) -> str:
        found = kinds.of_season(settings["season"]) if "charts" not in settings else []
        if "plan" in settings:
            with kinds.shipped():
                found.append(plans.find(settings["plan"]))
        return kinds.digest(found)

    def title(self, settings: Settings) -> str:
        whose = f", every team with the plan {settings['plan']!r}" if "plan" in settings else ""
        on = " on charts that were brought" if "charts" in settings else ""
        return f"Season {settings['season']}{on}, {settings['runs']:,} times{whose}"

    def commands(self, settings: Settings) -> list[list[str]]:
        words = ["season", str(settings["season"])]
        words += ["--runs", str(settings["runs"]), "--seed", str(settings["seed"])]
        return [[*words, "--plan", settings["plan"]] if "plan" in settings else words]

    def files(self, settings: Settings) -> dict[str, str]:
        return {}

    def run(self, settings: Settings, running: Running) -> Result:
        year, runs = settings["season"], settings["runs"]
        files = _brought(settings, running)
        with kinds.shipped(Path(path).parent for path in running.files.values()):
            recipe = Recipe(year, None, choose_plan(year, settings.get("plan")))
            made, unsure = fitting(recipe)
            outcome = simulate_season(
                recipe,
                runs,
                settings["seed"],
                threads=running.threads,
                cluster=running.cluster,
                resume=InText(running.kept.read, running.kept.write),
                progress=lambda done: running.progress(done, runs),
                interrupted=running.interrupted,
            )
            outcome = replace(outcome, certainty=Certainty(made) if made else None, unsure=unsure)
            page = season_page(outcome) if outcome.runs else None
            return Result(outcome.to_json(), page, files, whole=not outcome.interrupted)


def digest_of(files: Mapping[str, bytes]) -> str:
    """What charts and plans that were brought are known by."""
    seen = hashlib.sha256()
    for name in sorted(files):
        seen.update(f"{name} {len(files[name])}\n".encode())
        seen.update(files[name])
    return seen.hexdigest()


def _brought(settings: Settings, running: Running) -> dict[str, str]:
    """The charts and plans that came along, if the season is played on such."""
    if "charts" not in settings:
        return {}
    read = {name: Path(path).read_bytes() for name, path in running.files.items()}
    if digest_of(read) != settings["charts"]:
        raise HashmarkError("the charts did not arrive: ask at the page where they were made")
    return {name: content.decode() for name, content in read.items()}


def _scheduled(settings: Settings) -> int:
    """A season whose schedule comes with the game."""
    found = kinds.whole(settings, "season")
    with kinds.shipped():
        known = schedule.seasons()
    if found not in known:
        listed = ", ".join(map(str, known))
        raise HashmarkError(f"no schedule of the season {shown(found)}: there are {listed}")
    return found


KIND = Season()
