"""A game is a log: a header and one line for each turn, appended and on the disk at once.

The position is a fold over the log. Each line carries `at`, a digest of the position it led
to, and `sum`, a digest of the line itself chained to the line before. So a reader can tell a
file that was edited (`sum` is wrong) from rules that play differently now (`at` is wrong),
and names the line in either case. The form of the lines is in docs/formats.md.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from hashmark.table import disk, places
from hashmark.table.errors import BrokenLog, HashmarkError, OutOfDice
from hashmark.table.files import loads, read_bytes
from hashmark.table.game import Game, ListedDice, Turn
from hashmark.table.generator import MASK
from hashmark.table.header import Header, read_line
from hashmark.table.readable import shown
from hashmark.table.record import TEAMS
from hashmark.table.rules import NO_CALL


def _digest(*parts: str) -> str:
    seen = hashlib.blake2b(digest_size=6)
    for part in parts:
        seen.update(part.encode(errors="surrogatepass"))
        seen.update(b"\0")
    return seen.hexdigest()


_written = json.JSONEncoder(separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode


def position_digest(position: Any) -> str:
    """A short digest of a position in its JSON form."""
    return _digest(_written(position.to_json()))


def turn_line(game: Game, number: int, turn: Turn) -> dict[str, Any]:
    """A turn as the log writes it, without its sum."""
    line: dict[str, Any] = {"turn": number}
    if turn.call != NO_CALL:
        line["team"] = TEAMS[turn.team]
        line["call"] = game.rules.calls[turn.call]
    if turn.faces:
        line["dice"] = {TEAMS[t]: turn.faces_of(t) for t in range(2) if turn.faces_of(t)}
    if game.drawn:
        line["drawn"] = game.drawn
    line["at"] = position_digest(game.position)
    return line


def undo_line(number: int, turn: Turn) -> dict[str, Any]:
    """The mark that this turn, the last one, was taken back."""
    return {"undo": number, "at": position_digest(turn.before)}


def called_line(
    number: int, team: int, call: str | None, faces: Sequence[Sequence[int]], drawn: int
) -> dict[str, Any]:
    """A turn that was called and still wants real dice, with those that were rolled."""
    line: dict[str, Any] = {"called": number}
    if call is not None:
        line |= {"team": TEAMS[team], "call": call}
    line["dice"] = {TEAMS[t]: list(faces[t]) for t in range(2) if faces[t]}
    return {**line, "drawn": drawn} if drawn else line


def sealed(chain: str, line: Mapping[str, Any]) -> tuple[str, str]:
    """A line as it is kept, with its sum, and the chain that the next one goes on from."""
    chain = _digest(chain, _written(line))
    return json.dumps({**line, "sum": chain}, ensure_ascii=False) + "\n", chain


def written_line(line: Mapping[str, Any]) -> str:
    """A line of what may leave the table before the end, which has no sums."""
    return json.dumps(line, ensure_ascii=False) + "\n"


class Writer:
    """Appends to a log file; a line is on the disk when `write` comes back.

    In a game that nobody waits for (`at_once` is false) the lines are on the disk when `close`
    comes back. A line that could not be written is cut off again, and the writer takes no more.
    """

    def __init__(
        self, stream: IO[Any], chain: str = "", path: Path | None = None, at_once: bool = True
    ) -> None:
        self.stream, self.chain, self.at_once = stream, chain, at_once
        self.path = path or stream.name
        self.file = stream.fileno()  # written to without a buffer that could hold lines back
        self.length = os.fstat(self.file).st_size
        self._synced = True
        self._fault: HashmarkError | None = None

    @classmethod
    def create(cls, path: Path, header: Header) -> Writer:
        """Begin a new log; an existing file is never overwritten."""
        try:
            stream = os.fdopen(disk.create(path), "wb", buffering=0)
        except FileExistsError:
            raise HashmarkError(
                f"{path} exists already: go on with `hashmark resume {path}`, or name another file"
            ) from None
        except OSError as fault:
            raise disk.cannot_write(path, fault) from None
        try:
            return cls._begun(stream, path, header)
        except BaseException as fault:
            stream.close()
            disk.remove(path)
            raise _as_sentence(path, fault) from None

    @classmethod
    def _begun(cls, stream: IO[Any], path: Path, header: Header) -> Writer:
        """The writer of a new file, with the header and the file's name on the disk."""
        _lock(stream, path)
        writer = cls(stream, path=path)
        writer.write(header.to_json())
        disk.sync_folder(path.parent)
        writer.at_once = header.is_waited_for
        return writer

    def write(self, line: Mapping[str, Any]) -> None:
        """Append one line with its sum."""
        if self._fault is not None:
            raise self._fault
        said, chain = sealed(self.chain, line)
        data = said.encode(errors="surrogatepass")
        try:
            self._append(data)
        except BaseException as fault:
            raise self._given_up(fault) from None
        self.chain, self.length = chain, self.length + len(data)

    def _append(self, data: bytes) -> None:
        self._synced = False
        disk.write(self.file, data)
        if self.at_once:
            self._sync()

    def _sync(self) -> None:
        disk.sync(self.file)
        self._synced = True

    def _given_up(self, fault: BaseException) -> BaseException:
        """Cut off what there is of the line, and write nothing behind it; what is to be raised."""
        with suppress(OSError):
            disk.cut(self.file, self.length)
        why = _as_sentence(self.path, fault)
        if why is fault:
            self._fault = HashmarkError(f"cannot write {self.path}: an earlier line was given up")
            return fault
        kept = "; the turns before this one are kept" if self.at_once and self.length else ""
        self._fault = HashmarkError(f"{why}{kept}")
        return self._fault

    def turn(self, game: Game, turn: Turn) -> None:
        self.write(turn_line(game, len(game.turns), turn))

    def close(self) -> None:
        """Let go of the file; all its lines are on the disk."""
        try:
            if not self._synced:
                self._sync()
        except OSError as fault:
            raise disk.cannot_write(self.path, fault) from None
        finally:
            with suppress(OSError):
                self.stream.close()


def _as_sentence(path: Path | str, fault: BaseException) -> BaseException:
    """A fault of the system in words; any other as it is."""
    return disk.cannot_write(path, fault) if isinstance(fault, OSError) else fault


@dataclass(frozen=True)
class Folded:
    """A line of a log as it was played: with the turn that it played or took back."""

    line: Mapping[str, Any]
    turn: Turn | None = None
    missing: OutOfDice | None = None  # the real die that a turn still wants


Watch = Callable[[Header, Game, Folded | None], None]
"""Hears of a game at its start, with no line, and after each line that was played."""


@dataclass
class Replay:
    """A log read back: the header, the game as it stands, and what had to be said."""

    path: Path
    header: Header
    game: Game
    chain: str
    length: int  # bytes of the file that hold good lines
    size: int  # bytes of the file when it was read
    notices: list[str] = field(default_factory=list)

    def writer(self) -> Writer:
        """Go on writing where the good lines end; those are on the disk from now on."""
        try:
            stream = os.fdopen(disk.reopen(self.path), "r+b", buffering=0)
        except OSError as fault:
            raise disk.cannot_write(self.path, fault) from None
        try:
            _lock(stream, self.path)
            if os.fstat(stream.fileno()).st_size != self.size:
                raise HashmarkError(f"{self.path} was changed by somebody else: try again")
            disk.cut(stream.fileno(), self.length)
            disk.sync(stream.fileno())
            disk.sync_folder(self.path.resolve().parent)
        except BaseException as fault:
            stream.close()
            raise _as_sentence(self.path, fault) from None
        return Writer(stream, self.chain, self.path, self.header.is_waited_for)


def _lock(stream: IO[Any], path: Path) -> None:
    """Only one program may go on with a log, where the system can tell."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise HashmarkError(
            f"{path} is being played somewhere else: close that game first"
        ) from None


def is_being_played(path: Path) -> bool:
    """Whether another program goes on with a log just now, where the system can tell."""
    try:
        with path.open("rb") as stream:
            _lock(stream, path)
    except HashmarkError:
        return True
    return False


def _lines(raw: bytes, path: Path) -> tuple[list[dict[str, Any]], int, int, list[str]]:
    """The lines of a log, the bytes they take, those of the file, a notice of a torn line."""
    if not raw.strip():
        raise BrokenLog(f"{path} is empty: it is not a game log")
    *pieces, torn = raw.split(b"\n")
    if not torn and b"\0" in pieces[-1]:  # of a line in two blocks the disk got only the second
        torn = pieces.pop() + b"\n"
    lines: list[dict[str, Any]] = []
    for number, piece in enumerate(pieces, 1):
        line = _parsed(piece)
        if line is None:
            what = "not a game log: its first line cannot be read"
            where = f"{path}, line {number}: not a line of a game log"
            raise BrokenLog(where if lines else f"{path} is {what}")
        lines.append(line)
    if not lines:
        raise BrokenLog(f"{path} is not a game log: its first line cannot be read")
    notice = f"{path}, line {len(lines) + 1}: the last line was cut off and is left out"
    return lines, len(raw) - len(torn), len(raw), [notice] if torn else []


def _parsed(piece: bytes) -> dict[str, Any] | None:
    try:
        line = loads(piece)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def read_header(path: Path) -> Header:
    """Only the header, without playing the game."""
    return read_line(path, _lines(read_bytes(path, BrokenLog), path)[0][0])


def replay(path: Path | str, watch: Watch | None = None) -> Replay:
    """Play the log in a file again and check every line of it."""
    path = Path(path)
    raw = read_bytes(path, BrokenLog)
    with places.beside(path):
        return replay_bytes(raw, path, watch)


def replay_bytes(raw: bytes, path: Path, watch: Watch | None = None) -> Replay:
    """Play a log again, wherever its bytes are kept, and check every line; it never guesses.

    The path is what its faults call it.
    """
    lines, length, size, notices = _lines(raw, path)
    header = read_line(path, lines[0])
    try:
        game = header.new_game()
    except HashmarkError as fault:
        raise BrokenLog(f"{path}, line 1: {fault}") from None
    if watch is not None:
        watch(header, game, None)
    chain = _read_on(game, header, lines, Place(path), watch)
    return Replay(path, header, game, chain, length, size, notices)


@dataclass
class Place:
    """Where a reader of a log is: after how many lines, and the chain of their sums."""

    path: Path
    count: int = 0
    chain: str = ""


def follow(game: Game, header: Header, raw: bytes, place: Place, watch: Watch) -> str:
    """Play the lines that were kept after those of a game that stands; the chain after them.

    If one of them does not fit, the game is left somewhere between, and must be made again.
    """
    lines, length, size, _ = _lines(raw, place.path)
    if length != size:
        raise BrokenLog(f"{place.path}, line {place.count + len(lines) + 1}: it was cut off")
    return _read_on(game, header, lines, place, watch)


def _read_on(
    game: Game, header: Header, lines: list[dict[str, Any]], place: Place, watch: Watch | None
) -> str:
    """Check and play lines in their order; the first of a log is its header."""
    chain = place.chain
    for number, line in enumerate(lines, place.count + 1):
        where = f"{place.path}, line {number}"
        bare = {key: value for key, value in line.items() if key != "sum"}
        chain = _digest(chain, _written(bare))
        if line.get("sum") != chain:
            raise BrokenLog(f"{where}: the line was edited (its sum does not fit)")
        if number > 1:
            folded = _fold(game, header, line, where)
            if watch is not None:
                watch(header, game, folded)
    return chain


def _fold(game: Game, header: Header, line: Mapping[str, Any], where: str) -> Folded:
    """Play one line and compare the position with what the log says."""
    try:
        if "called" in line:
            return Folded(line, missing=_die_missing(game, header, line))
        if any(key in line for key in ("dropped", "seat", "orders")):
            _check_aside(line)
            return Folded(line)
        turn = game.undo() if "undo" in line else _play_line(game, header, line)
    except HashmarkError as fault:
        raise BrokenLog(f"{where}: {fault}{_versions(game, header)}") from None
    if line.get("at") != position_digest(game.position):
        raise BrokenLog(
            f"{where}: these rules lead to another position than the log says"
            f"{_versions(game, header)}"
        )
    return Folded(line, turn)


def _check_aside(line: Mapping[str, Any]) -> None:
    """Lines that are no turns: a seat is taken, orders are given, a call is dropped."""
    for key in ("seat", "orders"):
        if line.get(key, TEAMS[0]) not in TEAMS:
            raise BrokenLog(f"{key} is for home or away, not {shown(line[key])}")
    if "seat" in line and not isinstance(line.get("who"), str):
        raise BrokenLog(f"{shown(line.get('who'))} cannot take a seat")
    windows = line.get("windows", {})
    if not isinstance(windows, dict) or not all(isinstance(when, str) for when in windows.values()):
        raise BrokenLog("its standing orders cannot be read")


def _versions(game: Game, header: Header) -> str:
    now = game.rules.version
    if now == header.rules_version:
        return ""
    return f" (the log is of version {header.rules_version} of the rules, this is {now})"


def _play_line(game: Game, header: Header, line: Mapping[str, Any]) -> Turn:
    faces = _read_turn(game, line)
    if header.dice == "auto":
        turn = game.play(line.get("call"))
        if [turn.faces_of(0), turn.faces_of(1)] != faces:
            raise BrokenLog(f"the dice are not those of seed {header.seed}")
        return turn
    return play_listed(game, line.get("call"), faces)


def _read_turn(game: Game, line: Mapping[str, Any]) -> list[list[Any]]:
    """The faces of a turn, after a look at who calls and what the coaches drew."""
    faces = _faces(line.get("dice", {}))
    drawn = line.get("drawn", game.drawn)
    if type(drawn) is not int or not 0 <= drawn <= MASK:
        raise BrokenLog("the number of draws cannot be read")
    if not isinstance(line.get("call", ""), str):
        raise BrokenLog(f"the call {shown(line['call'])} is not the name of one")
    game.drawn = drawn
    if "call" in line and game.wants_call and line.get("team") != TEAMS[game.asked]:
        raise BrokenLog(f"{line.get('team')} is not asked here, {TEAMS[game.asked]} is")
    return faces


def _die_missing(game: Game, header: Header, line: Mapping[str, Any]) -> OutOfDice:
    """A turn that waits for real dice must be one that can be called, and want more of them."""
    drawn = game.drawn
    try:
        faces = _read_turn(game, line)
        if header.dice != "typed":
            raise BrokenLog("only a game with real dice waits for them")
        play_listed(game, line.get("call"), faces)
    except OutOfDice as missing:
        return missing
    finally:
        game.drawn = drawn
    game.undo()
    raise BrokenLog("it waits for dice that the call does not take")


def _faces(listed: Any) -> list[list[Any]]:
    """The faces of a line by team."""
    if not isinstance(listed, Mapping) or not all(
        team in TEAMS and isinstance(faces, list) for team, faces in listed.items()
    ):
        raise BrokenLog("its dice cannot be read")
    return [list(listed.get(team, [])) for team in TEAMS]


def play_listed(game: Game, call: Any, faces: Sequence[Sequence[Any]]) -> Turn:
    """Play with these faces, all of them; `OutOfDice` says which are missing."""
    listed = ListedDice(faces)
    with game.rolling(listed):
        turn = game.play(call)
    if any(listed.left()):
        game.undo()
        raise BrokenLog("it has more dice than the call takes")
    return turn
