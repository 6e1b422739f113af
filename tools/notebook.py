"""Builds an executed notebook from a script with `# %%` cells: docs/tutorials/first-notebook.ipynb.

    python tools/notebook.py docs/tutorials/first_notebook.py docs/tutorials/first-notebook.ipynb

Each cell runs in one namespace, as in Jupyter; what it prints, its last value and its plots become
its outputs. No Jupyter is needed.
"""

from __future__ import annotations

import argparse
import ast
import base64
import io
import json
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MARKDOWN = "[markdown]"
DOTS_PER_INCH = 80


@dataclass
class Cell:
    """A cell of the notebook with the outputs of its code."""

    is_markdown: bool
    source: str
    outputs: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self, number: int) -> dict[str, Any]:
        """Return the cell as nbformat 4.5 has it; its number is also that of its execution."""
        cell = {"id": f"cell-{number}", "metadata": {}, "source": _lines(self.source)}
        if self.is_markdown:
            return {"cell_type": "markdown", **cell}
        outputs = [
            {**one, "execution_count": number} if one["output_type"] == "execute_result" else one
            for one in self.outputs
        ]
        return {"cell_type": "code", "execution_count": number, **cell, "outputs": outputs}


def parse_cells(script: str) -> list[Cell]:
    """Return the cells of a script."""
    cells = []
    for part in f"\n{script}".split("\n# %%")[1:]:
        head, _, body = part.partition("\n")
        is_markdown = head.strip() == MARKDOWN
        if is_markdown:
            body = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.split("\n"))
        cells.append(Cell(is_markdown, body.strip("\n")))
    return cells


def run_cells(cells: list[Cell]) -> dict[str, Any]:
    """Run all cells in order, filling their outputs; return the namespace they leave."""
    import matplotlib

    matplotlib.use("Agg")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        if not cell.is_markdown:
            cell.outputs = _run(cell.source, namespace)
    return namespace


def _run(source: str, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell; return its outputs."""
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        lines = _lines(printed.getvalue())
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines})
    if value is not None:
        outputs.append(_output("execute_result", _representations(value)))
    return outputs + [_output("display_data", {"image/png": picture}) for picture in _figures()]


def _output(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"output_type": kind, "data": data, "metadata": {}}


def _representations(value: object) -> dict[str, Any]:
    """Return a value as a notebook shows it: as text, and as HTML where it has some."""
    data: dict[str, Any] = {"text/plain": _lines(repr(value))}
    if (as_html := getattr(value, "_repr_html_", None)) is not None:
        data["text/html"] = _lines(as_html())
    return data


def _figures() -> list[str]:
    """Return all open figures as PNG in base64, and close them."""
    import matplotlib.pyplot as plt

    pictures = []
    for number in plt.get_fignums():
        picture = io.BytesIO()
        plt.figure(number).savefig(picture, format="png", dpi=DOTS_PER_INCH)
        pictures.append(base64.b64encode(picture.getvalue()).decode())
    plt.close("all")
    return pictures


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def build_notebook(cells: list[Cell]) -> str:
    """Return the notebook file."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {
        "cells": [cell.to_json(number) for number, cell in enumerate(cells, 1)],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Build the notebook."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("script", type=Path)
    parser.add_argument("notebook", type=Path)
    given = parser.parse_args()
    cells = parse_cells(given.script.read_text(encoding="utf-8"))
    run_cells(cells)
    given.notebook.write_text(build_notebook(cells), encoding="utf-8")


if __name__ == "__main__":
    main()
