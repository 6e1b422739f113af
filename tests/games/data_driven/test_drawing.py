"""Drawing of the charts with the cells that were hit, and of the calls as cards."""

from __future__ import annotations

from drawing_parts import drawing_for, marked_cells, new_game, parts_of_type
from hashmark.engine.drawings import Card, Cards, Chart
from hashmark.engine.game import DiceSource, Game, SeededDice
from hashmark.engine.record import AWAY, HOME
from hashmark.games.data_driven import RULES
from hashmark.session.redaction import SPECTATOR


class TestDataDriven:
    """Charts with the cells that were hit, and the calls as cards."""

    def down(self, dice: DiceSource | None = None) -> Game:
        start = {"phase": "scrimmage", "possession": "home", "spot": 30, "down": 2, "to_go": 7}
        return new_game("data-driven", start, dice)

    def cards(self, game: Game, viewer: int) -> list[Card]:
        groups = parts_of_type(drawing_for(game, viewer), Cards)
        return list(groups[0].cards) if groups else []

    def test_a_call_shows_on_its_card_only_to_its_own_side(self) -> None:
        game = self.down()
        assert [(card.text, card.is_played) for card in self.cards(game, HOME)] == [
            ("", False),
            ("", False),
        ]
        game.play_named("draw")
        assert [card.text for card in self.cards(game, HOME)] == ["draw", ""]
        for viewer in (AWAY, SPECTATOR):
            play, formation = self.cards(game, viewer)
            assert (play.text, play.is_played) == ("", True)
            assert (formation.text, formation.is_played) == ("", False)

    def test_a_formation_stands_after_an_audible_of_the_offense_in_the_first_turn(self) -> None:
        down = {"phase": "scrimmage", "possession": "home", "spot": 30, "down": 2, "to_go": 7}
        start = {**down, "asks": "offence-audible", "play": "draw", "formation": "blitz"}
        game = Game(RULES, {"audibles": "pc"}, dice=SeededDice(5), start=start)
        game.play_named("audible")
        for viewer in (HOME, SPECTATOR):
            play, formation = self.cards(game, viewer)
            assert (play.is_played, formation.is_played) == (False, True)

    def snapped(self) -> Game:
        """Return a game after a draw against blitz, at the next question."""
        game = self.down(SeededDice(5))
        game.play_named("draw")
        game.play_named("blitz")
        return game

    def test_the_cells_that_were_rolled_are_hit(self) -> None:
        game = self.snapped()
        charts = parts_of_type(drawing_for(game, SPECTATOR), Chart)
        long = next(chart for chart in charts if chart.title.endswith(": draw"))
        rolled = [roll for roll in game.turns[-1].rolls if roll.cells is game.match.long_cells]
        assert [int(row) + int(ones) for row, ones, _ in marked_cells(long)] == sorted(
            {roll.outcome for roll in rolled if roll.first_cell == 3 * 30}
        )
        blitz = next(chart for chart in charts if chart.title.endswith(": blitz"))
        assert blitz.team == AWAY
        short = [roll for roll in game.turns[-1].rolls if roll.cells is game.match.short_cells]
        assert marked_cells(blitz)[0][:2] == ("draw", str(short[0].outcome))
        assert [row.label for row in blitz.rows if row.current] == ["draw"]

    def test_the_deciding_square_of_the_priority_chart_is_marked(self) -> None:
        game = self.snapped()
        chart = parts_of_type(drawing_for(game, SPECTATOR), Chart)[-1]
        assert chart.title == "Priority Chart"
        [(row, column, word)] = marked_cells(chart)
        sentences = game.sentences(game.turns[-1])
        assert any(
            f"({row} meets {column} on the Priority Chart)" in sentence for sentence in sentences
        )
        assert chart.note in sentences
        assert word in ("ADD", "OFF", "DEF", "INC", "SHORT", "F@DEF", "NOTE")

    def test_the_last_play_stays_while_the_next_is_called(self) -> None:
        game = self.down(SeededDice(5))
        coach = game.rules.coach("book")
        game.play_named("draw")
        game.play_named("blitz")
        while game.question.name != "play":
            game.play(game.decide(coach))
        before = parts_of_type(drawing_for(game, SPECTATOR), Chart)
        game.play_named("screen")
        assert parts_of_type(drawing_for(game, SPECTATOR), Chart) == before

    def test_a_kickoff_is_drawn_with_its_chart(self) -> None:
        start = {"phase": "kickoff", "possession": "home", "spot": 35}
        game = new_game("data-driven", start, SeededDice(3))
        game.play_named("kickoff")
        titles = [chart.title for chart in parts_of_type(drawing_for(game, SPECTATOR), Chart)]
        assert titles[0] == "home: kickoff"
