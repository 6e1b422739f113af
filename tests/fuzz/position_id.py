"""Fuzzer of position IDs: a text is refused with a sentence, or is the only ID of its position.

Most cases are forged: their checksum is valid, so that the reader must check the content.
"""

from __future__ import annotations

from functools import cache
from random import Random

from hashmark.engine import position_id, registry
from hashmark.engine.position_id import (
    ALPHABET,
    CHECKSUM_BITS,
    PREFIX,
    decode_position,
    encode_position,
)

from . import hostile, log
from .harness import Finding, Fuzzer, main


@cache
def valid_ids(rules: str) -> list[str]:
    """Return the IDs of the first positions of a game."""
    from hashmark.engine.game import Game, SeededDice
    from hashmark.engine.rule_set import NO_CALL

    game = Game(rules, dice=SeededDice(5), seed=5)
    ids = [encode_position(game.rules, {}, game.position)]
    for line in log.valid_lines(rules, 5, "auto")[1:]:
        game.play(game.parse_call(line["call"]) if "call" in line else NO_CALL)
        ids.append(encode_position(game.rules, {}, game.position))
    return ids


def make(random: Random) -> bytes:
    rules = random.choice(registry.builtin_names())
    text = random.choice(valid_ids(rules))
    if random.random() < 0.1:
        text = hostile.mutate_text(random, text)
    elif random.random() < 0.9:
        text = forge(random, rules, text)
    else:
        index = random.randrange(len(text))
        text = text[:index] + random.choice(ALPHABET) + text[index + 1 :]
    return text.encode(errors="surrogatepass")


def forge(random: Random, rules: str, text: str) -> str:
    """Return an ID with its content changed a little, or made up, and a valid checksum."""
    payload = _to_number(text) >> CHECKSUM_BITS
    for _ in range(random.choice((1, 1, 2, 5))):
        payload ^= 1 << random.randrange(payload.bit_length() + 8)
    if random.random() < 0.1:
        payload = random.getrandbits(random.choice((30, 100, 400, 3000)))
    return PREFIX + _to_letters(payload << CHECKSUM_BITS | position_id._checksum(rules, payload))


def _to_number(text: str) -> int:
    number = 0
    for letter in text.removeprefix(PREFIX):
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    return number


def _to_letters(number: int) -> str:
    text = ""
    while number:
        number, index = divmod(number, len(ALPHABET))
        text = ALPHABET[index] + text
    return text


def check(case: bytes) -> None:
    try:
        text = case.decode()
    except UnicodeDecodeError:
        return
    identified = decode_position(text)
    if encode_position(identified.rules, identified.options, identified.position) != text:
        raise Finding("two IDs stand for one position")


FUZZER = Fuzzer("position_id", ".txt", make, check)

if __name__ == "__main__":
    main(FUZZER)
