"""Tests of the shared parts of subcommands: parsing of options and positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hashmark.cli import common
from hashmark.engine import registry
from hashmark.engine.position_id import encode_position
from hashmark.errors import HashmarkError


def test_options_are_words_or_json() -> None:
    given = ["mode=full", 'shading={"a": [1]}', "records=[[1, 2]]", "plays=null", "x=a=b"]
    assert common.parse_options(given) == {
        "mode": "full",
        "shading": {"a": [1]},
        "records": [[1, 2]],
        "plays": None,
        "x": "a=b",
    }
    assert common.parse_options(None) == {}


@pytest.mark.parametrize(
    ("pair", "said"), [("mode", "--option mode: expected NAME=VALUE"), ("x=[1", "not JSON")]
)
def test_invalid_options_are_refused(pair: str, said: str) -> None:
    with pytest.raises(HashmarkError, match=said):
        common.parse_options([pair])


def test_a_position_must_be_a_json_object(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"spot": 30}')
    given = {"late-half-ends": "true"}
    assert common.parse_start("fourth-down", given, str(path)) == common.StartingPoint(
        given, {"spot": 30}
    )
    assert common.parse_start("fourth-down", given, None) == common.StartingPoint(given)
    path.write_text("[]")
    with pytest.raises(HashmarkError, match="a position must be a JSON object"):
        common.parse_start("fourth-down", {}, str(path))


def some_id(rules: str, options: dict[str, Any]) -> str:
    loaded = registry.load(rules)
    return encode_position(loaded, options, loaded.new_position(loaded.new_match(options)))


def test_an_id_includes_its_options() -> None:
    options = {"late-half-ends": True}
    text = some_id("fourth-down", options)
    start = common.parse_start("fourth-down", {}, text)
    assert start.options == options
    assert start.position is not None
    assert start.position["phase"] == "coin-toss"
    assert common.parse_start("fourth-down", {"late-half-ends": "true"}, text) == start


def test_arguments_that_contradict_an_id_are_refused() -> None:
    text = some_id("fourth-down", {"late-half-ends": True})
    with pytest.raises(HashmarkError, match="its option late-half-ends is True, not False"):
        common.parse_start("fourth-down", {"late-half-ends": "false"}, text)
    with pytest.raises(HashmarkError, match="belongs to fourth-down, not rapid-roll"):
        common.parse_start("rapid-roll", {}, text)
    with pytest.raises(HashmarkError, match="unknown rule set"):
        common.parse_start("rapid", {}, text)
    whole = some_id("data-driven", {"preset": "recommended"})
    assert common.parse_start("data-driven", {"preset": "recommended"}, whole).options["big_play"]
    with pytest.raises(HashmarkError, match=r"its option .* is .*, not .*"):
        common.parse_start("data-driven", {"preset": "recommended"}, some_id("data-driven", {}))


def test_a_file_takes_precedence_over_an_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = some_id("fourth-down", {})
    Path(text).write_text('{"clock": 7}')
    assert common.parse_start("fourth-down", {}, text).position == {"clock": 7}


def test_json_output_is_not_ascii_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    common.print_json({"team": "Zürich"})
    assert capsys.readouterr().out == '{\n  "team": "Zürich"\n}\n'


@pytest.mark.parametrize(
    ("text", "count"),
    [("10000", 10_000), ("10_000", 10_000), ("1,000", 1000), ("1e6", 10**6), ("2.5e3", 2500)],
)
def test_counts_may_be_written_with_an_exponent(text: str, count: int) -> None:
    assert common.parse_count("--runs", text) == count


@pytest.mark.parametrize("text", ["", "many", "1.5", "1e-2", "1.23e1", "1e999"])
def test_other_counts_are_refused(text: str) -> None:
    with pytest.raises(HashmarkError, match="expected a whole number such as 10000 or 1e6"):
        common.parse_count("--runs", text)


def test_a_count_may_have_a_least_value() -> None:
    assert common.parse_count("--most", "1e2", minimum=1) == 100
    with pytest.raises(HashmarkError, match="--most 0: expected at least 1"):
        common.parse_count("--most", "0", minimum=1)


def test_a_position_may_be_json_itself() -> None:
    start = common.parse_start("fourth-down", {}, ' {"spot": 30}')
    assert start.position == {"spot": 30}
    with pytest.raises(HashmarkError, match="--position"):
        common.parse_start("fourth-down", {}, '{"spot": ')


def test_a_call_may_be_given_by_its_beginning() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    g = rules.new_position(
        m, {"phase": "fourth-down", "possession": "home", "spot": 60, "to_go": 3}
    )
    assert common.complete_call(rules, m, g, "go") == "go-for-it"
    assert common.complete_call(rules, m, g, "punt") == "punt"
    assert common.complete_call(rules, m, g, "xyz") == "xyz"
