"""`--charts DIR` for every subcommand that may read a file which an option names."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hashmark.table import places
from hashmark.table.errors import HashmarkError

Charts = Annotated[
    list[Path] | None,
    typer.Option(
        "--charts",
        metavar="DIR",
        help="Look here first for chart files and game plans; may be repeated.",
    ),
]


def searching(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the option, run so that the folders are looked in."""

    @functools.wraps(command)
    def run(*arguments: Any, charts: list[Path] | None = None, **options: Any) -> Any:
        for folder in charts or ():
            if not folder.is_dir():
                raise HashmarkError(f"--charts {folder}: there is no such folder")
        with places.look_in(charts or ()):
            return command(*arguments, **options)

    option = inspect.Parameter("charts", inspect.Parameter.KEYWORD_ONLY, default=None)
    signature = inspect.signature(command)
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), option]
    )
    run.__annotations__ = {**command.__annotations__, "charts": Charts}
    return run
