"""Game plans from Python."""

from __future__ import annotations

import pytest

import hashmark as hm
from api.looks import check_looks
from hashmark.api.plans import MAX_TO_GO_OF_MAP, fourth_down_calls
from hashmark.games.data_driven.plans import plan as plans


@pytest.mark.parametrize(
    ("name", "season"),
    [("ARI", 2008), ("Cardinals", "2008"), ("2008:ARI", None), ("ARI-2008", None)],
)
def test_real_plans_have_many_names(name: str, season: int | None) -> None:
    assert hm.plan(name, season).name == "2008:ARI"


@pytest.mark.parametrize(("old", "new"), [("STL", "LA"), ("SD", "LAC"), ("OAK", "LV")])
def test_codes_of_the_time_are_accepted(old: str, new: str) -> None:
    assert hm.plan(old, 2008).to_toml() == hm.plan(new, 2008).to_toml()


def test_the_average_team_and_plans_by_name() -> None:
    assert hm.plan("league", 2008).name == "2008:league"
    assert hm.plan("book").name == "book"


def test_a_plan_is_a_frame_a_file_and_a_picture() -> None:
    plan = hm.plan("ARI", 2008)
    frame = plan.frame()
    assert frame.columns == ["section", "situation", "call", "share"]
    assert frame["share"].is_between(0, 1).all()
    assert set(frame["section"]) >= {"play", "formation", "instead"}
    copied = plans.parse_text(plan.to_toml(), "the copy")
    assert copied.rows == plans.load("2008:ARI").rows
    check_looks(plan)


def test_the_map_shows_the_most_frequent_fourth_down_call() -> None:
    calls = fourth_down_calls(plans.load("2008:ARI"))
    assert len(calls) == MAX_TO_GO_OF_MAP
    assert calls[9][20 - 1] == "punt"  # 4th & 10 at the own 20
    assert calls[9][80 - 1] == "field goal"
    assert calls[0][60 - 1] == "go for it"
    assert calls[9][95 - 1] is None  # there are no 10 yards to go
    axes = hm.plan("ARI", 2008).plot()
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["field goal", "go for it", "punt"]


@pytest.mark.parametrize(
    ("name", "season", "message"),
    [
        ("ARX", 2008, "unknown team 'ARX': did you mean ARI"),
        ("bookk", None, "no game plan 'bookk'.*did you mean 'book'"),
    ],
)
def test_wrong_names_are_refused(name: str, season: int | None, message: str) -> None:
    with pytest.raises(hm.HashmarkError, match=message):
        hm.plan(name, season)
