"""The sitting by example: seats, standing orders, undo between people, real dice over a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.header import Header
from hashmark.table.record import AWAY, HOME
from hashmark.table.secrets import WATCHER
from hashmark.table.sitting import ALWAYS, NEVER, WHEN_IT_MATTERS, Sitting
from hashmark.table.wanted import CallWanted, DieWanted, SeatWanted

DOWN = {"phase": "scrimmage", "possession": "home", "spot": 30}
PEOPLE = {"home": "human", "away": "human"}


def table(rules: str = "fourth-down", **header: Any) -> Sitting:
    made = Header(rules, **header)
    return Sitting(made, made.new_game())


def call(sitting: Sitting, name: str) -> None:
    wanted = sitting.wanted()
    assert isinstance(wanted, CallWanted), wanted
    reply = sitting.answer(wanted.moment, wanted.team, name)
    assert reply.accepted, reply.reason


def test_nothing_goes_on_before_everybody_sits() -> None:
    sitting = table(seats={"home": "human", "away": "open"})
    assert sitting.wanted() == SeatWanted(1, AWAY)
    assert not sitting.proceed()
    assert sitting.sit(AWAY, "coach:book").accepted
    assert not sitting.sit(AWAY, "coach:book").accepted
    assert sitting.wanted() is None
    assert sitting.proceed()
    with pytest.raises(HashmarkError, match="unknown seat 'robot'"):
        sitting.sit(AWAY, "robot")


def test_a_person_hands_over_to_a_coach_in_mid_game() -> None:
    sitting = table(seed=5, seats={"home": "human", "away": "human"})
    sitting.proceed()
    team = sitting.game.asked
    sitting.sit(team, "coach:bold")
    assert sitting.proceed()
    assert sitting.game.turns[-1].team == team


def test_standing_orders_decide_which_windows_are_asked() -> None:
    """Data-Driven Football asks for timeouts while the clock runs; late in a half they matter."""
    asked: dict[str, int] = {}
    late = {**DOWN, "period": 2, "clock": 600}
    for order in (ALWAYS, NEVER, WHEN_IT_MATTERS):
        sitting = table("data-driven", seed=3, start=late, seats=PEOPLE)
        for team in (HOME, AWAY):
            sitting.order(team, order)
        asked[order] = 0
        while len(sitting.game.turns) < 80 and not sitting.is_over:
            if sitting.proceed():
                continue
            wanted = sitting.wanted()
            assert isinstance(wanted, CallWanted)
            asked[order] += wanted.default is not None
            call(sitting, wanted.default or wanted.calls[0])
    assert asked[NEVER] == 0
    assert asked[ALWAYS] > asked[WHEN_IT_MATTERS] > 0


@pytest.mark.parametrize("dice", ["auto", "typed"])
def test_a_question_with_one_answer_is_not_asked(dice: str) -> None:
    """After a safety of Roll For Yardage! there is one kick; its turn is kept all the same."""
    start = {"phase": "safety-kick", "possession": "home"}
    lines: list[Any] = []
    sitting = table("roll-for-yardage", dice=dice, start=start, seats=PEOPLE)
    sitting.keep = lines.append
    assert sitting.wanted() is None
    assert sitting.proceed()
    assert lines[0]["call"] == "safety-kick"
    assert lines[0]["team"] == "home"
    assert isinstance(sitting.wanted(), DieWanted if dice == "typed" else CallWanted)


def test_undo_goes_back_past_a_call_that_nobody_was_asked_for(tmp_path: Path) -> None:
    """With real dice the one kick waits for its roll at once; what was called before it counts."""
    header = Header("roll-for-yardage", dice="typed", seats=PEOPLE)
    path = tmp_path / "a.log"
    writer = log.Writer.create(path, header)
    sitting = Sitting(header, header.new_game(), writer.write)

    def roll(*faces: int) -> None:
        for face in faces:
            while sitting.proceed():
                pass
            wanted = sitting.wanted()
            assert isinstance(wanted, DieWanted)
            assert sitting.roll(wanted.moment, wanted.team, wanted.at, face).accepted

    roll(5, 2)
    call(sitting, "receive")
    call(sitting, "kickoff")
    roll(6, 6)  # a touchback: first down, where only a play may be called
    assert sitting.proceed()
    assert sitting.waiting is not None
    assert sitting.waiting.call == "scrimmage"
    assert sitting.take_back(sitting.moment).accepted
    wanted = sitting.wanted()
    assert isinstance(wanted, CallWanted)
    assert wanted.question.name == "kickoff"
    writer.close()
    again, _ = Sitting.take_up(path)
    assert again.wanted() == sitting.wanted()
    assert again.since(0, WATCHER) == sitting.since(0, WATCHER)


def test_a_window_with_one_answer_is_not_asked_whatever_the_orders() -> None:
    start = {**DOWN, "asks": "tempo", "down": 2, "to_go": 5, "seconds": 40}
    start |= {"hurry_up": {"home": 0, "away": 0}, "period": 2, "clock": 200}
    sitting = table("data-driven", start=start, seats=PEOPLE)
    assert isinstance(sitting.wanted(), CallWanted)  # let it run, or spike
    drill = {"phase": "reroll", "clock": 0, "dice": {"d4": 1, "d6a": 2, "d6b": 3, "d8": 4}}
    drill["dice"] |= {"dta": 5, "dtb": 6}  # type: ignore[operator]
    sitting = table("two-minute-drill", start=drill, seats=PEOPLE)
    sitting.order(HOME, ALWAYS)
    assert sitting.wanted() is None
    assert sitting.proceed()


def test_what_was_not_asked_is_not_what_undo_goes_back_to() -> None:
    late = {**DOWN, "period": 1, "clock": 600}
    sitting = table("data-driven", seed=3, start=late)
    sitting.sit(AWAY, "coach:book")
    call(sitting, "off-tackle")
    while not isinstance(sitting.wanted(), CallWanted):
        sitting.proceed()
    assert len(sitting.game.turns) > 2
    assert sitting.take_back(sitting.moment).accepted
    assert not sitting.game.turns


def test_an_order_for_one_window_and_orders_that_cannot_be() -> None:
    sitting = table("data-driven", start=DOWN)
    sitting.order(HOME, NEVER)
    sitting.order(HOME, ALWAYS, "tempo")
    assert sitting.orders[HOME] == {"all": "never", "tempo": "always"}
    assert [one["kind"] for one in sitting.since(0, HOME)] == ["orders", "orders"]
    assert sitting.since(0, AWAY) == sitting.since(0, WATCHER) == []
    with pytest.raises(HashmarkError, match="unknown standing order"):
        sitting.order(HOME, "sometimes")
    with pytest.raises(HashmarkError, match="unknown window"):
        sitting.order(HOME, NEVER, "play")


def test_between_two_people_an_opened_call_is_not_taken_back() -> None:
    """With audibles on the board both calls lie open before any dice are rolled."""
    sitting = table("data-driven", options={"audibles": "board"}, start=DOWN, seats=PEOPLE)
    call(sitting, "draw")
    assert sitting.may_take_back(HOME) == (1, "")
    assert "no call of yours" in sitting.may_take_back(AWAY)[1]
    call(sitting, "nickel")
    assert not sitting.game.turns[-1].rolled
    assert "has called since" in sitting.may_take_back(HOME)[1]
    assert "no open call" in sitting.may_take_back(AWAY)[1]
    assert not sitting.take_back(sitting.moment, AWAY).accepted


def test_against_a_coach_everything_may_be_taken_back() -> None:
    sitting = table(seed=5, seats={"home": "human", "away": "coach:book"})
    while not isinstance(sitting.wanted(), CallWanted):
        sitting.proceed()
    before = sitting.game.position.copy()
    call(sitting, "balanced")
    assert sitting.game.turns[-1].rolled
    assert sitting.take_back(sitting.moment, HOME).accepted
    assert sitting.game.position == before


def test_real_dice_wait_over_a_restart(tmp_path: Path) -> None:
    header = Header("fourth-down", seats=PEOPLE, dice="typed")
    path = tmp_path / "a.log"
    writer = log.Writer.create(path, header)
    sitting = Sitting(header, header.new_game(), writer.write)
    coin = sitting.wanted()
    assert isinstance(coin, DieWanted)
    assert (coin.team, coin.at, coin.die.name) == (HOME, 0, "coin")
    sitting.roll(coin.moment, HOME, 0, 1)
    call(sitting, "balanced")
    first = sitting.wanted()
    assert isinstance(first, DieWanted)
    sitting.roll(first.moment, HOME, 0, 14)
    writer.close()

    again, read = Sitting.take_up(path)
    wanted = again.wanted()
    assert isinstance(wanted, DieWanted)
    assert (wanted.team, wanted.at) == (HOME, 1)
    assert again.waiting is not None
    assert (again.waiting.call, again.waiting.faces) == ("balanced", ([14], []))
    assert "has been rolled" in again.roll(wanted.moment, HOME, 0, 14).reason
    assert "cannot show 21" in again.roll(wanted.moment, HOME, 1, 21).reason
    writer = read.writer()
    again.keep = writer.write
    for face in (8, 6):
        wanted = again.wanted()
        assert isinstance(wanted, DieWanted)
        assert again.roll(wanted.moment, HOME, wanted.at, face).accepted
    writer.close()
    assert log.replay(path).game.position == again.game.position
    assert again.game.sentences(again.game.turns[-1])[0].startswith("Home drives 45 yards")


def test_a_call_that_waits_for_dice_can_be_dropped() -> None:
    sitting = table(dice="typed", seats=PEOPLE)
    sitting.roll(1, HOME, 0, 1)
    call(sitting, "balanced")
    moment = sitting.moment
    assert "another" not in sitting.take_back(moment, AWAY).reason
    reply = sitting.take_back(moment, HOME)
    assert reply.accepted
    assert sitting.moment == moment + 1
    assert not sitting.answer(moment, HOME, "balanced").accepted
    call(sitting, "run-first")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"called": 1, "dice": {"home": [1]}}, "it waits for dice that the call does not take"),
        ({"called": 1, "dice": {"home": [9]}}, "a coin cannot show 9"),
        ({"seat": "north", "who": "human"}, "seat is for home or away"),
        ({"seat": "home", "who": 3}, "cannot take a seat"),
        ({"orders": "home", "windows": [1]}, "standing orders cannot be read"),
        ({"orders": ["home"], "windows": {}}, "orders is for home or away"),
    ],
)
def test_forged_lines_are_refused(tmp_path: Path, line: dict[str, Any], message: str) -> None:
    path = tmp_path / "a.log"
    writer = log.Writer.create(path, Header("fourth-down", dice="typed"))
    writer.write(line)
    writer.close()
    with pytest.raises(HashmarkError, match=f"line 2: .*{message}"):
        Sitting.take_up(path)


def test_a_call_goes_on_waiting_while_others_give_orders(tmp_path: Path) -> None:
    header = Header("fourth-down", seats=PEOPLE, dice="typed")
    writer = log.Writer.create(tmp_path / "a.log", header)
    sitting = Sitting(header, header.new_game(), writer.write)
    sitting.roll(1, HOME, 0, 1)
    call(sitting, "balanced")
    sitting.order(AWAY, NEVER)
    sitting.sit(AWAY, "coach:book")
    writer.close()
    again, _ = Sitting.take_up(tmp_path / "a.log")
    assert again.wanted() == sitting.wanted()
    assert isinstance(again.wanted(), DieWanted)


class TestWhatACoachHasDrawn:
    """A coach's call waits for real dice: the numbers that it drew are drawn, whatever happens."""

    def waiting(self) -> tuple[Sitting, list[Any]]:
        """The coach has called a kick, and its first die is wanted."""
        header = Header(
            "data-driven",
            seats={"home": "coach:random", "away": "human"},
            dice="typed",
            start={"phase": "kickoff", "possession": "home"},
        )
        lines: list[Any] = [header.to_json()]
        sitting = Sitting(header, header.new_game(), lines.append)
        while sitting.waiting is None:
            assert sitting.proceed()
        assert sitting.game.drawn > 0
        return sitting, lines

    def test_after_a_restart(self, tmp_path: Path) -> None:
        sitting, lines = self.waiting()
        path = tmp_path / "a.log"
        with path.open("w", encoding="utf-8") as stream:
            writer = log.Writer(stream, at_once=False)
            for line in lines:
                writer.write(line)
        again, _ = Sitting.take_up(path)
        assert again.game.drawn == sitting.game.drawn

    def test_after_a_roll_that_could_not_be_kept(self) -> None:
        sitting, _ = self.waiting()
        drawn = sitting.game.drawn

        def full(line: Any) -> None:
            raise OSError("the disk is full")

        while sitting.waiting is not None:
            wanted, keep = sitting.wanted(), sitting.keep
            assert isinstance(wanted, DieWanted)
            sitting.keep = full
            with pytest.raises(OSError, match="disk is full"):
                sitting.roll(wanted.moment, wanted.team, wanted.at, wanted.die.faces[0])
            assert sitting.game.drawn == drawn
            sitting.keep = keep
            sitting.roll(wanted.moment, wanted.team, wanted.at, wanted.die.faces[0])


def test_what_happens_while_one_asks_what_is_wanted_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page looks while a thread plays on: what it was told then is not remembered."""
    sitting = table(seats={"home": "human", "away": "human"})
    while not isinstance(sitting.wanted(), CallWanted):
        sitting.proceed()
    usual = sitting._found_wanted

    def interrupted() -> Any:
        found = usual()
        monkeypatch.setattr(sitting, "_found_wanted", usual)
        call(sitting, sitting.game.legal()[0])
        return found

    monkeypatch.setattr(sitting, "_found_wanted", interrupted)
    sitting.order(HOME, ALWAYS)
    early = sitting.wanted()
    assert early is not None
    assert early.moment < sitting.moment
    assert sitting.wanted() == usual()
