"""Libraries that only some commands need, and the extras of the package that bring them.

Playing, refereeing, printing and odds need none of them. Whoever needs one asks before the work
begins, so that the user reads which extra is missing and how to get it.
"""

from __future__ import annotations

from importlib.util import find_spec

from hashmark.table.errors import HashmarkError

LIBRARIES = {  # what a library is called, and the extra that brings it
    "numba": ("Numba", "fast"),
    "numpy": ("NumPy", "fast"),
    "polars": ("Polars", "league"),
    "ray": ("Ray", "cluster"),
    "fastapi": ("FastAPI", "web"),
    "uvicorn": ("Uvicorn", "web"),
    "sqlalchemy": ("SQLAlchemy", "web"),
    "alembic": ("Alembic", "web"),
    "prometheus_client": ("prometheus-client", "web"),
    "psycopg": ("psycopg", "postgres"),
    "gymnasium": ("Gymnasium", "envs"),
    "pettingzoo": ("PettingZoo", "envs"),
    "open_spiel": ("OpenSpiel", "envs"),
}


class LacksLibrary(HashmarkError):
    """What was asked needs a library that is not installed."""


def has(library: str) -> bool:
    """Whether the library is installed; it is not loaded for that."""
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):  # kept from being loaded
        return False


def need(what: str, *libraries: str) -> None:
    """Refuse in one sentence what cannot be done without these libraries."""
    for library in libraries:
        if not has(library):
            raise lacking(what, library)


def lacking(what: str, library: str) -> LacksLibrary:
    """The sentence: what needs which library, and how to get it."""
    name, _ = LIBRARIES[library]
    return LacksLibrary(f"{what} needs {name}, which is not installed: {how_to_get(library)}")


def how_to_get(library: str) -> str:
    """The command that installs it."""
    return f"pip install 'hashmark[{LIBRARIES[library][1]}]'"


def sentence_of(fault: ImportError) -> HashmarkError | None:
    """The sentence for a library of an extra that could not be imported; None for all others."""
    library = (fault.name or "").partition(".")[0]
    if library not in LIBRARIES:
        return None
    if not has(library):
        return lacking("this", library)
    return HashmarkError(f"{LIBRARIES[library][0]} is installed, but cannot be loaded: {fault}")
