"""Random generator: known answers, fairness, and its compiled twin."""

from __future__ import annotations

from collections import Counter

import pytest

from hashmark.engine.generator import (
    COACH_STREAM,
    DICE_STREAM,
    MASK,
    STRIDE,
    RandomStream,
    digest_ints,
    mix,
    stream_start,
    stream_stride,
)


def test_mix_gives_the_published_words_of_splitmix64() -> None:
    state, words = 1234567, []
    for _ in range(5):
        state = (state + STRIDE) & MASK
        words.append(mix(state))
    assert words == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


KNOWN_WORDS = [9216341719554303898, 3821535776540905745, 11557659434489733333]
KNOWN_FACES = [10, 5, 13, 17, 8, 15, 9, 8, 3, 11, 2, 17]
KNOWN_DRAWS = [2, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1]


def test_streams_give_the_known_answers() -> None:
    """Pinned: a game of a seed must never change."""
    stream = RandomStream(42, 7, DICE_STREAM)
    assert [stream.word() for _ in range(3)] == KNOWN_WORDS
    stream = RandomStream(42, 7, DICE_STREAM)
    assert [stream.randbelow(20) + 1 for _ in range(12)] == KNOWN_FACES
    stream = RandomStream(42, 7, COACH_STREAM)
    assert [stream.randbelow(3) for _ in range(12)] == KNOWN_DRAWS


def test_a_word_does_not_need_the_words_before_it() -> None:
    walked = RandomStream(3, 4, DICE_STREAM)
    words = [walked.word() for _ in range(50)]
    jumped = RandomStream(3, 4, DICE_STREAM)
    jumped.word_count = 49
    assert jumped.word() == words[49]


def test_all_streams_have_different_starts_and_odd_strides() -> None:
    starts = {
        stream_start(seed, game, s) for seed in range(30) for game in range(30) for s in (0, 1)
    }
    assert len(starts) == 30 * 30 * 2
    assert all(stream_stride(start) % 2 == 1 for start in starts)


def test_rejected_words_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lowest products would favor some faces: for six sides, those below 2**32 mod 6."""
    words = iter([0, 1 << 63, 9 << 60])
    monkeypatch.setattr(RandomStream, "word", lambda self: next(words))
    assert 2**32 % 6 == 4
    assert RandomStream(0, 0, DICE_STREAM).randbelow(6) == 3


@pytest.mark.parametrize("sides", [2, 6, 20, 36, 1296])
def test_faces_are_fair(sides: int) -> None:
    stream = RandomStream(9, 9, DICE_STREAM)
    rolls = 200 * sides
    counts = Counter(stream.randbelow(sides) for _ in range(rolls))
    assert set(counts) == set(range(sides))
    chi_square = sum((n - 200) ** 2 / 200 for n in counts.values())
    assert chi_square < sides - 1 + 6 * (2 * (sides - 1)) ** 0.5


def test_compiled_words_are_the_same() -> None:
    import numpy as np
    from numba import njit

    from hashmark.compiler import registration

    registration.register()
    start = njit(lambda seed, game, s: stream_start(seed, game, s))
    stride = njit(lambda at: stream_stride(at))
    for seed, game, stream in ((0, 0, 0), (42, 7, 1), (2**64 - 1, 2**63, 1)):
        words = (np.uint64(seed), np.uint64(game), np.uint64(stream))
        at = stream_start(seed, game, stream)
        assert int(start(*words)) == at
        assert int(stride(np.uint64(at))) == stream_stride(at)


def test_fold_depends_on_order_and_sign() -> None:
    assert digest_ints([1, 2]) != digest_ints([2, 1])
    assert digest_ints([-1]) == digest_ints([MASK])
    assert digest_ints([]) == STRIDE
