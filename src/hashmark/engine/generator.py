"""Counter-based random generator: a word is a function of (seed, game, stream, number).

Each stream starts at its own point of a 64-bit cycle and walks it with its own odd stride (the
scheme of SplitMix64), so word number k is `mix(start + k * stride)` and needs none of the words
before it. The functions run unchanged in plain Python and compiled: every intermediate value is
kept to 64 bits, and every constant used in arithmetic with a word is above 2**63, so that compiled
code types it as unsigned too.
"""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.errors import HashmarkError
from hashmark.sanitize import quote

MASK = 0xFFFFFFFFFFFFFFFF
STRIDE = 0x9E3779B97F4A7C15
DICE_STREAM, COACH_STREAM = 0, 1  # the streams of a game: dice and coaches


def check_seed(seed: object, label: str = "seed") -> int:
    """Return a seed or game number if it has at most 64 bits; refuse larger ones."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MASK:
        raise HashmarkError(f"{label}: {quote(seed)} is not a whole number from 0 to {MASK}")
    return seed


@rule
def mix(z: int) -> int:
    """Scramble 64 bits so that each input bit changes each output bit half the time."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@rule
def stream_start(seed: int, game: int, stream: int) -> int:
    """Start of the stream of a game on the cycle."""
    z = mix((seed + STRIDE) & MASK)
    z = mix((z + game * STRIDE) & MASK)
    return mix((z + stream * STRIDE) & MASK)


@rule
def stream_stride(start: int) -> int:
    """Stride of the stream with this start: odd, and different for each stream."""
    return ((mix((start + STRIDE) & MASK) << 1) & MASK) ^ STRIDE


REJECTED = -1


def word_below(word: int, n: int) -> int:
    """Map a word to an integer from 0 to n - 1, or REJECTED.

    The upper half of the word times n is cut at 32 bits (multiply and shift). The few low parts
    that would favor some results are rejected; the caller then takes another word.
    """
    product = (word >> 32) * n
    low = product & 0xFFFFFFFF
    if low >= n or low >= 0x100000000 % n:
        return product >> 32
    return REJECTED


class RandomStream:
    """One random stream in plain Python: the words of a game in order."""

    __slots__ = ("start", "stride", "word_count")

    def __init__(self, seed: int, game: int, stream: int) -> None:
        self.start = stream_start(check_seed(seed), check_seed(game, "game"), stream)
        self.stride = stream_stride(self.start)
        self.word_count = 0

    def word(self) -> int:
        """Return the next 64 bits."""
        self.word_count += 1
        return mix((self.start + self.word_count * self.stride) & MASK)

    def randbelow(self, n: int) -> int:
        """Return an integer from 0 to n - 1, without bias."""
        while True:
            number = word_below(self.word(), n)
            if number != REJECTED:
                return number


def digest_ints(values: list[int]) -> int:
    """Return a 64-bit digest of a list of integers, equal to the compiled one."""
    digest = STRIDE
    for value in values:
        digest = mix((digest ^ (value & MASK)) & MASK)
    return digest
