"""The menu that opens when no game is named: which game, against whom, with which dice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hashmark.table import registry
from hashmark.table.header import DICE
from hashmark.terminal import saves
from hashmark.terminal.screen import Quit, Screen, whole_number
from hashmark.terminal.session import default_opponent


@dataclass(frozen=True)
class Choice:
    """What the player chose: a saved game, or a new one."""

    saved: Path | None = None
    rules: str = ""
    home: str = "human"
    away: str = "human"
    dice: str = "auto"


def choose(screen: Screen, home: str | None, away: str | None, dice: str | None) -> Choice | None:
    """Ask for the game, and for what was not given already; None if the player leaves."""
    try:
        return _choose(screen, home, away, dice)
    except (Quit, KeyboardInterrupt):
        return None


def _choose(screen: Screen, home: str | None, away: str | None, dice: str | None) -> Choice:
    screen.say("Hashmark: gridiron football dice games\n", "bold")
    games = [registry.load(name) for name in registry.names()]
    entries = [f"{game.title}: {game.summary}" for game in games]
    last = saves.last_unfinished()
    if last is not None:
        entries.append(f"Go on with the last game ({last.name})")
    picked = _pick(screen, "Which game?", entries)
    if picked == len(games):
        return Choice(saved=last)
    rules = games[picked].name
    if home is None and away is None:
        home, away = _seats(screen, rules)
    seats = home or "human", away or default_opponent(rules)
    if dice is None and "human" in seats:
        kinds = ["Hashmark rolls the dice", "real dice: you type what they show"]
        dice = DICE[_pick(screen, "Which dice?", kinds)]
    return Choice(None, rules, *seats, dice or "auto")


def _seats(screen: Screen, rules: str) -> tuple[str, str]:
    """Who plays: a person against a coach, two people, or two coaches."""
    coach = default_opponent(rules)
    last = f"coach:{registry.load(rules).coaches[-1].name}"
    kinds = (
        (f"against a coach ({coach})", "human", coach),
        ("two people at this keyboard", "human", "human"),
        (f"watch two coaches ({coach} at home, {last} away)", coach, last),
    )
    _, home, away = kinds[_pick(screen, "Who plays?", [kind[0] for kind in kinds])]
    return home, away


def _pick(screen: Screen, question: str, entries: list[str]) -> int:
    """The index of the entry that the player picks; Enter takes the first."""
    for number, entry in enumerate(entries, 1):
        screen.say(f"  {number} {entry}")
    while True:
        answer = screen.ask(f"{question} (Enter for 1, q to leave)")
        if answer == "q":
            raise Quit
        if not answer:
            screen.say()
            return 0
        picked = whole_number(answer)
        if picked is not None and 1 <= picked <= len(entries):
            screen.say()
            return picked - 1
        screen.say(f"Type a number from 1 to {len(entries)}.", "red")
