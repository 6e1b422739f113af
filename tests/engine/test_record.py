"""Records: one declaration, three forms."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hashmark.engine.record import (
    Record,
    each,
    flag,
    many,
    named,
    named_or_none,
    per_team,
    team,
    team_or_none,
    whole,
)
from hashmark.errors import InvalidPosition


class Sample(Record):
    phase: int = named("one", "two")
    clock: int = whole(0, 40, default=40)
    down: int = whole(1, 4, null_value=0)
    ball: int = team()
    chooser: int = team_or_none()
    winner: int = named_or_none("home", "away", "tie")
    late: int = flag()
    score: list[int] = per_team(whole(0, 99))
    stats: list[list[int]] = per_team(each(whole(0, 999), "runs", "passes"))
    line: list[int] = many(whole(11, 66), 5)


samples = st.fixed_dictionaries(
    {},
    optional={
        "phase": st.sampled_from(["one", "two"]),
        "clock": st.integers(0, 40),
        "down": st.none() | st.integers(1, 4),
        "ball": st.sampled_from(["home", "away"]),
        "chooser": st.sampled_from(["home", "away", None]),
        "winner": st.sampled_from(["home", "away", "tie", None]),
        "late": st.booleans(),
        "score": st.fixed_dictionaries({}, optional={"home": st.integers(0, 99)}),
        "stats": st.fixed_dictionaries(
            {}, optional={"away": st.fixed_dictionaries({"runs": st.integers(0, 999)})}
        ),
        "line": st.lists(st.integers(11, 66), max_size=5),
    },
)


@given(samples)
def test_a_record_round_trips_through_json_and_array(json: dict[str, Any]) -> None:
    import numpy as np

    record = Sample()
    record.update(json)
    again = Sample()
    again.update(record.to_json())
    assert again == record
    array = np.zeros(1, Sample.dtype())
    record.to_array(array[0])
    assert Sample.from_array(array[0]) == record
    assert record.copy() == record
    assert len(record.flat()) == sum(v.size for v in (array[name] for name in array.dtype.names))


@given(samples)
def test_omitted_keys_keep_their_value(json: dict[str, Any]) -> None:
    record = Sample()
    record.update({"score": {"home": 7, "away": 9}, "stats": {"home": {"runs": 3}}})
    record.update(json)
    assert record.score[1] == 9
    assert record.stats[0] == [3, 0]


def test_a_copy_shares_nothing() -> None:
    record = Sample()
    copied = record.copy()
    copied.stats[0][1] = 5
    copied.score[0] = 1
    assert record == Sample()


def test_records_are_not_equal_to_other_things() -> None:
    assert Sample() != 3
    with pytest.raises(TypeError):
        hash(Sample())


@pytest.mark.parametrize(
    ("json", "message"),
    [
        ({"clock": 41}, "position.clock: 41 is not between 0 and 40"),
        ({"clock": None}, "position.clock: None is not a whole number"),
        ({"clock": True}, "True is not a whole number"),
        ({"clock": 1.5}, "1.5 is not a whole number"),
        ({"phase": "tow"}, "did you mean 'two'"),
        ({"phase": None}, "unknown position.phase"),
        ({"late": 1}, "neither true nor false"),
        ({"score": 7}, "position.score: expected an object with home, away"),
        ({"score": {"hom": 7}}, "did you mean 'home'"),
        ({"stats": {"home": {"runs": -1}}}, "position.stats.home.runs: -1 is not between"),
        ({"line": 3}, "position.line: expected a list"),
        ({"line": [11] * 6}, "6 entries, at most 5"),
        ({"line": [10]}, r"position.line\[0\]: 10 is not between"),
        ({"cluck": 1}, "did you mean 'clock'"),
    ],
)
def test_errors_name_the_key_and_change_nothing(json: dict[str, Any], message: str) -> None:
    record = Sample()
    with pytest.raises(InvalidPosition, match=message):
        record.update({"ball": "away", **json})
    assert record == Sample()


def test_a_record_must_be_a_json_object() -> None:
    with pytest.raises(InvalidPosition, match="expected an object"):
        Sample().update([])  # type: ignore[arg-type]
