"""A game at the terminal: a thin screen on a sitting. It shows, asks, and hands answers in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import Any

from hashmark.table import happenings
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game, Turn
from hashmark.table.happenings import Happening
from hashmark.table.log import Writer
from hashmark.table.names import NAMES, naming
from hashmark.table.secrets import WATCHER
from hashmark.table.sitting import Sitting
from hashmark.table.wanted import CallWanted, DieWanted
from hashmark.telling.answers import screenful
from hashmark.telling.book import rules_about
from hashmark.telling.orders import give_order, order_lines
from hashmark.telling.report import (
    PlayByPlay,
    heading,
    print_history,
    print_position_id,
    print_summary,
    print_turn,
    scoreboard,
)
from hashmark.terminal.helping import help_lines
from hashmark.terminal.pace import Moment, Pace
from hashmark.terminal.screen import Quit, Screen, whole_number
from hashmark.terminal.tutor import Tutor
from hashmark.terminal.typed import the_call
from hashmark.values.looking import Looking

HELP = "? odds   help rules   u undo   h history   b box score   q save and quit"
QUIT = ("q", "quit", "exit")
NO_OTHER = "nothing else is allowed"
AROUND = 3  # lines around a position and its question: an empty one, the commands, the prompt


def _so_far(game: Game, echo: Callable[[str], None], everything: bool = False) -> None:
    """The play-by-play, and the ID of the position it has led to."""
    print_history(game, echo, everything)
    print_position_id(game, echo)


class Session:
    """One evening at the terminal."""

    def __init__(
        self,
        screen: Screen,
        sitting: Sitting,
        writer: Writer | None,
        where: str | None,
        pace: Pace | None = None,
        tutor: Tutor | None = None,
    ) -> None:
        self.screen, self.sitting, self.writer, self.where = screen, sitting, writer, where
        self.pace, self.tutor = pace or Pace(screen), tutor
        self.viewer = sitting.persons[0] if len(sitting.persons) == 1 else WATCHER
        self.faces: list[int] = []  # typed in one line, and not handed in yet
        self.faces_of = WATCHER
        self.played: Moment | None = None  # the last play was over here, and nobody was asked since
        self.telling = PlayByPlay(screen.say)
        self.was_asked = False  # whether the call under way was typed just now
        self.remarked: set[tuple[int, int]] = set()  # questions of teams that had one answer

    @property
    def game(self) -> Game:
        """The game as those at this screen may see it."""
        return self.sitting.seen(self.viewer)

    def run(self) -> None:
        """Play until the game is over or the player leaves, at a prompt or with Ctrl-C anywhere."""
        with naming(self.sitting.header.names):
            self._run()

    def _run(self) -> None:
        left = False
        try:
            while not self.sitting.is_over or self._changes_the_end():
                self._go_on()
        except (Quit, KeyboardInterrupt):
            left = True
        finally:
            if self.writer is not None:
                self.writer.close()
        if left:
            self._leave()
        elif self.where is not None:
            self.screen.say(f"\nThe game is in {self.where}")
            header = self.sitting.header
            if header.is_sealed:
                self.screen.say(
                    f"Its dice were those of seed {header.seed}: hashmark verify {self.where}"
                )

    def _changes_the_end(self) -> bool:
        """The game is over: show it, and let a person at the terminal take the last call back."""
        if self.sitting.persons:
            self._tell(print_summary)
        else:
            print_summary(self.game, self.screen.say)
        if not self.screen.is_terminal:
            return False
        self.screen.say(Moment.of(self.game).line, "bold")
        if not self.sitting.persons:
            return False
        if self.screen.ask("The game is over. Enter to leave, u to take it back:") != "u":
            return False
        self._undo()
        return not self.sitting.is_over

    def _leave(self) -> None:
        if self.where is None:
            self.screen.say("Stopped; this game was not being saved.")
        else:
            self.screen.say(f"Saved. Go on with: hashmark resume {self.where}")

    def _go_on(self) -> None:
        """One turn that needs nobody, or one answer of a person."""
        happened = self.sitting.proceed()
        if happened:
            self._rest_before(happened)
            self._show(happened)
            self._note_play()
            return
        wanted = self.sitting.wanted()
        if isinstance(wanted, CallWanted):
            self._ask(wanted)
        elif isinstance(wanted, DieWanted):
            self._roll(wanted)
        else:
            raise HashmarkError("nobody sits at this table who could go on")

    def _note_play(self) -> None:
        """Where the next play begins, keep how the game stands, to rest there before it."""
        game = self.sitting.game
        if self.pace.seconds and game.rules.begins_play(game.match, game.position):
            self.played = Moment.of(self.game)

    def _rest_before(self, happened: Iterable[Happening]) -> None:
        """The next play went on by itself: let whoever watches look at the last one first."""
        turns = [one.turns[self.viewer] for one in happened if one.kind == happenings.TURN]
        tells = any(turn.rolled or self.sitting.game.sentences(turn) for turn in turns)
        if self.played is not None and tells and self.sitting.header.dice == "auto":
            moment, self.played = self.played, None
            self.pace.rest(moment)

    def _show(self, happened: Iterable[Happening]) -> None:
        """What happened, in lines."""
        for one in happened:
            if one.kind == happenings.TURN:
                self._drop_faces()
                self._tell_turn(one.turns[self.viewer])
            elif one.kind == happenings.CALLED and self.sitting.waiting is not None:
                self._show_coachs_call()

    def _tell_turn(self, turn: Turn) -> None:
        """A turn, under its heading where nothing else at this screen says when it was played.

        A person who is asked has just seen it; between plays that are shown one by one it stands.
        That a coach has called in secret says nothing to those who only watch.
        """
        game = self.sitting.game
        idle = turn.secret and not (turn.faces or game.sentences(turn))
        if idle and not self.sitting.persons:
            self.telling.waiting = heading(game, turn) or self.telling.waiting
        elif self.was_asked or turn.secret or self.pace.shows_plays:
            print_turn(game, turn, self.screen.say, remark=self._remark(turn.team, turn.before))
        else:
            self.telling.tell(game, turn, remark=self._remark(turn.team, turn.before))

    def _remark(self, team: int, position: Any) -> str:
        """That the table has called for a person, where the rules allow one call alone.

        It is said once of each question until that person is asked again.
        """
        if not self.sitting.had_no_choice(team, position):
            return ""
        game = self.sitting.game
        question = team, game.rules.question(game.match, position)
        known = question in self.remarked
        self.remarked.add(question)
        return "" if known else NO_OTHER

    def _show_coachs_call(self) -> None:
        """With real dice a call of a coach, or one without a choice, is told before the roll."""
        waiting = self.sitting.waiting
        if waiting is not None and not waiting.rolled and not self.was_asked:
            self.tell_waiting()

    def tell_waiting(self) -> None:
        """The call that waits for real dice, if one does, with those that were rolled."""
        waiting = self.sitting.waiting
        if waiting is None or waiting.call is None:
            return
        called = [one for one in self.sitting.stream.entries if one.kind == happenings.CALLED]
        shown = called[-1].read(self.viewer) or {}
        call = "has called, in secret" if shown["secret"] else f"calls {shown['call']}"
        faces = " ".join(str(face) for row in shown["dice"].values() for face in row)
        remark = self._remark(waiting.team, self.sitting.game.position)
        call += f" ({remark})" if remark else ""
        self.screen.say(f"- {NAMES[waiting.team]} {call}{f'  [{faces} ...]' if faces else ''}")

    # --- Calls ---------------------------------------------------------------------------

    def _ask(self, wanted: CallWanted) -> None:
        """Show the position and the question, then take an answer."""
        screen = self.screen
        self.pace.asked()
        self.played = self.telling.waiting = None
        self.remarked = {one for one in self.remarked if one[0] != wanted.team}
        room = (screen.columns, screen.rows - AROUND) if screen.is_terminal else (0, 0)
        shown = screenful(self.game, *room)
        screen.say()
        screen.say(shown.standing[0], "bold")
        for line in shown.standing[1:-1]:
            screen.field(line)
        screen.say(shown.standing[-1])
        for line in shown.lying:
            screen.say(line)
        screen.say(shown.asked[0], "bold")
        for line in shown.asked[1:]:
            screen.say(line)
        if screen.is_terminal:
            screen.say(f" {HELP}", "dim")
        self._answer(wanted)

    def _answer(self, wanted: CallWanted) -> None:
        """Ask until there is a call; the other commands are carried out on the way."""
        hidden = wanted.secret and len(self.sitting.persons) > 1
        while self.sitting.moment == wanted.moment and self.sitting.waiting is None:
            answer = self.screen.ask(f"{NAMES[wanted.team]}>", hidden).lower().rstrip(".")
            if self._carries_out(answer, wanted):
                continue
            answer = "-".join(answer.split())
            if not answer and wanted.default is not None:
                self._call(wanted, wanted.default)
            elif answer:
                self._call(wanted, answer)
            elif self.screen.is_terminal:
                self.screen.say("Type the number of an answer, or its name.", "red")

    def _carries_out(self, answer: str, wanted: CallWanted) -> bool:
        """Do what a command says, if this is one; the score is shown again after it."""
        command = self._commands().get("-".join(answer.split()))
        first, _, rest = answer.partition(" ")
        if command is None and first in ("help", "ask"):
            command = partial(self._help if first == "help" else self._orders, rest.strip())
        if command is None:
            return False
        command()
        if self.sitting.moment == wanted.moment and self.screen.is_terminal:
            self.screen.say(f"{scoreboard(self.game)}   {wanted.question.text}", "bold")
        return True

    def _call(self, wanted: CallWanted, typed: str) -> None:
        rules = self.sitting.game.rules
        also = {rules.calls[call] for call in wanted.question.also}
        try:
            call = the_call(typed, wanted.calls, also)
        except HashmarkError as fault:
            self.screen.say(str(fault), "red")
            return
        if not self._is_sure(call):
            return
        self.was_asked = True
        reply = self.sitting.answer(wanted.moment, wanted.team, call)
        if reply.accepted:
            self._show(reply.happened)
            self._note_play()
        else:
            self.screen.say(reply.reason, "red")
        self.was_asked = False

    def _is_sure(self, call: str) -> bool:
        """Whether a call stands: a tutor, if there is one, asks about those that give much away."""
        if self.tutor is None:
            return True
        try:
            doubt = self.tutor.doubt(self.sitting.game, call)
        except KeyboardInterrupt:
            self.screen.forgive()
            return True
        if doubt is None:
            return True
        self.screen.say(doubt.said, "red")
        while True:
            asked = "Sure? (y to call it, n to think again, ? for a better call)"
            answer = self.screen.ask(asked).lower()
            if answer == "?":
                self.screen.say(doubt.better)
            elif answer in ("y", "yes"):
                return True
            elif answer in ("n", "no", ""):
                return False
            elif answer in QUIT:
                self._quit()
            else:
                self.screen.say("Type y, n or ?, or q to stop here.", "red")

    def _commands(self) -> dict[str, Callable[[], None]]:
        commands: dict[tuple[str, ...], Callable[[], None]] = {
            ("?", "odds"): self._odds,
            ("u", "undo"): self._undo,
            ("h", "history"): lambda: self._tell(_so_far),
            ("h-all", "history-all"): lambda: self._tell(partial(_so_far, everything=True)),
            ("b", "box"): lambda: self._tell(print_summary),
            ("help",): self._help,
            ("ask",): self._orders,
            QUIT: self._quit,
        }
        return {name: command for names, command in commands.items() for name in names}

    def _tell(self, tell: Callable[[Game, Callable[[str], None]], None]) -> None:
        """Something of the game so far, page by page if it is long."""
        lines: list[str] = []
        tell(self.game, lines.append)
        self.screen.show(lines)

    def _help(self, words: str = "") -> None:
        """The rules that concern the question, and its answers; or the rules with these words."""
        lines = [] if words else help_lines(self.game)
        self.screen.show_rules(rules_about(self.game, words), lines)

    def _orders(self, words: str = "") -> None:
        """The standing orders for windows: told, or given."""
        team = self.sitting.game.asked
        try:
            if words:
                give_order(self.sitting, team, words)
        except HashmarkError as fault:
            self.screen.say(str(fault), "red")
            return
        self.screen.show(order_lines(self.sitting, team))

    def _quit(self) -> None:
        raise Quit

    def _odds(self) -> None:
        """The odds of each answer, and its chance to win where that is known at once."""
        try:
            lines = self._looking.lines(self.screen.width - 2)
        except KeyboardInterrupt:
            self.screen.forgive()
            self.screen.say("No odds then.", "red")
            return
        except HashmarkError as fault:
            self.screen.say(f"No odds: {fault}", "red")
            return
        self.screen.show(f"  {line}".rstrip() for line in lines)

    @cached_property
    def _looking(self) -> Looking:
        """The looks at this table; what they are worked out with is loaded when they are wanted."""
        return Looking(self.sitting.game)

    def _undo(self) -> None:
        """Go back to the last decision of a person, as far as the sitting allows it."""
        reply = self.sitting.take_back(self.sitting.moment)
        self.faces = []
        self.screen.say(reply.reason or "Taken back.", "red" if reply.reason else "")

    # --- Real dice -----------------------------------------------------------------------

    def _roll(self, wanted: DieWanted) -> None:
        """Hand in the next real die; several may be typed in one line."""
        if wanted.pool is not None:
            self.screen.say(f"{NAMES[wanted.team]} rolls {wanted.pool.say}:")
        if self.faces_of != wanted.team:
            self._drop_faces()
        while not self.faces:
            if not self._type_faces(wanted):
                return
        reply = self.sitting.roll(wanted.moment, wanted.team, wanted.at, self.faces.pop(0))
        if reply.accepted:
            self._show(reply.happened)
        else:
            self.faces = []
            self.screen.say(reply.reason, "red")

    def _type_faces(self, wanted: DieWanted) -> bool:
        """Ask for the faces; False if the call was taken back instead."""
        die = wanted.die
        answer = self.screen.ask(f"{NAMES[wanted.team]} rolls a {die.say} ({die.range()}):")
        if answer == "q":
            raise Quit
        if answer == "u":
            self._undo()
            return False
        faces = [whole_number(word) for word in answer.replace(",", " ").split()]
        if not faces or None in faces:
            self.screen.say("Type the face that the die shows, u to take the call back, q to quit.")
            return True
        self.faces = [face for face in faces if face is not None]
        self.faces_of = wanted.team
        return True

    def _drop_faces(self) -> None:
        """Leave out faces that were typed for dice that were not rolled."""
        if self.faces:
            self.screen.say(f"Not needed and left out: {' '.join(map(str, self.faces))}")
            self.faces = []
