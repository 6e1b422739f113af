"""`hashmark plan`: show, edit and check game plans, and build them from play-by-play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark import extras
from hashmark.cli.common import AsJson, PartialOption, SeasonArgument, print_json, print_table
from hashmark.cli.output import check_writable, write_file
from hashmark.errors import HashmarkError, UnknownName
from hashmark.number_text import percent
from hashmark.sanitize import quote

EXAMPLE = "hashmark plan show 2008 ARI --out ari.plan.toml"

app = typer.Typer(
    help="Game plans of Data-Driven Football: show, check, build.",
    rich_markup_mode=None,
)


@app.command("show", epilog=f"Example: {EXAMPLE}")
def show(
    plan: Annotated[
        str,
        typer.Argument(metavar="SEASON|PLAN", help="Year, e.g. 2008; or a plan's name or file."),
    ],
    team: Annotated[
        str | None,
        typer.Argument(metavar="TEAM", help="Team, e.g. ARI; `league` for the average."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the plan as a file to edit.")
    ] = None,
    section: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this section; repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show a plan in words, or write it as a file to edit.

    SEASON TEAM is the real plan of a team, with `league` as the average team. A single argument is
    the name or file of a plan.
    """
    from hashmark.games.data_driven.plans import plan as plans
    from hashmark.games.data_driven.plans import text as plan_text
    from hashmark.league.seasons import game_options

    for section_name in section or ():
        if section_name not in plans.SECTIONS:
            raise UnknownName("section", section_name, plans.SECTIONS)
    check_writable(out)
    name = _plan_name(plan, team)
    loaded = plans.load(name)
    of_a_season = ":" in name and not name.startswith(plans.PACKED_PREFIX)
    invented = game_options.PLAN_ASSUMPTIONS if of_a_season else ()
    if out is not None:
        write_file(out, plan_text.write_plan(loaded))
    elif as_json:
        print_json({**loaded.to_json(section or plans.SECTIONS), "invented": [*invented]})
    else:
        for line in plan_text.describe(loaded, section or plans.SECTIONS):
            typer.echo(line)
        if invented:
            typer.echo(f"\n{game_options.format_assumptions(invented)}")


def _plan_name(first: str, second: str | None) -> str:
    """Return the name of a plan; the old order TEAM SEASON is accepted too."""
    if second is None:
        return first
    season, team = (second, first) if second.isdigit() and not first.isdigit() else (first, second)
    if not season.isdigit():
        raise HashmarkError(f"plan show: expected SEASON TEAM, e.g. 2008 ARI, not {quote(first)}")
    return f"{season}:{team}"


@app.command("list", epilog="Example: hashmark plan list 2008")
def list_plans(season: SeasonArgument, as_json: AsJson = False) -> None:
    """List the teams of a season with their play-calling habits."""
    from hashmark.games.data_driven.plans import plan as plans
    from hashmark.league.plans.habits import HABIT_HEADINGS, HABIT_LEGEND, habit_shares

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
        [f"{season}:{code}", *(percent(share) for share in shares.values())]
        for code, shares in habits_by_team.items()
    ]
    print_table(("plan", *HABIT_HEADINGS), rows)
    typer.echo(f"\n{HABIT_LEGEND}")
    if part is not None:
        typer.echo(f"\nPartial season: {part}.")


def _with_json_keys(shares: dict[str, float]) -> dict[str, float]:
    """Return the shares with headings turned into JSON keys."""
    return {key.replace(" ", "_").replace("&", "and"): share for key, share in shares.items()}


@app.command("check", epilog="Example: hashmark plan check ari.plan.toml")
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Plan: a file or a name.")],
    as_json: AsJson = False,
) -> None:
    """Check a plan: errors, and entries that never apply.

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
        typer.Option("--pbp", metavar="FILE", help="Play-by-play as Parquet or CSV; repeatable."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to write; default: SEASON.plans.toml.")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the season's real statistics.")
    ] = None,
    weeks: Annotated[
        str, typer.Option(metavar="WEEKS", help="Weeks to use: all, odd or even.")
    ] = "all",
    partial: PartialOption = False,
) -> None:
    """Build the real plans of a season from play-by-play.

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
