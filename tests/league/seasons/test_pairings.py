"""Pairings: the compiled engine plays the same games as the plain rules, however work is split."""

from __future__ import annotations

import dataclasses
import signal

import numpy as np
import pytest

from hashmark.compiler import dispatch
from hashmark.engine.generator import MASK, digest_ints, mix
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.seasons import game_options, pairings
from hashmark.league.seasons.pairings import (
    GAME_NUMBER_STRIDE,
    Pairing,
    PairingBatch,
    make_match,
    play,
)
from hashmark.sim import plain

HOME, AWAY = charts.load("invented").teams
COACH = RULES.coaches.index(RULES.coach("plan"))
PLAYOFF = {"playoff": True, "overtime": "modified", "audibles": "board"}
PAIRINGS = [
    Pairing(HOME, AWAY, number=17),
    Pairing(AWAY, HOME, "bold", plans.load("book"), PLAYOFF, neutral=True),
    Pairing(HOME, AWAY, "book", dataclasses.replace(plans.load("bold"), name="mine"), PLAYOFF),
    Pairing(AWAY, HOME, options={"home_field": 9}),
]


def test_match_records_equal_those_of_the_rules() -> None:
    """Field by field and byte by byte, for every kind of pairing."""
    all_pairings = [
        Pairing(home, away, home_plan, "bold", options, neutral=neutral)
        for home in (HOME, AWAY)
        for away in (HOME, AWAY)
        for home_plan in ("book", plans.load("bold"))
        for options in (
            {},
            PLAYOFF,
            {"mode": "full", "touchback_spot": 25, "max_usage": True},
            {"home_field": 4},
        )
        for neutral in (False, True)
    ]
    matches, starts = PairingBatch("invented", all_pairings).records()
    fields = dispatch.sampling_fields(RULES)
    for index, pairing in enumerate(all_pairings):
        m = make_match("invented", pairing)
        expected = dispatch.match_array(RULES, m)
        for name in RULES.match.fields:
            assert (matches[index][name] == expected[0][name]).all(), name
        start = dispatch.position_array(RULES, RULES.new_position(m), fields)
        assert starts[index : index + 1].tobytes() == start.tobytes()


def test_audibles_have_no_crowd_on_neutral_ground() -> None:
    """R111: on neutral ground a team has its own audibles."""
    field = charts.load("invented").team(AWAY).home_field
    neutral = make_match("invented", Pairing(HOME, AWAY, neutral=True))
    assert neutral.audible_counts[2:] == list(field[:2])


def test_home_field_applies_only_at_home() -> None:
    """E3: home field never applies on neutral ground."""
    options = {"home_field": 4}
    assert make_match("invented", Pairing(HOME, AWAY, options=options)).home_field == 4
    assert (
        make_match("invented", Pairing(HOME, AWAY, options=options, neutral=True)).home_field == 0
    )
    twins = [Pairing(HOME, HOME, options={"home_field": 20}, number=number) for number in range(20)]
    assert play("invented", twins, 50).margins.mean() > 3


@pytest.mark.parametrize(
    ("given", "named"), [({}, False), ({"home_field": "0"}, False), ({"home_field": "4"}, True)]
)
def test_home_field_is_listed_as_invented_if_it_is_on(given: dict[str, str], named: bool) -> None:
    assert (game_options.HOME_FIELD_ASSUMPTION in game_options.list_assumptions(given)) is named


def test_compiled_scores_equal_plain_ones() -> None:
    scores = play("invented", PAIRINGS, 3, seed=5)
    digest = 0
    for index, pairing in enumerate(PAIRINGS):
        m = make_match("invented", pairing)
        start = RULES.new_position(m)
        for run in range(3):
            number = pairings.dice_number(pairing, index) * GAME_NUMBER_STRIDE + run
            g, _, _ = plain.play_game(RULES, m, start, 5, number, (COACH, COACH))
            assert scores.points[index, run].tolist() == list(g.score)
            digest += mix((digest_ints(g.flat()) + number) & MASK)
    assert scores.digest == f"{digest & MASK:016x}"


def test_scores_do_not_depend_on_threads_or_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play("invented", PAIRINGS, 50, seed=1, threads=1, statistics=True)
    monkeypatch.setattr(pairings, "BATCH_GAMES", 7)
    split = play("invented", PAIRINGS, 50, seed=1, threads=3, statistics=True)
    assert whole.digest == split.digest
    assert (whole.points == split.points).all()
    assert whole.sums is not None
    assert split.sums is not None
    assert (whole.sums == split.sums).all()
    assert (play("invented", PAIRINGS, 20, seed=1).points == whole.points[:, :20]).all()
    assert (play("invented", PAIRINGS, 50, seed=2).points != whole.points).any()


def test_statistics_agree_with_the_scores() -> None:
    scores = play("invented", PAIRINGS, 40, statistics=True)
    for index in range(len(PAIRINGS)):
        for team in range(2):
            statistic = scores.statistic("points", index, team)
            assert statistic.mean == pytest.approx(scores.points[index, :, team].mean())
    assert scores.results.shape == scores.margins.shape == (len(PAIRINGS), 40)
    with pytest.raises(HashmarkError, match="statistics=True"):
        play("invented", PAIRINGS, 2).statistic("points", 0, 0)


def test_a_changed_plan_leaves_other_pairings_unchanged() -> None:
    """A pairing has its own number: alone or among others it plays the same games."""
    before = play("invented", [Pairing(HOME, AWAY), Pairing(HOME, AWAY)], 30)
    after = play("invented", [Pairing(HOME, AWAY, "bold"), Pairing(HOME, AWAY)], 30)
    assert (before.points[1] == after.points[1]).all()
    assert (before.points[0] != after.points[0]).any()
    alone = play("invented", [Pairing(HOME, AWAY, number=1)], 30)
    assert (alone.points[0] == before.points[1]).all()


def test_a_playoff_game_has_a_winner() -> None:
    assert (play("invented", [Pairing(HOME, HOME, options=PLAYOFF)], 3000).margins != 0).all()


def test_an_interruption_keeps_complete_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairings, "BATCH_GAMES", 30)
    reported = []

    def press(done: int) -> None:
        reported.append(done)
        if len(reported) == 1:
            signal.raise_signal(signal.SIGINT)

    whole = play("invented", PAIRINGS, 400)
    part = play("invented", PAIRINGS, 400, threads=1, progress=press)
    assert part.interrupted
    assert 0 < part.runs < 400
    assert (part.points == whole.points[:, : part.runs]).all()


def test_no_pairings_give_empty_scores() -> None:
    scores = play("invented", [], 5)
    assert scores.points.shape == (0, 0, 2)
    assert np.isnan(scores.margins.mean()) if scores.margins.size else True


@pytest.mark.parametrize(
    ("runs", "threads", "pairing", "said"),
    [
        (0, None, Pairing(HOME, AWAY), "runs: 0"),
        (1, 0, Pairing(HOME, AWAY), "threads: 0"),
        (1, None, Pairing("GOATS", AWAY), "'GOATS'"),
        (1, None, Pairing(HOME, AWAY, "no-such-plan"), "no-such-plan"),
    ],
)
def test_invalid_requests_are_rejected(
    runs: int, threads: int | None, pairing: Pairing, said: str
) -> None:
    with pytest.raises(HashmarkError, match=said):
        play("invented", [pairing], runs, threads=threads)
