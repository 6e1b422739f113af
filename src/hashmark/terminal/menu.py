"""Menu shown when no game is named: which game, which opponent, which dice.

It knows no game by name: the rule sets declare how hard a game is, whether it is played alone
and what else is to be chosen (teams, a season).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hashmark.engine.rule_set import RuleSet
from hashmark.session.header import DICE_MODES
from hashmark.session.opponents import (
    check_away_seat,
    coaches_in_order,
    default_opponent,
    games_by_difficulty,
)
from hashmark.terminal import saves
from hashmark.terminal.screen import Quit, Screen, parse_int
from hashmark.text.wrapping import format_columns

TITLE = "Hashmark: gridiron football dice games"
Entry = tuple[str, str]  # what the player may type for it, and its text


@dataclass(frozen=True)
class MenuChoice:
    """Choice of the player: a saved game or a new one."""

    saved: Path | None = None
    rules: str = ""
    home: str = "human"
    away: str = "human"
    dice: str = "auto"
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class GivenChoices:
    """Choices already made on the command line."""

    home: str | None = None
    away: str | None = None
    dice: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def choose(screen: Screen, given: GivenChoices) -> MenuChoice | None:
    """Ask for the game and for everything not given already; return None if the player leaves."""
    try:
        return _choose(screen, given)
    except (Quit, KeyboardInterrupt):
        return None


def _choose(screen: Screen, given: GivenChoices) -> MenuChoice:
    screen.say(f"{TITLE}\n", "bold")
    games = games_by_difficulty()
    entries = [(game.name, _describe_game(game)) for game in games]
    saved = saves.unfinished_games(limit=1)
    if saved:
        entries.append(("last", f"Resume the last game: {saves.describe_save(saved[0])}"))
        entries.append(("saved", "Saved games"))
    index = _pick(screen, "Which game?", entries)
    if index == len(games):
        return MenuChoice(saved=saved[0].path)
    if index > len(games):
        return MenuChoice(saved=_pick_saved(screen))
    return _new_game(screen, games[index], given)


def _describe_game(game: RuleSet) -> str:
    effort = f" ({game.presentation.difficulty})" if game.presentation.difficulty else ""
    return f"{game.title}{effort}: {game.summary}"


def _pick_saved(screen: Screen) -> Path:
    """Return one of the games that are not over, the newest first."""
    games = saves.unfinished_games()
    entries = [(game.path.stem, saves.describe_save(game)) for game in games]
    return games[_pick(screen, "Which saved game?", entries)].path


def _new_game(screen: Screen, game: RuleSet, given: GivenChoices) -> MenuChoice:
    check_away_seat(game, given.options, given.away)
    home, away = given.home, given.away
    if home is None and away is None:
        home, away = _pick_seats(screen, game, given.options)
    seats = {"home": home or "human", "away": away or default_opponent(game.name)}
    options = _pick_options(screen, game, given.options, seats)
    dice = given.dice
    if dice is None and "human" in seats.values():
        entries = [
            ("auto", "Hashmark rolls the dice"),
            ("typed", "real dice: you roll them and type the faces"),
        ]
        dice = DICE_MODES[_pick(screen, "Which dice?", entries)]
    return MenuChoice(None, game.name, seats["home"], seats["away"], dice or "auto", options)


# --- Who plays -------------------------------------------------------------------------------


def _pick_seats(screen: Screen, game: RuleSet, options: Mapping[str, Any]) -> tuple[str, str]:
    """Return the seats: a player against a coach, two players, or coaches alone."""
    if game.is_solo(game.new_match(options)):
        entries = [("play", "you play"), ("watch", "watch a coach")]
        watch = _pick(screen, "Who plays?", entries) == 1
        return (_pick_coach(screen, game, "Which coach?") if watch else "human"), default_opponent(
            game.name
        )
    entries = [
        ("coach", "you versus a coach"),
        ("two", "two players at this keyboard"),
        ("watch", "watch two coaches"),
    ]
    index = _pick(screen, "Who plays?", entries)
    if index == 1:
        return "human", "human"
    if index == 0:
        return "human", _pick_coach(screen, game, "Which coach?")
    return _pick_coach(screen, game, "Which home coach?"), _pick_coach(
        screen, game, "Which away coach?"
    )


def _pick_coach(screen: Screen, game: RuleSet, question: str) -> str:
    """Return one of the game's coaches, the weakest first; Enter takes the default opponent."""
    coaches = coaches_in_order(game)
    entries = [(coach.name, f"{coach.title}: {coach.description}") for coach in coaches]
    seats = [f"coach:{coach.name}" for coach in coaches]
    return seats[_pick(screen, question, entries, seats.index(default_opponent(game.name)))]


# --- What the game asks for ------------------------------------------------------------------


def _pick_options(
    screen: Screen, game: RuleSet, given: Mapping[str, Any], seats: Mapping[str, str]
) -> dict[str, Any]:
    """Return the options that the game asks for in its menu, picked in order."""
    chosen = dict(given) or _pick_preset(screen, game)
    for option in game.setup.options:
        if option.list_choices is None or option.name in chosen:
            continue
        entries = list(option.list_choices(game.parse_options(chosen), seats))
        if entries:
            words = [(value, _describe_value(value, text)) for value, text in entries]
            chosen[option.name] = entries[_pick(screen, option.question or option.meaning, words)][
                0
            ]
    return chosen


def _pick_preset(screen: Screen, game: RuleSet) -> dict[str, Any]:
    """Return the options of a preset, in games that offer one first, or none for the rulebook's."""
    setup = game.setup
    if not setup.default_preset:
        return {}
    entries = [
        (name, _describe_value(name, setup.preset_meanings.get(name, ""))) for name in setup.presets
    ]
    default = [*setup.presets].index(setup.default_preset)
    entries.append(("rulebook", "rulebook: the rulebook's own setting"))
    name = entries[_pick(screen, "Which difficulty?", entries, default)][0]
    return dict(setup.presets.get(name, {}))


def _describe_value(value: str, text: str) -> str:
    return f"{value}: {text}" if text else value


# --- Picking ---------------------------------------------------------------------------------


def _pick(screen: Screen, question: str, entries: Sequence[Entry], default: int = 0) -> int:
    """Return the index of the entry that the player picks; Enter takes the default."""
    for line in _entry_lines(screen, [words for _, words in entries]):
        screen.say(line)
    while True:
        answer = screen.ask(f"{question} (Enter for {default + 1}, q to quit)").casefold()
        if answer == "q":
            raise Quit
        index = _match_entry(answer, entries) if answer else default
        if index is not None:
            screen.say()
            return index
        screen.say(f"Type a number from 1 to {len(entries)}.", "red")


def _entry_lines(screen: Screen, words: list[str]) -> list[str]:
    """Return the entries with their numbers, in columns if there are many."""
    digits = len(str(len(words)))
    lines = [f"  {number:>{digits}} {entry}" for number, entry in enumerate(words, 1)]
    fits = not screen.is_terminal or len(lines) <= screen.rows - 3
    return lines if fits else format_columns(lines, screen.columns)


def _match_entry(answer: str, entries: Sequence[Entry]) -> int | None:
    """Return the index of the entry matched by number, name, prefix or unique words."""
    number = parse_int(answer)
    if number is not None and 1 <= number <= len(entries):
        return number - 1
    tests = (
        lambda entry: entry[0].casefold() == answer,
        lambda entry: entry[0].casefold().startswith(answer),
        lambda entry: answer in " ".join(entry).casefold(),
    )
    for test in tests:
        matches = [index for index, entry in enumerate(entries) if test(entry)]
        if len(matches) == 1:
            return matches[0]
    return None
