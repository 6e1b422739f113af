"""Updater of the figures in docs/maintainers/forecasts.md.

    python tools/how_true.py FOLDER

Runs `hashmark charts scoreboard --pbp FOLDER --fidelity` and inserts its output into the page, each
part below its mark. FOLDER holds the play-by-play and games.parquet.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "maintainers" / "forecasts.md"
PART_STARTS = {  # the first words of each part of the output
    "result": "Our best forecast",
    "held out": "Held-out seasons",
    "tuning": "Tuning seasons",
    "fitted": "Parameters fitted",
    "fidelity": "Whole seasons",
}
MARK = "<!-- output: {} -->"


def split_output(output: str) -> dict[str, str]:
    """Split the output into its parts."""
    starts = {name: output.index(start) for name, start in PART_STARTS.items()}
    ends = [*sorted(starts.values())[1:], len(output)]
    return {
        name: output[begin : next(end for end in ends if end > begin)]
        for name, begin in starts.items()
    }


def fill_page(page: str, output: str) -> str:
    """Replace the block below each mark of the page with the new output."""
    for name, part in split_output(output).items():
        block = "\n".join(f"    {line}".rstrip() for line in part.strip().splitlines())
        mark = MARK.format(name)
        old_block = re.compile(re.escape(mark) + r"\n(\n|    .*\n)*")
        page, count = old_block.subn(lambda _, text=f"{mark}\n\n{block}\n\n": text, page)
        if count != 1:
            raise SystemExit(f"{PAGE.name}: the mark {mark} is there {count} times")
    return page


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    command = [sys.executable, "-m", "hashmark", "charts", "scoreboard", "--fidelity"]
    process = subprocess.run(
        [*command, "--pbp", sys.argv[1]], stdout=subprocess.PIPE, text=True, check=False
    )
    if process.returncode:
        raise SystemExit(process.returncode)
    PAGE.write_text(fill_page(PAGE.read_text(encoding="utf-8"), process.stdout), encoding="utf-8")


if __name__ == "__main__":
    main()
