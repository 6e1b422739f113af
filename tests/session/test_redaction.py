"""Redaction: hidden information stays hidden in views, histories, logs and coaches of both
engines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from hashmark.conformance import ConformanceKit, Violation
from hashmark.conformance.secrecy import check_secrets
from hashmark.engine.dice import D20
from hashmark.engine.effects import roll
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import AWAY, HOME, Record
from hashmark.engine.rule import rule
from hashmark.engine.rule_set import RuleSet
from hashmark.engine.team_names import TeamNames
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES as DATA_DRIVEN
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.audibles import redact
from hashmark.games.fourth_down import RULES as FOURTH_DOWN
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.session.pending import PendingCall
from hashmark.session.redaction import SPECTATOR, VIEWERS
from hashmark.sim import simulate

DOWN = {"phase": "scrimmage", "possession": "home", "spot": 30}


# --- Views that leak are found --------------------------------------------------------


def _without_hiding(field: str) -> Any:
    """Return a redaction that leaves one field visible."""

    def leaky(m: Any, g: Any, viewer: int) -> None:
        value = getattr(g, field)
        redact(m, g, viewer)
        setattr(g, field, value)

    return leaky


def _visible_to(viewer: int) -> Any:
    """Return a redaction that hides nothing from one viewer."""

    def leaky(m: Any, g: Any, current: int) -> None:
        if current != viewer:
            redact(m, g, current)

    return leaky


def _leaks() -> dict[str, RuleSet]:
    """Return rule sets that reveal something too early."""
    named = tuple(
        replace(one, secret_calls=()) if one.name == "formation" else one
        for one in DATA_DRIVEN.questions
    )
    return {
        "the play is shown": replace(DATA_DRIVEN, redact=_without_hiding("play")),
        "a watcher sees everything": replace(DATA_DRIVEN, redact=_visible_to(SPECTATOR)),
        "away sees everything": replace(DATA_DRIVEN, redact=_visible_to(AWAY)),
        "the sentence names it": replace(
            DATA_DRIVEN, words=replace(DATA_DRIVEN.words, situation=_reveals_play)
        ),
        "the history names it": replace(
            DATA_DRIVEN, questions=named, redact=_without_hiding("play")
        ),
    }


def _reveals_play(m: Any, g: Any, names: TeamNames) -> str:
    return f"they will play {g.play}"


def test_no_secret_of_the_game_leaks() -> None:
    assert check_secrets(ConformanceKit(DATA_DRIVEN, seed=5), tries=1) > 10


@pytest.mark.parametrize("leak", [name for name in _leaks() if name != "the sentence names it"])
def test_a_leaking_view_is_detected(leak: str) -> None:
    with pytest.raises(Violation, match="can distinguish"):
        check_secrets(ConformanceKit(_leaks()[leak]), tries=3)


def test_texts_receive_the_redacted_position() -> None:
    assert check_secrets(ConformanceKit(_leaks()["the sentence names it"]), tries=1) > 10


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
    for rules in (DATA_DRIVEN, replace(DATA_DRIVEN, redact=_without_hiding(field))):
        m = rules.new_match({"audibles": "pc"})
        g = rules.new_position(m, WINDOW)
        views[rules] = [getattr(rules.view(m, g, viewer), field) for viewer in VIEWERS]
        assert getattr(g, field) > 0
    kept, leaky = views.values()
    hidden = {"play": [AWAY, SPECTATOR], "formation": [HOME, SPECTATOR], "prompted": list(VIEWERS)}
    for viewer, value, leaked in zip(VIEWERS, kept, leaky, strict=True):
        assert leaked > 0
        assert (value <= 0) == (viewer in hidden[field])


# --- What a viewer has of a game ------------------------------------------------------


def _make_session(**options: Any) -> GameSession:
    header = Header("data-driven", options, start=DOWN, seed=4, salt="ab" * 16)
    return GameSession(header, header.new_game())


def _call(session: GameSession, call: str) -> None:
    pending = session.pending_input()
    assert isinstance(pending, PendingCall)
    assert session.answer(pending.moment, pending.team, session.parse_call(call)).accepted


def test_a_secret_call_is_known_to_its_team_only_until_the_answer() -> None:
    session = _make_session()
    _call(session, "draw")
    texts = {viewer: json.dumps(session.public_log(viewer)) for viewer in VIEWERS}
    assert "draw" in texts[HOME]
    assert "draw" not in (texts[AWAY] + texts[SPECTATOR]).replace('"draw":', "uses left of it")
    _call(session, "nickel")
    for viewer in VIEWERS:
        kinds = [entry["kind"] for entry in session.feed_since(0, viewer)]
        assert kinds[:3] == ["turn", "turn", "revealed"]
        revealed = session.feed_since(0, viewer)[2]["calls"]
        assert [(entry["team"], entry["call"]) for entry in revealed] == [("home", "draw")]
        assert session.feed_since(0, viewer)[0]["call"] == ("draw" if viewer == HOME else None)
    assert not any(turn.is_call_hidden for turn in session.view_for(SPECTATOR).turns)


def test_a_call_withdrawn_before_the_reveal_stays_secret_to_the_end() -> None:
    """With a PC's prompts the offense calls again before the first call is revealed."""
    header = Header("data-driven", {"audibles": "pc"}, start=DOWN, seed=3)
    session = GameSession(header, header.new_game())
    _call(session, "draw")
    _call(session, "jam-middle")
    assert session.game.position.asks == p.ASK_OFFENSE_AUDIBLE
    _call(session, "audible")
    _call(session, "long-pass")
    history = session.view_for(AWAY).turns
    assert [turn.is_call_hidden for turn in history[:2]] == [True, False]
    assert "draw" not in json.dumps(
        [entry["call"] for entry in session.feed_since(0, AWAY) if entry["kind"] == "turn"]
    )
    while not session.is_over:
        if not session.advance():
            pending = session.pending_input()
            assert isinstance(pending, PendingCall)
            code = pending.question.default if pending.question.is_window else pending.calls[0]
            assert session.answer(pending.moment, pending.team, code).accepted
    over = session.feed_since(0, AWAY)[-1]
    assert over["kind"] == "over"
    assert {"turn": 1, "team": "home", "call": "draw"}.items() <= over["calls"][0].items()
    assert not session.view_for(AWAY).turns[0].is_call_hidden


def test_no_output_contains_the_seed_before_the_end() -> None:
    header = Header("fourth-down", seed=987654321987, game_number=77, salt="5a1t" * 8)
    session = GameSession(header, header.new_game())
    session.advance()
    for viewer in VIEWERS:
        text = json.dumps(session.public_log(viewer))
        assert "987654321987" not in text
        assert "5a1t" not in text
        assert header.commitment in text
    guesses = {replace(header, salt=salt).commitment for salt in ("", "0", "00" * 16)}
    assert header.commitment not in guesses


def test_the_digest_of_a_secret_turn_is_not_published() -> None:
    """The log line has one; with nine plays, the call could be guessed from it."""
    session = _make_session()
    lines: list[Any] = []
    session.persist = lines.append
    _call(session, "draw")
    assert lines[-1]["at"]
    for viewer in (AWAY, SPECTATOR):
        assert lines[-1]["at"] not in json.dumps(session.public_log(viewer))


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
    redacted = replace(FOURTH_DOWN, redact=hide_the_clock, secret_fields=("clock",), is_custom=True)
    runs = [
        simulate(redacted, 40, seed=2, home=watches_the_clock, away="plain", engine=engine)
        for engine in ("plain", "compiled")
    ]
    assert runs[0].digest == runs[1].digest
    with pytest.raises(HashmarkError, match="which is not legal there"):
        simulate(FOURTH_DOWN, 40, home=watches_the_clock, away="plain", engine="plain")


def test_a_copy_has_no_effect_handler() -> None:
    """Stepping a copy must not move the real dice."""
    game = Game(FOURTH_DOWN, dice=SeededDice(1))
    game.play()
    copied: Record = game.position.copy()
    assert copied.handler is None
    for turn in game.turns:
        assert turn.before.handler is None
