"""A game at the terminal: a thin screen on a sitting. It shows, asks, and hands answers in."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hashmark.table import happenings, registry
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.happenings import Happening
from hashmark.table.log import Writer
from hashmark.table.names import NAMES, naming
from hashmark.table.secrets import WATCHER
from hashmark.table.sitting import CallWanted, DieWanted, Sitting
from hashmark.telling.columns import table
from hashmark.telling.report import (
    choices,
    on_the_table,
    print_history,
    print_summary,
    print_turn,
    standing,
)
from hashmark.terminal.screen import Quit, Screen, whole_number

HELP = "? odds   u undo   h history   b box score   q save and quit"


def default_opponent(rules: str) -> str:
    """The seat of the opponent if the player names none: the book's coach, or any."""
    names = [coach.name for coach in registry.load(rules).coaches]
    return f"coach:{'book' if 'book' in names else names[-1]}"


class Session:
    """One evening at the terminal."""

    def __init__(
        self, screen: Screen, sitting: Sitting, writer: Writer | None, where: str | None
    ) -> None:
        self.screen, self.sitting, self.writer, self.where = screen, sitting, writer, where
        self.viewer = sitting.persons[0] if len(sitting.persons) == 1 else WATCHER
        self.faces: list[int] = []  # typed in one line, and not handed in yet
        self.faces_of = WATCHER

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
        print_summary(self.game, self.screen.say)
        if not self.screen.is_terminal or not self.sitting.persons:
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
            self._show(happened)
            return
        wanted = self.sitting.wanted()
        if isinstance(wanted, CallWanted):
            self._ask(wanted)
        elif isinstance(wanted, DieWanted):
            self._roll(wanted)
        else:
            raise HashmarkError("nobody sits at this table who could go on")

    def _show(self, happened: Iterable[Happening]) -> None:
        """What happened, in lines."""
        for one in happened:
            if one.kind == happenings.TURN:
                self._drop_faces()
                print_turn(self.sitting.game, one.turns[self.viewer], self.screen.say)
            elif one.kind == happenings.CALLED and self.sitting.waiting is not None:
                self._show_coachs_call()

    def _show_coachs_call(self) -> None:
        """With real dice a coach's call is told before anybody rolls for it."""
        waiting = self.sitting.waiting
        if waiting is not None and not waiting.rolled and self.sitting.coaches[waiting.team]:
            self.tell_waiting()

    def tell_waiting(self) -> None:
        """The call that waits for real dice, if one does, with those that were rolled."""
        waiting = self.sitting.waiting
        if waiting is None or waiting.call is None:
            return
        called = [one for one in self.sitting.stream.entries if one.kind == happenings.CALLED]
        shown = called[-1].shown[self.viewer] or {}
        call = "has called, in secret" if shown["secret"] else f"calls {shown['call']}"
        faces = " ".join(str(face) for row in shown["dice"].values() for face in row)
        self.screen.say(f"- {NAMES[waiting.team]} {call}{f'  [{faces} ...]' if faces else ''}")

    # --- Calls ---------------------------------------------------------------------------

    def _ask(self, wanted: CallWanted) -> None:
        """Show the position and the question, then take an answer."""
        game, screen = self.game, self.screen
        screen.say()
        lines = standing(game)
        screen.say(lines[0], "bold")
        for line in lines[1:-1]:
            screen.field(line)
        screen.say(lines[-1])
        for line in on_the_table(game):
            screen.say(line)
        question, *answers = choices(game)
        screen.say(question, "bold")
        for line in answers:
            screen.say(line)
        if screen.is_terminal:
            screen.say(f" {HELP}", "dim")
        self._answer(wanted)

    def _answer(self, wanted: CallWanted) -> None:
        """Ask until there is a call; the other commands are carried out on the way."""
        hidden = wanted.secret and len(self.sitting.persons) > 1
        while self.sitting.moment == wanted.moment and self.sitting.waiting is None:
            answer = self.screen.ask(f"{NAMES[wanted.team]}>", hidden).lower().rstrip(".")
            answer = "-".join(answer.split())
            command = self._commands().get(answer)
            if command is not None:
                command()
            elif not answer and wanted.default is not None:
                self._call(wanted, wanted.default)
            elif (number := whole_number(answer)) is not None and 1 <= number <= len(wanted.calls):
                self._call(wanted, wanted.calls[number - 1])
            elif answer or self.screen.is_terminal:
                self._call(wanted, answer)

    def _call(self, wanted: CallWanted, call: str) -> None:
        reply = self.sitting.answer(wanted.moment, wanted.team, call)
        if reply.accepted:
            self._show(reply.happened)
        else:
            self.screen.say(reply.reason, "red")

    def _commands(self) -> dict[str, Callable[[], None]]:
        commands: dict[tuple[str, ...], Callable[[], None]] = {
            ("?", "odds"): self._odds,
            ("u", "undo"): self._undo,
            ("h", "history"): lambda: print_history(self.game, self.screen.say),
            ("h-all", "history-all"): lambda: print_history(self.game, self.screen.say, True),
            ("b", "box"): lambda: print_summary(self.game, self.screen.say),
            ("q", "quit", "exit"): self._quit,
        }
        return {name: command for names, command in commands.items() for name in names}

    def _quit(self) -> None:
        raise Quit

    def _odds(self) -> None:
        """The exact odds of each answer; of secret calls, each against each."""
        from hashmark.odds.advice import before_secret_calls, odds_of_answers

        game = self.sitting.game
        if before_secret_calls(game) is not None:
            self.screen.say("Working out every call against every answer ...", "dim")
        try:
            shown = odds_of_answers(game)
        except HashmarkError as fault:
            self.screen.say(f"No odds: {fault}", "red")
            return
        for title, headings, rows in shown:
            if title:
                self.screen.say(f"\n  {title}")
            for line in table(headings, rows):
                self.screen.say(f"  {line}")

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
