"""HTML report of a season: the answer, the team table, title chances and win distributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hashmark.league.data.schedule import DIVISIONS
from hashmark.league.seasons import certainty_text
from hashmark.league.seasons.outcome import SeasonOutcome, TeamOutcome
from hashmark.league.seasons.season import REAL_PLANS, partial_source_notes
from hashmark.number_text import percent
from hashmark.reports.axis import NumberFormat, signed
from hashmark.reports.axis import percent as percent_label
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
    "90 % interval",
    "Points for",
    "Points against",
    "Margin",
    "Playoffs",
    "Division",
    "Top seed",
    "Conference",
    "Title",
)


def build_season_report(outcome: SeasonOutcome) -> Report:
    """Build the report."""
    teams = outcome.teams()
    season = outcome.recipe.season
    plans = (
        "each team calling plays as it really did"
        if outcome.recipe.plan == REAL_PLANS
        else f"every team following the plan {outcome.recipe.plan!r}"
    )
    lead = (
        f"The {season} schedule and playoffs simulated {outcome.runs:,} times on charts of the "
        "real "
        f"teams, {plans}."
    )
    lead = " ".join([lead, *partial_source_notes(outcome.made_from)])
    return Report(
        f"The {season} season, simulated",
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
        "Title odds and team ratings",
        [
            SideBySide(
                [
                    HeadedPiece("Probability of the title", _titles(outcome, teams)),
                    HeadedPiece(
                        "Points a game in a round robin on a neutral field",
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
    chart = _bar_chart(
        outcome, "Probability of being the best team", chances, percent, percent_label
    )
    cells = certainty_text.table_rows(certainty, outcome.code, champion)
    table = ReportTable(
        certainty_text.table_legend(certainty, games), certainty_text.PAGE_HEADINGS, cells
    )
    return [
        ReportSection(
            "How certain is that?",
            [HeadedPiece("Probability of being the best team", chart), table],
            certainty_text.best_team_sentence(certainty, games, outcome.code),
        )
    ]


def _titles(outcome: SeasonOutcome, teams: Sequence[TeamOutcome]) -> Chart:
    top_teams = sorted(teams, key=lambda team: -team.title.mean)[:MAX_TITLE_BARS]
    champion = outcome.schedule.champion
    if champion and all(team.team != champion for team in top_teams):
        top_teams = [*top_teams, outcome.team(champion)]
    chances = {team.team: team.title.mean for team in top_teams}
    return _bar_chart(
        outcome,
        "Probability of the title",
        chances,
        lambda chance: percent(chance, 1),
        percent_label,
    )


def _strengths(outcome: SeasonOutcome) -> Chart:
    teams = outcome.teams_by_strength()[:MAX_TITLE_BARS]
    margins = {team.team: team.strength.mean for team in teams}
    title = "Round-robin margin on a neutral field"
    return _bar_chart(outcome, title, margins, lambda margin: f"{margin:+.1f}", signed)


def _bar_chart(
    outcome: SeasonOutcome,
    title: str,
    values: Mapping[str, float],
    number_format: NumberFormat,
    axis: NumberFormat,
) -> Chart:
    """Chart a value of each team; the real champion is highlighted."""
    champion = outcome.schedule.champion
    bars = [
        BarRow(outcome.code(team), value, number_format(value), highlighted=team == champion)
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
                        "Mean wins, 90 % interval, and real wins",
                        _ranges(teams),
                    ),
                    HeadedPiece(
                        "Above the diagonal: won more than simulated",
                        _luck_chart(outcome, teams),
                    ),
                ]
            )
        ],
        f"Furthest above the simulation: {_luck_text(by_luck[0])}. "
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
            tooltip=f"{team.code}: {team.wins.mean:.1f} wins, 90 % interval {team.low} to "
            f"{team.high}, real {team.actual:g}",
        )
        for team in teams
    ]
    key = [
        LegendEntry("dot", "mean wins"),
        LegendEntry("range", "90 % interval"),
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
    key = [LegendEntry("diagonal", "real equals simulated")]
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
                percent(chance, 1)
                for chance in (
                    team.playoffs,
                    team.division_title,
                    team.top_seed,
                    team.final,
                    team.title.mean,
                )
            ),
        )
        for team in teams
    ]
    caption = (
        "Means and probabilities over all simulated seasons, most wins first. Margin: points a "
        "game in a round robin on a neutral field. Then how often the team makes the playoffs, "
        "wins its division, earns the top seed, wins its conference and wins the title."
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
        "Wins of each team in the simulated seasons; the vertical line marks its real wins. All "
        f"charts share one scale; the tallest column is {percent(highest)}.",
    )


def _histogram(team: TeamOutcome, highest: float) -> Chart:
    games = len(team.distribution)
    likely = max(range(games), key=lambda wins: team.distribution[wins])
    return draw_histogram(
        f"{team.code}: mean {team.wins.mean:.1f}, real {team.actual:g}",
        f"Mean {team.wins.mean:.1f}, most often {likely}, 90 % interval {team.low} to {team.high}; "
        f"real {team.actual:g}.",
        team.distribution,
        "wins",
        mark=team.actual,
        highest=highest,
    )


def _notes(outcome: SeasonOutcome) -> ReportSection:
    best = (
        "Teams are rated by their mean margin in a round robin on a neutral field, where all face "
        "the same opponents. Two rounds of it follow each simulated season."
    )
    return ReportSection("How to read this", [Paragraph(note) for note in [best, *outcome.notes()]])
