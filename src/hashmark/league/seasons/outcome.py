"""Results of simulated seasons: a row for each team, the best team and the part of luck."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.league.data.schedule import DIVISIONS, FINAL, TEAMS, Schedule, playoff_seeds
from hashmark.league.data.teams import code_in_season
from hashmark.league.seasons import certainty_text, game_options
from hashmark.league.seasons.certainty import Certainty
from hashmark.league.seasons.playoffs import (
    CHAMPION,
    IN_CONFERENCE_FINAL,
    IN_DIVISIONAL,
    IN_FINAL,
    IN_PLAYOFFS,
)
from hashmark.league.seasons.season import Recipe, partial_sources_json, plan_note
from hashmark.league.seasons.tally import (
    ROBIN_GAMES,
    ROBIN_MARGIN,
    ROBIN_SQUARES,
    ROBIN_WINS,
    Tally,
)
from hashmark.number_text import percent
from hashmark.sim.results import Estimate, Share
from hashmark.text.phrases import ordinal

LOW_QUANTILE, HIGH_QUANTILE = 0.05, 0.95  # of wins: the range that covers nine of ten seasons
SEASONS_WITHOUT_FINAL_PLAYS = (2025,)  # seasons whose play-by-play ends before the final
CLEAR_LEAD_ERRORS = 2.0  # standard errors by which the best team must lead


@dataclass(frozen=True)
class TeamOutcome:
    """One team's simulated seasons."""

    team: str  # current code, used throughout the program
    code: str  # code in that season, for display
    division: str
    record: str  # real record
    actual: float  # real wins, a tie counted as half
    wins: Estimate  # simulated wins a season
    spread: float  # their standard deviation from season to season
    low: int  # nine of ten seasons are from low to high
    high: int
    distribution: tuple[float, ...]  # share of seasons with 0, 1, 2 ... wins
    points: tuple[float, float]  # for and against, per season
    strength: Estimate  # mean margin in the round robin
    robin: Share  # share of round-robin games won
    division_title: float
    top_seed: float
    playoffs: float
    divisional: float
    conference: float
    final: float
    title: Share

    def to_json(self) -> dict[str, Any]:
        data = dict(self.__dict__)
        for name in ("wins", "strength", "robin", "title"):
            data[name] = data[name].to_json()
        data["conference_title"] = self.final  # who plays in the final has won the conference
        data["points"] = list(self.points)
        data["distribution"] = list(self.distribution)
        return data


@dataclass(frozen=True)
class SeasonOutcome:
    """Result of a finished or interrupted run of seasons."""

    recipe: Recipe
    schedule: Schedule
    tally: Tally
    requested_runs: int
    seed: int
    seconds: float
    compile_seconds: float
    resumed_runs: int  # seasons resumed from a checkpoint
    games: int
    checkpoint_path: Path | None  # checkpoint to resume from
    made_from: Mapping[str, MadeFrom] = field(default_factory=dict)  # partial sources
    certainty: Certainty | None = None  # if bootstrap ratings are available
    unsure: str = ""  # why there is no certainty

    @property
    def runs(self) -> int:
        return self.tally.runs

    @property
    def interrupted(self) -> bool:
        return self.runs < self.requested_runs

    @property
    def digest(self) -> str:
        return f"{self.tally.digest:016x}"

    def teams(self) -> list[TeamOutcome]:
        """Return all teams, those with the most simulated wins first."""
        teams = [self._team(index) for index in range(len(TEAMS))]
        return sorted(teams, key=lambda team: (-team.wins.mean, team.team))

    def team(self, team: str) -> TeamOutcome:
        return self._team(TEAMS.index(team))

    def code(self, team: str) -> str:
        """Return the team's code in that season."""
        return code_in_season(team, self.recipe.season)

    def _team(self, index: int) -> TeamOutcome:
        tally, team, runs = self.tally, TEAMS[index], self.runs
        halves = tally.wins[index].tolist()
        total = sum(n * count for n, count in enumerate(halves))
        squares = sum(n * n * count for n, count in enumerate(halves))
        wins = Estimate.of(total, squares, runs)
        reached: list[int] = tally.reached[index].tolist()
        played = int(tally.robin[index, ROBIN_GAMES])

        def from_level(level: int) -> float:
            return sum(reached[level:]) / runs

        return TeamOutcome(
            team=team,
            code=self.code(team),
            division=next(name for name, teams in DIVISIONS.items() if team in teams),
            record=self.schedule.record(team),
            actual=self.schedule.wins(team),
            wins=wins / 2,
            spread=wins.error / 2 * math.sqrt(runs),
            low=_quantile(halves, LOW_QUANTILE) // 2,
            high=(_quantile(halves, HIGH_QUANTILE) + 1) // 2,
            distribution=_whole_wins(halves, runs)[: self.schedule.games_per_team + 1],
            points=(int(tally.points[index, 0]) / runs, int(tally.points[index, 1]) / runs),
            strength=Estimate.of(
                int(tally.robin[index, ROBIN_MARGIN]),
                int(tally.robin[index, ROBIN_SQUARES]),
                played,
            ),
            robin=Share.from_count(int(tally.robin[index, ROBIN_WINS]), played),
            division_title=int(tally.divisions[index]) / runs,
            top_seed=int(tally.seeds[index, 1]) / runs,
            playoffs=from_level(IN_PLAYOFFS),
            divisional=from_level(IN_DIVISIONAL),
            conference=from_level(IN_CONFERENCE_FINAL),
            final=from_level(IN_FINAL),
            title=Share.from_count(reached[CHAMPION], runs),
        )

    # --- The answer -------------------------------------------------------------------------

    def teams_by_strength(self) -> list[TeamOutcome]:
        """Return all teams, the best first, by mean margin in the round robin."""
        return sorted(self.teams(), key=lambda team: -team.strength.mean)

    def is_best_clear(self) -> bool:
        """Return whether the best team leads the second by more than chance explains."""
        first, second = self.teams_by_strength()[:2]
        error = math.hypot(first.strength.error, second.strength.error)
        return first.strength.mean - second.strength.mean > CLEAR_LEAD_ERRORS * error

    def answer(self) -> str:
        """Return which team was best, how often it wins, and how likely the real champion was.

        With bootstrap ratings it also says how certain that is, with sampling and dice errors
        apart.
        """
        if self.certainty is None:
            return self._answer_by_dice()
        return self._answer_with_certainty(self.certainty)

    def _answer_with_certainty(self, certainty: Certainty) -> str:
        games, champion = self.schedule.games_per_team, self.schedule.champion
        best = self.teams_by_strength()[0]
        errors = certainty_text.errors_phrase(certainty.team(best.team), games, best.strength.error)
        sentences = [
            f"{self._headline(best)}, {errors}){self._second_team_note()}.",
            certainty_text.best_team_sentence(certainty, games, self.code),
            f"{best.code} wins the title in {best.title.format_with_interval()} of the simulated "
            f"seasons, and in {percent(certainty.team(best.team).title, 1)} on bootstrapped "
            "charts.",
        ]
        if champion is None or champion != best.team:
            sentences.append(self._champion_sentence(best))
        if champion is not None:
            sentences.append(
                certainty_text.best_team_won_sentence(certainty, champion, games, self.code)
            )
        return " ".join(sentences)

    def _answer_by_dice(self) -> str:
        best = self.teams_by_strength()[0]
        headline = (
            f"{self._headline(best)}, standard error {best.strength.error:.1f} from the dice alone)"
        )
        sentences = [
            f"{headline}{self._second_team_note()}.",
            f"{best.code} wins {percent(best.robin.mean)} of its round-robin games, and the title "
            f"in {best.title.format_with_interval()} of the simulated seasons.",
        ]
        sentences.append(self._champion_sentence(best))
        return " ".join(sentences)

    def _headline(self, best: TeamOutcome) -> str:
        """Return the result and the method, up to the errors, in an open parenthesis."""
        return (
            f"{self.recipe.season}: {best.code} rates highest, {best.strength.mean:+.1f} points a "
            f"game (round robin on a neutral field, {self.runs:,} simulated seasons"
        )

    def _second_team_note(self) -> str:
        """Name the second team if the dice cannot separate it from the first."""
        if self.is_best_clear():
            return ""
        second = self.teams_by_strength()[1]
        return f"; {second.code} ({second.strength.mean:+.1f}) cannot be separated from it"

    def _champion_sentence(self, best: TeamOutcome) -> str:
        champion = self.schedule.champion
        if champion is None:
            return "The schedule has no final, so the real champion is unknown."
        if champion == best.team:
            return "It was also the real champion."
        outcome = self.team(champion)
        place = 1 + sum(team.title.mean > outcome.title.mean for team in self.teams())
        rank = "most likely" if place == 1 else f"{ordinal(place)} most likely"
        return (
            f"The real champion, {outcome.code}, wins it in "
            f"{outcome.title.format_with_interval()}: "
            f"the {rank} champion of {len(TEAMS)} teams."
        )

    def notes(self) -> list[str]:
        """Return notes on how to read this run."""
        best_records = Share.from_count(self.tally.best_records, self.runs)
        notes = [
            f"The team with the best record, alone or tied, wins the title in "
            f"{best_records.format_with_interval()} of the simulated seasons."
        ]
        if self.certainty is None and self.unsure:
            notes.append(certainty_text.dice_only_note(self.unsure))
        if note := plan_note(self.recipe.plan):
            notes.append(note)
        season = self.recipe.season
        final = [game for game in self.schedule.games if game.stage == FINAL]
        if season in SEASONS_WITHOUT_FINAL_PLAYS and final and final[0].score is not None:
            home, away = (self.code(team) for team in (final[0].home, final[0].away))
            points = final[0].score
            notes.append(
                f"The play-by-play of {season} ends before the final: its result "
                f"({away} {points[1]}, {home} {points[0]}) comes from the table of games, and the "
                "charts contain none of its plays."
            )
        if season == 2022:
            notes.append(
                "BUF at CIN was never finished and is not simulated: both teams play 16 games."
            )
        return [*notes, game_options.assumptions_note(self.recipe.options)]

    def to_json(self) -> dict[str, Any]:
        is_started = self.runs > 0
        data: dict[str, Any] = {
            "season": self.recipe.season,
            "charts": self.recipe.chart_file,
            "plan": self.recipe.plan,
            "options": dict(self.recipe.options),
            "made_from": partial_sources_json(self.made_from),
            "invented": game_options.list_assumptions(self.recipe.options),
            "runs": self.runs,
            "asked": self.requested_runs,
            "interrupted": self.interrupted,
            "resume": str(self.checkpoint_path) if self.checkpoint_path else None,
            "seed": self.seed,
            "games": self.games,
            "seconds": self.seconds,
            "preparing_seconds": self.compile_seconds,
            "seasons_of_an_earlier_run": self.resumed_runs,
            "digest": self.digest,
            "playoff_teams": 2 * playoff_seeds(self.recipe.season),
        }
        if is_started:
            data["answer"] = {
                "text": self.answer(),
                "best_team": self.teams_by_strength()[0].team,
                "best_is_clear": self.is_best_clear(),
                "best_by": "mean margin in a round robin on a neutral field",
                "best_title_chance": self.teams_by_strength()[0].title.to_json(),
                "champion": self.schedule.champion,
                "champion_title_chance": (
                    self.team(self.schedule.champion).title.to_json()
                    if self.schedule.champion
                    else None
                ),
                "best_record_title_share": self.tally.best_records / self.runs,
                "notes": self.notes(),
            }
            data["certainty"] = (
                self.certainty.to_json(self.schedule.champion) if self.certainty else None
            )
            data["teams"] = [team.to_json() for team in self.teams()]
        return data


def _quantile(counts: list[int], share: float) -> int:
    """Return the smallest number that at least this share of the seasons do not exceed."""
    target, total = share * sum(counts), 0
    for number, count in enumerate(counts):
        total += count
        if total >= target:
            return number
    return len(counts) - 1


def _whole_wins(halves: list[int], runs: int) -> tuple[float, ...]:
    """Return the shares of seasons by wins; a half win is split between its neighbors."""
    shares = [0.0] * (len(halves) // 2 + 1)
    for number, count in enumerate(halves):
        shares[number // 2] += count / runs / 2
        shares[(number + 1) // 2] += count / runs / 2
    return tuple(shares)
