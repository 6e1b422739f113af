"""Writes the reference of the Python API from its docstrings: docs/reference/python.md.

    python tools/api_reference.py                  # writes the page
    python tools/api_reference.py --check          # fails if the page is out of date

The names are those of `hashmark.__all__`; columns of frames come from the modules that make them.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import hashmark as hm
from hashmark.api import best, nflverse, odds, reviewing, seasons, whatifs
from hashmark.sim import frames

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "python.md"
MAX_SIGNATURE = 88
INTRODUCTION = """\
# Python API

<!-- Made by tools/api_reference.py from the docstrings: edit those. -->

```python
>>> import hashmark as hm

```

`import hashmark` is fast and needs no extra. Frames need Polars (`pip install 'hashmark[league]'`),
plots Matplotlib (`hashmark[plot]`), fast simulations Numba (`hashmark[fast]`). A function that
lacks a library says so. The [notebook](../tutorials/first-notebook.md) is a tour. [Modules below
the API](python-modules.md) has sessions, rules and coaches of your own. The tests run all examples.

## Stability

The names on this page are stable within a major version. A name that is to go first warns with
`DeprecationWarning` for at least one minor version, and the warning names the replacement.
Everything else may change in any version.
"""
SECTIONS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Play": (
        "A game in progress, and positions. A notebook draws the field.",
        ("games", "GameInfo", "Game", "Position"),
    ),
    "Odds, values and reviews": (
        "What a call leads to, what it is worth, and what the calls of a game cost.",
        ("odds", "Odds", "best", "BestCall", "solve", "review", "Review"),
    ),
    "Simulations": (
        "Many games between two coaches or two real teams, with frames.",
        ("simulate", "Simulation", "to_pandas"),
    ),
    "Real seasons": (
        "Seasons, what-ifs, teams, game plans and charts.",
        ("teams", "season", "Season", "whatif", "WhatIf", "plan", "Plan", "charts"),
    ),
    "Errors": (
        "Every error has a message of one sentence. `HashmarkError` is the base of all.",
        ("HashmarkError", "UnknownName", "IllegalCall", "InvalidPosition", "MissingLibrary"),
    ),
}
PLOTS = """\
## Plots

`plot()` draws with Matplotlib and returns its axes, so that a plot can be changed, combined (`ax=`)
or saved. Matplotlib was chosen over Altair because its pictures need neither a browser nor a
network: they go into a PDF, a paper or a static notebook as they are. Frames are plain Polars, so
that any other plotting library can be used on them.

| method | picture |
| --- | --- |
| `Review.plot()` | win probability through a game |
| `Simulation.plot()` | distribution of both teams' points |
| `Season.plot(team)` | distribution of a team's wins |
| `WhatIf.plot()` | change of the win probability of each game |
| `BestCall.plot()` | what each call costs |
| `Plan.plot()` | fourth-down map: the most frequent call by spot and distance |
"""
COLUMNS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "plays": (
        "`plays()` of `Simulation` and `Game`. The statistics of the game follow (`yards`, "
        "`points` ...): what the team with the ball added to each during the play.",
        frames.PLAY_COLUMNS,
    ),
    "drives": ("`drives()` of `Simulation` and `Game`.", frames.DRIVE_COLUMNS),
    "plays in nflverse columns": (
        "`plays(nflverse=True)`. Flags are 0 or 1. What a game does not know is null.",
        nflverse.COLUMNS,
    ),
    "games": (
        "`Simulation.frame()`, and files of `hashmark simulate --out`.",
        {
            "game": "number of the game, from 0",
            "home_...": "a column for each statistic of home, such as `home_points`",
            "away_...": "the same of away",
        },
    ),
    "odds": ("`Odds.frame()`, and `hashmark odds --out`.", odds.CALL_COLUMNS),
    "outcomes": (
        "`Odds.outcomes()`; the fields of the next position follow.",
        odds.OUTCOME_COLUMNS,
    ),
    "best calls": ("`BestCall.frame()`, and `hashmark best --out`.", best.CALL_COLUMNS),
    "reviews": ("`Review.frame()`.", reviewing.TURN_COLUMNS),
    "seasons": ("`Season.table()`, and `hashmark season --out`.", seasons.TEAM_COLUMNS),
    "what-ifs": ("`WhatIf.games()`, and `hashmark whatif --out`.", whatifs.GAME_COLUMNS),
}


def render_page() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    for title, (text, names) in SECTIONS.items():
        parts.append(f"## {title}\n\n{text}\n")
        parts += [_entry(name) for name in names]
    parts += [PLOTS, "## Columns of frames\n"]
    for title, (text, columns) in COLUMNS.items():
        rows = [f"| `{name}` | {meaning} |" for name, meaning in columns.items()]
        table = "\n".join(["| column | meaning |", "| --- | --- |", *rows])
        parts.append(f"### Columns of {title}\n\n{_wrap(text)}\n\n{table}\n")
    return "\n".join(parts)


def _entry(name: str) -> str:
    """Return the section of a public name: signature, text, and members of a class."""
    thing = getattr(hm, name)
    lines = [f"### `hm.{name}`\n"]
    if inspect.ismodule(thing) and not callable(thing):
        lines.append(_markdown(inspect.getdoc(thing) or ""))
        lines += [_function(f"hm.{name}.build", thing.build), _class("Charts", thing.Charts)]
    elif inspect.isclass(thing):
        lines.append(_class(f"hm.{name}", thing))
    else:
        function = thing._function() if inspect.ismodule(thing) else thing
        lines.append(_function(f"hm.{name}", function))
    return "\n".join(lines)


def _function(name: str, function: Any) -> str:
    text = inspect.getdoc(function) or ""
    return f"{_signature(name, function)}\n{_markdown(text)}"


def _class(name: str, thing: Any) -> str:
    """Return text and members of a class; of one that users make also its signature."""
    is_made = name in ("hm.Game", "hm.Position")
    head = _signature(name, thing) if is_made else ""
    text = f"{head}\n{_markdown(inspect.getdoc(thing) or '')}"
    rows = [f"| `{member}` | {meaning} |" for member, meaning in _members(thing)]
    if not rows or issubclass(thing, Exception):
        return text.lstrip("\n")
    table = "\n".join(["| member | meaning |", "| --- | --- |", *rows])
    return f"{text}\n{table}\n".lstrip("\n")


def _members(thing: Any) -> Iterator[tuple[str, str]]:
    """Yield the public members of a class with the first paragraph of their docstrings."""
    for name, value in vars(thing).items():
        if name.startswith("_"):
            continue
        function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        text = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
        if not callable(function) or not text:
            continue
        label = name if isinstance(value, property) else f"{name}{_plain_signature(function)}"
        yield label, text


def _plain_signature(function: Any) -> str:
    """Return the parameters of a method without their types."""
    signature = inspect.signature(function)
    kept = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in signature.parameters.items()
        if name not in ("self", "cls")
    ]
    return str(inspect.Signature(kept))


def _signature(name: str, function: Any) -> str:
    """Return a code block with parameters and types, one per line if they are many."""
    signature = inspect.signature(function)
    parameters = [_parameter(one) for one in _with_star(signature)]
    result = "" if inspect.isclass(function) else f" -> {signature.return_annotation}"
    text = f"{name}({', '.join(parameters)}){result}"
    if len(text) > MAX_SIGNATURE:
        text = "\n".join([f"{name}(", *(f"    {one}," for one in parameters), f"){result}"])
    return f"```text\n{text}\n```\n"


def _with_star(signature: inspect.Signature) -> Iterator[inspect.Parameter | str]:
    """Yield the parameters, and a star before those that must be named."""
    is_named = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not is_named:
            is_named = True
            yield "*"
        yield parameter


def _parameter(parameter: inspect.Parameter | str) -> str:
    """Return a parameter with its type and default."""
    if isinstance(parameter, str):
        return parameter
    star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
    return f"{star}{parameter.name}: {parameter.annotation}{default}"


def _markdown(text: str) -> str:
    """Return a docstring as Markdown: examples and indented lines become code."""
    blocks = []
    for block in re.split(r"\n{2,}", text.strip()):
        if block.startswith(">>>"):
            blocks.append(f"```python\n{block}\n\n```")
        elif block.startswith("    "):
            blocks.append("```text\n" + re.sub(r"^ {4}", "", block, flags=re.MULTILINE) + "\n```")
        else:
            blocks.append(_wrap(block))
    return "\n\n".join(blocks) + "\n"


def _wrap(text: str) -> str:
    """Return a paragraph in lines of at most 100 columns, with spans of code unbroken."""
    words = re.sub(r"`[^`]*`", lambda span: span[0].replace(" ", "\0"), " ".join(text.split()))
    lines = [""]
    for word in words.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > 100:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines).replace("\0", " ")


def main() -> int:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="fail if the page is out of date")
    given = parser.parse_args()
    page = render_page()
    if given.check:
        return int(page != PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
