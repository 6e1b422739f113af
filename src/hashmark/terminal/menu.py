"""The menu that opens when no game is named: which game, against whom, with which dice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hashmark.table import registry
from hashmark.terminal import saves
from hashmark.terminal.screen import Screen

OPPONENTS = (
    ("against a coach", "human", "coach:book"),
    ("two people at this keyboard", "human", "human"),
    ("watch two coaches", "coach:bold", "coach:book"),
)


@dataclass(frozen=True)
class Choice:
    """What the player chose: a saved game, or a new one."""

    saved: Path | None = None
    rules: str = ""
    home: str = "human"
    away: str = "coach:book"
    dice: str = "auto"


def choose(screen: Screen) -> Choice:
    """Ask for the game."""
    screen.say("Hashmark: gridiron football dice games\n", "bold")
    games = [registry.load(name) for name in registry.names()]
    entries = [f"{game.title}: {game.summary}" for game in games]
    last = saves.saved()[:1]
    if last:
        entries.append(f"Go on with the last game ({last[0].name})")
    picked = _pick(screen, "Which game?", entries)
    if picked == len(games):
        return Choice(saved=last[0])
    seats = OPPONENTS[_pick(screen, "Who plays?", [name for name, *_ in OPPONENTS])]
    dice = "auto"
    if "human" in seats[1:]:
        kinds = ["Hashmark rolls the dice", "real dice: you type what they show"]
        dice = ("auto", "typed")[_pick(screen, "Which dice?", kinds)]
    return Choice(rules=games[picked].name, home=seats[1], away=seats[2], dice=dice)


def _pick(screen: Screen, question: str, entries: list[str]) -> int:
    """The index of the entry that the player picks; Enter takes the first."""
    for number, entry in enumerate(entries, 1):
        screen.say(f"  {number} {entry}")
    while True:
        answer = screen.ask(f"{question} (Enter for 1, q to leave)")
        if answer == "q":
            raise SystemExit(0)
        if not answer:
            screen.say()
            return 0
        if answer.isdigit() and 1 <= int(answer) <= len(entries):
            screen.say()
            return int(answer) - 1
        screen.say(f"Type a number from 1 to {len(entries)}.", "red")
