"""Tokens: who holds one has a seat. They are made of 256 random bits and kept only as digests."""

from __future__ import annotations

import hashlib
import secrets
import string

BYTES = 32
LETTERS = frozenset(string.ascii_letters + string.digits + "-_")
LONGEST = 64
NOBODY = ""  # the digest of no token


def new_token() -> str:
    """A token nobody can guess."""
    return secrets.token_urlsafe(BYTES)


def new_table_id() -> str:
    """The name of a table in addresses: enough to watch it, and not to be guessed either."""
    return secrets.token_urlsafe(12)


def digest(token: str) -> str:
    """What is kept of a token; of what cannot be one, the digest of nobody."""
    if not 20 <= len(token) <= LONGEST or not LETTERS.issuperset(token):
        return NOBODY
    return hashlib.sha256(token.encode()).hexdigest()


def caller_digest(address: str) -> str:
    """What is kept of where somebody calls from, to count his open games."""
    return hashlib.sha256(f"caller\0{address}".encode()).hexdigest()[:32]
