"""Atomic writes: whole or not at all, the same permissions, never a game log."""

from __future__ import annotations

import ast
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hashmark.cli import app
from hashmark.compiler.cache_dir import PACKAGE_DIR
from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.header import Header
from hashmark.sim.game_rows import RowWriter
from hashmark.storage import atomic_write

PARTIAL = re.compile(r"rows\.csv\.[0-9a-f]{12}\.partial")


def is_alone(path: Path) -> bool:
    """Return whether nothing was left beside the file."""
    return list(path.parent.iterdir()) == [path]


def test_put_returns_whether_the_file_existed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert not atomic_write.write_file(path, "one\n")
    assert atomic_write.write_file(path, b"two\n")
    assert path.read_bytes() == b"two\n"
    assert is_alone(path)


def test_permissions_of_the_old_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    umask = os.umask(0o027)
    try:
        atomic_write.write_file(path, "one")
    finally:
        os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    atomic_write.write_file(path, "two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_a_link_stays_and_points_to_the_new_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "page.html", tmp_path / "link.html"
    link.symlink_to(real)
    for text in ("made through a link that led nowhere", "replaced"):
        atomic_write.write_file(link, text)
        assert link.is_symlink()
        assert real.read_text() == text
        assert is_alone(real)
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(HashmarkError, match=f"cannot write {link}: "):
        atomic_write.write_file(link, "round and round")
    assert link.is_symlink()


def test_unwritable_paths_are_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name, message in (
        ("", "it is a folder"),
        ("no/a.txt", "there is no such folder"),
        ("file/a.txt", "Not a directory"),
        (250 * "ü", "File name too long"),
    ):
        path = tmp_path / name
        for ask in (
            atomic_write.check_writable,
            lambda path: atomic_write.write_file(path, "text"),
        ):
            with pytest.raises(HashmarkError, match=f"cannot write {path}: {message}"):
                ask(path)


def test_long_names_are_written(tmp_path: Path) -> None:
    path = tmp_path / (120 * "ü" + ".html")
    atomic_write.write_file(path, "text")
    assert is_alone(path)


def test_protected_files_and_directories_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's answer is mocked: a superuser may write everything."""
    path = tmp_path / "a.txt"
    path.write_text("mine")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    for name in ("a.txt", "new.txt"):
        with pytest.raises(HashmarkError, match=rf"cannot write .*{name}: Permission denied"):
            atomic_write.write_file(tmp_path / name, "text")
    assert path.read_text() == "mine"


def test_a_game_log_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "game.csv"
    log.LogWriter.create(path, Header("fourth-down")).close()
    before = path.read_bytes()
    rules = registry.load("fourth-down")
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(HashmarkError, match=r"\.csv is a game log: name another file"):
            atomic_write.write_file(name, "text")
        with pytest.raises(HashmarkError, match=r"\.csv is a game log"):
            RowWriter(name, rules).__enter__()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "line",
    [
        "simulate fourth-down --out LOG",
        "sheet fourth-down --blank --out LOG",
        "season 2008 --html LOG",
        "season 2008 --fresh --resume LOG",
        "whatif 2008 BUF --pass-rate +10% --html LOG",
        "whatif 2008 BUF --pass-rate +10% --out LOG",
        "plan show book --out LOG",
        "plan build 2008 --pbp no.csv --out LOG",
        "plan build 2008 --pbp no.csv --out plans.toml --figures LOG",
        "charts build 2008 --pbp no.csv --out LOG",
        "charts verify 2008 --html LOG",
        "charts show invented OTTERS --out LOG",
    ],
)
def test_no_command_replaces_a_game_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    name = Path("game.html" if "charts show" in line else "game.csv")
    log.LogWriter.create(name, Header("fourth-down")).close()
    before = name.read_bytes()
    with pytest.raises(HashmarkError, match=f"{name} is a game log: name another file"):
        CliRunner().invoke(app, line.replace("LOG", str(name)).split(), catch_exceptions=False)
    assert name.read_bytes() == before
    assert is_alone(tmp_path / name)


def test_a_game_log_created_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "game.csv"
    with pytest.raises(HashmarkError, match="is a game log"):
        _write_while_a_game_begins(path)
    assert len(log.replay(path).game.turns) == 0
    assert is_alone(path)


def _write_while_a_game_begins(path: Path) -> None:
    with atomic_write.AtomicFile(path) as file:
        file.write(b"text")
        log.LogWriter.create(path, Header("fourth-down")).close()


def test_two_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    path, rules = tmp_path / "rows.csv", registry.load("fourth-down")
    width = len(rules.statistics.names)
    rows = [[[7] * width] * 2] * 100
    with RowWriter(path, rules) as one:
        with RowWriter(path, rules) as two:
            one.write(0, rows)
            two.write(0, rows[:50])
            one.write(100, rows)
            two.write(50, rows[:50])
        assert len(path.read_text().splitlines()) == 101
        one.write(200, rows)
    assert len(path.read_text().splitlines()) == 301
    assert is_alone(path)


WRITERS = {"write_text", "write_bytes", "savetxt", "savez", "tofile", "sink_csv", "write_csv"}
WRITERS |= {"sink_parquet", "write_parquet", "sink_ipc", "write_ipc", "sink_ndjson", "write_ndjson"}
KNOWN = {
    ("compiler/cache_dir.py", "open"),  # its lock file is empty
    ("cli/output.py", "write_parquet"),  # to memory
    ("sim/game_rows.py", "sink_parquet"),  # to the atomic writer, passed as a file
}


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _writes(call: ast.Call) -> bool:
    """Return whether a call writes a file some other way."""
    name = _name(call)
    if (
        name == "write_csv"
        and not call.args
        and "file" not in [keyword.arg for keyword in call.keywords]
    ):
        return False  # it returns the text
    modes = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    opens_for_writing = name == "open" and any(
        isinstance(m, str) and set(m) & set("wax+") for m in modes
    )
    return opens_for_writing or name in WRITERS


def test_all_files_are_written_by_the_atomic_writer() -> None:
    for source in PACKAGE_DIR.rglob("*.py"):
        calls = [
            node for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.Call)
        ]
        relative = source.relative_to(PACKAGE_DIR).as_posix()
        writers = {(relative, _name(call)) for call in calls if _writes(call)}
        assert writers <= KNOWN, (source, writers)


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("old")
    for fault in (KeyboardInterrupt, ValueError):
        with pytest.raises(fault):
            _interrupted(path, fault)
    assert path.read_text() == "old"
    assert is_alone(path)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def _interrupted(path: Path, fault: type[BaseException]) -> None:
    with RowWriter(path, registry.load("fourth-down")):
        raise fault


def test_a_pipe_is_written_to_directly(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    os.mkfifo(path)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    with RowWriter(path, registry.load("fourth-down")):
        pass
    reader.join()
    assert read[0].startswith('"game","home_points"')
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert is_alone(path)


def test_devices_and_own_output_are_written_to_directly(tmp_path: Path) -> None:
    """If the output is a file, it is appended to, not replaced."""
    command = [sys.executable, "-m", "hashmark", "sheet", "fourth-down", "--blank", "--out"]
    piped = subprocess.run([*command, "/dev/stdout"], capture_output=True, check=True)
    assert piped.stderr == b"wrote /dev/stdout\n"
    path = tmp_path / "out.txt"
    path.write_bytes(b"before\n")
    with path.open("ab") as stream:
        subprocess.run([*command, "/dev/stdout"], stdout=stream, stderr=stream, check=True)
    assert path.read_bytes() == b"before\n" + piped.stdout + piped.stderr
    assert Path("/dev/stdout").is_symlink()
    atomic_write.write_file(Path("/dev/null"), "text")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(HashmarkError, match="cannot write /dev/full: No space left on device"):
        atomic_write.write_file(Path("/dev/full"), "text")


def start_simulation(path: Path) -> subprocess.Popen[bytes]:
    """Start an endless simulation whose rows grow."""
    arguments = ("simulate", "fourth-down", "--engine", "plain", "--games", "1e12", "--out")
    path.parent.mkdir()
    path.write_text("old")
    return subprocess.Popen(
        [sys.executable, "-m", "hashmark", *arguments, str(path)], stderr=subprocess.PIPE
    )


def other_files(path: Path) -> list[Path]:
    return [other for other in path.parent.iterdir() if other != path]


def test_signals_leave_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    """A killed program can leave only its partial file, under a name that says so."""
    signals = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
    paths = {number: tmp_path / number.name / "rows.csv" for number in signals}
    running = {number: start_simulation(path) for number, path in paths.items()}
    for number, path in paths.items():
        while running[number].poll() is None and not any(
            partial.stat().st_size > 1000 for partial in other_files(path)
        ):
            time.sleep(0.05)
        running[number].send_signal(number)
        stderr = running[number].communicate()[1]
        assert running[number].returncode == -number, stderr
        assert stderr == b""
        assert path.read_text() == "old"
    assert not other_files(paths[signal.SIGTERM])
    assert not other_files(paths[signal.SIGHUP])
    (left,) = other_files(paths[signal.SIGKILL])
    assert PARTIAL.fullmatch(left.name)
