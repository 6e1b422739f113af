"""Redaction: hidden information stays hidden in views, histories, logs and coaches of both
engines."""

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


def _without_hiding(field: str) -> Any:
    """Return a redaction that leaves one field visible."""

    def leaky(m: Any, g: Any, viewer: int) -> None:
        value = getattr(g, field)
        veil(m, g, viewer)
        setattr(g, field, value)

    return leaky


def _visible_to(viewer: int) -> Any:
    """Return a redaction that hides nothing from one viewer."""

    def leaky(m: Any, g: Any, current: int) -> None:
        if current != viewer:
            veil(m, g, current)

    return leaky


def _leaks() -> dict[str, RuleSet]:
    """Return rule sets that reveal something too early."""
    named = tuple(
        replace(one, secret=()) if one.name == "formation" else one for one in DATA_DRIVEN.questions
    )
    return {
        "the play is shown": replace(DATA_DRIVEN, veil=_without_hiding("play")),
        "a watcher sees everything": replace(DATA_DRIVEN, veil=_visible_to(WATCHER)),
        "away sees everything": replace(DATA_DRIVEN, veil=_visible_to(AWAY)),
        "the sentence names it": replace(
            DATA_DRIVEN, words=replace(DATA_DRIVEN.words, situation=_reveals_play)
        ),
        "the history names it": replace(DATA_DRIVEN, questions=named, veil=_without_hiding("play")),
    }


def _reveals_play(m: Any, g: Any) -> str:
    return f"they will play {g.play}"


def test_no_secret_of_the_game_leaks() -> None:
    assert check_secrets(Referee(DATA_DRIVEN, seed=5), tries=1) > 10


@pytest.mark.parametrize("leak", [name for name in _leaks() if name != "the sentence names it"])
def test_a_leaking_view_is_detected(leak: str) -> None:
    with pytest.raises(Foul, match="can tell"):
        check_secrets(Referee(_leaks()[leak]), tries=3)


def test_texts_receive_the_redacted_position() -> None:
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
    """Each leak in the redaction would show."""
    views = {}
    for rules in (DATA_DRIVEN, replace(DATA_DRIVEN, veil=_without_hiding(field))):
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


def _make_session(**options: Any) -> Sitting:
    header = Header("data-driven", options, start=DOWN, seed=4, salt="ab" * 16)
    return Sitting(header, header.new_game())


def _call(session: Sitting, call: str) -> None:
    pending = session.wanted()
    assert isinstance(pending, CallWanted)
    assert session.answer(pending.moment, pending.team, call).accepted


def test_a_secret_call_is_known_to_its_team_only_until_the_answer() -> None:
    session = _make_session()
    _call(session, "draw")
    texts = {viewer: json.dumps(session.log(viewer)) for viewer in VIEWERS}
    assert "draw" in texts[HOME]
    assert "draw" not in (texts[AWAY] + texts[WATCHER]).replace('"draw":', "uses left of it")
    _call(session, "nickel")
    for viewer in VIEWERS:
        kinds = [entry["kind"] for entry in session.since(0, viewer)]
        assert kinds[:3] == ["turn", "turn", "revealed"]
        revealed = session.since(0, viewer)[2]["calls"]
        assert [(entry["team"], entry["call"]) for entry in revealed] == [("home", "draw")]
        assert session.since(0, viewer)[0]["call"] == ("draw" if viewer == HOME else None)
    assert not any(turn.secret for turn in session.seen(WATCHER).turns)


def test_a_call_withdrawn_before_the_reveal_stays_secret_to_the_end() -> None:
    """With a PC's prompts the offense calls again before the first call is revealed."""
    header = Header("data-driven", {"audibles": "pc"}, start=DOWN, seed=3)
    session = Sitting(header, header.new_game())
    _call(session, "draw")
    _call(session, "jam-middle")
    assert session.game.position.asks == p.ASK_OFFENCE_AUDIBLE
    _call(session, "audible")
    _call(session, "long-pass")
    history = session.seen(AWAY).turns
    assert [turn.secret for turn in history[:2]] == [True, False]
    assert "draw" not in json.dumps(
        [entry["call"] for entry in session.since(0, AWAY) if entry["kind"] == "turn"]
    )
    while not session.is_over:
        if not session.proceed():
            pending = session.wanted()
            assert isinstance(pending, CallWanted)
            _call(session, pending.default or pending.calls[0])
    over = session.since(0, AWAY)[-1]
    assert over["kind"] == "over"
    assert {"turn": 1, "team": "home", "call": "draw"}.items() <= over["calls"][0].items()
    assert not session.seen(AWAY).turns[0].secret


def test_no_output_contains_the_seed_before_the_end() -> None:
    header = Header("fourth-down", seed=987654321987, number=77, salt="5a1t" * 8)
    session = Sitting(header, header.new_game())
    session.proceed()
    for viewer in VIEWERS:
        text = json.dumps(session.log(viewer))
        assert "987654321987" not in text
        assert "5a1t" not in text
        assert header.commitment in text
    guesses = {replace(header, salt=salt).commitment for salt in ("", "0", "00" * 16)}
    assert header.commitment not in guesses


def test_the_digest_of_a_secret_turn_is_not_published() -> None:
    """The log line has one; with nine plays, the call could be guessed from it."""
    session = _make_session()
    lines: list[Any] = []
    session.keep = lines.append
    _call(session, "draw")
    assert lines[-1]["at"]
    for viewer in (AWAY, WATCHER):
        assert lines[-1]["at"] not in json.dumps(session.log(viewer))


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


def test_a_coach_sees_the_redacted_position_in_both_engines() -> None:
    """In 4th Down! with its clock hidden, a coach sees no clock, and the game continues
    unchanged."""

    @rule
    def hide_the_clock(m: Any, g: Any, viewer: int) -> None:
        g.clock = 0

    @rule
    def watches_the_clock(m: Any, g: Any) -> int:
        if g.clock > 0:
            return -1
        return int(book(m, g))

    book: Any = FOURTH_DOWN.coach("plain").call
    redacted = replace(FOURTH_DOWN, veil=hide_the_clock, secrets=("clock",), custom=True)
    runs = [
        simulate(redacted, 40, seed=2, home=watches_the_clock, away="plain", engine=engine)
        for engine in ("plain", "compiled")
    ]
    assert runs[0].digest == runs[1].digest
    with pytest.raises(HashmarkError, match="not allowed"):
        simulate(FOURTH_DOWN, 40, home=watches_the_clock, away="plain", engine="plain")


def test_a_copy_has_no_effect_handler() -> None:
    """Stepping a copy must not move the real dice."""
    game = Game(FOURTH_DOWN, dice=SeededDice(1))
    game.play()
    copied: Record = game.position.copy()
    assert copied.table is None
    for turn in game.turns:
        assert turn.before.table is None
