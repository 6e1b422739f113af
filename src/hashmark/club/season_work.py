"""Job that simulates a season many times; it can be interrupted at any point and resumed."""

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
MOST_RUNS = 10_000  # a few minutes on one core


class Season:
    """Job type that runs `hashmark season`."""

    name = "season"
    goes_on = True
    bounded = False
    needs = ("numba",)

    def read(self, settings: Settings) -> dict[str, Any]:
        kinds.only(settings, "season", "runs", "seed", "plan", "charts")
        uploaded = kinds.text(settings, "charts")
        if uploaded is not None and not DIGEST.fullmatch(uploaded):
            raise HashmarkError("charts: ask for it at the page where these charts were made")
        parsed: dict[str, Any] = {
            "season": kinds.season(settings)
            if uploaded is None
            else _parse_scheduled_season(settings),
            **kinds.runs_and_seed(settings, MOST_RUNS),
        }
        plan = kinds.text(settings, "plan")
        if plan is not None and plan != REAL_PLANS:
            with kinds.shipped():
                plan_names = places.names(plans.SUFFIX, charts.SHIPPED)
            if plan not in plan_names:
                raise UnknownName("game plan", plan, (REAL_PLANS, *plan_names))
            parsed["plan"] = plan
        return parsed if uploaded is None else {**parsed, "charts": uploaded}

    def materials(self, settings: Settings) -> str:
        paths = kinds.of_season(settings["season"]) if "charts" not in settings else []
        if "plan" in settings:
            with kinds.shipped():
                paths.append(plans.find(settings["plan"]))
        return kinds.digest(paths)

    def title(self, settings: Settings) -> str:
        plan_note = f", every team with the plan {settings['plan']!r}" if "plan" in settings else ""
        charts_note = " on charts that were brought" if "charts" in settings else ""
        return f"Season {settings['season']}{charts_note}, {settings['runs']:,} times{plan_note}"

    def commands(self, settings: Settings) -> list[list[str]]:
        arguments = ["season", str(settings["season"])]
        arguments += ["--runs", str(settings["runs"]), "--seed", str(settings["seed"])]
        return [[*arguments, "--plan", settings["plan"]] if "plan" in settings else arguments]

    def files(self, settings: Settings) -> dict[str, str]:
        return {}

    def run(self, settings: Settings, running: Running) -> Result:
        year, runs = settings["season"], settings["runs"]
        files = _uploaded_files(settings, running)
        with kinds.shipped(Path(path).parent for path in running.files.values()):
            recipe = Recipe(year, None, choose_plan(year, settings.get("plan")))
            charts_rebuilds, unsure = fitting(recipe)
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
            outcome = replace(
                outcome,
                certainty=Certainty(charts_rebuilds) if charts_rebuilds else None,
                unsure=unsure,
            )
            page = season_page(outcome) if outcome.runs else None
            return Result(outcome.to_json(), page, files, whole=not outcome.interrupted)


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return the digest that identifies uploaded charts and plans."""
    hasher = hashlib.sha256()
    for name in sorted(files):
        hasher.update(f"{name} {len(files[name])}\n".encode())
        hasher.update(files[name])
    return hasher.hexdigest()


def _uploaded_files(settings: Settings, running: Running) -> dict[str, str]:
    """Return the uploaded charts and plans, if the season is played on them."""
    if "charts" not in settings:
        return {}
    contents = {name: Path(path).read_bytes() for name, path in running.files.items()}
    if digest_of(contents) != settings["charts"]:
        raise HashmarkError("the charts did not arrive: ask at the page where they were made")
    return {name: content.decode() for name, content in contents.items()}


def _parse_scheduled_season(settings: Settings) -> int:
    """Parse a season whose schedule ships with the game."""
    year = kinds.whole(settings, "season")
    with kinds.shipped():
        known = schedule.seasons()
    if year not in known:
        listed = ", ".join(map(str, known))
        raise HashmarkError(f"no schedule of the season {shown(year)}: there are {listed}")
    return year


KIND = Season()
