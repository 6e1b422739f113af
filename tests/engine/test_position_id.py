"""Position IDs: each stands for one position of one game, and a typo for none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hashmark.engine import position_id, registry
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.position_id import ALPHABET, decode_position, encode_position, looks_like_id
from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts.files import SHIPPED
from hashmark.storage import search_path

FOURTH = {"phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 6, "clock": 119}
OTHER: dict[str, dict[str, Any]] = {  # options of every kind
    "fourth-down": {"turnover-spot": "start", "late-half-ends": True},
    "roll-for-yardage": {"overtime_plays": 12, "season": "postseason", "plays_per_quarter": 15},
    "two-minute-drill": {"reply": True, "start-spot": 31},
    "rapid-roll": {
        "records": {"home": [10, 6], "away": [7, 8, 1]},
        "shading": {"line-run": [2, 11]},
        "kickoff_line": 35,
    },
    "data-driven": {"charts": "2008", "home_team": "ARI", "away_team": "PIT", "mode": "full"},
}


def position(rules: str, start: dict[str, Any] | None = None) -> Any:
    loaded = registry.load(rules)
    return loaded.new_position(loaded.new_match(), start)


def fourth_down_id() -> str:
    return encode_position(registry.load("fourth-down"), {}, position("fourth-down", FOURTH))


@settings(max_examples=12)
@given(st.sampled_from(registry.builtin_names()), st.integers(0, 1000), st.booleans())
def test_every_position_of_a_game_round_trips(rules: str, seed: int, other: bool) -> None:
    options = OTHER[rules] if other else {}
    game = Game(rules, options, dice=SeededDice(seed), seed=seed)
    random = game.rules.coach("random")
    for _ in range(25):
        decoded = decode_position(encode_position(game.rules, game.options, game.position))
        assert decoded.rules is game.rules
        assert decoded.position == game.position
        assert game.rules.parse_options(decoded.options) == game.rules.parse_options(options)
        if game.is_over:
            break
        game.play(game.decide(random))


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_a_new_game_takes_few_letters(rules: str) -> None:
    loaded = registry.load(rules)
    text = encode_position(loaded, {}, position(rules))
    assert len(text) <= 8
    assert decode_position(text).options == {}


def test_an_id_is_short_and_one_word() -> None:
    text = fourth_down_id()
    assert text.isalnum()
    assert len(text) <= 16
    assert looks_like_id(text)


def test_every_typo_of_one_letter_is_refused() -> None:
    text = fourth_down_id()
    for index in range(2, len(text)):
        for letter in ALPHABET:
            typo = text[:index] + letter + text[index + 1 :]
            if typo != text:
                with pytest.raises(HashmarkError, match=typo):
                    decode_position(typo)


@pytest.mark.parametrize("text", ["", "hm", "hm-12345", "HM12345", "hm00000", "hm" + "z" * 5000])
def test_malformed_ids_are_refused(text: str) -> None:
    with pytest.raises(HashmarkError):
        decode_position(text)


def test_leading_zeros_are_refused() -> None:
    with pytest.raises(HashmarkError, match="encodes no valid position"):
        decode_position("hm0" + fourth_down_id().removeprefix("hm"))


def test_another_version_of_the_rules_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    text = fourth_down_id()
    monkeypatch.setattr(registry, "load", lambda name: NewerRules())
    with pytest.raises(HashmarkError, match="version 1 of the rules of fourth-down; installed: 2"):
        decode_position(text)


class NewerRules:
    version = 2


def forge_id(digits: position_id.DigitWriter, name: str = "fourth-down") -> str:
    """Return an ID with a fitting checksum for any content."""
    payload = digits.to_int()
    number = payload << position_id.CHECKSUM_BITS | position_id._checksum(name, payload)
    text = ""
    while number:
        number, digit = divmod(number, len(ALPHABET))
        text = ALPHABET[digit] + text
    return f"hm{text}"


def test_an_impossible_position_with_a_fitting_checksum_is_refused() -> None:
    digits = position_id.DigitWriter()
    digits.add_number(1)
    for value, size in (
        (0, 2),
        (1, 2),
        (1, 6),
    ):  # no options; the phase: a drive without possession
        digits.add_digit(value, size)
    with pytest.raises(HashmarkError, match="needs possession"):
        decode_position(forge_id(digits))


def test_surplus_digits_are_refused() -> None:
    digits = position_id.DigitWriter()
    digits.add_number(1)
    for _ in range(40):
        digits.add_digit(0, 2)
    digits.add_digit(1, 2)
    with pytest.raises(HashmarkError, match="encodes no valid position"):
        decode_position(forge_id(digits))


def test_a_position_with_user_files_has_no_id(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes((SHIPPED / "2008.toml").read_bytes())
    rules, options = registry.load("data-driven"), {"charts": "mine", "home_team": "ARI"}
    with search_path.search_first([tmp_path]):
        g = rules.new_position(rules.new_match(options))
        with pytest.raises(HashmarkError, match=r"no ID.*do not ship with Hashmark.*charts 'mine'"):
            encode_position(rules, options, g)
        with pytest.raises(HashmarkError, match="do not ship with Hashmark"):
            encode_position(rules, {**options, "charts": str(tmp_path / "mine.toml")}, g)


def test_a_user_file_under_a_shipped_name_is_not_used(tmp_path: Path) -> None:
    rules, options = registry.load("data-driven"), OTHER["data-driven"]
    text = encode_position(rules, options, rules.new_position(rules.new_match(options)))
    (tmp_path / "2008.toml").write_bytes((SHIPPED / "2009.toml").read_bytes())
    with (
        search_path.search_first([tmp_path]),
        pytest.raises(HashmarkError, match="do not ship with"),
    ):
        decode_position(text)
    (tmp_path / "2008.toml").write_bytes((SHIPPED / "2008.toml").read_bytes())
    with search_path.search_first([tmp_path]):
        assert decode_position(text).options == options


def test_a_redacted_position_within_a_play_has_no_id() -> None:
    """A redacted position must not be taken for one without a call."""
    game = Game("data-driven", dice=SeededDice(1), seed=1)
    book = game.rules.coach("book")
    while game.question.name != "formation":
        game.play(game.decide(book))
    view = game.rules.view(game.match, game.position, game.team_to_act)
    with pytest.raises(HashmarkError):
        encode_position(game.rules, {}, view)
