"""Terminal user interface: a thin screen on a game session that shows, asks and submits answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial

from hashmark.engine.game import Game, Turn
from hashmark.engine.record import PositionRecord
from hashmark.engine.rule_set import NO_CALL, CallCode
from hashmark.errors import HashmarkError
from hashmark.session import feed
from hashmark.session.feed import FeedEvent
from hashmark.session.game_session import GameSession
from hashmark.session.log import LogWriter
from hashmark.session.pending import PendingCall, PendingDie
from hashmark.session.redaction import SPECTATOR
from hashmark.terminal.pace import Pace, PlayEnd
from hashmark.terminal.prompt import help_lines, resolve_call
from hashmark.terminal.screen import Quit, Screen, parse_int
from hashmark.terminal.tutor import Tutor
from hashmark.text.answers import make_screen
from hashmark.text.game_report import (
    PlayByPlay,
    play_heading,
    print_history,
    print_lines,
    print_position_id,
    print_summary,
    print_turn,
    result_text,
    scoreboard,
)
from hashmark.text.rules_page import rules_about
from hashmark.text.standing_orders import order_lines, parse_order
from hashmark.values.odds_panel import OddsPanel

COMMAND_HINT = "? odds   help rules   u undo   h history   b box score   q save and quit"
QUIT_WORDS = ("q", "quit", "exit")
FORCED_CALL_REMARK = "the only legal call"
RESERVED_ROWS = 3  # around a position and its question: an empty line, the commands, the prompt


def _print_game_so_far(game: Game, echo: Callable[[str], None], everything: bool = False) -> None:
    """Print the play-by-play and the ID of the current position."""
    print_history(game, echo, everything)
    print_position_id(game, echo)


class TerminalUI:
    """Terminal user interface of one game session."""

    def __init__(
        self,
        screen: Screen,
        session: GameSession,
        writer: LogWriter | None,
        log_path: str | None,
        pace: Pace | None = None,
        tutor: Tutor | None = None,
    ) -> None:
        self.screen, self.session, self.writer, self.log_path = screen, session, writer, log_path
        self.pace, self.tutor = pace or Pace(screen), tutor
        self.names = session.header.names
        self.viewer = session.human_teams[0] if len(session.human_teams) == 1 else SPECTATOR
        self.typed_faces: list[int] = []  # typed in one line and not submitted yet
        self.typed_faces_team = SPECTATOR
        self.last_play: PlayEnd | None = None  # if no player was asked since it ended
        self.play_by_play = PlayByPlay()
        self.call_was_typed = False  # whether the current call was just typed
        self.remarked_questions: set[tuple[int, int]] = set()  # with their teams, see `_remark`

    @property
    def game(self) -> Game:
        """Game as the viewers at this screen may see it."""
        return self.session.view_for(self.viewer)

    def run(self) -> None:
        """Play until the game is over or the player leaves, at a prompt or with Ctrl-C anywhere."""
        has_quit = False
        try:
            while not self.session.is_over or self._offer_final_undo():
                self._advance()
        except (Quit, KeyboardInterrupt):
            has_quit = True
        finally:
            if self.writer is not None:
                self.writer.close()
        if has_quit:
            self._leave()
        elif self.log_path is not None:
            self.screen.say(f"\nGame saved to {self.log_path}")
            header = self.session.header
            if header.is_committed:
                self.screen.say(
                    f"Dice from seed {header.seed}; check them: hashmark verify {self.log_path}"
                )

    def _offer_final_undo(self) -> bool:
        """Show the finished game and let a player at the terminal undo the last call."""
        if self.session.human_teams:
            self._show_report(print_summary)
        else:
            print_summary(self.game, self.screen.say)
        own_team = self.viewer if self.viewer != SPECTATOR else None
        self.screen.say(f"\n{result_text(self.game, own_team)}.", "bold")
        if not self.screen.is_terminal:
            return False
        if not self.session.human_teams:
            return False
        if self.screen.ask("The game is over. Enter to leave, u to undo:") != "u":
            return False
        self._undo()
        return not self.session.is_over

    def _leave(self) -> None:
        if self.log_path is None:
            self.screen.say("Stopped. This game is not saved.")
        else:
            self.screen.say(f"Saved. Resume with: hashmark resume {self.log_path}")

    def _advance(self) -> None:
        """Advance by one turn without a player, or by one answer of a player."""
        events = self.session.advance()
        if events:
            self._pause_before(events)
            self._show_events(events)
            self._note_play()
            return
        pending = self.session.pending_input()
        if isinstance(pending, PendingCall):
            self._ask(pending)
        elif isinstance(pending, PendingDie):
            self._roll(pending)
        else:
            raise HashmarkError("no player is at this table, so the game cannot continue")

    def _note_play(self) -> None:
        """Remember how the game stands where the next play begins, to pause there before it."""
        game = self.session.game
        if self.pace.seconds and game.rules.begins_play(game.match, game.position):
            self.last_play = PlayEnd.of(self.game)

    def _pause_before(self, events: Iterable[FeedEvent]) -> None:
        """Pause before a play that advanced by itself, so that viewers can look at the last one."""
        turns = [event.turns_by_viewer[self.viewer] for event in events if event.kind == feed.TURN]
        has_text = any(turn.has_dice or self.session.game.sentences(turn) for turn in turns)
        if self.last_play is not None and has_text and self.session.header.dice == "auto":
            moment, self.last_play = self.last_play, None
            self.pace.pause(moment)

    def _show_events(self, events: Iterable[FeedEvent]) -> None:
        """Print feed events as lines."""
        for event in events:
            if event.kind == feed.TURN:
                self._drop_faces()
                self._print_turn(event.turns_by_viewer[self.viewer])
            elif event.kind == feed.CALLED and self.session.pending_turn is not None:
                self._show_unprompted_call()

    def _print_turn(self, turn: Turn) -> None:
        """Print a turn, under its heading where nothing else on the screen says when it was played.

        A player who is asked has just seen it; a paced screen shows it between plays. That a coach
        has called in secret is not shown to spectators.
        """
        game = self.session.game
        is_silent = turn.is_call_hidden and not (turn.faces or game.sentences(turn))
        if is_silent and not self.session.human_teams:
            self.play_by_play.pending_heading = (
                play_heading(game, turn) or self.play_by_play.pending_heading
            )
        elif self.call_was_typed or turn.is_call_hidden or self.pace.shows_plays:
            print_turn(game, turn, self.screen.say, remark=self._remark(turn.team, turn.before))
        else:
            remark = self._remark(turn.team, turn.before)
            print_lines(self.play_by_play.next_lines(game, turn, remark=remark), self.screen.say)

    def _remark(self, team: int, position: PositionRecord) -> str:
        """Return the remark that a call was made automatically because it was the only legal one.

        It is made once for each question until that player is asked again.
        """
        if not self.session.was_forced(team, position):
            return ""
        game = self.session.game
        question = team, game.rules.question(game.match, position)
        is_repeated = question in self.remarked_questions
        self.remarked_questions.add(question)
        return "" if is_repeated else FORCED_CALL_REMARK

    def _show_unprompted_call(self) -> None:
        """Announce a coach's call, or a forced one, before the roll of real dice."""
        pending = self.session.pending_turn
        if pending is not None and not pending.rolled_count and not self.call_was_typed:
            self.show_pending_turn()

    def show_pending_turn(self) -> None:
        """Print the call that waits for real dice, if there is one, with the dice rolled so far."""
        pending = self.session.pending_turn
        if pending is None or pending.call == NO_CALL:
            return
        calls = [event for event in self.session.feed.events if event.kind == feed.CALLED]
        shown = calls[-1].render(self.viewer) or {}
        call = "has made a secret call" if shown["secret"] else f"calls {shown['call']}"
        faces = " ".join(str(face) for row in shown["dice"].values() for face in row)
        remark = self._remark(pending.team, self.session.game.position)
        call += f" ({remark})" if remark else ""
        self.screen.say(f"- {self.names[pending.team]} {call}{f'  [{faces} ...]' if faces else ''}")

    # --- Calls ---------------------------------------------------------------------------

    def _ask(self, pending: PendingCall) -> None:
        """Show the position and the question, then take an answer."""
        screen = self.screen
        self.pace.on_prompt()
        self.last_play = self.play_by_play.pending_heading = None
        self.remarked_questions = {
            remark for remark in self.remarked_questions if remark[0] != pending.team
        }
        room = (screen.columns, screen.rows - RESERVED_ROWS) if screen.is_terminal else (0, 0)
        shown = make_screen(self.game, *room)
        screen.say()
        screen.say(shown.situation[0], "bold")
        for line in shown.situation[1:-1]:
            screen.print_field(line)
        screen.say(shown.situation[-1])
        for line in shown.dice:
            screen.say(line)
        screen.say(shown.question[0], "bold")
        for line in shown.question[1:]:
            screen.say(line)
        if screen.is_terminal:
            screen.say(f" {COMMAND_HINT}", "dim")
        self._answer(pending)

    def _answer(self, pending: PendingCall) -> None:
        """Ask until there is a call; run other commands on the way."""
        hidden = pending.is_secret and len(self.session.human_teams) > 1
        while self.session.moment == pending.moment and self.session.pending_turn is None:
            answer = self.screen.ask(f"{self.names[pending.team]}>", hidden).lower().rstrip(".")
            if self._run_command(answer, pending):
                continue
            answer = "-".join(answer.split())
            if not answer and pending.question.is_window:
                self._submit_call(pending, pending.question.default)
            elif answer:
                self._submit_typed(pending, answer)
            elif self.screen.is_terminal:
                self.screen.say("Type the number or name of a call.", "red")

    def _run_command(self, answer: str, pending: PendingCall) -> bool:
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
        if self.session.moment == pending.moment and self.screen.is_terminal:
            self.screen.say(f"{scoreboard(self.game)}   {pending.question.text}", "bold")
        return True

    def _submit_typed(self, pending: PendingCall, typed: str) -> None:
        names = self.session.game.rules.calls
        listed = [names[call] for call in pending.calls]
        unlisted = {names[call] for call in pending.question.unlisted_calls}
        try:
            call = self.session.parse_call(resolve_call(typed, listed, unlisted))
        except HashmarkError as fault:
            self.screen.say(str(fault), "red")
            return
        self._submit_call(pending, call)

    def _submit_call(self, pending: PendingCall, call: CallCode) -> None:
        if not self._confirm_call(call):
            return
        self.call_was_typed = True
        reply = self.session.answer(pending.moment, pending.team, call)
        if reply.accepted:
            self._show_events(reply.events)
            self._note_play()
        else:
            self.screen.say(reply.reason, "red")
        self.call_was_typed = False

    def _confirm_call(self, call: CallCode) -> bool:
        """Return whether a call stands; the tutor asks about calls that give away too much."""
        if self.tutor is None:
            return True
        try:
            doubt = self.tutor.review_call(self.session.game, call)
        except KeyboardInterrupt:
            self.screen.clear_interrupt()
            return True
        if doubt is None:
            return True
        self.screen.say(doubt.message, "red")
        while True:
            prompt = "Are you sure? (y to call it, n to choose again, ? for a better call)"
            answer = self.screen.ask(prompt).lower()
            if answer == "?":
                self.screen.say(doubt.suggestion)
            elif answer in ("y", "yes"):
                return True
            elif answer in ("n", "no", ""):
                return False
            elif answer in QUIT_WORDS:
                self._quit()
            else:
                self.screen.say("Type y, n, ? or q.", "red")

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
            QUIT_WORDS: self._quit,
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
        team = self.session.game.team_to_act
        try:
            if words:
                parse_order(self.session, team, words)
        except HashmarkError as fault:
            self.screen.say(str(fault), "red")
            return
        self.screen.show(order_lines(self.session, team))

    def _quit(self) -> None:
        raise Quit

    def _odds(self) -> None:
        """Show the odds of each answer, and its win probability if that is known at once."""
        try:
            lines = self._odds_panel.lines(self.screen.width - 2)
        except KeyboardInterrupt:
            self.screen.clear_interrupt()
            self.screen.say("Odds canceled.", "red")
            return
        except HashmarkError as fault:
            self.screen.say(f"No odds available: {fault}", "red")
            return
        self.screen.show(f"  {line}".rstrip() for line in lines)

    @cached_property
    def _odds_panel(self) -> OddsPanel:
        """Odds panel of this game, loaded on first use."""
        return OddsPanel(self.session.game)

    def _undo(self) -> None:
        """Go back to the last decision of a player, as far as the session allows it."""
        reply = self.session.undo(self.session.moment)
        self.typed_faces = []
        header = self.session.header
        rolls_again = header.dice == "auto" and header.has_new_rolls_after_undo
        undone = "Call undone. The dice will be rolled again." if rolls_again else "Call undone."
        self.screen.say(reply.reason or undone, "red" if reply.reason else "")

    # --- Real dice -----------------------------------------------------------------------

    def _roll(self, pending: PendingDie) -> None:
        """Submit the next real die; several may be typed in one line."""
        if pending.pool is not None:
            self.screen.say(f"{self.names[pending.team]} rolls {pending.pool.description}:")
        if self.typed_faces_team != pending.team:
            self._drop_faces()
        while not self.typed_faces:
            if not self._read_faces(pending):
                return
        reply = self.session.roll(
            pending.moment, pending.team, pending.die_index, self.typed_faces.pop(0)
        )
        if reply.accepted:
            self._show_events(reply.events)
        else:
            self.typed_faces = []
            self.screen.say(reply.reason, "red")

    def _read_faces(self, pending: PendingDie) -> bool:
        """Ask for the faces; return False if the call was undone instead."""
        die = pending.die
        answer = self.screen.ask(
            f"{self.names[pending.team]} rolls a {die.description} ({die.describe_faces()}):"
        )
        if answer == "q":
            raise Quit
        if answer == "u":
            self._undo()
            return False
        faces = [parse_int(word) for word in answer.replace(",", " ").split()]
        if not faces or None in faces:
            self.screen.say("Type the face of the die, u to undo the call, q to quit.")
            return True
        self.typed_faces = [face for face in faces if face is not None]
        self.typed_faces_team = pending.team
        return True

    def _drop_faces(self) -> None:
        """Discard faces that were typed for dice that were not rolled."""
        if self.typed_faces:
            self.screen.say(f"Extra dice ignored: {' '.join(map(str, self.typed_faces))}")
            self.typed_faces = []
