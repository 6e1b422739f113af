"""The notebook of the docs: built from its script, executed, and the same when it runs again."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "docs" / "tutorials" / "first_notebook.py"
NOTEBOOK = ROOT / "docs" / "tutorials" / "first-notebook.ipynb"
tool: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "notebook.py"))


def stored_cells() -> list[dict[str, Any]]:
    notebook: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    cells: list[dict[str, Any]] = notebook["cells"]
    return cells


def texts(outputs: list[dict[str, Any]]) -> list[str]:
    """Return what a cell printed and the text of its value."""
    return ["".join(one.get("text") or one["data"].get("text/plain", [])) for one in outputs]


def test_the_notebook_has_the_cells_of_its_script() -> None:
    cells = tool["parse_cells"](SCRIPT.read_text(encoding="utf-8"))
    assert len(cells) > 20
    stored = ["".join(cell["source"]) for cell in stored_cells()]
    assert [cell.source for cell in cells] == stored, "run tools/notebook.py, see its docstring"


def test_every_code_cell_was_executed() -> None:
    code = [cell for cell in stored_cells() if cell["cell_type"] == "code"]
    assert all(cell["outputs"] for cell in code)
    kinds = {kind for cell in code for one in cell["outputs"] for kind in one.get("data", {})}
    assert {"image/png", "text/html", "text/plain"} <= kinds


@pytest.mark.heavy
def test_the_cells_run_and_give_the_stored_texts() -> None:
    cells = tool["parse_cells"](SCRIPT.read_text(encoding="utf-8"))
    tool["run_cells"](cells)
    for cell, stored in zip(cells, stored_cells(), strict=True):
        if not cell.is_markdown:
            assert texts(cell.outputs) == texts(stored["outputs"]), cell.source
            assert len(cell.outputs) == len(stored["outputs"])


def test_cells_show_what_they_print_their_value_and_their_plots() -> None:
    cells = tool["parse_cells"](
        "# %% [markdown]\n# # Title\n#\n# text\n\n# %%\nimport matplotlib.pyplot as plt\n"
        "print('a')\nplt.plot([1, 2])\nx = 2\nx + 1\n\n# %%\ny = x\n"
    )
    assert cells[0].source == "# Title\n\ntext"
    tool["run_cells"](cells)
    printed, value, figure = cells[1].outputs
    assert printed["text"] == ["a\n"]
    assert value["data"] == {"text/plain": ["3"]}
    assert set(figure["data"]) == {"image/png"}
    assert cells[2].outputs == []
    notebook = json.loads(tool["build_notebook"](cells))
    assert notebook["nbformat"] == 4
    assert [cell["cell_type"] for cell in notebook["cells"]] == ["markdown", "code", "code"]
