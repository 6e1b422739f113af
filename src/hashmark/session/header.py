"""Header of a game log: the fixed settings of a game, and what may be published of them.

The full header predicts every roll to come. So it has a public form, which only commits to the
dice; the commitment is revealed when the game is over.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hashmark
from hashmark.engine import registry
from hashmark.engine.game import DiceSource, Game, ListedDice, SeededDice
from hashmark.engine.generator import check_seed
from hashmark.engine.record import TEAMS
from hashmark.engine.team_names import check_names
from hashmark.errors import BrokenLog, HashmarkError, UnknownName
from hashmark.sanitize import quote
from hashmark.storage.atomic_write import LOG_MAGIC

FORMAT = 3  # of new logs; format 1 has only turns and undo lines
FORMATS = (1, 2, FORMAT)
FIRST_FORMAT_WITH_NEW_ROLLS = 3  # up to format 2 an undone turn shows the same dice again
DICE_MODES = ("auto", "typed")
MAX_CLIENT_SEED_LETTERS = 64  # letters of a player's client seed
REQUIRED_KEYS = {
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
    """The fixed settings of a logged game."""

    rules: str
    options: dict[str, Any] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=lambda: dict.fromkeys(TEAMS, "human"))
    dice: str = "auto"  # or "typed": real dice
    seed: int = 0
    game_number: int = 0
    start: dict[str, Any] | None = None
    rules_version: int = 1
    program: str = hashmark.__version__
    names: tuple[str, str] = TEAMS  # display names of home and away
    salt: str = ""  # keeps the seed from being guessed from the commitment
    client_seeds: tuple[str, str] | None = None  # the players' client seeds, home and away
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """Return the full header, as the keeper of the game writes it."""
        json: dict[str, Any] = {
            "log": LOG_MAGIC,
            "format": self.format,
            "program": self.program,
            "rules": self.rules,
            "rules_version": self.rules_version,
            "options": self.options,
            "seats": self.seats,
            "dice": self.dice,
            "seed": self.seed,
            "game": self.game_number,
        }
        if self.names != TEAMS:
            json["names"] = dict(zip(TEAMS, self.names, strict=True))
        if self.salt:
            json["salt"] = self.salt
        if self.client_seeds is not None:
            json["words"] = dict(zip(TEAMS, self.client_seeds, strict=True))
        return json if self.start is None else {**json, "start": self.start}

    @property
    def has_new_rolls_after_undo(self) -> bool:
        """Whether undone dice stay rolled, so that undo does not show the next roll."""
        return self.format >= FIRST_FORMAT_WITH_NEW_ROLLS

    @property
    def is_interactive(self) -> bool:
        """Whether a person calls or rolls; other games can be replayed from their seed."""
        return self.dice == "typed" or bool({"human", "open"} & set(self.seats.values()))

    def public_json(self) -> dict[str, Any]:
        """Return the header that may be published before the end: it only commits to the dice."""
        hidden = ("seed", "game", "salt")
        json = {key: value for key, value in self.to_json().items() if key not in hidden}
        return {**json, "commitment": self.commitment} if self.is_committed else json

    @property
    def is_committed(self) -> bool:
        """Whether the dice are secret: rolled from a seed, and salted."""
        return self.dice == "auto" and bool(self.salt)

    @property
    def commitment(self) -> str:
        """Commitment to the dice, published beforehand and checked against them afterwards."""
        secret = f"{self.seed}\0{self.game_number}\0{self.salt}"
        return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()

    @property
    def dice_seed(self) -> int:
        """Seed of the dice: derived from the committed seed and the players' client seeds.

        The server is bound by its commitment before it learns a client seed, and a player chooses a
        client seed without knowing the seed. So no party can choose the dice.
        """
        if self.client_seeds is None:
            return self.seed
        secret = "\0".join((str(self.seed), str(self.game_number), self.salt, *self.client_seeds))
        digest = hashlib.sha256(secret.encode(errors="surrogatepass")).digest()
        return int.from_bytes(digest[:8], "big")

    def reveal_json(self) -> dict[str, Any]:
        """Return what reveals the commitment."""
        if self.dice != "auto":
            return {}
        json: dict[str, Any] = {"seed": self.seed, "game": self.game_number}
        if self.client_seeds is not None:
            json["words"] = dict(zip(TEAMS, self.client_seeds, strict=True))
        if not self.is_committed:
            return json
        return {**json, "salt": self.salt, "commitment": self.commitment}

    def new_game(self) -> Game:
        """Return the game at its start; with real dice, faces must be given to each turn."""
        dice: DiceSource = SeededDice(self.dice_seed, self.game_number)
        if self.dice == "typed":
            dice = ListedDice(([], []))
        return Game(
            registry.load(self.rules),
            self.options,
            dice=dice,
            start=self.start,
            seed=self.dice_seed,
            number=self.game_number,
            names=self.names,
        )


def new_seed() -> int:
    """Return an unpredictable seed."""
    return secrets.randbits(64)


def new_salt() -> str:
    """Return a random salt, so that a seed can be committed to."""
    return secrets.token_hex(16)


def parse_header(path: Path, line: Mapping[str, Any]) -> Header:
    """Parse the header from the first line of a log."""
    if line.get("log") != LOG_MAGIC:
        raise BrokenLog(f"{path} is not a Hashmark game log")
    try:
        _check_header(line)
        return Header(
            rules=line["rules"],
            options=line["options"],
            seats={team: str(line["seats"].get(team, "human")) for team in TEAMS},
            dice=line["dice"],
            seed=line.get("seed", 0),
            game_number=line.get("game", 0),
            start=line.get("start"),
            rules_version=line["rules_version"],
            program=str(line.get("program", "")),
            names=_parse_names(line.get("names", {})),
            salt=line.get("salt", ""),
            client_seeds=_parse_client_seeds(line.get("words")),
            format=line["format"],
        )
    except HashmarkError as fault:
        raise BrokenLog(f"{path}, line 1: {fault}") from None


def _check_header(line: Mapping[str, Any]) -> None:
    if line.get("format") not in FORMATS:
        known = " and ".join(map(str, FORMATS))
        raise BrokenLog(f"format {quote(line.get('format'))} is unknown; allowed: {known}")
    for key, kind in REQUIRED_KEYS.items():
        if not isinstance(line.get(key), kind):
            raise BrokenLog(f"{key} is missing or of the wrong type")
    for key in ("format", "rules_version", "seed", "game"):
        if type(line.get(key, 0)) is not int:
            raise BrokenLog(f"{key} must be a whole number")
    if not isinstance(line.get("salt", ""), str):
        raise BrokenLog("salt must be text")
    for key in ("seed", "game"):
        check_seed(line.get(key, 0), key)
    if line["dice"] not in DICE_MODES:
        raise UnknownName("kind of dice", line["dice"], DICE_MODES)
    for team, seat in line["seats"].items():
        if team not in TEAMS or not isinstance(seat, str):
            raise BrokenLog("seats are only for home and away")


def _parse_client_seeds(given: object) -> tuple[str, str] | None:
    """Parse the client seeds of the players; most games have none."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or set(given) != set(TEAMS):
        raise BrokenLog("words must be given for home and away")
    return check_client_seed(given["home"]), check_client_seed(given["away"])


def check_client_seed(word: object) -> str:
    """Return a client seed if it is printable and not too long."""
    if not isinstance(word, str) or len(word) > MAX_CLIENT_SEED_LETTERS:
        raise HashmarkError(
            f"word {quote(word)}: expected at most {MAX_CLIENT_SEED_LETTERS} letters"
        )
    if not word.isprintable():
        raise HashmarkError(f"word {quote(word)}: it cannot be printed")
    return word


def _parse_names(given: object) -> tuple[str, str]:
    if not isinstance(given, Mapping) or any(team not in TEAMS for team in given):
        raise BrokenLog("names are only for home and away")
    return check_names(*(given.get(team, team) for team in TEAMS))
