"""The figures of docs/how-true.md, made anew.

    python tools/how_true.py FOLDER

runs `hashmark charts scoreboard --pbp FOLDER --fidelity` and puts what it prints into the page,
part by part, each below its mark. FOLDER holds the play-by-play and games.parquet.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "how-true.md"
STARTS = {  # how each part of the output begins
    "left out": "Left out of all tuning",
    "tuning": "Tuning seasons",
    "fitted": "Fitted on",
    "fidelity": "Whole seasons",
}
MARK = "<!-- output: {} -->"


def parts_of(output: str) -> dict[str, str]:
    """The output cut where its parts begin."""
    places = {name: output.index(start) for name, start in STARTS.items()}
    ends = [*sorted(places.values())[1:], len(output)]
    return {name: output[at : next(end for end in ends if end > at)] for name, at in places.items()}


def filled(page: str, output: str) -> str:
    """The page with each part as a block below its mark, instead of the block that was there."""
    for name, part in parts_of(output).items():
        block = "\n".join(f"    {line}".rstrip() for line in part.strip().splitlines())
        mark = MARK.format(name)
        old = re.compile(re.escape(mark) + r"\n(\n|    .*\n)*")
        page, found = old.subn(lambda _, text=f"{mark}\n\n{block}\n\n": text, page)
        if found != 1:
            raise SystemExit(f"{PAGE.name}: the mark {mark} is there {found} times")
    return page


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    command = [sys.executable, "-m", "hashmark", "charts", "scoreboard", "--fidelity"]
    done = subprocess.run(
        [*command, "--pbp", sys.argv[1]], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.returncode)
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), done.stdout), encoding="utf-8")


if __name__ == "__main__":
    main()
