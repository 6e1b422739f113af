"""Optional libraries, and the extras of the package that install them.

Playing, checking, printing and odds need none of them. Code that needs one asks before it starts
work, so that the user learns which extra is missing and how to install it.
"""

from __future__ import annotations

from importlib.util import find_spec

from hashmark.table.errors import HashmarkError

LIBRARIES = {  # display name of a library, and the extra that installs it
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
    """An operation that needs a library which is not installed."""


def has(library: str) -> bool:
    """Return whether the library is installed, without importing it."""
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):  # blocked from being imported
        return False


def need(what: str, *libraries: str) -> None:
    """Raise `MissingLibrary` unless all of these libraries are installed."""
    for library in libraries:
        if not has(library):
            raise lacking(what, library)


def lacking(what: str, library: str) -> LacksLibrary:
    """Return the error: what needs which library, and how to install it."""
    name, _ = LIBRARIES[library]
    return LacksLibrary(f"{what} needs {name}, which is not installed: {how_to_get(library)}")


def how_to_get(library: str) -> str:
    """Return the command that installs the library."""
    return f"pip install 'hashmark[{LIBRARIES[library][1]}]'"


def sentence_of(fault: ImportError) -> HashmarkError | None:
    """Return the error for a failed import of an optional library; None for other imports."""
    library = (fault.name or "").partition(".")[0]
    if library not in LIBRARIES:
        return None
    if not has(library):
        return lacking("this", library)
    return HashmarkError(f"{LIBRARIES[library][0]} is installed, but cannot be loaded: {fault}")
