"""Fourth-down policies: where they go for it, what they leave unchanged, and when they apply."""

from __future__ import annotations

import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.check import find_warnings
from hashmark.games.data_driven.plans.plan import INSTEAD_CALLS
from hashmark.league.whatifs import fourth_down_policy
from hashmark.league.whatifs.plan_changes import (
    GameSituation,
    call_mix,
    parse_situation,
)

PLANS = ("book", "bold", "2008:ARI")
MOMENTS = [
    GameSituation(down, to_go, spot, lead, time, period)
    for down in (3, 4)
    for to_go in (1, 2, 4, 12)
    for spot in (12, 38, 55, 64, 95)
    for lead, time, period in ((0, 900, 1), (-6, 900, 4), (-6, 100, 4), (3, 20, 2))
]


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("policy", ["bold", "cautious", "go"])
@pytest.mark.parametrize(
    "text", ["spot=50+", "to-go=..2", "lead=..-1", "period=4 time=..300", "down=4 spot=..49", ""]
)
def test_a_policy_applies_only_in_its_situation(name: str, policy: str, text: str) -> None:
    """Inside, it acts as anywhere; outside, the plan is unchanged, call by call."""
    plan, where = plans.load(name), parse_situation(text)
    limits = where.bounds()
    unlimited = fourth_down_policy.predefined_policy(policy).apply(plan)
    limited = fourth_down_policy.predefined_policy(policy, where).apply(plan)
    for moment in MOMENTS:
        inside = all(
            limits[2 * index] <= value <= limits[2 * index + 1]
            for index, value in enumerate(moment.values)
        )
        expected = unlimited if inside and moment.down == 4 else plan
        assert call_mix(limited, "instead", moment) == call_mix(expected, "instead", moment), moment
    assert set(find_warnings(limited)) <= set(find_warnings(plan))
    assert limited.rows != plan.rows
    if not text:
        assert limited == unlimited


def test_late_game_entries_of_the_plan_are_kept() -> None:
    plan = plans.load("book")
    late = parse_situation("time=..120")
    changed = fourth_down_policy.predefined_policy("cautious", late).apply(plan)
    behind = GameSituation(4, 8, 30, -6, 60, 4)
    shares = call_mix(changed, "instead", behind)
    assert shares == call_mix(plan, "instead", behind)
    assert shares is not None
    assert shares[INSTEAD_CALLS.index("play")] == 1


def test_description_names_the_situation_once() -> None:
    near = fourth_down_policy.predefined_policy("bold", parse_situation("down=4 to-go=..3"))
    assert near.words() == "bold fourth-down calls with 3 or less to go"
    assert (
        fourth_down_policy.predefined_policy("cautious").words() == "always kicking on fourth down"
    )
    assert (
        "4th & 1 to 2 from midfield on"
        in fourth_down_policy.predefined_policy(
            "bold", parse_situation("spot=50+")
        ).describe_go_for_it()
    )


@pytest.mark.parametrize(
    ("text", "when", "found"),
    [
        ("bold", "", ("bold", "")),
        ("bold", "spot=50+", ("bold", "spot=50+")),
        ("bold@to-go=1", "spot=50+", ("bold", "to-go=1")),
        ("best@down=4", "down=1", ("best", "down=4")),
    ],
)
def test_own_situation_overrides_the_common_one(
    text: str, when: str, found: tuple[str, str]
) -> None:
    name, where = found
    assert fourth_down_policy.parse_policy(text, parse_situation(when)) == (
        name,
        parse_situation(where),
    )


def test_a_situation_without_fourth_down_is_rejected() -> None:
    with pytest.raises(HashmarkError, match="its situation excludes fourth down") as caught:
        fourth_down_policy.parse_policy("bold", parse_situation("down=1"))
    assert "--play deep=+5%@down=1" in str(caught.value)


def test_go_policy_for_two_yards_or_less() -> None:
    where = parse_situation("to-go=..2")
    policy = fourth_down_policy.predefined_policy("go", where)
    assert policy.words() == "always going for it on fourth down with 2 or less to go"
    plan = plans.load("2008:ARI")
    changed = policy.apply(plan)
    for spot in range(1, 99):
        for to_go in (1, 2, 3, 10):
            shares = call_mix(changed, "instead", GameSituation(4, to_go, spot))
            assert shares is not None
            if to_go <= 2:
                assert shares[INSTEAD_CALLS.index("play")] == 1
            else:
                assert shares == call_mix(plan, "instead", GameSituation(4, to_go, spot))
