"""What a player types at the prompt: how a call is resolved, and what `help` lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hashmark.engine.game import Game
from hashmark.errors import HashmarkError, join_names
from hashmark.sanitize import quote
from hashmark.terminal.screen import parse_int
from hashmark.text.answers import full_lines, list_answers, question_line

COMMANDS = (
    ("a number, a name", "make that call; the first letters do, and Enter takes the default"),
    ("?", "the odds of each answer, and its win probability if the game is solved"),
    ("help WORDS", "the part of the rules with these words in its heading"),
    ("u", "undo your last call"),
    ("h, b", "the game so far: play-by-play, or box score"),
    ("h all", "play-by-play with every call, even those without effect"),
    ("ask", "choose which optional questions you are asked"),
    ("q", "save and quit"),
)


def resolve_call(typed: str, calls: Sequence[str], unlisted: Collection[str] = ()) -> str:
    """Return the call that a player meant; anything unknown is returned for the rules to judge.

    A prefix is enough if it fits only one call; `unlisted` holds legal names that no list shows.
    """
    number = parse_int(typed)
    if number is not None and 1 <= number <= len(calls):
        return calls[number - 1]
    if not typed or typed in calls or typed in unlisted:
        return typed
    matches = [call for call in calls if call.startswith(typed)]
    if len(matches) > 1:
        raise HashmarkError(f"{quote(typed)} is ambiguous: {join_names(matches)}")
    return matches[0] if matches else typed


def help_lines(game: Game) -> list[str]:
    """Return the question with all its answers, and the commands of the prompt."""
    width = max(len(command) for command, _ in COMMANDS)
    commands = [f"  {command:<{width}}  {meaning}" for command, meaning in COMMANDS]
    return ["", question_line(game), *full_lines(list_answers(game)), "", *commands]
