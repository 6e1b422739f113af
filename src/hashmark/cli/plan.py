"""`hashmark plan`: game plans to read, to edit, to check, and to make from play-by-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hashmark.cli.common import AsJson, print_json, print_table
from hashmark.cli.output import check_writable, write_file
from hashmark.table import extras
from hashmark.table.errors import UnknownName

if TYPE_CHECKING:
    from hashmark.games.data_driven.plans.plan import Plan

EXAMPLE = "hashmark plan show ARI 2008 --out ari.plan.toml"

app = typer.Typer(
    help="Game plans of Data-Driven Football: show, edit, check, make from play-by-play.",
    rich_markup_mode=None,
)
Season = Annotated[int, typer.Argument(metavar="SEASON", help="The season, such as 2008.")]


@app.command("show", epilog=f"Example: {EXAMPLE}")
def show(
    team: Annotated[
        str, typer.Argument(metavar="TEAM", help="A team such as ARI; or a plan's name or file.")
    ],
    season: Annotated[
        int | None, typer.Argument(metavar="[SEASON]", help="The season of a team's real plan.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a plan file to edit.")
    ] = None,
    section: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this section; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a plan in words; with --out write it as a file to edit and to play with.

    TEAM SEASON is the real plan of a team, `league` that of an average team; without SEASON it
    is a plan's name or file.
    """
    from hashmark.games.data_driven.plans import plan as plans
    from hashmark.games.data_driven.plans import text as plan_text

    for name in section or ():
        if name not in plans.SECTIONS:
            raise UnknownName("section", name, plans.SECTIONS)
    check_writable(out)
    plan = plans.load(team if season is None else f"{season}:{team}")
    if out is not None:
        write_file(out, plan_text.write_plan(plan))
    elif as_json:
        print_json(_plan_json(plan, section or list(plans.SECTIONS)))
    else:
        for line in plan_text.describe(plan, section or plans.SECTIONS):
            typer.echo(line)


def _plan_json(plan: Plan, sections: list[str]) -> dict[str, Any]:
    from hashmark.games.data_driven.plans import plan as plans

    return {
        "name": plan.name,
        "numbers": dict(zip(plans.NUMBERS, plan.numbers, strict=True)),
        "sections": {
            name: [
                {"when": {key: list(pair) for key, pair in entry.when.items()}, **entry.shares}
                for entry in plan.section(name)
            ]
            for name in sections
        },
    }


@app.command("list", epilog="Example: hashmark plan list 2008")
def list_plans(season: Season, as_json: AsJson = False) -> None:
    """The teams that have a real plan in a season, with what is telling in each."""
    from hashmark.games.data_driven.plans import plan as plans

    found = plans.load_season(str(season)).plans
    telling = {code: _telling(plan) for code, plan in found.items()}
    if as_json:
        keys = [heading.replace(" ", "_").replace("&", "and") for heading in TELLING]
        print_json({code: dict(zip(keys, own, strict=True)) for code, own in telling.items()})
        return
    print_table(
        ("plan", *TELLING),
        ([f"{season}:{code}", *(f"{v:.0%}" for v in own)] for code, own in telling.items()),
    )


# Telling figures: a heading, the section, the situation, and the calls that are added up.
TELLING: dict[str, tuple[str, dict[str, int], tuple[str, ...]]] = {
    "runs on 1st & 10": ("play", {"down": 1, "to-go": 10, "spot": 30}, ()),
    "runs on 2nd & 8": ("play", {"down": 2, "to-go": 8, "spot": 40}, ()),
    "runs on 3rd & 2": ("play", {"down": 3, "to-go": 2, "spot": 45}, ()),
    "long on 1st & 10": ("play", {"down": 1, "to-go": 10, "spot": 30}, ("long-pass",)),
    "go on 4th & 1 at their 43": ("instead", {"down": 4, "to-go": 1, "spot": 57}, ("play",)),
    "go on 4th & 3 at their 37": ("instead", {"down": 4, "to-go": 3, "spot": 63}, ("play",)),
}
ORDINARY = {"lead": 0, "time": 1500, "period": 1}


def _telling(plan: Plan) -> list[float]:
    from hashmark.games.data_driven.plans.plan import fitting
    from hashmark.games.data_driven.plans.text import shares_of
    from hashmark.games.data_driven.tables import RUNS

    values = []
    for section, situation, calls in TELLING.values():
        entry = fitting(plan.section(section), {**ORDINARY, **situation})
        shares = shares_of(entry) if entry is not None else {}
        values.append(sum(shares.get(call, 0.0) for call in calls or RUNS))
    return values


@app.command("check", epilog="Example: hashmark plan check ari.plan.toml")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A plan's file or name.")],
    as_json: AsJson = False,
) -> None:
    """Report faults with their place, and entries that are never used.

    Exit status 1 if the plan cannot be read.
    """
    from hashmark.games.data_driven.plans import check as plan_check
    from hashmark.games.data_driven.plans import plan as plans

    fault, warned, entries = "", [], {}
    try:
        plan = plans.load(file)
        warned = plan_check.warnings(plan)
        entries = {name: len(plan.section(name)) for name in plans.SECTIONS}
    except plans.BrokenPlan as broken:
        fault = str(broken)
    if as_json:
        print_json({"file": file, "fault": fault or None, "warnings": warned, "entries": entries})
    else:
        for line in ([f"fault: {fault}"] if fault else []) + [f"warning: {w}" for w in warned]:
            typer.echo(line)
        counts = ", ".join(f"{name} {count}" for name, count in entries.items())
        typer.echo(
            f"{file}: " + (f"{len(warned)} warnings; entries: {counts}" if counts else "broken")
        )
    if fault:
        raise typer.Exit(1)


@app.command("build", epilog="Example: hashmark plan build 2008 --pbp pbp_2008.parquet")
def build(
    season: Season,
    pbp: Annotated[
        list[Path] | None,
        typer.Option(
            "--pbp", metavar="FILE", help="Play-by-play, Parquet or CSV; may be repeated."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The plans; SEASON.plans.toml if left out.")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the season's real figures.")
    ] = None,
    weeks: Annotated[str, typer.Option(help="all, odd or even weeks.")] = "all",
) -> None:
    """Make the real plans of all teams of a season from play-by-play.

    The same data give the same file, byte for byte.
    """
    extras.need("plan build", "polars", "numpy")
    from hashmark.games.data_driven.plans import text as plan_text
    from hashmark.games.data_driven.plans.plan import SEASON_SUFFIX
    from hashmark.league.facts import pbp as plays
    from hashmark.league.facts import real
    from hashmark.league.plans import tendencies

    path = out if out is not None else Path(f"{season}{SEASON_SUFFIX}")
    plays.check_weeks(weeks)
    check_writable(path, figures)
    frame = plays.load(list(pbp) if pbp else plays.find(season), season)
    made = tendencies.season_plans(frame, weeks)
    write_file(path, plan_text.write_season(str(season), made))
    if figures is not None:
        write_file(figures, real.write(real.of_season(frame, weeks)))
