"""Dice that can be checked: the seal, the players' words in the dice, and every roll made again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.fairness import verify, verify_bytes
from hashmark.table.header import LONGEST_WORD, Header, check_word
from hashmark.table.opponents import by_ease, default_opponent, in_order
from hashmark.table.sitting import Sitting

COACHES = {"home": "coach:book", "away": "coach:book"}
SEALED = Header("fourth-down", seats=COACHES, seed=7, salt="pepper", words=("left", "right"))


def kept(header: Header) -> bytes:
    """A whole game between coaches, as its lines are kept."""
    lines: list[str] = []
    chain = [""]

    def keep(line: object) -> None:
        text, chain[0] = log.sealed(chain[0], line)  # type: ignore[arg-type]
        lines.append(text)

    sitting = Sitting(header, header.new_game(), keep)
    keep(header.to_json())
    while sitting.proceed():
        pass
    return "".join(lines).encode()


def test_words_are_mixed_into_the_dice_and_not_into_the_seal() -> None:
    said = b"7\x000\x00pepper\x00left\x00right"
    assert SEALED.dice_seed == int.from_bytes(hashlib.sha256(said).digest()[:8], "big")
    for words in (("left", ""), ("right", "left"), ("", "")):
        other = replace(SEALED, words=words)
        assert other.dice_seed != SEALED.dice_seed
        assert other.commitment == SEALED.commitment
    assert replace(SEALED, words=None).dice_seed == 7


def test_the_public_header_has_the_words_and_nothing_of_the_seed() -> None:
    public = SEALED.public()
    assert public["words"] == {"home": "left", "away": "right"}
    assert not {"seed", "game", "salt"} & set(public)
    assert SEALED.opened()["words"] == {"home": "left", "away": "right"}


def test_a_game_is_verified_with_its_words() -> None:
    raw = kept(SEALED)
    found = verify_bytes(raw, "here")
    found.check(SEALED.commitment)
    assert found.header == SEALED
    assert 'the players\' words "left" and "right"' in found.sentence
    assert found.to_json()["rolls"] == found.rolls > 20
    with pytest.raises(HashmarkError, match="not those that were committed to"):
        found.check("0" * 64)


def test_other_words_are_other_dice(tmp_path: Path) -> None:
    """Whoever changes the words in a log afterwards, and its sums with them, is found out."""
    lines = [json.loads(line) for line in kept(SEALED).splitlines()]
    lines[0]["words"]["home"] = "Left"
    chain, forged = "", ""
    for line in lines:
        del line["sum"]
        text, chain = log.sealed(chain, line)
        forged += text
    path = tmp_path / "forged.log"
    path.write_text(forged)
    with pytest.raises(HashmarkError, match=r"line [0-9]+: (the dice are not|these rules)"):
        verify(path)


@pytest.mark.parametrize("word", [7, "x" * (LONGEST_WORD + 1), "\x1b[2J", "\ud800", None])
def test_what_is_no_word(word: object) -> None:
    with pytest.raises(HashmarkError, match="word"):
        check_word(word)


@pytest.mark.parametrize("words", ["left", {"home": "a"}, {"home": "a", "away": 1}, []])
def test_a_log_with_words_that_cannot_be(words: object, tmp_path: Path) -> None:
    text, _ = log.sealed("", {**SEALED.to_json(), "words": words})
    path = tmp_path / "a.log"
    path.write_text(text)
    with pytest.raises(HashmarkError, match="line 1: word"):
        log.replay(path)


def test_a_sitting_is_taken_up_from_its_lines() -> None:
    raw = kept(SEALED)
    sitting, read = Sitting.take_up_bytes(raw, "here")
    assert sitting.is_over
    assert read.length == len(raw)
    torn, read = Sitting.take_up_bytes(raw[:-5], "here")
    assert not torn.is_over
    assert read.notices == [f"here, line {raw.count(b'{') and raw.count(10)}: " + CUT]


CUT = "the last line was cut off and is left out"


def test_a_coach_that_thought_too_long_is_not_heard() -> None:
    header = Header("roll-for-yardage", seats={"home": "human", "away": "coach:random"}, seed=2)
    sitting = Sitting(header, header.new_game())
    while (thought := sitting.to_think()) is None:
        if not sitting.proceed():
            wanted = sitting.wanted()
            assert wanted is not None
            sitting.answer(wanted.moment, 0, wanted.calls[0])  # type: ignore[union-attr]
    call, drawn = thought.decide()
    assert sitting.coach_calls(thought, call, drawn)
    assert sitting.coach_calls(thought, call, drawn) == ()


def test_opponents() -> None:
    assert default_opponent("fourth-down") == "coach:book"
    for rules in by_ease():
        assert in_order(rules)[0].name == "book"
        assert in_order(rules)[-1].name == "random"
