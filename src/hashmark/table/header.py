"""The first line of a game log: what is fixed for a game on disk, and what may be told of it.

Whoever holds the whole header before the end knows every roll to come. So it has a public form, in
which the dice are only committed to, and it can be opened when the game is over.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hashmark
from hashmark.table import registry
from hashmark.table.errors import BrokenLog, HashmarkError, UnknownName
from hashmark.table.game import Dice, Game, ListedDice, SeededDice
from hashmark.table.generator import check_seed
from hashmark.table.names import check_names
from hashmark.table.readable import shown
from hashmark.table.record import TEAMS

FORMAT = 2  # of new logs; format 1 has only turns and undos
FORMATS = (1, FORMAT)
DICE = ("auto", "typed")
MAGIC = "hashmark-game"
LONGEST_WORD = 64  # letters that a player mixes into the dice
HEADER_KEYS = {
    "log": str,
    "format": int,
    "rules": str,
    "rules_version": int,
    "options": dict,
    "seats": dict,
    "dice": str,
}


@dataclass(frozen=True)
class Header:
    """What is fixed for a game on disk."""

    rules: str
    options: dict[str, Any] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=lambda: dict.fromkeys(TEAMS, "human"))
    dice: str = "auto"  # or "typed": real dice
    seed: int = 0
    number: int = 0
    start: dict[str, Any] | None = None
    rules_version: int = 1
    program: str = hashmark.__version__
    names: tuple[str, str] = TEAMS  # what people call home and away
    salt: str = ""  # makes the seed impossible to guess from the commitment
    words: tuple[str, str] | None = None  # what the players mixed into the dice, home and away

    def to_json(self) -> dict[str, Any]:
        """The header as the one who keeps the game writes it."""
        said: dict[str, Any] = {
            "log": MAGIC,
            "format": FORMAT,
            "program": self.program,
            "rules": self.rules,
            "rules_version": self.rules_version,
            "options": self.options,
            "seats": self.seats,
            "dice": self.dice,
            "seed": self.seed,
            "game": self.number,
        }
        if self.names != TEAMS:
            said["names"] = dict(zip(TEAMS, self.names, strict=True))
        if self.salt:
            said["salt"] = self.salt
        if self.words is not None:
            said["words"] = dict(zip(TEAMS, self.words, strict=True))
        return said if self.start is None else {**said, "start": self.start}

    @property
    def is_waited_for(self) -> bool:
        """Whether a person calls or rolls; a game of coaches alone comes again from its seed."""
        return self.dice == "typed" or bool({"human", "open"} & set(self.seats.values()))

    def public(self) -> dict[str, Any]:
        """The header as everybody may have it before the end: the dice are only committed to."""
        hidden = ("seed", "game", "salt")
        said = {key: value for key, value in self.to_json().items() if key not in hidden}
        return {**said, "commitment": self.commitment} if self.is_sealed else said

    @property
    def is_sealed(self) -> bool:
        """Whether the dice are kept secret: rolled from a seed, and salted."""
        return self.dice == "auto" and bool(self.salt)

    @property
    def commitment(self) -> str:
        """What can be given away of the dice beforehand, and checked against them afterwards."""
        said = f"{self.seed}\0{self.number}\0{self.salt}"
        return hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()

    @property
    def dice_seed(self) -> int:
        """The seed that the dice are rolled from: the one committed to, and the players' words.

        Whoever keeps the table is bound by the commitment before he hears a word, and who says a
        word does not know the seed: nobody can choose the dice.
        """
        if self.words is None:
            return self.seed
        said = "\0".join((str(self.seed), str(self.number), self.salt, *self.words))
        digest = hashlib.sha256(said.encode(errors="surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big")

    def opened(self) -> dict[str, Any]:
        """What opens the commitment."""
        if self.dice != "auto":
            return {}
        said: dict[str, Any] = {"seed": self.seed, "game": self.number}
        if self.words is not None:
            said["words"] = dict(zip(TEAMS, self.words, strict=True))
        if not self.is_sealed:
            return said
        return {**said, "salt": self.salt, "commitment": self.commitment}

    def new_game(self) -> Game:
        """The game at its start; with real dice, faces must be handed to each turn."""
        dice: Dice = SeededDice(self.dice_seed, self.number)
        if self.dice == "typed":
            dice = ListedDice(([], []))
        return Game(
            registry.load(self.rules),
            self.options,
            dice=dice,
            start=self.start,
            seed=self.dice_seed,
            number=self.number,
            names=self.names,
        )


def new_seed() -> int:
    """A seed nobody knows beforehand."""
    return secrets.randbits(64)


def new_salt() -> str:
    """A salt for a new game, so that its seed can be committed to."""
    return secrets.token_hex(16)


def read_line(path: Path, line: Mapping[str, Any]) -> Header:
    """The header in the first line of a log."""
    if line.get("log") != MAGIC:
        raise BrokenLog(f"{path} is not a game log of Hashmark")
    if line.get("format") not in FORMATS:
        known = " and ".join(map(str, FORMATS))
        raise BrokenLog(
            f"{path}, line 1: format {shown(line.get('format'))} is not known, only {known}"
        )
    for key, kind in HEADER_KEYS.items():
        if not isinstance(line.get(key), kind):
            raise BrokenLog(f"{path}, line 1: {key} is missing or not of the right kind")
    for key in ("format", "rules_version", "seed", "game"):
        if type(line.get(key, 0)) is not int:
            raise BrokenLog(f"{path}, line 1: {key} must be a whole number")
    if not isinstance(line.get("salt", ""), str):
        raise BrokenLog(f"{path}, line 1: salt must be text")
    for key in ("seed", "game"):
        try:
            check_seed(line.get(key, 0), key)
        except HashmarkError as fault:
            raise BrokenLog(f"{path}, line 1: {fault}") from None
    if line["dice"] not in DICE:
        raise BrokenLog(f"{path}, line 1: {UnknownName('kind of dice', line['dice'], DICE)}")
    for team, seat in line["seats"].items():
        if team not in TEAMS or not isinstance(seat, str):
            raise BrokenLog(f"{path}, line 1: seats are for home and away only")
    return Header(
        rules=line["rules"],
        options=line["options"],
        seats={team: str(line["seats"].get(team, "human")) for team in TEAMS},
        dice=line["dice"],
        seed=line.get("seed", 0),
        number=line.get("game", 0),
        start=line.get("start"),
        rules_version=line["rules_version"],
        program=str(line.get("program", "")),
        names=_names(path, line.get("names", {})),
        salt=line.get("salt", ""),
        words=_words(path, line.get("words")),
    )


def _words(path: Path, given: Any) -> tuple[str, str] | None:
    """What the players mixed in; nobody was asked in most games."""
    if given is None:
        return None
    try:
        if not isinstance(given, Mapping) or set(given) != set(TEAMS):
            raise HashmarkError("words are for home and away")
        return check_word(given["home"]), check_word(given["away"])
    except HashmarkError as fault:
        raise BrokenLog(f"{path}, line 1: {fault}") from None


def check_word(word: Any) -> str:
    """A player's word for the dice: anything that is not too long and can be printed."""
    if not isinstance(word, str) or len(word) > LONGEST_WORD:
        raise HashmarkError(f"word {shown(word)}: expected at most {LONGEST_WORD} letters")
    if not word.isprintable():
        raise HashmarkError(f"word {shown(word)}: it cannot be printed")
    return word


def _names(path: Path, given: Any) -> tuple[str, str]:
    if not isinstance(given, Mapping) or any(team not in TEAMS for team in given):
        raise BrokenLog(f"{path}, line 1: names are for home and away only")
    try:
        return check_names(*(given.get(team, team) for team in TEAMS))
    except HashmarkError as fault:
        raise BrokenLog(f"{path}, line 1: {fault}") from None
