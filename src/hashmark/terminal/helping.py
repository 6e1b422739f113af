"""Text of `help` at the prompt: the possible answers and the commands."""

from __future__ import annotations

from hashmark.table.game import Game
from hashmark.table.names import by_name
from hashmark.telling.answers import answers, in_full, question

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


@by_name
def help_lines(game: Game) -> list[str]:
    """Return the question with all its answers, and the commands of the prompt."""
    width = max(len(command) for command, _ in COMMANDS)
    commands = [f"  {command:<{width}}  {meaning}" for command, meaning in COMMANDS]
    return ["", question(game), *in_full(answers(game)), "", *commands]
