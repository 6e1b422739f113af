"""Text of `help` at the prompt: the possible answers and the commands."""

from __future__ import annotations

from hashmark.engine.game import Game
from hashmark.text.answers import full_lines, list_answers, question_line

COMMANDS = (
    ("a number, a name", "that call, or the beginning of it; Enter takes the default"),
    ("?", "the odds of each answer, and its chance to win if the game is solved"),
    ("help WORDS", "the part of the rules with these words in its heading"),
    ("u", "take your last call back"),
    ("h, b", "the game so far: play by play, or as a box score"),
    ("h all", "play by play with the calls that say nothing"),
    ("ask", "which windows you are asked about"),
    ("q", "save and quit"),
)


def help_lines(game: Game) -> list[str]:
    """Return the question with all its answers, and the commands of the prompt."""
    width = max(len(command) for command, _ in COMMANDS)
    commands = [f"  {command:<{width}}  {meaning}" for command, meaning in COMMANDS]
    return ["", question_line(game), *full_lines(list_answers(game)), "", *commands]
