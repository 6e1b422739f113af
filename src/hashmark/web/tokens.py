"""Tokens that grant seats: 256 random bits, stored only as digests."""

from __future__ import annotations

import hashlib
import secrets
import string

TOKEN_BYTES = 32
TOKEN_ALPHABET = frozenset(string.ascii_letters + string.digits + "-_")
MAX_TOKEN_LENGTH = 64
COOKIE_NAME = "hashmark"  # of the cookie that holds a browser's token
NO_HOLDER = ""  # digest of an invalid token


def new_token() -> str:
    """Return an unguessable token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_table_id() -> str:
    """Return an unguessable table ID; knowing it is enough to watch."""
    return secrets.token_urlsafe(12)


def digest(token: str) -> str:
    """Return the stored digest of a token; NO_HOLDER for a malformed one."""
    if not 20 <= len(token) <= MAX_TOKEN_LENGTH or not TOKEN_ALPHABET.issuperset(token):
        return NO_HOLDER
    return hashlib.sha256(token.encode()).hexdigest()


def caller_digest(address: str) -> str:
    """Return the stored digest of a client address, used to count open games."""
    return hashlib.sha256(f"caller\0{address}".encode()).hexdigest()[:32]
