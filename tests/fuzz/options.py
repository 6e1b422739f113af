"""Fuzzer of the command line: hostile values for every option and argument of every subcommand.

The command runs in this process with its own streams, in its own folder. Long work is cut short
where it would begin: the fuzzer covers everything that is read before it.
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
from hashmark.compiler import subprocesses
from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.storage import search_path

from . import hostile, log
from .harness import Finding, Fuzzer, find_control_character, find_sentence_fault, main
from .in_process import run_command

STATUSES = (0, 1, 2, 130)

# A short valid call of each subcommand.
VALID_CALLS: dict[str, list[str]] = {
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
WHATIF_MODES = (["--scan"], ["--best"])  # instead of a change
FILE_NAMES = ("empty", "folder", "binary", "text", "game.log", "scenario.json", "no/such/file")
STDIN_TEXTS = ("1\n2\n", "?\nh\nb\nu\nq\n", "\x1b[A\n\x00\n", "9" * 5000 + "\n", "\udcff\n", "")
OPTION_FORMS = (
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
    """Return for each subcommand the options that take a value, and its flags."""
    by_command: dict[str, tuple[list[str], list[str]]] = {}

    def walk(command: Any, name: str) -> None:
        for sub_name, subcommand in getattr(command, "commands", {}).items():
            walk(subcommand, f"{name} {sub_name}".strip())
        if not hasattr(command, "commands"):
            options = [p for p in command.params if p.param_type_name == "option"]
            valued = [p.opts[0] for p in options if not p.is_flag]
            flags = [p.opts[0] for p in options if p.is_flag and p.name != "help"]
            by_command[name] = (valued, flags)

    walk(typer.main.get_command(app), "")
    return by_command


def hostile_value(random: Random, option: str) -> str:
    """Return a hostile value, sometimes in the form that the option expects."""
    text = random.choice((*hostile.TEXTS, *hostile.NUMBERS, *FILE_NAMES))
    forms = {
        "--option": OPTION_FORMS,
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
    command = random.choice(sorted(VALID_CALLS))
    return make_call(random, command, random.choice((None, *parameters()[command][0])))


def make_call(random: Random, command: str, option: str | None) -> bytes:
    """Return a call with a hostile value of this option, or of an argument."""
    arguments = list(VALID_CALLS[command])
    _, flags = parameters()[command]
    if command == "whatif" and random.random() < 0.3:
        arguments = ["2008", "ARI", *random.choice(WHATIF_MODES), "--runs", "10"]
    if option is None:
        arguments[random.randrange(len(arguments))] = hostile_value(random, "")
    else:
        arguments += [option, hostile_value(random, option)]
    if flags and random.random() < 0.3:
        arguments.append(random.choice(flags))
    stdin_text = random.choice((*STDIN_TEXTS, hostile.json_text(hostile.hostile_value(random))))
    case = {"arguments": [*command.split(), *arguments], "input": stdin_text}
    return hostile.json_text(case).encode(errors="surrogatepass")


# --- Running -----------------------------------------------------------------------------


def check(case: bytes) -> None:
    try:
        call = _read(case)
    except (ValueError, KeyError, TypeError):
        return  # no longer a case, after shrinking
    with TemporaryDirectory() as folder, sample_folder(Path(folder)), cut_short():
        result = run_command(*call)
    if result.status not in STATUSES:
        raise Finding(f"exit status {result.status}")
    for text in (result.out, result.err):
        if code_point := find_control_character(text):
            raise Finding(f"{code_point} reached the terminal: {text[:300]!r}")
    if result.status == 2:
        line = result.err.rstrip("\n").rpartition("\n")[2]
        if not line.startswith("hashmark: "):
            raise Finding(f"status 2 without a sentence: {result.err[:300]!r}")
        if problem := find_sentence_fault(line):
            raise Finding(problem)


def _read(case: bytes) -> tuple[list[str], str]:
    """Return the arguments as the operating system passes them, half characters included."""
    data = json.loads(case)
    arguments = [str(argument).replace("\0", "") for argument in data["arguments"]]
    return [os.fsdecode(argument.encode(errors="surrogatepass")) for argument in arguments], data[
        "input"
    ]


@contextmanager
def sample_folder(folder: Path) -> Iterator[None]:
    """Work in a folder with sample files, and without any files of the user."""
    (folder / "folder").mkdir()
    (folder / "empty").touch()
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "text").write_text("some text\n")
    (folder / "scenario.json").write_text(
        '[{"id": "x", "rules": "fourth-down", "expect": {"clock": 180}}]'
    )
    lines: list[Any] = list(log.valid_lines("fourth-down", 1, "auto"))
    (folder / "game.log").write_text(log.forge_file(lines, True))
    old_folder = Path.cwd()
    data = {"HASHMARK_DATA": str(folder / "data")}
    with patch.dict(os.environ, data):
        os.environ.pop("HASHMARK_PBP", None)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(old_folder)


@contextmanager
def cut_short() -> Iterator[None]:
    """Stop long work where it would begin, with a sentence."""
    from hashmark.league.data import play_by_play
    from hashmark.league.seasons import season, simulate
    from hashmark.league.validation import verify
    from hashmark.league.whatifs import best_plan, scan, trial, whatif
    from hashmark.sim import cluster
    from hashmark.sim import run as sim_run
    from hashmark.values import solve_on_disk, sources
    from hashmark.web import server

    def stop(*_: Any, **__: Any) -> Any:
        raise HashmarkError("this is where the work begins")

    class Unplayed(season.Replay):
        """Season whose teams, plans and options are read but not played."""

        def __init__(self, recipe: season.Recipe) -> None:
            season.Roster.of(recipe)
            RULES.new_match({**recipe.options})
            stop()

    def one_game(work: Any, *_: Any) -> Any:
        yield 0, work((0, 1))[0]

    changes: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
        (sim_run, "run_batches", one_game),
        (simulate, "Replay", Unplayed),
        (trial.Trial, "play", stop),
        (best_plan, "Opposition", stop),
        (scan, "Opposition", stop),
        (whatif, "Opposition", stop),
        (verify, "PairingBatch", stop),
        (cluster, "load_ray", stop),
        (subprocesses, "start_process", stop),
        (play_by_play, "download_season", stop),
        (sources, "source_of", stop),
        (solve_on_disk, "solve", stop),
        (server, "_serve", stop),
    )
    with ExitStack() as stack:
        stack.enter_context(search_path.search_first(()))
        for target, name, replacement in changes:
            stack.enter_context(patch.object(target, name, replacement))
        yield


FUZZER = Fuzzer("options", ".json", make, check)

if __name__ == "__main__":
    main(FUZZER)
