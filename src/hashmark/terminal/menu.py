"""The menu that opens when no game is named: which game, against whom, with which dice.

It knows no game by name: how hard a game is, whether it is played alone and what else is to be
picked (teams, a season) the rule sets declare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hashmark.table.header import DICE
from hashmark.table.opponents import by_ease, check_away, default_opponent, in_order
from hashmark.table.rules import RuleSet
from hashmark.telling.wrapping import in_columns
from hashmark.terminal import saves
from hashmark.terminal.screen import Quit, Screen, whole_number

TITLE = "Hashmark: gridiron football dice games"
Entry = tuple[str, str]  # what may be typed for it, and what it is


@dataclass(frozen=True)
class Choice:
    """What the player chose: a saved game, or a new one."""

    saved: Path | None = None
    rules: str = ""
    home: str = "human"
    away: str = "human"
    dice: str = "auto"
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Given:
    """What the command line has said already."""

    home: str | None = None
    away: str | None = None
    dice: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def choose(screen: Screen, given: Given) -> Choice | None:
    """Ask for the game, and for what was not given already; None if the player leaves."""
    try:
        return _choose(screen, given)
    except (Quit, KeyboardInterrupt):
        return None


def _choose(screen: Screen, given: Given) -> Choice:
    screen.say(f"{TITLE}\n", "bold")
    games = by_ease()
    entries = [(game.name, _game_words(game)) for game in games]
    saved = saves.unfinished(most=1)
    if saved:
        entries.append(("last", f"Go on with the last game: {saves.words(saved[0])}"))
        entries.append(("saved", "Saved games"))
    picked = _pick(screen, "Which game?", entries)
    if picked == len(games):
        return Choice(saved=saved[0].path)
    if picked > len(games):
        return Choice(saved=_pick_saved(screen))
    return _new_game(screen, games[picked], given)


def _game_words(game: RuleSet) -> str:
    effort = f" ({game.effort})" if game.effort else ""
    return f"{game.title}{effort}: {game.summary}"


def _pick_saved(screen: Screen) -> Path:
    """One of the games that are not over, the newest first."""
    found = saves.unfinished()
    entries = [(one.path.stem, saves.words(one)) for one in found]
    return found[_pick(screen, "Which saved game?", entries)].path


def _new_game(screen: Screen, game: RuleSet, given: Given) -> Choice:
    check_away(game, given.options, given.away)
    home, away = given.home, given.away
    if home is None and away is None:
        home, away = _seats(screen, game, given.options)
    seats = {"home": home or "human", "away": away or default_opponent(game.name)}
    options = _options(screen, game, given.options, seats)
    dice = given.dice
    if dice is None and "human" in seats.values():
        kinds = [
            ("auto", "Hashmark rolls the dice"),
            ("typed", "real dice: you type what they show"),
        ]
        dice = DICE[_pick(screen, "Which dice?", kinds)]
    return Choice(None, game.name, seats["home"], seats["away"], dice or "auto", options)


# --- Who plays -------------------------------------------------------------------------------


def _seats(screen: Screen, game: RuleSet, options: Mapping[str, Any]) -> tuple[str, str]:
    """Who plays: a person against a coach, two people, or coaches alone."""
    if game.alone(game.new_match(options)):
        kinds = [("play", "you play"), ("watch", "watch a coach")]
        watch = _pick(screen, "Who plays?", kinds) == 1
        return (_coach(screen, game, "Which coach?") if watch else "human"), default_opponent(
            game.name
        )
    kinds = [
        ("coach", "you against a coach"),
        ("two", "two people at this keyboard"),
        ("watch", "watch two coaches"),
    ]
    kind = _pick(screen, "Who plays?", kinds)
    if kind == 1:
        return "human", "human"
    if kind == 0:
        return "human", _coach(screen, game, "Which coach?")
    return _coach(screen, game, "Which coach at home?"), _coach(screen, game, "Which coach away?")


def _coach(screen: Screen, game: RuleSet, question: str) -> str:
    """One of the game's coaches, the usual opponent first and the one that knows nothing last."""
    coaches = in_order(game)
    entries = [(one.name, f"{one.name}: {one.sentence}") for one in coaches]
    return f"coach:{coaches[_pick(screen, question, entries)].name}"


# --- What the game asks for ------------------------------------------------------------------


def _options(
    screen: Screen, game: RuleSet, given: Mapping[str, Any], seats: Mapping[str, str]
) -> dict[str, Any]:
    """The options that belong to the game's invitation, picked in their order."""
    chosen = dict(given)
    for option in game.options:
        if option.pick is None or option.name in chosen:
            continue
        entries = list(option.pick(game.read_options(chosen), seats))
        if entries:
            words = [(value, _value_words(value, said)) for value, said in entries]
            chosen[option.name] = entries[_pick(screen, option.question or option.meaning, words)][
                0
            ]
    return chosen


def _value_words(value: str, said: str) -> str:
    return f"{value}: {said}" if said else value


# --- Picking ---------------------------------------------------------------------------------


def _pick(screen: Screen, question: str, entries: Sequence[Entry]) -> int:
    """The index of the entry that the player picks; Enter takes the first."""
    for line in _laid_out(screen, [words for _, words in entries]):
        screen.say(line)
    while True:
        answer = screen.ask(f"{question} (Enter for 1, q to leave)").casefold()
        if answer == "q":
            raise Quit
        picked = _meant(answer, entries) if answer else 0
        if picked is not None:
            screen.say()
            return picked
        screen.say(f"Type a number from 1 to {len(entries)}.", "red")


def _laid_out(screen: Screen, words: list[str]) -> list[str]:
    """The entries with their numbers, side by side if they are many."""
    digits = len(str(len(words)))
    lines = [f"  {number:>{digits}} {entry}" for number, entry in enumerate(words, 1)]
    few = not screen.is_terminal or len(lines) <= screen.rows - 3
    return lines if few else in_columns(lines, screen.columns)


def _meant(answer: str, entries: Sequence[Entry]) -> int | None:
    """The entry of a number, a name or its beginning, or of words that only one has."""
    number = whole_number(answer)
    if number is not None and 1 <= number <= len(entries):
        return number - 1
    tests = (
        lambda one: one[0].casefold() == answer,
        lambda one: one[0].casefold().startswith(answer),
        lambda one: answer in " ".join(one).casefold(),
    )
    for test in tests:
        fitting = [at for at, one in enumerate(entries) if test(one)]
        if len(fitting) == 1:
            return fitting[0]
    return None
