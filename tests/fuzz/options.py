"""Fuzzes the command line: every option and argument of every subcommand gets hostile values.

The command runs in this process with streams of its own, in a folder of its own. Work that takes
long is cut short where it would begin: what is fuzzed is all that is read before it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import typer

from hashmark.cli.commands import app
from hashmark.games.data_driven import RULES
from hashmark.table import aside, places
from hashmark.table.errors import HashmarkError

from . import hostile, log
from .harness import Finding, Fuzzer, main, poor_sentence, unreadable
from .in_process import answer

STATUSES = (0, 1, 2, 130)

# A short honest call of each subcommand, and what it reads from standard input.
CALLS: dict[str, list[str]] = {
    "rules": ["fourth-down"],
    "play": ["fourth-down", "--seed", "1"],
    "resume": ["game.log"],
    "serve": ["--no-browser"],
    "scenario": ["scenario.json"],
    "odds": ["fourth-down", "--engine", "plain"],
    "best": ["fourth-down"],
    "simulate": ["fourth-down", "--engine", "plain", "--games", "1"],
    "solve": ["fourth-down"],
    "replay": ["game.log"],
    "review": ["game.log"],
    "verify": ["game.log"],
    "warm": ["fourth-down"],
    "sheet": ["game.log"],
    "season": ["2008", "--runs", "10"],
    "whatif": ["2008", "ARI", "--pass-rate", "+10%", "--runs", "10"],
    "charts check": ["invented"],
    "charts show": ["invented", "OTTERS"],
    "charts export": ["invented"],
    "charts build": ["2008"],
    "charts rebuild": ["--check", "--season", "2008"],
    "charts resample": ["2008", "--pbp", "no/such/plays.parquet"],
    "charts scoreboard": ["--runs", "10"],
    "charts verify": ["2008", "--seasons", "10"],
    "plan show": ["book"],
    "plan list": ["2008"],
    "plan check": ["book"],
    "plan build": ["2008"],
}
MODES = (["--scan"], ["--best"])  # of whatif, instead of a change
FILES = ("empty", "folder", "binary", "text", "game.log", "scenario.json", "no/such/file")
ANSWERS = ("1\n2\n", "?\nh\nb\nu\nq\n", "\x1b[A\n\x00\n", "9" * 5000 + "\n", "\udcff\n", "")
OPTIONS = (
    "mode={}",
    "charts={}",
    "home_plan={}",
    "home_team={}",
    "kickoff_spot={}",
    "overtime_plays={}",
    "records={}",
    "shading={}",
    "{}",
    "{}={}",
)


@cache
def parameters() -> dict[str, tuple[list[str], list[str]]]:
    """Of each subcommand the options that take a value, and those that take none."""
    found: dict[str, tuple[list[str], list[str]]] = {}

    def walk(command: Any, name: str) -> None:
        for sub, inside in getattr(command, "commands", {}).items():
            walk(inside, f"{name} {sub}".strip())
        if not hasattr(command, "commands"):
            options = [p for p in command.params if p.param_type_name == "option"]
            valued = [p.opts[0] for p in options if not p.is_flag]
            flags = [p.opts[0] for p in options if p.is_flag and p.name != "help"]
            found[name] = (valued, flags)

    walk(typer.main.get_command(app), "")
    return found


def value(random: Random, option: str) -> str:
    """A hostile value, sometimes of the form that the option wants."""
    text = random.choice((*hostile.TEXTS, *hostile.NUMBERS, *FILES))
    forms = {
        "--option": OPTIONS,
        "--play": ("deep={}", "{}=+5%", "deep=+5%@{}", "deep=+5%@down={}"),
        "--formation": ("nickel={}", "nickel=+5%@to-go={}+"),
        "--when": ("{}", "down={}", "lead={}..{}"),
        "--pass-rate": ("{}%", "+{}%", "x{}", "+5%@{}"),
        "--budget": ("{}", "{}s"),
        "--home": ("coach:{}", "{}"),
    }
    form = random.choice(forms.get(option, ("{}",)))
    return form.replace("{}", text)


def make(random: Random) -> bytes:
    command = random.choice(sorted(CALLS))
    return make_one(random, command, random.choice((None, *parameters()[command][0])))


def make_one(random: Random, command: str, option: str | None) -> bytes:
    """A call with a hostile value of this option, or of an argument."""
    arguments = list(CALLS[command])
    _, flags = parameters()[command]
    if command == "whatif" and random.random() < 0.3:
        arguments = ["2008", "ARI", *random.choice(MODES), "--runs", "10"]
    if option is None:
        arguments[random.randrange(len(arguments))] = value(random, "")
    else:
        arguments += [option, value(random, option)]
    if flags and random.random() < 0.3:
        arguments.append(random.choice(flags))
    said = random.choice((*ANSWERS, hostile.json_text(hostile.value(random))))
    case = {"arguments": [*command.split(), *arguments], "input": said}
    return hostile.json_text(case).encode(errors="surrogatepass")


# --- Running -----------------------------------------------------------------------------


def check(case: bytes) -> None:
    try:
        read = _read(case)
    except (ValueError, KeyError, TypeError):
        return  # a case that was made shorter until it was none
    with TemporaryDirectory() as folder, place(Path(folder)), cut_short():
        done = answer(*read)
    if done.status not in STATUSES:
        raise Finding(f"exit status {done.status}")
    for text in (done.out, done.err):
        if bad := unreadable(text):
            raise Finding(f"{bad} reached the terminal: {text[:300]!r}")
    if done.status == 2:
        line = done.err.rstrip("\n").rpartition("\n")[2]
        if not line.startswith("hashmark: "):
            raise Finding(f"status 2 without a sentence: {done.err[:300]!r}")
        if wrong := poor_sentence(line):
            raise Finding(wrong)


def _read(case: bytes) -> tuple[list[str], str]:
    """The arguments as the system hands them over, half characters and all."""
    read = json.loads(case)
    arguments = [str(one).replace("\0", "") for one in read["arguments"]]
    return [os.fsdecode(one.encode(errors="surrogatepass")) for one in arguments], read["input"]


@contextmanager
def place(folder: Path) -> Iterator[None]:
    """A folder with files to name, and nothing of the user's."""
    (folder / "folder").mkdir()
    (folder / "empty").touch()
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "text").write_text("some text\n")
    (folder / "scenario.json").write_text(
        '[{"id": "x", "rules": "fourth-down", "expect": {"clock": 180}}]'
    )
    lines: list[Any] = list(log.honest("fourth-down", 1, "auto"))
    (folder / "game.log").write_text(log.forged(lines, True))
    before = Path.cwd()
    data = {"HASHMARK_DATA": str(folder / "data")}
    with patch.dict(os.environ, data):
        os.environ.pop("HASHMARK_PBP", None)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


@contextmanager
def cut_short() -> Iterator[None]:
    """Long work ends where it would begin, with a sentence."""
    from hashmark.league.checks import verify
    from hashmark.league.facts import pbp
    from hashmark.league.seasons import season, simulate
    from hashmark.league.whatifs import best, scan, trial, whatif
    from hashmark.sim import cluster
    from hashmark.sim import run as sim_run
    from hashmark.values import solve_on_disk, sources
    from hashmark.web import serving

    def done(*_: Any, **__: Any) -> Any:
        raise HashmarkError("this is where the work begins")

    class Unplayed(season.Replay):
        """A season whose teams, plans and options are read, and no more."""

        def __init__(self, recipe: season.Recipe) -> None:
            season.Roster.of(recipe)
            RULES.new_match({**recipe.options})
            done()

    def one_game(work: Any, *_: Any) -> Any:
        yield 0, work((0, 1))[0]

    changes: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
        (sim_run, "run_batches", one_game),
        (simulate, "Replay", Unplayed),
        (trial.Trial, "play", done),
        (best, "Opposition", done),
        (scan, "Opposition", done),
        (whatif, "Opposition", done),
        (verify, "Slate", done),
        (cluster, "load_ray", done),
        (aside, "begin", done),
        (pbp, "download", done),
        (sources, "source_of", done),
        (solve_on_disk, "solve", done),
        (serving, "_serve", done),
    )
    with ExitStack() as stack:
        stack.enter_context(places.look_in(()))
        for of, name, instead in changes:
            stack.enter_context(patch.object(of, name, instead))
        yield


FUZZER = Fuzzer("options", ".json", make, check)

if __name__ == "__main__":
    main(FUZZER)
