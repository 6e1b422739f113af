"""The page of a season: the answer, the table of teams, title chances and win distributions."""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.league.facts.schedule import DIVISIONS
from hashmark.league.seasons.outcome import Outcome, TeamOutcome
from hashmark.league.seasons.season import REAL_PLANS
from hashmark.telling import page
from hashmark.telling.page import Bar, Dot, Section

TITLE_BARS = 12
HEADINGS = (
    "Team",
    "Real record",
    "Mean wins",
    "9 of 10 seasons",
    "Points for",
    "Points against",
    "Margin",
    "Division title",
    "Playoffs",
    "Div. round",
    "Conf. final",
    "Final",
    "Title",
)


def season_page(outcome: Outcome) -> str:
    """The whole page."""
    teams = outcome.teams()
    season = outcome.recipe.season
    plans = (
        "each team's real tendencies"
        if outcome.recipe.plan == REAL_PLANS
        else f"the plan {outcome.recipe.plan!r} for every team"
    )
    lead = (
        f"The schedule of {season} with its playoffs, played {outcome.runs:,} times on charts of "
        f"the real teams, with {plans}."
    )
    return page.page(
        f"Season {season}, replayed",
        lead,
        [
            _chances(outcome, teams),
            _wins(outcome, teams),
            _table(outcome, teams),
            _distributions(outcome, teams),
            _notes(outcome),
        ],
        answer=outcome.answer(),
        foot=f"{outcome.games:,} games, seed {outcome.seed}, digest {outcome.digest}.",
    )


def _chances(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Section:
    """Title chances beside strength."""
    first = sorted(teams, key=lambda one: -one.title.mean)
    shown = first[:TITLE_BARS]
    champion = outcome.schedule.champion
    if champion and all(one.team != champion for one in shown):
        shown = [*shown, outcome.team(champion)]
    bars = [
        Bar(
            one.code,
            one.title.mean,
            f"{one.title.mean:.1%}" + (" (champion)" if one.team == champion else ""),
            here=one.team == champion,
        )
        for one in shown
    ]
    said = ", ".join(f"{one.code} {one.title.mean:.1%}" for one in shown)
    best = outcome.by_strength()
    strength = [
        Bar(one.code, one.strength.mean, f"{one.strength.mean:+.1f}", here=one.team == champion)
        for one in best[:TITLE_BARS]
    ]
    said_best = ", ".join(f"{one.code} {one.strength.mean:+.1f}" for one in best[:TITLE_BARS])
    return Section(
        "Who wins, and who was best",
        page.side_by_side(
            page.headed("Chance of the title", page.bars("Chance of the title", said, bars)),
            page.headed(
                "Points a game against every other team, neutral ground",
                page.bars("Strength in a round robin on neutral ground", said_best, strength),
            ),
        ),
    )


def _wins(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Section:
    """Simulated against real wins."""
    champion = outcome.schedule.champion
    dots = [
        Dot(round(one.wins.mean, 2), one.actual, one.code, here=one.team == champion)
        for one in teams
    ]
    lucky = sorted(teams, key=lambda one: one.wins.mean - one.actual)
    bars = [
        Bar(one.code, one.wins.mean, f"{one.wins.mean:.1f}", (one.low, one.high), one.actual)
        for one in teams
    ]
    said = "; ".join(
        f"{one.code} {one.wins.mean:.1f}, nine of ten seasons {one.low} to {one.high}, "
        f"really {one.actual:g}"
        for one in teams
    )
    plot = page.scatter(
        "Simulated and real wins",
        ", ".join(f"{one.code} {one.wins.mean:.1f} and {one.actual:g}" for one in teams),
        dots,
        "mean simulated wins",
        "real wins",
        diagonal=True,
    )
    return Section(
        "Wins, simulated and real",
        page.side_by_side(
            page.headed(
                "Mean wins, the range of nine in ten seasons, and the real wins (upright line)",
                page.bars("Wins of each team", said, bars),
            ),
            page.headed("Above the diagonal: more wins than the play deserved", plot),
        ),
        f"Furthest above its simulated wins: {_luck(lucky[0])}. "
        f"Furthest below: {_luck(lucky[-1])}.",
    )


def _luck(one: TeamOutcome) -> str:
    return f"{one.code} ({one.actual:g} real, {one.wins.mean:.1f} simulated)"


def _table(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Section:
    rows = [
        (
            one.code,
            one.record,
            f"{one.wins.mean:.2f}",
            f"{one.low} to {one.high}",
            f"{one.points[0]:.0f}",
            f"{one.points[1]:.0f}",
            f"{one.strength.mean:+.1f}",
            *(
                f"{chance:.1%}"
                for chance in (
                    one.division_title,
                    one.playoffs,
                    one.divisional,
                    one.conference,
                    one.final,
                    one.title.mean,
                )
            ),
        )
        for one in teams
    ]
    caption = (
        "Means and chances over all simulated seasons, most wins first. Margin: points a game in "
        "the round robin on neutral ground."
    )
    return Section("All teams", page.table(caption, HEADINGS, rows))


def _distributions(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Section:
    highest = max(max(one.distribution) for one in teams)
    by_team = {one.team: one for one in teams}
    charts = []
    for division, codes in DIVISIONS.items():
        members = sorted((by_team[code] for code in codes), key=lambda one: -one.wins.mean)
        drawn = [_histogram(one, highest) for one in members]
        charts.append(page.headed(division, page.small_multiples(drawn)))
    return Section(
        "Win distributions",
        page.side_by_side(*charts),
        "How many games each team wins in the simulated seasons; the upright line is what it "
        "really won.",
    )


def _histogram(one: TeamOutcome, highest: float) -> str:
    games = len(one.distribution)
    likely = max(range(games), key=lambda wins: one.distribution[wins])
    return page.histogram(
        f"Wins of {one.code}",
        f"Mean {one.wins.mean:.1f}, most often {likely}, nine of ten seasons {one.low} to "
        f"{one.high}; really {one.actual:g}.",
        one.distribution,
        mark=one.actual,
        highest=highest,
        head=f"{one.code}  {one.wins.mean:.1f}",
    )


def _notes(outcome: Outcome) -> Section:
    best = (
        "Best means: the largest mean margin in a round robin on neutral ground, where everybody "
        "has the same opponents. Two rounds of it are played after each simulated season."
    )
    return Section(
        "How to read this", "".join(page.paragraph(note) for note in [best, *outcome.notes()])
    )
