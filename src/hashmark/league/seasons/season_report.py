"""HTML report of a season: the answer, the team table, title chances and win distributions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hashmark.league.data.schedule import DIVISIONS
from hashmark.league.seasons import certainty_text
from hashmark.league.seasons.outcome import SeasonOutcome, TeamOutcome
from hashmark.league.seasons.season import REAL_PLANS, partial_source_notes
from hashmark.reports.axis import percent, signed
from hashmark.reports.bar_chart import BarRow, draw_bar_chart
from hashmark.reports.histogram import draw_histogram
from hashmark.reports.report import (
    HeadedPiece,
    Paragraph,
    Report,
    ReportCell,
    ReportSection,
    ReportTable,
    SideBySide,
    SmallCharts,
)
from hashmark.reports.scatter import ScatterPoint, draw_scatter
from hashmark.reports.shapes import Chart, LegendEntry

MAX_TITLE_BARS = 12
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


def build_season_report(outcome: SeasonOutcome) -> Report:
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
    lead = " ".join([lead, *partial_source_notes(outcome.made_from)])
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


def _chances(outcome: SeasonOutcome, teams: Sequence[TeamOutcome]) -> ReportSection:
    """Build the section with title chances next to strengths."""
    return ReportSection(
        "Who wins, and who was best",
        [
            SideBySide(
                [
                    HeadedPiece("Chance of the title", _titles(outcome, teams)),
                    HeadedPiece(
                        "Points a game against every other team, neutral ground",
                        _strengths(outcome),
                    ),
                ]
            )
        ],
    )


def _certainty(outcome: SeasonOutcome) -> list[ReportSection]:
    """Build the section on the certainty of the best team, if it is known."""
    certainty, champion = outcome.certainty, outcome.schedule.champion
    if certainty is None:
        return []
    games = outcome.schedule.games_per_team
    chances = {team.team: team.best for team in certainty.teams()[:MAX_TITLE_BARS]}
    chart = _bar_chart(outcome, "Chance to have been the best team", chances, ".0%", percent)
    cells = certainty_text.table_rows(certainty, outcome.code, champion)
    table = ReportTable(
        certainty_text.table_legend(certainty, games), certainty_text.PAGE_HEADINGS, cells
    )
    return [
        ReportSection(
            "How sure is that?",
            [HeadedPiece("Chance to have been the best team", chart), table],
            certainty_text.best_team_sentence(certainty, games, outcome.code),
        )
    ]


def _titles(outcome: SeasonOutcome, teams: Sequence[TeamOutcome]) -> Chart:
    top_teams = sorted(teams, key=lambda team: -team.title.mean)[:MAX_TITLE_BARS]
    champion = outcome.schedule.champion
    if champion and all(team.team != champion for team in top_teams):
        top_teams = [*top_teams, outcome.team(champion)]
    chances = {team.team: team.title.mean for team in top_teams}
    return _bar_chart(outcome, "Chance of the title", chances, ".1%", percent)


def _strengths(outcome: SeasonOutcome) -> Chart:
    teams = outcome.teams_by_strength()[:MAX_TITLE_BARS]
    margins = {team.team: team.strength.mean for team in teams}
    title = "Strength in a round robin on neutral ground"
    return _bar_chart(outcome, title, margins, "+.1f", signed)


def _bar_chart(
    outcome: SeasonOutcome,
    title: str,
    values: Mapping[str, float],
    spec: str,
    axis: Callable[[float], str],
) -> Chart:
    """Chart a value of each team; the real champion is highlighted."""
    champion = outcome.schedule.champion
    bars = [
        BarRow(outcome.code(team), value, f"{value:{spec}}", highlighted=team == champion)
        for team, value in values.items()
    ]
    description = ", ".join(f"{bar.label} {bar.text}" for bar in bars)
    key = [LegendEntry("here", "the real champion")] if champion in values else []
    return draw_bar_chart(title, description, bars, axis, key=key)


def _wins(outcome: SeasonOutcome, teams: Sequence[TeamOutcome]) -> ReportSection:
    """Build the section that compares simulated with real wins."""
    by_luck = sorted(teams, key=lambda team: team.wins.mean - team.actual)
    return ReportSection(
        "Wins, simulated and real",
        [
            SideBySide(
                [
                    HeadedPiece(
                        "Mean wins, the range of nine in ten seasons, and the real wins",
                        _ranges(teams),
                    ),
                    HeadedPiece(
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
        BarRow(
            team.code,
            team.wins.mean,
            f"{team.wins.mean:.1f}",
            (team.low, team.high),
            team.actual,
            tooltip=f"{team.code} {team.wins.mean:.1f}, nine of ten seasons {team.low} to "
            f"{team.high}, really {team.actual:g}",
        )
        for team in teams
    ]
    key = [
        LegendEntry("dot", "mean wins"),
        LegendEntry("range", "nine of ten seasons"),
        LegendEntry("mark", "real wins"),
    ]
    description = "; ".join(bar.tooltip for bar in bars)
    return draw_bar_chart(
        "Wins of each team", description, bars, dots=True, whole=True, x_title="wins", key=key
    )


def _luck_chart(outcome: SeasonOutcome, teams: Sequence[TeamOutcome]) -> Chart:
    champion = outcome.schedule.champion
    points = [
        ScatterPoint(
            team.wins.mean,
            team.actual,
            team.code,
            highlighted=team.team == champion,
            tooltip=f"{_luck_text(team)}",
        )
        for team in teams
    ]
    description = ", ".join(
        f"{team.code} {team.wins.mean:.1f} and {team.actual:g}" for team in teams
    )
    key = [LegendEntry("diagonal", "as many as simulated")]
    if champion:
        key.append(LegendEntry("spot", "the real champion"))
    title = "Simulated and real wins"
    return draw_scatter(title, description, points, "mean simulated wins", "real wins", key=key)


def _luck_text(team: TeamOutcome) -> str:
    return f"{team.code} ({team.actual:g} real, {team.wins.mean:.1f} simulated)"


def _table(teams: Sequence[TeamOutcome]) -> ReportSection:
    cells: list[tuple[str | ReportCell, ...]] = [
        (
            team.code,
            ReportCell(team.record, team.actual),
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
    return ReportSection("All teams", [ReportTable(caption, HEADINGS, cells)])


def _distributions(teams: Sequence[TeamOutcome]) -> ReportSection:
    highest = max(max(team.distribution) for team in teams)
    by_team = {team.team: team for team in teams}
    charts = []
    for division, codes in DIVISIONS.items():
        members = sorted((by_team[code] for code in codes), key=lambda team: -team.wins.mean)
        charts.append(
            HeadedPiece(division, SmallCharts([_histogram(team, highest) for team in members]))
        )
    return ReportSection(
        "Win distributions",
        [SideBySide(charts)],
        "How many games each team wins in the simulated seasons; the upright line is what it "
        f"really won. All on one scale, the tallest column is {highest:.0%}.",
    )


def _histogram(team: TeamOutcome, highest: float) -> Chart:
    games = len(team.distribution)
    likely = max(range(games), key=lambda wins: team.distribution[wins])
    return draw_histogram(
        f"{team.code}: mean {team.wins.mean:.1f}, real {team.actual:g}",
        f"Mean {team.wins.mean:.1f}, most often {likely}, nine of ten seasons {team.low} to "
        f"{team.high}; really {team.actual:g}.",
        team.distribution,
        "wins",
        mark=team.actual,
        highest=highest,
    )


def _notes(outcome: SeasonOutcome) -> ReportSection:
    best = (
        "Best means: the largest mean margin in a round robin on neutral ground, where everybody "
        "has the same opponents. Two rounds of it are played after each simulated season."
    )
    return ReportSection("How to read this", [Paragraph(note) for note in [best, *outcome.notes()]])
