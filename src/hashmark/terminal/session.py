"""Terminal user interface: a thin screen on a game session that shows, asks and submits answers."""

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

COMMAND_HINT = "? odds   help rules   u undo   h history   b box score   q save and quit"
QUIT = ("q", "quit", "exit")
NO_OTHER = "nothing else is allowed"
RESERVED_ROWS = 3  # around a position and its question: an empty line, the commands, the prompt


def _print_game_so_far(game: Game, echo: Callable[[str], None], everything: bool = False) -> None:
    """Print the play-by-play and the ID of the current position."""
    print_history(game, echo, everything)
    print_position_id(game, echo)


class Session:
    """Terminal user interface of one game session."""

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
        self.faces: list[int] = []  # typed in one line and not submitted yet
        self.faces_of = WATCHER
        self.played: Moment | None = None  # the end of the last play, if no player was asked since
        self.telling = PlayByPlay(screen.say)
        self.was_asked = False  # whether the current call was just typed
        self.remarked: set[tuple[int, int]] = set()  # teams and questions that had only one answer

    @property
    def game(self) -> Game:
        """Game as the viewers at this screen may see it."""
        return self.sitting.seen(self.viewer)

    def run(self) -> None:
        """Play until the game is over or the player leaves, at a prompt or with Ctrl-C anywhere."""
        with naming(self.sitting.header.names):
            self._run()

    def _run(self) -> None:
        has_quit = False
        try:
            while not self.sitting.is_over or self._offer_final_undo():
                self._advance()
        except (Quit, KeyboardInterrupt):
            has_quit = True
        finally:
            if self.writer is not None:
                self.writer.close()
        if has_quit:
            self._leave()
        elif self.where is not None:
            self.screen.say(f"\nThe game is in {self.where}")
            header = self.sitting.header
            if header.is_sealed:
                self.screen.say(
                    f"Its dice were those of seed {header.seed}: hashmark verify {self.where}"
                )

    def _offer_final_undo(self) -> bool:
        """Show the finished game and let a player at the terminal undo the last call."""
        if self.sitting.persons:
            self._show_report(print_summary)
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

    def _advance(self) -> None:
        """Advance by one turn without a player, or by one answer of a player."""
        events = self.sitting.proceed()
        if events:
            self._pause_before(events)
            self._show_events(events)
            self._note_play()
            return
        pending = self.sitting.wanted()
        if isinstance(pending, CallWanted):
            self._ask(pending)
        elif isinstance(pending, DieWanted):
            self._roll(pending)
        else:
            raise HashmarkError("nobody sits at this table who could go on")

    def _note_play(self) -> None:
        """Remember how the game stands where the next play begins, to pause there before it."""
        game = self.sitting.game
        if self.pace.seconds and game.rules.begins_play(game.match, game.position):
            self.played = Moment.of(self.game)

    def _pause_before(self, events: Iterable[Happening]) -> None:
        """Pause before a play that advanced by itself, so that viewers can look at the last one."""
        turns = [event.turns[self.viewer] for event in events if event.kind == happenings.TURN]
        has_text = any(turn.rolled or self.sitting.game.sentences(turn) for turn in turns)
        if self.played is not None and has_text and self.sitting.header.dice == "auto":
            moment, self.played = self.played, None
            self.pace.rest(moment)

    def _show_events(self, events: Iterable[Happening]) -> None:
        """Print feed events as lines."""
        for event in events:
            if event.kind == happenings.TURN:
                self._drop_faces()
                self._print_turn(event.turns[self.viewer])
            elif event.kind == happenings.CALLED and self.sitting.waiting is not None:
                self._show_unprompted_call()

    def _print_turn(self, turn: Turn) -> None:
        """Print a turn, under its heading where nothing else on the screen says when it was played.

        A player who is asked has just seen it; a paced screen shows it between plays. That a coach
        has called in secret is not shown to spectators.
        """
        game = self.sitting.game
        is_silent = turn.secret and not (turn.faces or game.sentences(turn))
        if is_silent and not self.sitting.persons:
            self.telling.waiting = heading(game, turn) or self.telling.waiting
        elif self.was_asked or turn.secret or self.pace.shows_plays:
            print_turn(game, turn, self.screen.say, remark=self._remark(turn.team, turn.before))
        else:
            self.telling.tell(game, turn, remark=self._remark(turn.team, turn.before))

    def _remark(self, team: int, position: Any) -> str:
        """Return the remark that a call was made automatically because it was the only legal one.

        It is made once for each question until that player is asked again.
        """
        if not self.sitting.had_no_choice(team, position):
            return ""
        game = self.sitting.game
        question = team, game.rules.question(game.match, position)
        is_repeated = question in self.remarked
        self.remarked.add(question)
        return "" if is_repeated else NO_OTHER

    def _show_unprompted_call(self) -> None:
        """Announce a coach's call, or a forced one, before the roll of real dice."""
        pending = self.sitting.waiting
        if pending is not None and not pending.rolled and not self.was_asked:
            self.tell_waiting()

    def tell_waiting(self) -> None:
        """Print the call that waits for real dice, if there is one, with the dice rolled so far."""
        pending = self.sitting.waiting
        if pending is None or pending.call is None:
            return
        calls = [event for event in self.sitting.stream.entries if event.kind == happenings.CALLED]
        shown = calls[-1].read(self.viewer) or {}
        call = "has called, in secret" if shown["secret"] else f"calls {shown['call']}"
        faces = " ".join(str(face) for row in shown["dice"].values() for face in row)
        remark = self._remark(pending.team, self.sitting.game.position)
        call += f" ({remark})" if remark else ""
        self.screen.say(f"- {NAMES[pending.team]} {call}{f'  [{faces} ...]' if faces else ''}")

    # --- Calls ---------------------------------------------------------------------------

    def _ask(self, pending: CallWanted) -> None:
        """Show the position and the question, then take an answer."""
        screen = self.screen
        self.pace.asked()
        self.played = self.telling.waiting = None
        self.remarked = {remark for remark in self.remarked if remark[0] != pending.team}
        room = (screen.columns, screen.rows - RESERVED_ROWS) if screen.is_terminal else (0, 0)
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
            screen.say(f" {COMMAND_HINT}", "dim")
        self._answer(pending)

    def _answer(self, pending: CallWanted) -> None:
        """Ask until there is a call; run other commands on the way."""
        hidden = pending.secret and len(self.sitting.persons) > 1
        while self.sitting.moment == pending.moment and self.sitting.waiting is None:
            answer = self.screen.ask(f"{NAMES[pending.team]}>", hidden).lower().rstrip(".")
            if self._run_command(answer, pending):
                continue
            answer = "-".join(answer.split())
            if not answer and pending.default is not None:
                self._submit_call(pending, pending.default)
            elif answer:
                self._submit_call(pending, answer)
            elif self.screen.is_terminal:
                self.screen.say("Type the number of an answer, or its name.", "red")

    def _run_command(self, answer: str, pending: CallWanted) -> bool:
        """Run a command, if the answer is one, and show the score again; return whether it was."""
        command = self._commands().get("-".join(answer.split()))
        first, _, rest = answer.partition(" ")
        if command is None and first in ("help", "ask"):
            command = partial(
                self._help if first == "help" else self._standing_orders, rest.strip()
            )
        if command is None:
            return False
        command()
        if self.sitting.moment == pending.moment and self.screen.is_terminal:
            self.screen.say(f"{scoreboard(self.game)}   {pending.question.text}", "bold")
        return True

    def _submit_call(self, pending: CallWanted, typed: str) -> None:
        rules = self.sitting.game.rules
        also = {rules.calls[call] for call in pending.question.also}
        try:
            call = the_call(typed, pending.calls, also)
        except HashmarkError as fault:
            self.screen.say(str(fault), "red")
            return
        if not self._confirm_call(call):
            return
        self.was_asked = True
        reply = self.sitting.answer(pending.moment, pending.team, call)
        if reply.accepted:
            self._show_events(reply.happened)
            self._note_play()
        else:
            self.screen.say(reply.reason, "red")
        self.was_asked = False

    def _confirm_call(self, call: str) -> bool:
        """Return whether a call stands; the tutor asks about calls that give away too much."""
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
            prompt = "Sure? (y to call it, n to think again, ? for a better call)"
            answer = self.screen.ask(prompt).lower()
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
            ("h", "history"): lambda: self._show_report(_print_game_so_far),
            ("h-all", "history-all"): lambda: self._show_report(
                partial(_print_game_so_far, everything=True)
            ),
            ("b", "box"): lambda: self._show_report(print_summary),
            ("help",): self._help,
            ("ask",): self._standing_orders,
            QUIT: self._quit,
        }
        return {name: command for names, command in commands.items() for name in names}

    def _show_report(self, print_report: Callable[[Game, Callable[[str], None]], None]) -> None:
        """Show a report of the game so far, page by page if it is long."""
        lines: list[str] = []
        print_report(self.game, lines.append)
        self.screen.show(lines)

    def _help(self, words: str = "") -> None:
        """Show the rules and answers of the question, or the rules that match the words."""
        lines = [] if words else help_lines(self.game)
        self.screen.show_rules(rules_about(self.game, words), lines)

    def _standing_orders(self, words: str = "") -> None:
        """Show the standing orders for windows, or change them."""
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
        """Show the odds of each answer, and its win probability if that is known at once."""
        try:
            lines = self._odds_panel.lines(self.screen.width - 2)
        except KeyboardInterrupt:
            self.screen.forgive()
            self.screen.say("No odds then.", "red")
            return
        except HashmarkError as fault:
            self.screen.say(f"No odds: {fault}", "red")
            return
        self.screen.show(f"  {line}".rstrip() for line in lines)

    @cached_property
    def _odds_panel(self) -> Looking:
        """Odds panel of this game, loaded on first use."""
        return Looking(self.sitting.game)

    def _undo(self) -> None:
        """Go back to the last decision of a player, as far as the session allows it."""
        reply = self.sitting.take_back(self.sitting.moment)
        self.faces = []
        self.screen.say(reply.reason or "Taken back.", "red" if reply.reason else "")

    # --- Real dice -----------------------------------------------------------------------

    def _roll(self, pending: DieWanted) -> None:
        """Submit the next real die; several may be typed in one line."""
        if pending.pool is not None:
            self.screen.say(f"{NAMES[pending.team]} rolls {pending.pool.say}:")
        if self.faces_of != pending.team:
            self._drop_faces()
        while not self.faces:
            if not self._read_faces(pending):
                return
        reply = self.sitting.roll(pending.moment, pending.team, pending.at, self.faces.pop(0))
        if reply.accepted:
            self._show_events(reply.happened)
        else:
            self.faces = []
            self.screen.say(reply.reason, "red")

    def _read_faces(self, pending: DieWanted) -> bool:
        """Ask for the faces; return False if the call was undone instead."""
        die = pending.die
        answer = self.screen.ask(f"{NAMES[pending.team]} rolls a {die.say} ({die.range()}):")
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
        self.faces_of = pending.team
        return True

    def _drop_faces(self) -> None:
        """Discard faces that were typed for dice that were not rolled."""
        if self.faces:
            self.screen.say(f"Not needed and left out: {' '.join(map(str, self.faces))}")
            self.faces = []
