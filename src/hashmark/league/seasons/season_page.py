"""HTML report of a season: the answer, the team table, title chances and win distributions."""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.league.facts.schedule import DIVISIONS
from hashmark.league.seasons import certainty_words
from hashmark.league.seasons.outcome import Outcome, TeamOutcome
from hashmark.league.seasons.season import REAL_PLANS, part_notes
from hashmark.pages.axis import percent, signed
from hashmark.pages.histogram import histogram
from hashmark.pages.report import Beside, Cell, Headed, Note, Report, Section, Small, Table
from hashmark.pages.rows import Row, rows
from hashmark.pages.scatter import Point, scatter
from hashmark.pages.shapes import Chart, Sign

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


def season_page(outcome: Outcome) -> Report:
    """Build the report."""
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
    lead = " ".join([lead, *part_notes(outcome.made_from)])
    return Report(
        f"Season {season}, replayed",
        lead,
        [
            _chances(outcome, teams),
            *_certainty(outcome),
            _wins(outcome, teams),
            _table(teams),
            _distributions(teams),
            _notes(outcome),
        ],
        answer=outcome.answer(),
        foot=f"{outcome.games:,} games, seed {outcome.seed}, digest {outcome.digest}.",
    )


def _chances(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Section:
    """Build the section with title chances next to strengths."""
    return Section(
        "Who wins, and who was best",
        [
            Beside(
                [
                    Headed("Chance of the title", _titles(outcome, teams)),
                    Headed(
                        "Points a game against every other team, neutral ground",
                        _strengths(outcome),
                    ),
                ]
            )
        ],
    )


def _certainty(outcome: Outcome) -> list[Section]:
    """Build the section on the certainty of the best team, if it is known."""
    certainty, champion = outcome.certainty, outcome.schedule.champion
    if certainty is None:
        return []
    games = outcome.schedule.games_each
    bars = [
        Row(outcome.code(team.team), team.best, f"{team.best:.0%}", here=team.team == champion)
        for team in certainty.teams()[:TITLE_BARS]
    ]
    description = ", ".join(f"{bar.label} {bar.text}" for bar in bars)
    chart = rows("Chance to have been the best team", description, bars, percent, key=_key(bars))
    cells = certainty_words.rows(certainty, outcome.code, champion)
    table = Table(certainty_words.legend(certainty, games), certainty_words.PAGE_HEADINGS, cells)
    return [
        Section(
            "How sure is that?",
            [Headed("Chance to have been the best team", chart), table],
            certainty_words.who(certainty, games, outcome.code),
        )
    ]


def _titles(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Chart:
    top_teams = sorted(teams, key=lambda team: -team.title.mean)[:TITLE_BARS]
    champion = outcome.schedule.champion
    if champion and all(team.team != champion for team in top_teams):
        top_teams = [*top_teams, outcome.team(champion)]
    bars = [
        Row(team.code, team.title.mean, f"{team.title.mean:.1%}", here=team.team == champion)
        for team in top_teams
    ]
    description = ", ".join(f"{bar.label} {bar.text}" for bar in bars)
    return rows("Chance of the title", description, bars, percent, key=_key(bars))


def _strengths(outcome: Outcome) -> Chart:
    champion = outcome.schedule.champion
    bars = [
        Row(team.code, team.strength.mean, f"{team.strength.mean:+.1f}", here=team.team == champion)
        for team in outcome.by_strength()[:TITLE_BARS]
    ]
    description = ", ".join(f"{bar.label} {bar.text}" for bar in bars)
    title = "Strength in a round robin on neutral ground"
    return rows(title, description, bars, signed, key=_key(bars))


def _key(bars: Sequence[Row]) -> list[Sign]:
    return [Sign("here", "the real champion")] if any(bar.here for bar in bars) else []


def _wins(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Section:
    """Build the section that compares simulated with real wins."""
    by_luck = sorted(teams, key=lambda team: team.wins.mean - team.actual)
    return Section(
        "Wins, simulated and real",
        [
            Beside(
                [
                    Headed(
                        "Mean wins, the range of nine in ten seasons, and the real wins",
                        _ranges(teams),
                    ),
                    Headed(
                        "Above the diagonal: more wins than the play deserved",
                        _luck_chart(outcome, teams),
                    ),
                ]
            )
        ],
        f"Furthest above its simulated wins: {_luck_text(by_luck[0])}. "
        f"Furthest below: {_luck_text(by_luck[-1])}.",
    )


def _ranges(teams: Sequence[TeamOutcome]) -> Chart:
    bars = [
        Row(
            team.code,
            team.wins.mean,
            f"{team.wins.mean:.1f}",
            (team.low, team.high),
            team.actual,
            said=f"{team.code} {team.wins.mean:.1f}, nine of ten seasons {team.low} to "
            f"{team.high}, really {team.actual:g}",
        )
        for team in teams
    ]
    key = [
        Sign("dot", "mean wins"),
        Sign("range", "nine of ten seasons"),
        Sign("mark", "real wins"),
    ]
    description = "; ".join(bar.said for bar in bars)
    return rows(
        "Wins of each team", description, bars, dots=True, whole=True, across="wins", key=key
    )


def _luck_chart(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Chart:
    champion = outcome.schedule.champion
    points = [
        Point(
            team.wins.mean,
            team.actual,
            team.code,
            here=team.team == champion,
            said=f"{_luck_text(team)}",
        )
        for team in teams
    ]
    description = ", ".join(
        f"{team.code} {team.wins.mean:.1f} and {team.actual:g}" for team in teams
    )
    key = [Sign("diagonal", "as many as simulated")]
    if champion:
        key.append(Sign("spot", "the real champion"))
    title = "Simulated and real wins"
    return scatter(title, description, points, "mean simulated wins", "real wins", key=key)


def _luck_text(team: TeamOutcome) -> str:
    return f"{team.code} ({team.actual:g} real, {team.wins.mean:.1f} simulated)"


def _table(teams: Sequence[TeamOutcome]) -> Section:
    cells: list[tuple[str | Cell, ...]] = [
        (
            team.code,
            Cell(team.record, team.actual),
            f"{team.wins.mean:.2f}",
            f"{team.low} to {team.high}",
            f"{team.points[0]:.0f}",
            f"{team.points[1]:.0f}",
            f"{team.strength.mean:+.1f}",
            *(
                f"{chance:.1%}"
                for chance in (
                    team.division_title,
                    team.playoffs,
                    team.divisional,
                    team.conference,
                    team.final,
                    team.title.mean,
                )
            ),
        )
        for team in teams
    ]
    caption = (
        "Means and chances over all simulated seasons, most wins first. Margin: points a game in "
        "the round robin on neutral ground."
    )
    return Section("All teams", [Table(caption, HEADINGS, cells)])


def _distributions(teams: Sequence[TeamOutcome]) -> Section:
    highest = max(max(team.distribution) for team in teams)
    by_team = {team.team: team for team in teams}
    charts = []
    for division, codes in DIVISIONS.items():
        members = sorted((by_team[code] for code in codes), key=lambda team: -team.wins.mean)
        charts.append(Headed(division, Small([_histogram(team, highest) for team in members])))
    return Section(
        "Win distributions",
        [Beside(charts)],
        "How many games each team wins in the simulated seasons; the upright line is what it "
        f"really won. All on one scale, the tallest column is {highest:.0%}.",
    )


def _histogram(team: TeamOutcome, highest: float) -> Chart:
    games = len(team.distribution)
    likely = max(range(games), key=lambda wins: team.distribution[wins])
    return histogram(
        f"{team.code}: mean {team.wins.mean:.1f}, real {team.actual:g}",
        f"Mean {team.wins.mean:.1f}, most often {likely}, nine of ten seasons {team.low} to "
        f"{team.high}; really {team.actual:g}.",
        team.distribution,
        "wins",
        mark=team.actual,
        highest=highest,
    )


def _notes(outcome: Outcome) -> Section:
    best = (
        "Best means: the largest mean margin in a round robin on neutral ground, where everybody "
        "has the same opponents. Two rounds of it are played after each simulated season."
    )
    return Section("How to read this", [Note(note) for note in [best, *outcome.notes()]])
