"""The page of a season: the answer, the table of teams, title chances and win distributions."""

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
    """Title chances beside strength."""
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
    """How sure it is who was best, where that is known."""
    known, champion = outcome.certainty, outcome.schedule.champion
    if known is None:
        return []
    games = outcome.schedule.games_each
    lines = [
        Row(outcome.code(one.team), one.best, f"{one.best:.0%}", here=one.team == champion)
        for one in known.teams()[:TITLE_BARS]
    ]
    said = ", ".join(f"{line.label} {line.text}" for line in lines)
    chart = rows("Chance to have been the best team", said, lines, percent, key=_key(lines))
    listed = certainty_words.rows(known, outcome.code, champion)
    table = Table(certainty_words.legend(known, games), certainty_words.PAGE_HEADINGS, listed)
    return [
        Section(
            "How sure is that?",
            [Headed("Chance to have been the best team", chart), table],
            certainty_words.who(known, games, outcome.code),
        )
    ]


def _titles(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Chart:
    shown = sorted(teams, key=lambda one: -one.title.mean)[:TITLE_BARS]
    champion = outcome.schedule.champion
    if champion and all(one.team != champion for one in shown):
        shown = [*shown, outcome.team(champion)]
    lines = [
        Row(one.code, one.title.mean, f"{one.title.mean:.1%}", here=one.team == champion)
        for one in shown
    ]
    said = ", ".join(f"{line.label} {line.text}" for line in lines)
    return rows("Chance of the title", said, lines, percent, key=_key(lines))


def _strengths(outcome: Outcome) -> Chart:
    champion = outcome.schedule.champion
    lines = [
        Row(one.code, one.strength.mean, f"{one.strength.mean:+.1f}", here=one.team == champion)
        for one in outcome.by_strength()[:TITLE_BARS]
    ]
    said = ", ".join(f"{line.label} {line.text}" for line in lines)
    title = "Strength in a round robin on neutral ground"
    return rows(title, said, lines, signed, key=_key(lines))


def _key(lines: Sequence[Row]) -> list[Sign]:
    return [Sign("here", "the real champion")] if any(line.here for line in lines) else []


def _wins(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Section:
    """Simulated against real wins."""
    lucky = sorted(teams, key=lambda one: one.wins.mean - one.actual)
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
                        _luck_of_all(outcome, teams),
                    ),
                ]
            )
        ],
        f"Furthest above its simulated wins: {_luck(lucky[0])}. "
        f"Furthest below: {_luck(lucky[-1])}.",
    )


def _ranges(teams: Sequence[TeamOutcome]) -> Chart:
    lines = [
        Row(
            one.code,
            one.wins.mean,
            f"{one.wins.mean:.1f}",
            (one.low, one.high),
            one.actual,
            said=f"{one.code} {one.wins.mean:.1f}, nine of ten seasons {one.low} to "
            f"{one.high}, really {one.actual:g}",
        )
        for one in teams
    ]
    key = [
        Sign("dot", "mean wins"),
        Sign("range", "nine of ten seasons"),
        Sign("mark", "real wins"),
    ]
    said = "; ".join(line.said for line in lines)
    return rows("Wins of each team", said, lines, dots=True, whole=True, across="wins", key=key)


def _luck_of_all(outcome: Outcome, teams: Sequence[TeamOutcome]) -> Chart:
    champion = outcome.schedule.champion
    points = [
        Point(
            one.wins.mean,
            one.actual,
            one.code,
            here=one.team == champion,
            said=f"{_luck(one)}",
        )
        for one in teams
    ]
    said = ", ".join(f"{one.code} {one.wins.mean:.1f} and {one.actual:g}" for one in teams)
    key = [Sign("diagonal", "as many as simulated")]
    if champion:
        key.append(Sign("spot", "the real champion"))
    title = "Simulated and real wins"
    return scatter(title, said, points, "mean simulated wins", "real wins", key=key)


def _luck(one: TeamOutcome) -> str:
    return f"{one.code} ({one.actual:g} real, {one.wins.mean:.1f} simulated)"


def _table(teams: Sequence[TeamOutcome]) -> Section:
    lines: list[tuple[str | Cell, ...]] = [
        (
            one.code,
            Cell(one.record, one.actual),
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
    return Section("All teams", [Table(caption, HEADINGS, lines)])


def _distributions(teams: Sequence[TeamOutcome]) -> Section:
    highest = max(max(one.distribution) for one in teams)
    by_team = {one.team: one for one in teams}
    charts = []
    for division, codes in DIVISIONS.items():
        members = sorted((by_team[code] for code in codes), key=lambda one: -one.wins.mean)
        charts.append(Headed(division, Small([_histogram(one, highest) for one in members])))
    return Section(
        "Win distributions",
        [Beside(charts)],
        "How many games each team wins in the simulated seasons; the upright line is what it "
        f"really won. All on one scale, the tallest column is {highest:.0%}.",
    )


def _histogram(one: TeamOutcome, highest: float) -> Chart:
    games = len(one.distribution)
    likely = max(range(games), key=lambda wins: one.distribution[wins])
    return histogram(
        f"{one.code}: mean {one.wins.mean:.1f}, real {one.actual:g}",
        f"Mean {one.wins.mean:.1f}, most often {likely}, nine of ten seasons {one.low} to "
        f"{one.high}; really {one.actual:g}.",
        one.distribution,
        "wins",
        mark=one.actual,
        highest=highest,
    )


def _notes(outcome: Outcome) -> Section:
    best = (
        "Best means: the largest mean margin in a round robin on neutral ground, where everybody "
        "has the same opponents. Two rounds of it are played after each simulated season."
    )
    return Section("How to read this", [Note(note) for note in [best, *outcome.notes()]])
