"""Digest at the end of each file of the compile cache.

A cached file is machine code: one flipped bit crashes the program or, worse, plays a different
game. So every file ends with a digest of its content, and a file with a wrong digest is removed and
its function compiled again. `numba_private` makes Numba's cache write and check such files.
"""

from __future__ import annotations

import hashlib
import os

DIGEST_BYTES = 32


def file_digest(data: bytes) -> bytes:
    """Return the digest that ends a cached file."""
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES, person=b"hashmark-cache").digest()


def is_intact(data: bytes) -> bool:
    """Return whether a cached file is as it was written."""
    return file_digest(data[:-DIGEST_BYTES]) == data[-DIGEST_BYTES:]


def remove_if_damaged(path: str) -> None:
    """Remove a damaged file."""
    try:
        with open(path, "rb") as file:
            intact = is_intact(file.read())
    except FileNotFoundError:
        return
    if not intact:
        os.unlink(path)
