"""Verifiable dice: the commitment, the players' client seeds, and every roll made again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.fairness import verify_bytes, verify_file
from hashmark.session.game_session import GameSession
from hashmark.session.header import MAX_CLIENT_SEED_LETTERS, Header, check_client_seed
from hashmark.session.opponents import coaches_in_order, default_opponent, games_by_difficulty

COACHES = {"home": "coach:book", "away": "coach:book"}
SEALED = Header("fourth-down", seats=COACHES, seed=7, salt="pepper", client_seeds=("left", "right"))


def play_logged_game(header: Header) -> bytes:
    """Return the log of a whole game between coaches."""
    lines: list[str] = []
    chain = [""]

    def persist(line: object) -> None:
        text, chain[0] = log.seal_line(chain[0], line)  # type: ignore[arg-type]
        lines.append(text)

    session = GameSession(header, header.new_game(), persist)
    persist(header.to_json())
    while session.advance():
        pass
    return "".join(lines).encode()


def test_client_seeds_change_the_dice_but_not_the_commitment() -> None:
    secret = b"7\x000\x00pepper\x00left\x00right"
    assert SEALED.dice_seed == int.from_bytes(hashlib.sha256(secret).digest()[:8], "big")
    for words in (("left", ""), ("right", "left"), ("", "")):
        other = replace(SEALED, client_seeds=words)
        assert other.dice_seed != SEALED.dice_seed
        assert other.commitment == SEALED.commitment
    assert replace(SEALED, client_seeds=None).dice_seed == 7


def test_the_public_header_shows_client_seeds_but_no_seed() -> None:
    public = SEALED.public_json()
    assert public["words"] == {"home": "left", "away": "right"}
    assert not {"seed", "game", "salt"} & set(public)
    assert SEALED.reveal_json()["words"] == {"home": "left", "away": "right"}


def test_a_game_with_client_seeds_is_verified() -> None:
    raw = play_logged_game(SEALED)
    verified = verify_bytes(raw, "here")
    verified.check_commitment(SEALED.commitment)
    assert verified.header == SEALED
    assert 'the players\' seed words "left" and "right"' in verified.message
    assert verified.to_json()["rolls"] == verified.dice_count > 20
    with pytest.raises(HashmarkError, match="do not match the commitment"):
        verified.check_commitment("0" * 64)


def test_changed_client_seeds_in_a_log_are_detected(tmp_path: Path) -> None:
    """Client seeds that are changed in a log, with fitting sums, are detected."""
    lines = [json.loads(line) for line in play_logged_game(SEALED).splitlines()]
    lines[0]["words"]["home"] = "Left"
    chain, forged = "", ""
    for line in lines:
        del line["sum"]
        text, chain = log.seal_line(chain, line)
        forged += text
    path = tmp_path / "forged.log"
    path.write_text(forged)
    with pytest.raises(HashmarkError, match=r"line [0-9]+: (the dice are not|these rules)"):
        verify_file(path)


@pytest.mark.parametrize(
    "word", [7, "x" * (MAX_CLIENT_SEED_LETTERS + 1), "\x1b[2J", "\ud800", None]
)
def test_an_invalid_client_seed_is_refused(word: object) -> None:
    with pytest.raises(HashmarkError, match="word"):
        check_client_seed(word)


@pytest.mark.parametrize("words", ["left", {"home": "a"}, {"home": "a", "away": 1}, []])
def test_a_log_with_invalid_client_seeds_is_refused(words: object, tmp_path: Path) -> None:
    text, _ = log.seal_line("", {**SEALED.to_json(), "words": words})
    path = tmp_path / "a.log"
    path.write_text(text)
    with pytest.raises(HashmarkError, match="line 1: word"):
        log.replay(path)


def test_a_session_is_resumed_from_its_log_lines() -> None:
    raw = play_logged_game(SEALED)
    session, replay = GameSession.resume_bytes(raw, "here")
    assert session.is_over
    assert replay.good_bytes == len(raw)
    torn, replay = GameSession.resume_bytes(raw[:-5], "here")
    assert not torn.is_over
    assert replay.notices == [f"here, line {raw.count(b'{') and raw.count(10)}: " + CUT]


CUT = "the last line was cut off and is ignored"


def test_a_repeated_coach_call_is_ignored() -> None:
    header = Header("roll-for-yardage", seats={"home": "human", "away": "coach:random"}, seed=2)
    session = GameSession(header, header.new_game())
    while (request := session.coach_request()) is None:
        if not session.advance():
            pending = session.pending_input()
            assert pending is not None
            session.answer(pending.moment, 0, pending.calls[0])  # type: ignore[union-attr]
    call, drawn = request.decide()
    assert session.apply_coach_call(request, call, drawn)
    assert session.apply_coach_call(request, call, drawn) == ()


def test_coaches_are_listed_from_the_weakest_to_the_strongest() -> None:
    for rules in games_by_difficulty():
        assert default_opponent(rules.name) == "coach:book"
        coaches = coaches_in_order(rules)
        assert coaches[0].name == "random"
        assert [coach.strength for coach in coaches] == sorted(c.strength for c in coaches)
        assert all(coach.level for coach in coaches)
