"""Fuzzes position IDs: a text is refused with a sentence, or stands for a position of its own.

Most cases are forged: their checksum fits, so that a reader has to look at what is in them.
"""

from __future__ import annotations

from functools import cache
from random import Random

from hashmark.table import position_id, registry
from hashmark.table.position_id import CHECK_BITS, LETTERS, PREFIX, id_of, read_id

from . import hostile, log
from .harness import Finding, Fuzzer, main


@cache
def honest(rules: str) -> list[str]:
    """The IDs of the first positions of a game."""
    from hashmark.table.game import Game, SeededDice

    game = Game(rules, dice=SeededDice(5), seed=5)
    found = [id_of(game.rules, {}, game.position)]
    for line in log.honest(rules, 5, "auto")[1:]:
        game.play(line.get("call"))
        found.append(id_of(game.rules, {}, game.position))
    return found


def make(random: Random) -> bytes:
    rules = random.choice(registry.built_in())
    text = random.choice(honest(rules))
    if random.random() < 0.1:
        text = hostile.mutated_text(random, text)
    elif random.random() < 0.9:
        text = forged(random, rules, text)
    else:
        at = random.randrange(len(text))
        text = text[:at] + random.choice(LETTERS) + text[at + 1 :]
    return text.encode(errors="surrogatepass")


def forged(random: Random, rules: str, text: str) -> str:
    """What is in an ID changed a little, or made up, under a checksum that fits."""
    payload = _number(text) >> CHECK_BITS
    for _ in range(random.choice((1, 1, 2, 5))):
        payload ^= 1 << random.randrange(payload.bit_length() + 8)
    if random.random() < 0.1:
        payload = random.getrandbits(random.choice((30, 100, 400, 3000)))
    return PREFIX + _letters(payload << CHECK_BITS | position_id._checksum(rules, payload))


def _number(text: str) -> int:
    number = 0
    for letter in text.removeprefix(PREFIX):
        number = number * len(LETTERS) + LETTERS.index(letter)
    return number


def _letters(number: int) -> str:
    text = ""
    while number:
        number, at = divmod(number, len(LETTERS))
        text = LETTERS[at] + text
    return text


def check(case: bytes) -> None:
    try:
        text = case.decode()
    except UnicodeDecodeError:
        return
    found = read_id(text)
    if id_of(found.rules, found.options, found.position) != text:
        raise Finding("two IDs stand for one position")


FUZZER = Fuzzer("position_id", ".txt", make, check)

if __name__ == "__main__":
    main(FUZZER)
