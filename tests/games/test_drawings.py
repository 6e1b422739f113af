"""What each game lays before its players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from hashmark.table.drawings import (
    Box,
    Card,
    Cards,
    Cell,
    Chart,
    Choices,
    Drawing,
    Sheet,
    Slots,
    Tray,
    drawing_of,
)
from hashmark.table.game import Game, ListedDice, SeededDice
from hashmark.table.record import AWAY, HOME
from hashmark.table.secrets import WATCHER, seen

Part = TypeVar("Part")


def parts(drawing: Drawing | None, kind: type[Part]) -> list[Part]:
    return [one for one in (drawing.parts if drawing else ()) if isinstance(one, kind)]


def drawn(game: Game, viewer: int) -> Drawing | None:
    return drawing_of(seen(game, viewer), viewer)


def marked(chart: Chart, mark: str = "hit") -> list[tuple[str, str, str]]:
    """Row, column and text of the cells with a mark."""
    return [
        (row.label, chart.headings[1 + at], cell.text)
        for row in chart.rows
        for at, cell in enumerate(row.cells)
        if cell.mark == mark
    ]


def game_of(
    rules: str, start: dict[str, Any] | None = None, dice: Any = None, **options: Any
) -> Game:
    return Game(rules, options, dice=dice or SeededDice(1), start=start)


class TestTwoMinuteDrill:
    """Dice that are picked and laid on the sheet."""

    def rolled(self) -> Game:
        game = game_of("two-minute-drill", dice=ListedDice([[2, 5, 3, 7, 9, 11], [4, 1]]))
        game.play()
        return game

    def test_a_single_die_bears_its_call(self) -> None:
        tray = parts(drawn(self.rolled(), HOME), Tray)[0]
        assert {die.name: (die.kind, die.face, die.team) for die in tray.dice} == {
            "d4": ("d4", 2, HOME),
            "d6a": ("d6", 5, HOME),
            "d6b": ("d6", 3, HOME),
            "d8": ("d8", 7, HOME),
            "d10": ("d10", 9, HOME),
            "d12": ("d12", 11, HOME),
            "dta": ("d6", 4, AWAY),
            "dtb": ("d6", 1, AWAY),
        }
        calls = {die.name: die.call for die in tray.dice if die.call}
        assert calls == {"dta": "reroll:dta", "dtb": "reroll:dtb"}

    def test_others_see_the_dice_and_no_calls(self) -> None:
        tray = parts(drawn(self.rolled(), WATCHER), Tray)[0]
        assert len(tray.dice) == 8
        assert not any(die.call for die in tray.dice)
        assert not parts(drawn(self.rolled(), WATCHER), Choices)

    def test_dice_are_kept_turned_paired_and_laid(self) -> None:
        game = self.rolled()
        game.play("stand")
        [choices] = parts(drawn(game, HOME), Choices)
        assert [one.call for one in choices.choices] == game.legal()
        first = choices.choices[0]
        assert first.call == "pick:" + ",".join(die.name for die in first.dice)
        game.play(first.call)
        while game.question.name != "referee":
            game.play("done" if "done" in game.legal() else "accept")
        [choices] = parts(drawn(game, HOME), Choices)
        assert {one.call for one in choices.choices} == set(game.legal())
        assert all(one.text for one in choices.choices)

    def test_the_referee_and_the_yards(self) -> None:
        start = {
            "phase": "referee",
            "dice": {"d4": 2, "d6a": 5, "d6b": 3, "d8": 7, "dta": 4, "dtb": 1},
        }
        game = game_of("two-minute-drill", start, ListedDice([[], []]))
        game.play("referee:d6b,dta")
        [slots] = parts(drawn(game, HOME), Slots)
        assert [die.name for die in slots.slots[0].dice] == ["d6b", "dta"]
        assert slots.slots[0].text == "7: good play"
        [tray] = parts(drawn(game, HOME), Tray)
        assert {die.call for die in tray.dice} - {""} == set(game.legal())
        turn = [die.name for die in tray.dice]
        assert turn == ["d4", "d6a", "d8", "dtb"]

    def test_a_turned_die_is_shown_as_it_would_lie(self) -> None:
        start = {
            "phase": "pips",
            "dice": {"d4": 2, "d6a": 5, "d6b": 5, "d8": 7, "dta": 4, "dtb": 1},
            "pips": {"offence": 2, "defence": 0},
        }
        game = game_of("two-minute-drill", start, ListedDice([[], []]))
        [choices] = parts(drawn(game, HOME), Choices)
        faces = {one.call: one.dice[0].face for one in choices.choices}
        assert faces["turn:d8+1"] == 8
        assert faces["turn:d6a-1"] == 4
        [tray] = parts(drawn(game, HOME), Tray)
        assert tray.note == "Pips: 2 for the offence."

    def test_the_sheet(self) -> None:
        game = game_of("two-minute-drill", {"clock": 33, "down": 3, "to_go": 4, "timeouts": 1})
        [sheet] = parts(drawn(game, HOME), Sheet)
        boxes = [box for line in sheet.lines for box in line.boxes]
        assert Box("3", "current") in boxes
        clock = [box for line in sheet.lines[2:4] for box in line.boxes]
        assert sum(box.mark == "crossed" for box in clock) == 7
        assert len(clock) == 40


class TestRapidRoll:
    """The line, what was read of it, and what would be."""

    LOG = (12, 23, 34, 45, 56, 61, 16, 25, 36, 14)

    def at(self, dice: Any = None, **more: Any) -> Game:
        start = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 1, "to_go": 10}
        return game_of("rapid-roll", {**start, "log": list(self.LOG), **more}, dice)

    def line(self, game: Game) -> list[Box]:
        [sheet] = parts(drawn(game, WATCHER), Sheet)
        return list(sheet.lines[0].boxes)

    def test_the_numbers_and_the_box_that_is_written_next(self) -> None:
        boxes = self.line(self.at())
        assert [box.text for box in boxes[:10]] == [str(number) for number in self.LOG]
        assert boxes[10] == Box("", "current")

    def test_what_a_rewind_would_read(self) -> None:
        chart = parts(drawn(self.at(), WATCHER), Chart)[0]
        rows = {row.label: [cell.text for cell in row.cells] for row in chart.rows}
        assert rows["1"] == ["14", "36", "25", "16"]
        assert rows["4"] == ["16", "34", "-", "-"]
        assert rows["doubles"] == ["56", "-", "-", "-"]
        assert not marked(chart) + marked(chart, "next")

    def test_what_was_read_is_marked(self) -> None:
        game = self.at(ListedDice([[4, 5], []]))  # line-run 9 is (1): one number, one step back
        game.play("line-run")
        read = [told for told in game.turns[-1].events if told.name == "rewinds"]
        assert [told.a for told in read] == [14]
        boxes = self.line(game)
        assert [(at, box.text) for at, box in enumerate(boxes) if box.mark == "hit"] == [(9, "14")]
        charts = parts(drawn(game, WATCHER), Chart)
        assert marked(charts[1]) == [("9", "line run", "(1)")]

    def test_in_the_middle_of_a_play_the_next_number_is_marked(self) -> None:
        game = self.at(ListedDice([[4, 5], []]))
        game.play("line-run")
        assert game.position.roll == 45
        chart = parts(drawn(game, WATCHER), Chart)[0]
        assert marked(chart) == [("1", "1st", "14")]
        assert marked(chart, "next") == [("1", "2nd", "36")]
        boxes = self.line(game)
        assert [box.text for box in boxes if box.mark == "next"] == ["36"]
        assert Box("45", "current") in boxes


class TestDataDriven:
    """Charts with the cells that were hit, and the calls as cards."""

    def down(self, dice: Any = None) -> Game:
        start = {"phase": "scrimmage", "possession": "home", "spot": 30, "down": 2, "to_go": 7}
        return game_of("data-driven", start, dice)

    def cards(self, game: Game, viewer: int) -> list[Card]:
        found = parts(drawn(game, viewer), Cards)
        return list(found[0].cards) if found else []

    def test_cards_before_and_after_the_calls(self) -> None:
        game = self.down()
        assert [(card.text, card.laid) for card in self.cards(game, HOME)] == [
            ("", False),
            ("", False),
        ]
        game.play("draw")
        assert [card.text for card in self.cards(game, HOME)] == ["draw", ""]
        for viewer in (AWAY, WATCHER):
            play, formation = self.cards(game, viewer)
            assert (play.text, play.laid) == ("", True)
            assert (formation.text, formation.laid) == ("", False)

    def snapped(self) -> Game:
        """A draw against blitz, played to a question within the play or after it."""
        game = self.down(SeededDice(5))
        game.play("draw")
        game.play("blitz")
        return game

    def test_the_cells_that_were_rolled_are_hit(self) -> None:
        game = self.snapped()
        charts = parts(drawn(game, WATCHER), Chart)
        long = next(chart for chart in charts if chart.title.endswith(": draw"))
        rolled = [roll for roll in game.turns[-1].rolls if roll.cells is game.match.long_cells]
        assert [int(row) + int(at) for row, at, _ in marked(long)] == sorted(
            {roll.outcome for roll in rolled if roll.first == 3 * 30}
        )
        blitz = next(chart for chart in charts if chart.title.endswith(": blitz"))
        assert blitz.team == AWAY
        short = [roll for roll in game.turns[-1].rolls if roll.cells is game.match.short_cells]
        assert marked(blitz)[0][:2] == ("draw", str(short[0].outcome))
        assert [row.label for row in blitz.rows if row.current] == ["draw"]

    def test_the_square_of_the_priority_chart(self) -> None:
        game = self.snapped()
        chart = parts(drawn(game, WATCHER), Chart)[-1]
        assert chart.title == "Priority Chart"
        [(row, column, word)] = marked(chart)
        said = game.sentences(game.turns[-1])
        assert any(f"({row} meets {column} on the Priority Chart)" in one for one in said)
        assert chart.note in said
        assert word in ("ADD", "OFF", "DEF", "INC", "SHORT", "F@DEF", "NOTE")

    def test_the_last_play_stays_while_the_next_is_called(self) -> None:
        game = self.down(SeededDice(5))
        coach = game.rules.coach("book")
        game.play("draw")
        game.play("blitz")
        while game.question.name != "play":
            game.play(game.decide(coach) if game.wants_call else None)
        before = parts(drawn(game, WATCHER), Chart)
        game.play("screen")
        assert parts(drawn(game, WATCHER), Chart) == before

    def test_a_kickoff_has_its_charts(self) -> None:
        start = {"phase": "kickoff", "possession": "home", "spot": 35}
        game = game_of("data-driven", start, SeededDice(3))
        game.play("kickoff")
        titles = [chart.title for chart in parts(drawn(game, WATCHER), Chart)]
        assert titles[0] == "home: kickoff"


class TestTables:
    """The printed tables of 4th Down!, and the rows of Roll For Yardage!."""

    def test_the_row_of_the_drive(self) -> None:
        start = {"phase": "drive", "possession": "home", "spot": 30}
        game = game_of("fourth-down", start, ListedDice([[7, 20, 3], []]))
        game.play("run-first")
        drive, attempts = parts(drawn(game, HOME), Chart)
        assert marked(drive) == [("7", "run-first", "8, 12")]
        assert not marked(attempts)

    def test_the_row_of_a_kick(self) -> None:
        start = {"phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 4}
        game = game_of("fourth-down", start, ListedDice([[13], []]))
        game.play("field-goal")
        charts = parts(drawn(game, HOME), Chart)
        assert [one for chart in charts for one in marked(chart)] == [
            ("13", "kick good from", "40")
        ]

    def test_the_last_rows_of_a_sheet(self) -> None:
        game = game_of("roll-for-yardage", dice=SeededDice(2))
        assert drawn(game, HOME) is None
        for _ in self.turns(game, 60):
            pass
        [chart] = parts(drawn(game, HOME), Chart)
        assert len(chart.rows) == 6
        assert [row.current for row in chart.rows] == [False] * 5 + [True]
        assert all(isinstance(cell, Cell) for row in chart.rows for cell in row.cells)

    def turns(self, game: Game, count: int) -> Iterator[None]:
        coach = game.rules.coach("book")
        for _ in range(count):
            game.play(game.decide(coach) if game.wants_call else None)
            yield
