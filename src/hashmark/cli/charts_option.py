"""Option `--charts DIR`, which every subcommand takes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from hashmark.errors import HashmarkError
from hashmark.storage import search_path
from hashmark.storage.user_files import is_dir

ChartsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--charts",
        metavar="DIR",
        help="Folder to search first for charts and plans; repeatable.",
    ),
]


def with_charts_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command with the option `--charts`, whose directories it searches first."""

    @functools.wraps(command)
    def run(*arguments: Any, charts: list[Path] | None = None, **options: Any) -> Any:
        for folder in charts or ():
            if not is_dir(folder):
                raise HashmarkError(f"--charts {folder}: no such folder")
        with search_path.search_first(charts or ()):
            return command(*arguments, **options)

    hints = {**get_type_hints(command, include_extras=True), "charts": ChartsOption}
    option = inspect.Parameter("charts", inspect.Parameter.KEYWORD_ONLY, default=None)
    parameters = [*inspect.signature(command).parameters.values(), option]
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [parameter.replace(annotation=hints[parameter.name]) for parameter in parameters]
    )
    run.__annotations__ = hints
    return run
