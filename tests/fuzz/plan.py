"""Fuzzer of game plans and a season's plans: refused with the position, or usable everywhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import check as plan_check
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans import text as plan_text

from . import hostile
from .harness import Finding, Fuzzer, main

SEASON_MARK = b"# a season\n"  # first line of a case that is a season's file


@cache
def valid_text(season: bool) -> str:
    """Return a shipped plan, or the league and two teams of a season's file."""
    if not season:
        return (charts.SHIPPED / "book.plan.toml").read_text(encoding="utf-8")
    text = (charts.SHIPPED / "2008.plans.toml").read_text(encoding="utf-8")
    end = -1
    for _ in range(3):
        end = text.index("[teams.", end + 1)
    return text[:end]


def make(random: Random) -> bytes:
    season = random.random() < 0.4
    return (SEASON_MARK if season else b"") + hostile.make_toml(random, valid_text(season))


def check(case: bytes) -> None:
    with TemporaryDirectory() as folder:
        if case.startswith(SEASON_MARK):
            path = Path(folder) / f"case{plans.SEASON_SUFFIX}"
            path.write_bytes(case)
            season_plans = plans.load_season(str(path))
            for plan in season_plans.plans.values():
                _use_plan(plan)
            plan_text.write_season("case", dict(season_plans.plans))
            return
        path = Path(folder) / f"case{plans.SUFFIX}"
        path.write_bytes(case)
        plan = plans.load(str(path))
        _use_plan(plan)
        RULES.new_match({"home_plan": str(path)})
        again = Path(folder) / f"again{plans.SUFFIX}"
        again.write_text(plan_text.write_plan(plan), encoding="utf-8")
        if plans.load(str(again)).rows != plan.rows:
            raise Finding("a plan that was written reads as another one")


def _use_plan(plan: plans.Plan) -> None:
    plan_check.find_warnings(plan)
    list(plan_text.describe(plan, plans.SECTIONS))


FUZZER = Fuzzer("plan", ".toml", make, check)

if __name__ == "__main__":
    main(FUZZER)
