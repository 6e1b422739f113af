"""Optional libraries, and the extras of the package that install them.

Playing, checking, printing and odds need none of them. Code that needs one asks before it starts
work, so that the user learns which extra is missing and how to install it.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from hashmark.errors import HashmarkError

LIBRARIES = {  # display name of a library, and the extra that installs it
    "numba": ("Numba", "fast"),
    "numpy": ("NumPy", "fast"),
    "polars": ("Polars", "league"),
    "matplotlib": ("Matplotlib", "plot"),
    "pandas": ("pandas", "pandas"),
    "ray": ("Ray", "cluster"),
    "fastapi": ("FastAPI", "web"),
    "uvicorn": ("Uvicorn", "web"),
    "sqlalchemy": ("SQLAlchemy", "web"),
    "alembic": ("Alembic", "web"),
    "prometheus_client": ("prometheus-client", "web"),
    "python_multipart": ("python-multipart", "web"),
    "psycopg": ("psycopg", "postgres"),
    "gymnasium": ("Gymnasium", "envs"),
    "pettingzoo": ("PettingZoo", "envs"),
    "open_spiel": ("OpenSpiel", "envs"),
}


MAKE_TARGETS = ("fast", "league", "cluster", "envs", "web", "plot")  # of the Makefile in a checkout


class MissingLibrary(HashmarkError):
    """An operation that needs a library which is not installed."""


def has(library: str) -> bool:
    """Return whether the library is installed, without importing it."""
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):  # blocked from being imported
        return False


def require(what: str, *libraries: str) -> None:
    """Raise `MissingLibrary` unless all of these libraries are installed."""
    for library in libraries:
        if not has(library):
            raise missing_library_error(what, library)


def missing_library_error(what: str, library: str) -> MissingLibrary:
    """Return the error: what needs which library, and how to install it."""
    name, _ = LIBRARIES[library]
    return MissingLibrary(
        f"{what} needs {name}, which is not installed: run `{install_command(library)}`"
    )


def install_command(library: str) -> str:
    """Return the command that installs the library: `make fast` in a checkout, else pip."""
    extra = LIBRARIES[library][1]
    return (
        f"make {extra}"
        if extra in MAKE_TARGETS and _in_checkout()
        else (f"pip install '{_package()}[{extra}]'")
    )


def _in_checkout() -> bool:
    """Return whether this package runs from a checkout with a Makefile."""
    root = Path(__file__).resolve().parents[2]
    return (root / "Makefile").is_file() and (root / "pyproject.toml").is_file()


def _package() -> str:
    """Return what pip is to install: the checkout itself where its Makefile has no target."""
    return "." if _in_checkout() else "hashmark"


def explain_import_error(fault: ImportError) -> HashmarkError | None:
    """Return the error for a failed import of an optional library; None for other imports."""
    library = (fault.name or "").partition(".")[0]
    if library not in LIBRARIES:
        return None
    if not has(library):
        return missing_library_error("this", library)
    return HashmarkError(f"{LIBRARIES[library][0]} is installed but cannot be loaded: {fault}")
