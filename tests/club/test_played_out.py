"""Games played to their end by coaches, from the beginning and from the middle."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hashmark.club.played_out import play_out
from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.fairness import verify_bytes
from hashmark.table.header import Header, new_salt
from hashmark.table.sitting import Sitting

COACHES = ("coach:book", "coach:bold")


def kept_after(calls: int, header: Header) -> list[str]:
    """The lines of a game in which a person has made some calls."""
    lines: list[str] = []
    chain = ""

    def keep(line: object) -> None:
        nonlocal chain
        text, chain = log.sealed(chain, line)  # type: ignore[arg-type]
        lines.append(text)

    keep(header.to_json())
    sitting = Sitting(header, header.new_game(), keep=keep)
    for _ in range(calls):
        while sitting.proceed():
            pass
        wanted = sitting.wanted()
        if wanted is None:
            break
        sitting.answer(sitting.moment, wanted.team, wanted.calls[0])  # type: ignore[union-attr]
    return lines


@pytest.mark.parametrize("calls", [0, 1, 9])
def test_it_goes_on_from_where_it_stands(calls: int) -> None:
    header = Header("fourth-down", seed=5, salt=new_salt(), words=("", ""))
    kept = kept_after(calls, header)
    made = play_out(kept, COACHES)
    whole = "".join([*kept, *made.lines]).encode()
    sitting, _ = Sitting.take_up_bytes(whole, "the game")
    assert sitting.is_over
    assert tuple(sitting.game.position.score) == made.score
    assert sitting.seats == list(COACHES)
    assert "final" in made.said
    assert verify_bytes(whole, "the game").to_json()["verified"] is True
    assert play_out(kept, COACHES) == made  # the dice are those of the seed


def test_only_shipped_files_are_found_for_strangers() -> None:
    header = Header(
        "data-driven", {"charts": "/etc/passwd"}, {"home": "coach:book", "away": "coach:book"}
    )
    first, _ = log.sealed("", header.to_json())
    with pytest.raises(HashmarkError):
        play_out([first], COACHES, only_shipped=True)


def test_a_game_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    header = Header("fourth-down", seats=dict.fromkeys(("home", "away"), "coach:book"))
    first, _ = log.sealed("", replace(header, salt=new_salt()).to_json())
    monkeypatch.setattr("hashmark.club.played_out.LONGEST_GAME", 3)
    with pytest.raises(HashmarkError, match="cannot play"):
        play_out([first], COACHES)
