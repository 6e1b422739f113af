"""What must not be known is not known: views, histories, logs, coaches in both engines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from hashmark.games.data_driven import RULES as DATA_DRIVEN
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.audibles import veil
from hashmark.games.fourth_down import RULES as FOURTH_DOWN
from hashmark.referee import Foul, Referee
from hashmark.referee.secrecy import check_secrets
from hashmark.sim import simulate
from hashmark.table.dice import D20
from hashmark.table.effects import roll
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game, SeededDice
from hashmark.table.header import Header
from hashmark.table.record import AWAY, HOME, Record
from hashmark.table.rule import rule
from hashmark.table.rules import RuleSet
from hashmark.table.secrets import VIEWERS, WATCHER
from hashmark.table.sitting import Sitting
from hashmark.table.wanted import CallWanted

DOWN = {"phase": "scrimmage", "possession": "home", "spot": 30}


# --- Views that leak are found --------------------------------------------------------


def _showing(field: str) -> Any:
    """The veil with a hole: one field is left as it is."""

    def leaky(m: Any, g: Any, viewer: int) -> None:
        kept = getattr(g, field)
        veil(m, g, viewer)
        setattr(g, field, kept)

    return leaky


def _open_to(viewer: int) -> Any:
    """The veil that hides nothing from one viewer."""

    def leaky(m: Any, g: Any, of: int) -> None:
        if of != viewer:
            veil(m, g, of)

    return leaky


def _leaks() -> dict[str, RuleSet]:
    """Rule sets that give something away too early."""
    named = tuple(
        replace(one, secret=()) if one.name == "formation" else one for one in DATA_DRIVEN.questions
    )
    return {
        "the play is shown": replace(DATA_DRIVEN, veil=_showing("play")),
        "a watcher sees everything": replace(DATA_DRIVEN, veil=_open_to(WATCHER)),
        "away sees everything": replace(DATA_DRIVEN, veil=_open_to(AWAY)),
        "the sentence names it": replace(
            DATA_DRIVEN, words=replace(DATA_DRIVEN.words, situation=_blabs)
        ),
        "the history names it": replace(DATA_DRIVEN, questions=named, veil=_showing("play")),
    }


def _blabs(m: Any, g: Any) -> str:
    return f"they will play {g.play}"


def test_the_secrets_of_every_game_are_kept() -> None:
    assert check_secrets(Referee(DATA_DRIVEN, seed=5), tries=1) > 10


@pytest.mark.parametrize("leak", [name for name in _leaks() if name != "the sentence names it"])
def test_a_view_with_a_hole_is_caught(leak: str) -> None:
    with pytest.raises(Foul, match="can tell"):
        check_secrets(Referee(_leaks()[leak]), tries=3)


def test_words_that_would_blab_are_given_the_veiled_position() -> None:
    assert check_secrets(Referee(_leaks()["the sentence names it"]), tries=1) > 10


WINDOW = {
    **DOWN,
    "asks": "offence-audible",
    "play": "draw",
    "formation": "nickel",
    "prompted": True,
}


@pytest.mark.parametrize("field", ["play", "formation", "prompted"])
def test_each_field_is_hidden_while_a_pc_prompts(field: str) -> None:
    """And each hole in the veil would show."""
    views = {}
    for rules in (DATA_DRIVEN, replace(DATA_DRIVEN, veil=_showing(field))):
        m = rules.new_match({"audibles": "pc"})
        g = rules.new_position(m, WINDOW)
        views[rules] = [getattr(rules.view(m, g, viewer), field) for viewer in VIEWERS]
        assert getattr(g, field) > 0
    kept, leaky = views.values()
    hidden = {"play": [AWAY, WATCHER], "formation": [HOME, WATCHER], "prompted": list(VIEWERS)}
    for viewer, value, leaked in zip(VIEWERS, kept, leaky, strict=True):
        assert leaked > 0
        assert (value <= 0) == (viewer in hidden[field])


# --- What a viewer has of a game ------------------------------------------------------


def _table(**options: Any) -> Sitting:
    header = Header("data-driven", options, start=DOWN, seed=4, salt="ab" * 16)
    return Sitting(header, header.new_game())


def _call(sitting: Sitting, call: str) -> None:
    wanted = sitting.wanted()
    assert isinstance(wanted, CallWanted)
    assert sitting.answer(wanted.moment, wanted.team, call).accepted


def test_a_secret_call_is_known_to_its_team_alone_and_revealed_with_the_answer() -> None:
    sitting = _table()
    _call(sitting, "draw")
    texts = {viewer: json.dumps(sitting.log(viewer)) for viewer in VIEWERS}
    assert "draw" in texts[HOME]
    assert "draw" not in (texts[AWAY] + texts[WATCHER]).replace('"draw":', "uses left of it")
    _call(sitting, "nickel")
    for viewer in VIEWERS:
        kinds = [one["kind"] for one in sitting.since(0, viewer)]
        assert kinds[:3] == ["turn", "turn", "revealed"]
        revealed = sitting.since(0, viewer)[2]["calls"]
        assert [(one["team"], one["call"]) for one in revealed] == [("home", "draw")]
        assert sitting.since(0, viewer)[0]["call"] == ("draw" if viewer == HOME else None)
    assert not any(turn.secret for turn in sitting.seen(WATCHER).turns)


def test_a_call_withdrawn_before_the_reveal_stays_secret_to_the_end() -> None:
    """With a PC's prompts the offence calls again without anybody having seen the first call."""
    header = Header("data-driven", {"audibles": "pc"}, start=DOWN, seed=3)
    sitting = Sitting(header, header.new_game())
    _call(sitting, "draw")
    _call(sitting, "jam-middle")
    assert sitting.game.position.asks == p.ASK_OFFENCE_AUDIBLE
    _call(sitting, "audible")
    _call(sitting, "long-pass")
    history = sitting.seen(AWAY).turns
    assert [turn.secret for turn in history[:2]] == [True, False]
    assert "draw" not in json.dumps(
        [one["call"] for one in sitting.since(0, AWAY) if one["kind"] == "turn"]
    )
    while not sitting.is_over:
        if not sitting.proceed():
            wanted = sitting.wanted()
            assert isinstance(wanted, CallWanted)
            _call(sitting, wanted.default or wanted.calls[0])
    over = sitting.since(0, AWAY)[-1]
    assert over["kind"] == "over"
    assert {"turn": 1, "team": "home", "call": "draw"}.items() <= over["calls"][0].items()
    assert not sitting.seen(AWAY).turns[0].secret


def test_nothing_that_leaves_the_table_holds_the_seed_before_the_end() -> None:
    header = Header("fourth-down", seed=987654321987, number=77, salt="5a1t" * 8)
    sitting = Sitting(header, header.new_game())
    sitting.proceed()
    for viewer in VIEWERS:
        said = json.dumps(sitting.log(viewer))
        assert "987654321987" not in said
        assert "5a1t" not in said
        assert header.commitment in said
    guesses = {replace(header, salt=salt).commitment for salt in ("", "0", "00" * 16)}
    assert header.commitment not in guesses


def test_a_digest_of_a_secret_turn_is_not_given_away() -> None:
    """The keeper's log line has one; it could be guessed through over nine plays."""
    sitting = _table()
    kept: list[Any] = []
    sitting.keep = kept.append
    _call(sitting, "draw")
    assert kept[-1]["at"]
    for viewer in (AWAY, WATCHER):
        assert kept[-1]["at"] not in json.dumps(sitting.log(viewer))


# --- Coaches --------------------------------------------------------------------------


def test_a_coach_that_rolls_is_refused() -> None:
    def cheats(m: Any, g: Any) -> int:
        return roll(g, D20)

    game = Game(FOURTH_DOWN, dice=SeededDice(1))
    game.play()
    rules, coach = FOURTH_DOWN.with_coach(cheats)
    with pytest.raises(HashmarkError, match="a coach must not roll"):
        game.decide(coach)
    with pytest.raises(HashmarkError, match="a coach must not roll"):
        simulate(rules, 1, home=cheats, away=cheats, engine="plain")


def test_a_coach_sees_the_veiled_position_in_both_engines() -> None:
    """4th Down! with its clock hidden: who looks sees nothing, and the game goes on as it was."""

    @rule
    def hide_the_clock(m: Any, g: Any, viewer: int) -> None:
        g.clock = 0

    @rule
    def watches_the_clock(m: Any, g: Any) -> int:
        if g.clock > 0:
            return -1
        return int(book(m, g))

    book: Any = FOURTH_DOWN.coach("plain").call
    veiled = replace(FOURTH_DOWN, veil=hide_the_clock, secrets=("clock",), custom=True)
    runs = [
        simulate(veiled, 40, seed=2, home=watches_the_clock, away="plain", engine=engine)
        for engine in ("plain", "compiled")
    ]
    assert runs[0].digest == runs[1].digest
    with pytest.raises(HashmarkError, match="not allowed"):
        simulate(FOURTH_DOWN, 40, home=watches_the_clock, away="plain", engine="plain")


def test_a_copy_shares_nothing_with_the_table() -> None:
    """Stepping a copy must not move the real dice."""
    game = Game(FOURTH_DOWN, dice=SeededDice(1))
    game.play()
    twin: Record = game.position.copy()
    assert twin.table is None
    for turn in game.turns:
        assert turn.before.table is None
