"""The event feed: numbered events, and who may read them."""

from __future__ import annotations

from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import AWAY, HOME, NOBODY
from hashmark.engine.rule_set import NO_CALL
from hashmark.session import feed
from hashmark.session.feed import EventFeed
from hashmark.session.redaction import SPECTATOR


def test_events_are_numbered_and_read_from_any_number_on() -> None:
    game = Game("fourth-down", dice=SeededDice(3))
    events = EventFeed(game)
    events.add_seat(HOME, "human")
    moment = events.moment
    for number in (1, 2):
        turn = game.play(game.legal_calls()[0] if game.wants_call else NO_CALL)
        events.add_turn(turn, number, game.position.copy())
    assert events.moment == moment + 2
    read = events.since(0, SPECTATOR)
    assert [event["number"] for event in read] == [1, 2, 3]
    assert [event["kind"] for event in read] == [feed.SEAT, feed.TURN, feed.TURN]
    assert events.since(2, SPECTATOR) == read[2:]
    assert events.since(3, SPECTATOR) == []


def test_standing_orders_are_read_only_by_their_team() -> None:
    events = EventFeed(Game("fourth-down", dice=SeededDice(3)))
    events.add_orders(AWAY, {"tempo": "never"})
    assert events.since(0, HOME) == events.since(0, SPECTATOR) == []
    assert events.since(0, AWAY)[0]["windows"] == {"tempo": "never"}


def test_no_team_has_no_key() -> None:
    assert (feed.team_key(HOME), feed.team_key(NOBODY)) == ("home", None)
