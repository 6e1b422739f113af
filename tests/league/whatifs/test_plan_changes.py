"""Plan changes: shares stay valid, the intended calls change, and nothing else does."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import MAX_SHARE, SECTIONS, SITUATION_RANGES, Plan
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.games.data_driven.tables import FORMATIONS, PASSES, PLAYS
from hashmark.league.whatifs import fourth_down_policy
from hashmark.league.whatifs import plan_changes as ch
from hashmark.league.whatifs.plan_changes import (
    FIRST_SHARE,
    Amount,
    GameSituation,
    ShareChange,
    SituationFilter,
    section_rows,
)

NAMES = ("book", "bold", "2008:ARI")
GRAIN = 0.0021  # tolerance for rounding to integer shares

amounts = st.one_of(
    st.builds(Amount, st.just("points"), st.integers(-60, 60).map(lambda n: n / 100)),
    st.builds(Amount, st.just("factor"), st.integers(0, 40).map(lambda n: n / 10)),
    st.builds(Amount, st.just("level"), st.integers(0, 100).map(lambda n: n / 100)),
)
downs = st.tuples(st.integers(1, 4), st.integers(1, 4)).map(lambda pair: tuple(sorted(pair)))
situations = st.one_of(
    st.just(ch.ANYWHERE),
    st.builds(lambda down: SituationFilter((("down", down),)), downs),
    st.builds(
        lambda down, low: SituationFilter((("down", down), ("spot", (low, 99)))),
        downs,
        st.integers(0, 99),
    ),
)
moments = st.builds(
    GameSituation,
    st.integers(1, 4),
    st.integers(1, 20),
    st.integers(1, 99),
    st.integers(-20, 20),
    st.integers(0, 1800),
    st.integers(1, 5),
)
groups = st.one_of(
    st.sampled_from([("play", (play,)) for play in PLAYS]),
    st.sampled_from([("formation", (formation,)) for formation in FORMATIONS]),
    st.just(("play", PASSES)),
    st.just(("tempo", ("hurry-up",))),
)


def is_valid(plan: Plan) -> bool:
    for index, (name, calls) in enumerate(SECTIONS.items()):
        rows = plan.rows[plan.starts[index] : plan.starts[index + 1]]
        assert rows == section_rows(plan, name)
        for row in rows:
            shares = row[FIRST_SHARE:]
            assert all(isinstance(share, int) and 0 <= share <= MAX_SHARE for share in shares)
            assert sum(shares) > 0
            assert not any(shares[len(calls) :])
    return plan.starts[0] == 0 and plan.starts[-1] == len(plan.rows)


def try_change(change: ShareChange, plan: Plan) -> Plan | None:
    """Return the changed plan; None if it has too many entries."""
    try:
        return change.apply(plan)
    except ch.BadChange:
        return None


def share_of(row: ch.PlanEntry, group: list[int]) -> float:
    """Return the share of some calls in an entry."""
    shares = row[FIRST_SHARE:]
    return sum(shares[place] for place in group) / sum(shares)


@given(st.sampled_from(NAMES), groups, amounts, situations, moments)
def test_a_change_does_what_it_says_and_nothing_else(
    name: str,
    group: tuple[str, tuple[str, ...]],
    amount: Amount,
    situation: SituationFilter,
    moment: GameSituation,
) -> None:
    plan = plans.load(name)
    where, calls = group
    new = try_change(ShareChange(where, calls, amount, situation), plan)
    if new is None:
        return
    assert is_valid(new)
    assert new.numbers == plan.numbers
    for other in SECTIONS:
        if other != where:
            assert section_rows(new, other) == section_rows(plan, other)
    before, after = matching_row(plan, where, moment), matching_row(new, where, moment)
    assert before is not None
    assert after is not None
    if not moment.matches(situation.bounds()):
        assert after[FIRST_SHARE:] == before[FIRST_SHARE:]
        return
    places = [SECTIONS[where].index(call) for call in calls]
    if all(ch.is_reachable(overlap(before, situation), where, place) for place in places):
        old, share = share_of(before, places), share_of(after, places)
        stays = old == 1 or (old == 0 and len(places) > 1)
        assert share == pytest.approx(old if stays else amount.apply_to(old), abs=GRAIN)
    others = [index for index in range(len(SECTIONS[where])) if index not in places]
    assert_proportions(before, after, others)


def overlap(row: ch.PlanEntry, situation: SituationFilter) -> ch.PlanEntry:
    """Return the part of an entry inside a situation."""
    pairs = zip(row[:FIRST_SHARE], situation.bounds(), strict=True)
    ends = (max(pair) if index % 2 == 0 else min(pair) for index, pair in enumerate(pairs))
    return (*ends, *row[FIRST_SHARE:])


def matching_row(plan: Plan, where: str, moment: GameSituation) -> ch.PlanEntry | None:
    return next((row for row in section_rows(plan, where) if moment.matches(row)), None)


def assert_proportions(before: ch.PlanEntry, after: ch.PlanEntry, places: list[int]) -> None:
    old, new = ([row[FIRST_SHARE + place] for place in places] for row in (before, after))
    if sum(old) and sum(new) > 100:
        for before_share, after_share in zip(old, new, strict=True):
            assert after_share / sum(new) == pytest.approx(
                before_share / sum(old), abs=10 / sum(new)
            )


@given(st.sampled_from(NAMES), st.integers(1, 5), st.sampled_from(PLAYS))
def test_small_changes_are_accurate_to_a_tenth_of_a_point(
    name: str, points: int, play: str
) -> None:
    plan = plans.load(name)
    new = ch.parse_play(f"{play}=+{points}%").apply(plan)
    place = PLAYS.index(play)
    for before, after in zip(section_rows(plan, "play"), section_rows(new, "play"), strict=True):
        if ch.is_reachable(before, "play", place) and share_of(before, [place]) < 0.9:
            change = share_of(after, [place]) - share_of(before, [place])
            assert change == pytest.approx(points / 100, abs=0.001)


def test_a_changed_plan_round_trips() -> None:
    plan = ch.apply_changes(
        plans.load("2008:ARI"), [ch.parse_pass_rate("+10%"), ch.parse_blitz_rate("x2")], "mine"
    )
    parsed = plans.parse(tomllib.loads(write_plan(plan)), "mine")
    assert parsed == plan


def test_only_entries_beyond_a_situation_are_split() -> None:
    book = plans.load("book")
    everywhere = ch.parse_play("deep=+5%").apply(book)
    first_down = ch.parse_play("deep=+5%@down=1").apply(book)
    assert len(everywhere.rows) == len(book.rows)
    assert len(first_down.rows) > len(book.rows)


def test_a_plan_with_too_many_entries_is_rejected() -> None:
    many = [ch.parse_play(f"screen=+3%@spot={spot}+") for spot in range(10, 90, 7)]
    with pytest.raises(ch.BadChange, match="make fewer changes"):
        ch.apply_changes(plans.load("2008:ARI"), many)


@pytest.mark.parametrize(
    "where",
    ["down=3", "down=4", "to-go=7+", "spot=80+", "lead=-8..-1", "period=4", "time=..120"],
)
def test_a_real_plan_has_room_for_any_one_situation(where: str) -> None:
    plan = plans.load("2008:ARI")
    assert is_valid(ch.parse_play(f"screen=+5%@{where}").apply(plan))
    assert is_valid(ch.parse_blitz_rate(f"+5%@{where}").apply(plan))


def test_unreachable_entries_are_dropped() -> None:
    rows = section_rows(plans.load("book"), "play")
    last = rows[-1]  # has no limits
    assert ch.drop_unreachable([last, *rows]) == [last]
    assert ch.drop_unreachable(rows) == list(rows)


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("down=1", {"down": (1, 1)}),
        ("down=1..2, to-go=7+", {"down": (1, 2), "to-go": (7, 99)}),
        ("down=3-4 to-go=..3", {"down": (3, 4), "to-go": (0, 3)}),
        ("lead=-8..-1;time=..120", {"lead": (-8, -1), "time": (0, 120)}),
        ("", {}),
    ],
)
def test_situations_are_parsed(text: str, bounds: dict[str, tuple[int, int]]) -> None:
    assert dict(ch.parse_situation(text).ranges) == bounds
    expected = [
        limit for key in SITUATION_RANGES for limit in bounds.get(key, SITUATION_RANGES[key])
    ]
    assert list(ch.parse_situation(text).bounds()) == expected


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ch.parse_situation("dwn=1"), "did you mean 'down'"),
        (lambda: ch.parse_situation("down"), "expected KEY=RANGE"),
        (lambda: ch.parse_situation("down=first"), "expected a number"),
        (lambda: ch.parse_situation("down=7"), "expected a range within 0 to 4"),
        (lambda: ch.parse_situation("down=3..1"), "expected a range within"),
        (lambda: ch.parse_situation("down=1 down=2"), "twice"),
        (lambda: ch.parse_pass_rate("10"), "expected \\+10%"),
        (lambda: ch.parse_pass_rate("+0%"), "above 0"),
        (lambda: ch.parse_pass_rate("+140%"), "at most 100"),
        (lambda: ch.parse_pass_rate("140%"), "at most 100%"),
        (lambda: ch.parse_pass_rate("x1000"), "at most 100"),
        (lambda: ch.parse_play("deep"), "expected NAME=CHANGE"),
        (lambda: ch.parse_play("depe=+5%"), "did you mean 'deep'"),
        (lambda: ch.parse_formation("nickle=+5%"), "did you mean 'nickel'"),
        (lambda: ch.parse_play("deep=+5%@down=9"), "down=9"),
    ],
)
def test_invalid_text_gives_a_one_sentence_error(make: object, said: str) -> None:
    with pytest.raises(HashmarkError, match=said) as caught:
        make()  # type: ignore[operator]
    assert "\n" not in str(caught.value)


def test_calls_have_aliases() -> None:
    for name in ("deep", "LONG", "long-pass", "Long Pass", "long_pass", "bomb"):
        assert ch.parse_play(f"{name}=+5%").calls == ("long-pass",)
    assert ch.parse_formation("goal-line=-5%").calls == ("jam-middle",)


def test_changes_describe_themselves() -> None:
    assert (
        ch.parse_play("plunge=-8%@down=1").words()
        == "8 percentage points fewer line plunges on first down"
    )
    assert ch.parse_pass_rate("+10%").words() == "10 percentage points more passes"
    assert ch.parse_formation("nickel=x2@to-go=7+").words() == (
        "2 times as many nickel formations with 7 or more to go"
    )
    both = [ch.parse_play("deep=+5%"), ch.parse_blitz_rate("20%")]
    assert [change.words() for change in both] == [
        "5 percentage points more long passes",
        "20 % blitzes",
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("policy", ["bold", "cautious"])
def test_a_fourth_down_policy_changes_the_open_game_only(name: str, policy: str) -> None:
    plan = plans.load(name)
    new = fourth_down_policy.predefined_policy(policy).apply(plan)
    assert is_valid(new)
    for other in SECTIONS:
        if other != "instead":
            assert section_rows(new, other) == section_rows(plan, other)
    for down in (1, 2, 3):
        for spot in range(1, 100, 7):
            moment = GameSituation(down, 10, spot)
            assert ch.call_mix(new, "instead", moment) == ch.call_mix(plan, "instead", moment)
    late = GameSituation(4, 3, 45, -10, 60, 4)
    assert ch.call_mix(new, "instead", late) == ch.call_mix(plan, "instead", late)
    shares = ch.call_mix(new, "instead", GameSituation(4, 1, 45))
    assert shares is not None
    assert shares[0] == (1.0 if policy == "bold" else 0.0)
