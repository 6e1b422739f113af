"""What-ifs on an invented league: same luck, honest intervals, descriptions, scan and best plan."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hashmark.engine.generator import COACH_STREAM, DICE_STREAM, RandomStream
from hashmark.engine.rule_set import NO_CALL
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.check import find_warnings
from hashmark.games.data_driven.position import ASK_KICK, ASK_PLAY, FULL
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.league.seasons import game_options
from hashmark.league.seasons.kernel import DICE_KEY_BASE
from hashmark.league.seasons.pairings import GAME_NUMBER_STRIDE, make_match, play
from hashmark.league.seasons.season import Recipe, Replay
from hashmark.league.whatifs import (
    best_plan,
    fourth_down_policy,
    fourth_down_search,
    opponent_response,
    scan,
    whatif,
)
from hashmark.league.whatifs import plan_changes as ch
from hashmark.league.whatifs.opposition import Opposition, typical_situations
from hashmark.league.whatifs.plan_changes import FIRST_SHARE, GameSituation, section_rows
from hashmark.league.whatifs.trial import (
    Lineup,
    LineupBatch,
    Trial,
    mean_estimate,
    paired_difference,
    real_season_setup,
)
from hashmark.league.whatifs.whatif_report import best_plan_report, comparison_report, scan_report
from hashmark.sim.plain import SamplingHandler

RUNS = 40


@pytest.fixture
def trial(league: Path) -> Trial:
    return Trial(real_season_setup(Recipe(2008, plan="book"), "Cardinals"))


def lineup(trial: Trial, *changes: ch.PlanChange) -> Lineup:
    return Lineup(ch.apply_changes(trial.plan, changes))


# --- The same luck ----------------------------------------------------------------------------


def test_the_same_plan_makes_no_difference(trial: Trial) -> None:
    first, second = trial.play([Lineup(trial.plan), lineup(trial)], RUNS, seed=3)
    assert (first.points == second.points).all()
    assert paired_difference(first.wins, second.wins).mean == 0
    assert not paired_difference(first.wins, second.wins).is_significant


def test_runs_do_not_depend_on_threads_or_other_lineups(trial: Trial) -> None:
    deep = lineup(trial, ch.parse_play("deep=+5%"))
    alone = trial.play([deep], 30, seed=1)[0]
    trial.threads = 1
    _, together = trial.play([Lineup(trial.plan), deep], 50, seed=1)
    assert (alone.points == together.points[:, :30]).all()
    assert (trial.play([deep], 30, seed=2)[0].points != alone.points).any()


def test_common_random_numbers_reduce_the_error(trial: Trial) -> None:
    """Margins of paired games correlate far more than those with independent luck."""
    small = lineup(trial, ch.parse_play("screen=+2%@down=1"))
    base, changed = trial.play([Lineup(trial.plan), small], 200, seed=5)
    correlation = np.corrcoef(base.margins.reshape(-1), changed.margins.reshape(-1))[0, 1]
    assert correlation > 0.6
    paired = paired_difference(changed.wins, base.wins).margin
    unpaired = np.hypot(mean_estimate(changed.wins).margin, mean_estimate(base.wins).margin)
    assert paired < 0.75 * unpaired


def plain_game(m: Any, seed: int, number: int) -> list[int]:
    """Play a game in plain Python with keyed dice; return the score."""
    table = SamplingHandler(RULES, seed, number)
    g = RULES.new_position(m)
    g.handler = table
    drives, half, had_ball, plays = [0, 0], 0, -1, 0
    while not RULES.is_over(g):
        kick = int(g.asks == ASK_KICK)
        if kick or g.asks == ASK_PLAY:
            if kick:
                had_ball = -1
                if g.period >= 3 and half == 0:
                    half, drives = 1, [0, 0]
            elif g.possession != had_ball:
                had_ball, plays = g.possession, 0
                drives[had_ball] += 1
            plays += 1
            key = (half * DICE_KEY_BASE + drives[g.possession]) * DICE_KEY_BASE + plays
            stream = 2 * ((key * 2 + kick) * 2 + g.possession) + 2
            table.dice_stream = RandomStream(seed, number, stream + DICE_STREAM)
            table.coach_stream = RandomStream(seed, number, stream + COACH_STREAM)
        call = NO_CALL
        if RULES.questions[RULES.question(m, g)].calls:
            call = RULES.decide(RULES.coach("plan"), m, g)
        RULES.step(m, g, call)
    return list(g.score)


def test_compiled_scores_equal_plain_ones(trial: Trial) -> None:
    sample = trial.play([Lineup(trial.plan)], 2, seed=11)[0]
    for index, fixture in list(enumerate(trial.fixtures))[:3]:
        m = make_match(trial.setup.charts, trial.setup.pairing(fixture))
        for run in range(2):
            score = plain_game(m, 11, fixture.number * GAME_NUMBER_STRIDE + run)
            expected = score if fixture.is_home else score[::-1]
            assert sample.points[index, run].tolist() == expected


def test_keyed_dice_leave_the_means_unchanged(trial: Trial) -> None:
    """Keyed dice do not change the means."""
    ours = trial.play([Lineup(trial.plan)], 150, seed=2)[0]
    pairings = [trial.setup.pairing(fixture) for fixture in trial.fixtures]
    theirs = play(trial.setup.charts, pairings, 150, seed=2)
    home = np.array([1 if fixture.is_home else -1 for fixture in trial.fixtures])
    for keyed, streamed in (
        (ours.margins.sum(0), (theirs.margins * home[:, None]).sum(0)),
        (ours.points.sum((0, 2)), theirs.points.astype(int).sum((0, 2))),
    ):
        gap = abs(keyed.mean() - streamed.mean())
        assert gap < 4 * np.hypot(keyed.std(), streamed.std()) / np.sqrt(150)


def test_the_real_plan_plays_the_games_of_the_season(trial: Trial) -> None:
    """The records are equal byte for byte and, with one stream of dice, the scores too."""
    replay = Replay(trial.setup.recipe)
    task = LineupBatch(trial, [Lineup(trial.plan)], 5, False)
    numbers = [fixture.number for fixture in trial.fixtures]
    for ours, theirs in zip(task.batch.records(), replay.batch.records(), strict=True):
        our_bytes, their_bytes = (
            records.view(np.uint8).reshape(len(records), -1) for records in (ours, theirs)
        )
        assert (our_bytes == their_bytes[numbers]).all()
    season_content = replay.batch.content()
    assert task.batch.content() == [season_content[number] for number in numbers]
    games = task.batch.first_game_numbers()
    assert (games == replay.batch.first_game_numbers()[numbers]).all()
    theirs = replay.batch.play(np.array(numbers), games, 5).points
    assert (task.batch.play(np.arange(len(games)), games, 5).points == theirs).all()
    assert (task.batch.play(np.arange(len(games)), games, 5, keyed=True).points != theirs).any()


def test_user_options_override_those_of_the_season(league: Path) -> None:
    """Other options are the season's; JSON lists the user's own."""
    trial = Trial(real_season_setup(Recipe(2008, plan="book", options={"big_play": False}), "ARI"))
    assert trial.options == {**game_options.season_options(2008), "big_play": False}
    assert whatif.report_header(trial, 1, 0)["options"] == {"big_play": False}
    pairing = trial.setup.pairing(trial.fixtures[0])
    m = make_match(trial.setup.charts, pairing)
    assert (m.big_play, m.timing, m.max_usage) == (0, FULL, 1)


def test_home_and_away_scores_are_not_mixed_up(trial: Trial) -> None:
    """A plan that always kneels loses at home and away."""
    rows = [
        (*row[:FIRST_SHARE], 0, 0, 0, 1, 0, 0, 0, 0, 0)
        for row in section_rows(trial.plan, "instead")
    ]
    kneeling = ch.replace_section(trial.plan, "instead", rows)
    sample = trial.play([Lineup(kneeling)], 5)[0]
    assert sample.wins.max() <= 1
    assert sample.points[..., 0].mean() < 5 < sample.points[..., 1].mean()


def test_responses_of_opponents_are_played(trial: Trial) -> None:
    code = trial.fixtures[0].opponent
    base, responding = trial.play(
        [Lineup(trial.plan), Lineup(trial.plan, {code: plans.load("bold")})], RUNS
    )
    for index, fixture in enumerate(trial.fixtures):
        same = (base.points[index] == responding.points[index]).all()
        assert same == (fixture.opponent != code)


def test_statistics_are_those_of_the_team(trial: Trial) -> None:
    sample = trial.play([Lineup(trial.plan)], RUNS, statistics=True)[0]
    assert sample.statistic("points") == pytest.approx(sample.season_points(0).mean())
    assert sample.statistic("points", 1) == pytest.approx(sample.season_points(1).mean())


def test_mean_has_a_confidence_interval() -> None:
    estimate = mean_estimate(np.array([1.0, 2.0, 3.0, 4.0]))
    assert estimate.mean == 2.5
    assert estimate.margin == pytest.approx(1.96 * np.std([1, 2, 3, 4], ddof=1) / 2, rel=1e-3)
    assert f"{estimate:.2f}" == "+2.50 (±1.27)"
    assert f"{mean_estimate(np.array([-0.001, 0.0])):.1f}" == "+0.0 (±0.0)"
    assert mean_estimate(np.array([1.0])).margin == np.inf
    assert not mean_estimate(np.zeros(0)).is_significant


def test_zero_runs_are_rejected(trial: Trial) -> None:
    with pytest.raises(HashmarkError, match="runs: 0"):
        trial.play([Lineup(trial.plan)], 0)


# --- Descriptions -------------------------------------------------------------------------------


def test_a_comparison_reports_its_result(trial: Trial) -> None:
    change = ch.parse_play("plunge=-8%@down=1")
    words = whatif.describe_changes(trial.plan, [change])
    assert words.startswith("8 percentage points fewer line plunges on first down, mostly for ")
    comparison = whatif.compare_plans(trial, change.apply(trial.plan), words, RUNS)
    assert comparison.sentence().startswith(f"{words}: ")
    assert " wins a season (95 % CI " in comparison.sentence()
    data = comparison.to_json()
    assert data["wins"]["low"] < data["wins"]["mean"] < data["wins"]["high"]
    assert data["wins_after"]["mean"] - data["wins_before"]["mean"] == pytest.approx(
        data["wins"]["mean"]
    )
    games = sum(row["change"]["mean"] for row in data["games"])
    assert games == pytest.approx(data["wins"]["mean"])
    assert sum(row["after"] for row in data["calls"]) == pytest.approx(1)
    plunges = data["calls"][0]
    assert plunges["after"] < plunges["before"]
    assert ("no measurable effect" in comparison.sentence()) == (not data["certain"])


def test_plan_differences_are_described() -> None:
    book, bold = plans.load("book"), plans.load("bold")
    assert whatif.describe_difference(book, book) == "no change"
    text = whatif.describe_difference(book, bold)
    assert re.search(r"blitzes \d+ to \d+ %", text)
    assert " on first down" in text


def test_several_changes_are_described() -> None:
    changes: list[ch.PlanChange] = [
        ch.parse_pass_rate("+10%"),
        fourth_down_policy.predefined_policy("bold"),
    ]
    text = whatif.describe_changes(plans.load("book"), changes)
    assert text == "10 percentage points more passes and bold fourth-down calls"


# --- The scan -----------------------------------------------------------------------------------


def test_a_scan_ranks_changes_and_judges_significance(trial: Trial) -> None:
    punting = ch.replace_section(trial.plan, "instead", [_always_call(trial.plan, "punt")])

    class Punting:
        def apply(self, plan: plans.Plan) -> plans.Plan:
            return punting

        def words(self) -> str:
            return "always punting"

        def label(self) -> str:
            return "always punting"

    same = ch.parse_play("screen=x1")
    changes: list[ch.PlanChange] = [
        ch.parse_play("deep=+1%"),
        ch.parse_play("draw=+1%"),
        Punting(),
        same,
    ]
    result = scan.scan_changes(trial, 60, seed=1, changes=changes)
    assert result.tried == 3  # a factor of one has no effect
    assert [finding.is_confirmed for finding in result.findings] == [True] * 3
    assert result.findings[-1].words == "always punting"
    assert result.findings[-1].is_significant
    assert result.findings[-1].wins.mean < -1
    assert "no measurable effect" in result.verdict()
    assert result.to_json()["tried"] == 3
    assert "always punting" in scan_report(result).html()


def _always_call(plan: plans.Plan, call: str) -> ch.PlanEntry:
    row = section_rows(plan, "instead")[-1]
    shares = [int(name == call) for name in plans.INSTEAD_CALLS]
    return (*row[:FIRST_SHARE], *shares, 0)


def test_all_single_changes_are_different_plans(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_bold(name: str, *rest: object) -> fourth_down_policy.FourthDownPolicy | None:
        return fourth_down_policy.predefined_policy("bold") if name == "bold" else None

    monkeypatch.setattr(fourth_down_search, "find_policy", only_bold)
    changes = scan.single_changes(lambda: Opposition(trial), trial, 0)
    assert len(changes) == 95
    assert len({change.words() for change in changes}) == len(changes)


def test_a_scan_without_effective_changes_is_rejected(trial: Trial) -> None:
    with pytest.raises(HashmarkError, match="none of these changes affects the plan"):
        scan.scan_changes(trial, 10, changes=[ch.parse_play("deep=x1")])


# --- The best plan ------------------------------------------------------------------------------


def test_the_best_plan_gains_wins_but_less_against_responses(trial: Trial, tmp_path: Path) -> None:
    result = best_plan.find_best(trial, best_plan.parse_budget("12"), 60, seed=1)
    assert result.tried <= 12
    assert result.wins.mean > result.wins.margin
    assert result.change(1, 1).mean < result.wins.mean
    assert result.change(2, 1).mean > result.change(1, 1).mean
    assert "of the gain" in result.remaining_gain()
    assert " to " in result.words()
    for row, real in zip(
        section_rows(result.plan, "play"), section_rows(trial.plan, "play"), strict=True
    ):
        change = best_plan.entry_shares("play", row) - best_plan.entry_shares("play", real)
        assert abs(change).max() <= best_plan.DEFAULT_MAX_SHARE_CHANGE + 0.002
    assert set(find_warnings(result.plan)) <= set(find_warnings(trial.plan))
    json.dumps(result.to_json())
    assert "<svg" in best_plan_report(result).html()
    again = best_plan.find_best(trial, best_plan.parse_budget("12"), 60, seed=1)
    assert again.plan == result.plan
    assert again.wins == result.wins


def test_an_opponent_responds_with_its_best_formation(trial: Trial) -> None:
    opposition = Opposition(trial)
    code = trial.fixtures[0].opponent
    plunging = ch.ShareChange("play", ("line-plunge",), ch.Amount("level", 1.0)).apply(trial.plan)
    answered = opponent_response.respond(opposition, plunging, code, with_offense=False)
    shares = ch.call_mix(answered, "formation", GameSituation(1, 10, 40))
    assert shares is not None
    assert shares[FORMATIONS.index("jam-middle")] == 1
    assert section_rows(answered, "play") == section_rows(trial.league[code], "play")
    both = opponent_response.respond(opposition, plunging, code, with_offense=True)
    assert section_rows(both, "play") != section_rows(answered, "play")
    assert not [warning for warning in find_warnings(both) if "fault" in warning]


def test_responses_mirror_the_lead() -> None:
    row = (1, 1, 0, 99, 0, 99, -8, -1, 0, 120, 4, 4)
    assert opponent_response.mirror_limits(row)[6:8] == (1, 8)
    assert opponent_response.mirror_limits(opponent_response.mirror_limits(row)) == row


def test_repeated_entries_are_merged() -> None:
    rows = section_rows(plans.load("book"), "formation")
    same = [(*row[:FIRST_SHARE], 1, *([0] * 8)) for row in rows]
    assert opponent_response.merge_entries(same, 99) == [same[-1]]
    assert opponent_response.merge_entries(rows, 99) == list(rows)
    assert len(opponent_response.merge_entries(rows, 5)) == 5
    assert opponent_response.merge_entries(rows, 5)[-1] == rows[-1]


def test_shares_are_clipped_near_the_real_ones() -> None:
    real = np.array([0.5, 0.3, 0.2, 0.0])
    usable = [True] * 4
    near = best_plan.clip_shares(np.array([0.0, 0.0, 0.0, 1.0]), real, 0.1, usable)
    assert near.sum() == pytest.approx(1)
    assert abs(near - real).max() <= 0.1 + 1e-9
    assert near[3] == pytest.approx(0.1)
    assert best_plan.clip_shares(real, real, 0.1, usable) == pytest.approx(real)
    without = best_plan.clip_shares(
        np.array([0.0, 0.0, 0.0, 1.0]), real, 0.1, [True, True, True, False]
    )
    assert without[3] == 0
    assert without.sum() == pytest.approx(1)


def test_typical_situations_are_inside_their_entries() -> None:
    for name in ("book", "bold", "2008:ARI"):
        for part in ("play", "formation"):
            for row in section_rows(plans.load(name), part):
                for moment in typical_situations(row):
                    low, high = row[0], row[1]
                    assert low <= moment.down <= high or low == 0
                    assert row[4] <= moment.spot <= row[5] or row[5] == 0


@pytest.mark.parametrize(
    ("text", "plans_", "seconds"), [("200", 200, np.inf), ("90s", np.inf, 90), ("2m", np.inf, 120)]
)
def test_budgets_are_parsed(text: str, plans_: float, seconds: float) -> None:
    budget = best_plan.parse_budget(text)
    assert (budget.plans, budget.seconds) == (plans_, seconds)


@pytest.mark.parametrize("text", ["lots", "0", "-5", "1.5", "5x", ""])
def test_invalid_budgets_are_rejected(text: str) -> None:
    with pytest.raises(HashmarkError, match="--budget"):
        best_plan.parse_budget(text)


def test_a_budget_runs_out() -> None:
    assert not best_plan.Budget(seconds=0).has_remaining()
    assert best_plan.Budget(plans=3, tried=2).has_remaining()
    assert not best_plan.Budget(plans=3, tried=3).has_remaining()


# --- Interruption ---------------------------------------------------------------------------------


def press_after(games: int) -> Callable[[int, int], None]:
    """Return a progress callback that presses Ctrl-C after this many games."""
    pressed: list[int] = []

    def progress(done: int, total: int) -> None:
        if done >= games and not pressed:
            pressed.append(done)
            signal.raise_signal(signal.SIGINT)

    return progress


def test_ctrl_c_reports_completed_runs(trial: Trial) -> None:
    trial.progress, trial.threads = press_after(3000), 1
    change = ch.parse_play("deep=+5%")
    comparison = whatif.compare_plans(trial, change.apply(trial.plan), "x", 100_000)
    assert trial.interrupted
    assert 10 < comparison.runs < 10_000
    assert comparison.to_json()["interrupted"]
    assert "<svg" in comparison_report(comparison).html()


def test_ctrl_c_in_a_scan_keeps_completed_findings(trial: Trial) -> None:
    trial.progress, trial.threads = press_after(5000), 1
    changes = [ch.parse_play(f"{play}=+5%") for play in PLAYS]
    changes += [ch.parse_play(f"{play}=-3%") for play in PLAYS]
    result = scan.scan_changes(trial, 1000, changes=changes)
    assert trial.interrupted
    assert 0 < len(result.findings) < len(changes)
    assert not any(finding.is_confirmed for finding in result.findings)
