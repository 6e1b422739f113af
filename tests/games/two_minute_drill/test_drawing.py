"""Drawing of the two-minute drill: dice that are picked and placed on the sheet."""

from __future__ import annotations

from drawing_parts import drawing_for, new_game, parts_of_type
from hashmark.engine.drawings import Box, BoxSheet, Choice, Choices, Slots, Tray
from hashmark.engine.game import Game, ListedDice
from hashmark.engine.record import AWAY, HOME
from hashmark.games.two_minute_drill.drawing import label_call
from hashmark.session.redaction import SPECTATOR


def _named(choice: Choice) -> list[str]:
    """Return the dice that a call names."""
    return choice.call.partition(":")[2].split(",")


def legal_names(game: Game) -> list[str]:
    return [game.rules.calls[call] for call in game.legal_calls()]


class TestTwoMinuteDrill:
    """Dice, choices, slots and the sheet."""

    def rolled(self) -> Game:
        game = new_game("two-minute-drill", dice=ListedDice([[2, 5, 3, 7, 9, 11], [4, 1]]))
        game.play()
        return game

    def test_a_call_for_a_single_die_is_a_choice_too(self) -> None:
        drawing = drawing_for(self.rolled(), HOME)
        tray = parts_of_type(drawing, Tray)[0]
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
        [choices] = parts_of_type(drawing, Choices)
        calls = {choice.call: [die.name for die in choice.dice] for choice in choices.choices}
        assert calls["reroll:dta"] == ["dta"]
        assert calls["reroll:dtb"] == ["dtb"]

    def test_spectators_see_the_dice_but_no_calls(self) -> None:
        tray = parts_of_type(drawing_for(self.rolled(), SPECTATOR), Tray)[0]
        assert len(tray.dice) == 8
        assert not any(die.call for die in tray.dice)
        assert not parts_of_type(drawing_for(self.rolled(), SPECTATOR), Choices)

    def test_every_choice_shows_the_dice_it_names(self) -> None:
        game = self.rolled()
        game.play_named("stand")
        [choices] = parts_of_type(drawing_for(game, HOME), Choices)
        assert [choice.call for choice in choices.choices] == legal_names(game)
        first = choices.choices[0]
        assert all(
            _named(choice) == [die.name for die in choice.dice] for choice in choices.choices
        )
        game.play_named(first.call)
        while game.question.name != "referee":
            game.play_named("done" if "done" in legal_names(game) else "accept")
        [choices] = parts_of_type(drawing_for(game, HOME), Choices)
        assert {choice.call for choice in choices.choices} == set(legal_names(game))
        assert all(
            _named(choice) == [die.name for die in choice.dice] for choice in choices.choices
        )
        assert all(choice.text for choice in choices.choices)

    def test_dice_have_names_in_words_and_colors(self) -> None:
        tray = parts_of_type(drawing_for(self.rolled(), HOME), Tray)[0]
        assert [die.label for die in tray.dice] == [
            "blue d4",
            "first blue d6",
            "second blue d6",
            "blue d8",
            "blue d10",
            "blue d12",
            "first orange d6",
            "second orange d6",
        ]

    def test_calls_are_named_in_words_and_say_which_dice_they_take(self) -> None:
        game = self.rolled()
        g = game.position
        assert label_call(g, "reroll:dta,dtb") == "reroll first orange d6, second orange d6"
        assert label_call(g, "pick:d6a,d8,d10") == "keep first blue d6, blue d8, blue d10"
        assert label_call(g, "turn:d8-1") == "turn blue d8 to 6"
        assert label_call(g, "referee:d4,dta") == "referee gets blue d4, first orange d6"
        assert label_call(g, "stand") == ""
        [choices] = parts_of_type(drawing_for(game, HOME), Choices)
        assert choices.note == "Only the orange dice can be rolled again, for 1 space."
        game.play_named("stand")
        [choices] = parts_of_type(drawing_for(game, HOME), Choices)
        assert choices.note.startswith("The d4 and the orange dice always stay.")

    def test_placed_dice_move_to_their_slots(self) -> None:
        start = {
            "phase": "referee",
            "dice": {"d4": 2, "d6a": 5, "d6b": 3, "d8": 7, "dta": 4, "dtb": 1},
        }
        game = new_game("two-minute-drill", start, ListedDice([[], []]))
        game.play_named("referee:d6b,dta")
        [slots] = parts_of_type(drawing_for(game, HOME), Slots)
        assert [die.name for die in slots.slots[0].dice] == ["d6b", "dta"]
        assert slots.slots[0].text == "7: good play"
        [tray] = parts_of_type(drawing_for(game, HOME), Tray)
        [choices] = parts_of_type(drawing_for(game, HOME), Choices)
        assert {choice.call for choice in choices.choices} == set(legal_names(game))
        assert all(
            _named(choice) == [die.name for die in choice.dice] for choice in choices.choices
        )
        names = [die.name for die in tray.dice]
        assert names == ["d4", "d6a", "d8", "dtb"]

    def test_a_turned_die_is_shown_as_it_would_lie(self) -> None:
        start = {
            "phase": "pips",
            "dice": {"d4": 2, "d6a": 5, "d6b": 5, "d8": 7, "dta": 4, "dtb": 1},
            "pips": {"offence": 2, "defence": 0},
        }
        game = new_game("two-minute-drill", start, ListedDice([[], []]))
        [choices] = parts_of_type(drawing_for(game, HOME), Choices)
        assert {choice.call for choice in choices.choices} == {*legal_names(game)} - {
            "done",
            "time-out",
        }
        faces = {choice.call: choice.dice[0].face for choice in choices.choices}
        assert (faces["turn:d4-1"], faces["turn:d4+1"]) == (1, 3)
        assert faces["turn:d8+1"] == 8
        assert faces["turn:d6a-1"] == 4
        [tray] = parts_of_type(drawing_for(game, HOME), Tray)
        assert tray.note == "Pips: 2 offense."

    def test_the_sheet_shows_down_clock_and_crossed_spaces(self) -> None:
        game = new_game("two-minute-drill", {"clock": 33, "down": 3, "to_go": 4, "timeouts": 1})
        [sheet] = parts_of_type(drawing_for(game, HOME), BoxSheet)
        boxes = [box for line in sheet.lines for box in line.boxes]
        assert Box("3", "current") in boxes
        clock = [box for line in sheet.lines[2:4] for box in line.boxes]
        assert sum(box.mark == "crossed" for box in clock) == 7
        assert len(clock) == 40
