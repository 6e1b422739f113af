"""Run of every subcommand without the libraries of the extras, in a process that cannot load them.

Started by `test_missing_extras.py`; prints each command's status and output as JSON.
"""

from __future__ import annotations

import json
import sys
from dataclasses import astuple
from pathlib import Path
from tempfile import TemporaryDirectory

LIBRARIES = (
    "numba",
    "llvmlite",
    "numpy",
    "polars",
    "pyarrow",
    "ray",
    "fastapi",
    "sqlalchemy",
    "alembic",
    "prometheus_client",
    "python_multipart",
    "psycopg",
    "uvicorn",
    "gymnasium",
    "pettingzoo",
    "pyspiel",
)
MORE = {
    "simulate compiled": ["simulate", "fourth-down", "--engine", "compiled"],
    "simulate auto": ["simulate", "fourth-down", "--games", "20", "--out", "rows.csv"],
    "simulate parquet": ["simulate", "fourth-down", "--games", "2", "--out", "rows.parquet"],
    "simulate cluster": ["simulate", "fourth-down", "--games", "2", "--cluster", "auto"],
    "odds compiled": ["odds", "fourth-down", "--engine", "compiled"],
    "odds auto": ["odds", "fourth-down"],
    "sheet pdf": ["sheet", "fourth-down", "--blank", "--out", "blank.pdf"],
    "sheet html": ["sheet", "fourth-down", "--blank", "--out", "blank.html"],
}


def main() -> None:
    for name in LIBRARIES:
        sys.modules[name] = None  # type: ignore[assignment]
    from fuzz.in_process import run_command
    from fuzz.options import VALID_CALLS, sample_folder

    results = {}
    with TemporaryDirectory() as folder, sample_folder(Path(folder)):
        for name, arguments in VALID_CALLS.items():
            results[name] = astuple(run_command([*name.split(), *arguments], "q\n"))
        for name, arguments in MORE.items():
            results[name] = astuple(run_command(arguments))
        written = sorted(path.name for path in Path().iterdir())
    print(json.dumps({"said": results, "written": written}))


if __name__ == "__main__":
    main()
