"""`hashmark plan`: show, edit and check game plans, and build them from play-by-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark import extras
from hashmark.cli.common import AsJson, PartialOption, SeasonArgument, print_json, print_table
from hashmark.cli.output import check_writable, write_file
from hashmark.errors import UnknownName

EXAMPLE = "hashmark plan show ARI 2008 --out ari.plan.toml"

app = typer.Typer(
    help="Game plans of Data-Driven Football: show, edit, check, make from play-by-play.",
    rich_markup_mode=None,
)


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
    from hashmark.league.seasons import game_options

    for section_name in section or ():
        if section_name not in plans.SECTIONS:
            raise UnknownName("section", section_name, plans.SECTIONS)
    check_writable(out)
    name = team if season is None else f"{season}:{team}"
    plan = plans.load(name)
    of_a_season = ":" in name and not name.startswith(plans.PACKED_PREFIX)
    invented = game_options.PLAN_ASSUMPTIONS if of_a_season else ()
    if out is not None:
        write_file(out, plan_text.write_plan(plan))
    elif as_json:
        print_json({**plan.to_json(section or plans.SECTIONS), "invented": [*invented]})
    else:
        for line in plan_text.describe(plan, section or plans.SECTIONS):
            typer.echo(line)
        if invented:
            typer.echo(f"\n{game_options.format_assumptions(invented)}")


@app.command("list", epilog="Example: hashmark plan list 2008")
def list_plans(season: SeasonArgument, as_json: AsJson = False) -> None:
    """The teams that have a real plan in a season, with what is telling in each."""
    from hashmark.games.data_driven.plans import plan as plans
    from hashmark.league.plans.habits import HABITS, habit_shares

    habits_by_team = {
        code: habit_shares(plan) for code, plan in plans.load_season(str(season)).plans.items()
    }
    part = plans.load(f"{season}:{plans.LEAGUE}").made_from
    if as_json:
        source_json = {"made_from": part.to_json()} if part is not None else {}
        plans_json = {code: _with_json_keys(shares) for code, shares in habits_by_team.items()}
        print_json({**source_json, **plans_json})
        return
    rows = [
        [f"{season}:{code}", *(f"{share:.0%}" for share in shares.values())]
        for code, shares in habits_by_team.items()
    ]
    print_table(("plan", *HABITS), rows)
    if part is not None:
        typer.echo(f"\nReal calls of a part of the season: {part}.")


def _with_json_keys(shares: dict[str, float]) -> dict[str, float]:
    """Return the shares with headings turned into JSON keys."""
    return {key.replace(" ", "_").replace("&", "and"): share for key, share in shares.items()}


@app.command("check", epilog="Example: hashmark plan check ari.plan.toml")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A plan's file or name.")],
    as_json: AsJson = False,
) -> None:
    """Report faults with their place, and entries that are never used.

    Exit status 1 if the plan cannot be read.
    """
    from hashmark.games.data_driven.plans import check as plan_check

    report = plan_check.check_plan(file)
    if as_json:
        print_json(report.to_json())
    else:
        for line in report.lines():
            typer.echo(line)
    if report.fault:
        raise typer.Exit(1)


@app.command("build", epilog="Example: hashmark plan build 2008 --pbp pbp_2008.parquet")
def build(
    season: SeasonArgument,
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
    partial: PartialOption = False,
) -> None:
    """Make the real plans of all teams of a season from play-by-play.

    The same data give the same file, byte for byte.
    """
    extras.require("plan build", "polars", "numpy")
    from hashmark.games.data_driven.plans import text as plan_text
    from hashmark.games.data_driven.plans.plan import SEASON_SUFFIX
    from hashmark.league.data import play_by_play as plays
    from hashmark.league.data import real_stats
    from hashmark.league.plans import real_plans

    path = out if out is not None else Path(f"{season}{SEASON_SUFFIX}")
    plays.check_weeks(weeks)
    check_writable(path, figures)
    frame = plays.load(list(pbp) if pbp else plays.find_season_file(season), season)
    season_plans = real_plans.build_season_plans(frame, weeks, partial)
    write_file(path, plan_text.write_season(str(season), season_plans))
    if figures is not None:
        write_file(figures, real_stats.to_csv(real_stats.count_season(frame, weeks)))
