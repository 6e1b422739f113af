"""Game logs: a header and one line for each turn, appended and synced at once.

The position is a fold over the log. Each line carries `at`, a digest of the resulting position, and
`sum`, a digest of the line itself chained to the line before. So a reader can distinguish an edited
file (`sum` is wrong) from changed rules (`at` is wrong), and names the line in either case. The
line formats are described in docs/reference/formats.md.
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

from hashmark.engine.game import Game, ListedDice, Turn
from hashmark.engine.generator import MASK
from hashmark.engine.record import NOBODY, TEAMS, PositionRecord
from hashmark.engine.rule_set import NO_CALL, CallCode
from hashmark.errors import BrokenLog, HashmarkError, OutOfDice
from hashmark.sanitize import quote
from hashmark.session.header import Header, parse_header
from hashmark.session.pending import PendingTurn
from hashmark.storage import fsync, search_path
from hashmark.storage.user_files import loads_json, read_bytes


def _digest(*parts: str) -> str:
    hasher = hashlib.blake2b(digest_size=6)
    for part in parts:
        hasher.update(part.encode(errors="surrogatepass"))
        hasher.update(b"\0")
    return hasher.hexdigest()


_canonical_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode


def position_digest(position: PositionRecord) -> str:
    """Return a short digest of a position in its JSON form."""
    return _digest(_canonical_json(position.to_json()))


def turn_line(game: Game, number: int, turn: Turn) -> dict[str, Any]:
    """Return a turn as a log line, without its sum."""
    line: dict[str, Any] = {"turn": number}
    if turn.call != NO_CALL:
        line["team"] = TEAMS[turn.team]
        line["call"] = game.rules.calls[turn.call]
    if turn.faces:
        line["dice"] = {TEAMS[t]: turn.faces_of(t) for t in range(2) if turn.faces_of(t)}
    if game.draw_count:
        line["drawn"] = game.draw_count
    line["at"] = position_digest(game.position)
    return line


def undo_line(number: int, turn: Turn) -> dict[str, Any]:
    """Return the log line for the undo of this turn, the last one."""
    return {"undo": number, "at": position_digest(turn.before)}


def undo_turn(game: Game, header: Header) -> Turn:
    """Undo the last turn as the format of the log says: with new dice afterwards, or the same."""
    return game.take_back() if header.has_new_rolls_after_undo else game.undo()


def called_line(game: Game, pending: PendingTurn) -> dict[str, Any]:
    """Return the log line for the next turn of a game, called and still in need of real dice."""
    line: dict[str, Any] = {"called": len(game.turns) + 1}
    if pending.call != NO_CALL:
        line |= {"team": TEAMS[pending.team], "call": game.rules.calls[pending.call]}
    line["dice"] = {TEAMS[t]: list(pending.faces[t]) for t in range(2) if pending.faces[t]}
    return {**line, "drawn": pending.draw_count} if pending.draw_count else line


def seal_line(chain: str, line: Mapping[str, Any]) -> tuple[str, str]:
    """Return a line as text with its sum, and the chain that the next line continues."""
    chain = _digest(chain, _canonical_json(line))
    return json.dumps({**line, "sum": chain}, ensure_ascii=False) + "\n", chain


def format_line(line: Mapping[str, Any]) -> str:
    """Return a line as text without a sum, for output that may leave the session before the end."""
    return json.dumps(line, ensure_ascii=False) + "\n"


class LogWriter:
    """Writer that appends to a log file; a line is on the disk when `write` returns.

    In a game without people (`sync_each_line` is false) the lines are on the disk when `close`
    returns. A line that could not be written is cut off again, and the writer then refuses further
    lines.
    """

    def __init__(
        self,
        stream: IO[Any],
        chain: str = "",
        path: Path | None = None,
        sync_each_line: bool = True,
    ) -> None:
        self.stream, self.chain, self.sync_each_line = stream, chain, sync_each_line
        self.path = path or stream.name
        self.descriptor = stream.fileno()  # unbuffered, so that no line is held back
        self.length_bytes = os.fstat(self.descriptor).st_size
        self._synced = True
        self._fault: HashmarkError | None = None

    @classmethod
    def create(cls, path: Path, header: Header) -> LogWriter:
        """Begin a new log; an existing file is never overwritten."""
        try:
            stream = os.fdopen(fsync.create(path, fsync.PRIVATE_MODE), "wb", buffering=0)
        except FileExistsError:
            raise HashmarkError(
                f"{path} already exists: use `hashmark resume {path}`, or name another file"
            ) from None
        except OSError as fault:
            raise fsync.write_error(path, fault) from None
        try:
            return cls._start(stream, path, header)
        except BaseException as fault:
            stream.close()
            fsync.remove(path)
            raise _as_user_error(path, fault) from None

    @classmethod
    def _start(cls, stream: IO[Any], path: Path, header: Header) -> LogWriter:
        """Return the writer of a new file, with the header and the file name on the disk."""
        _lock(stream, path)
        writer = cls(stream, path=path)
        writer.write(header.to_json())
        fsync.sync_folder(path.parent)
        writer.sync_each_line = header.is_interactive
        return writer

    def write(self, line: Mapping[str, Any]) -> None:
        """Append one line with its sum."""
        if self._fault is not None:
            raise self._fault
        text, chain = seal_line(self.chain, line)
        data = text.encode(errors="surrogatepass")
        try:
            self._append(data)
        except BaseException as fault:
            raise self._abandon_line(fault) from None
        self.chain, self.length_bytes = chain, self.length_bytes + len(data)

    def _append(self, data: bytes) -> None:
        self._synced = False
        fsync.write(self.descriptor, data)
        if self.sync_each_line:
            self._sync()

    def _sync(self) -> None:
        fsync.sync(self.descriptor)
        self._synced = True

    def _abandon_line(self, fault: BaseException) -> BaseException:
        """Cut off the incomplete line, refuse further lines, and return the exception to raise."""
        with suppress(OSError):
            fsync.truncate(self.descriptor, self.length_bytes)
        error = _as_user_error(self.path, fault)
        if error is fault:
            self._fault = HashmarkError(
                f"cannot write {self.path}: an earlier line could not be written"
            )
            return fault
        note = (
            "; the turns before this one are kept"
            if self.sync_each_line and self.length_bytes
            else ""
        )
        self._fault = HashmarkError(f"{error}{note}")
        return self._fault

    def write_turn(self, game: Game, turn: Turn) -> None:
        self.write(turn_line(game, len(game.turns), turn))

    def close(self) -> None:
        """Sync and close the file."""
        try:
            if not self._synced:
                self._sync()
        except OSError as fault:
            raise fsync.write_error(self.path, fault) from None
        finally:
            with suppress(OSError):
                self.stream.close()


def _as_user_error(path: Path | str, fault: BaseException) -> BaseException:
    """Return a system error as a `HashmarkError`; any other exception unchanged."""
    return fsync.write_error(path, fault) if isinstance(fault, OSError) else fault


@dataclass(frozen=True)
class ReplayedLine:
    """A log line after replay, with the turn that it played or undid."""

    line: Mapping[str, Any]
    turn: Turn | None = None
    pending_turn: PendingTurn | None = None  # a turn that still needs real dice


ReplayObserver = Callable[[Header, Game, ReplayedLine | None], None]
"""Hears of a game at its start, with no line, and after each line that was played."""


@dataclass
class Replay:
    """Result of reading a log: the header, the game, and notices for the user."""

    path: Path
    header: Header
    game: Game
    chain: str
    good_bytes: int  # bytes of complete lines
    file_bytes: int  # file size in bytes when it was read
    notices: list[str] = field(default_factory=list)

    def resume_writer(self) -> LogWriter:
        """Return a writer that continues after the good lines, which are synced first."""
        try:
            stream = os.fdopen(fsync.open_for_update(self.path), "r+b", buffering=0)
        except OSError as fault:
            raise fsync.write_error(self.path, fault) from None
        try:
            _lock(stream, self.path)
            if os.fstat(stream.fileno()).st_size != self.file_bytes:
                raise HashmarkError(f"{self.path} was changed by another program: try again")
            fsync.truncate(stream.fileno(), self.good_bytes)
            fsync.sync(stream.fileno())
            fsync.sync_folder(self.path.resolve().parent)
        except BaseException as fault:
            stream.close()
            raise _as_user_error(self.path, fault) from None
        return LogWriter(stream, self.chain, self.path, self.header.is_interactive)


def _lock(stream: IO[Any], path: Path) -> None:
    """Lock a log, where the system supports it: only one program may continue it."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise HashmarkError(f"{path} is open in another program: close that game first") from None


def is_locked(path: Path) -> bool:
    """Return whether another program has locked a log, where the system supports it."""
    try:
        with path.open("rb") as stream:
            _lock(stream, path)
    except HashmarkError:
        return True
    return False


def _split_lines(raw: bytes, path: Path) -> tuple[list[dict[str, Any]], int, int, list[str]]:
    """Return the lines of a log, their size in bytes, the file size, and a notice of a torn
    line."""
    if not raw.strip():
        raise BrokenLog(f"{path} is empty: it is not a game log")
    *pieces, torn = raw.split(b"\n")
    if not torn and b"\0" in pieces[-1]:  # the disk got only the second block of the line
        torn = pieces.pop() + b"\n"
    lines: list[dict[str, Any]] = []
    for number, piece in enumerate(pieces, 1):
        line = _parse_line(piece)
        if line is None:
            what = "not a game log: its first line is unreadable"
            where = f"{path}, line {number}: not a line of a game log"
            raise BrokenLog(where if lines else f"{path} is {what}")
        lines.append(line)
    if not lines:
        raise BrokenLog(f"{path} is not a game log: its first line is unreadable")
    notice = f"{path}, line {len(lines) + 1}: the last line is incomplete and is ignored"
    return lines, len(raw) - len(torn), len(raw), [notice] if torn else []


def _parse_line(piece: bytes) -> dict[str, Any] | None:
    try:
        line = loads_json(piece)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def read_header(path: Path) -> Header:
    """Read only the header, without replaying the game."""
    return parse_header(path, _split_lines(read_bytes(path, BrokenLog), path)[0][0])


def replay(path: Path | str, observer: ReplayObserver | None = None) -> Replay:
    """Replay the log in a file and check every line."""
    path = Path(path)
    raw = read_bytes(path, BrokenLog)
    with search_path.search_beside(path):
        return replay_bytes(raw, path, observer)


def replay_bytes(raw: bytes, path: Path, observer: ReplayObserver | None = None) -> Replay:
    """Replay a log from its bytes and check every line; nothing is guessed.

    The path is only used in error messages.
    """
    lines, length, size, notices = _split_lines(raw, path)
    header = parse_header(path, lines[0])
    try:
        game = header.new_game()
    except HashmarkError as fault:
        raise BrokenLog(f"{path}, line 1: {fault}") from None
    if observer is not None:
        observer(header, game, None)
    chain = _replay_lines(game, header, lines, LogPosition(path), observer)
    return Replay(path, header, game, chain, length, size, notices)


@dataclass
class LogPosition:
    """Position of a reader in a log: the number of lines read, and the chain of their sums."""

    path: Path
    line_count: int = 0
    chain: str = ""


def apply_lines(
    game: Game, header: Header, raw: bytes, log_position: LogPosition, observer: ReplayObserver
) -> str:
    """Replay lines that follow those of an existing game; return the chain after them.

    If a line does not fit, the game is left in between and must be loaded again.
    """
    lines, length, size, _ = _split_lines(raw, log_position.path)
    if length != size:
        number = log_position.line_count + len(lines) + 1
        raise BrokenLog(f"{log_position.path}, line {number}: the line is incomplete")
    return _replay_lines(game, header, lines, log_position, observer)


def _replay_lines(
    game: Game,
    header: Header,
    lines: list[dict[str, Any]],
    log_position: LogPosition,
    observer: ReplayObserver | None,
) -> str:
    """Check and replay lines in order; the first line of a log is its header."""
    chain = log_position.chain
    for number, line in enumerate(lines, log_position.line_count + 1):
        where = f"{log_position.path}, line {number}"
        unsealed = {key: value for key, value in line.items() if key != "sum"}
        chain = _digest(chain, _canonical_json(unsealed))
        if line.get("sum") != chain:
            raise BrokenLog(f"{where}: the line was edited (its checksum does not match)")
        if number > 1:
            replayed = _replay_line(game, header, line, where)
            if observer is not None:
                observer(header, game, replayed)
    return chain


def _replay_line(game: Game, header: Header, line: Mapping[str, Any], where: str) -> ReplayedLine:
    """Replay one line and compare the position with the logged digest."""
    try:
        if "called" in line:
            return ReplayedLine(line, pending_turn=_replay_pending_turn(game, header, line))
        if any(key in line for key in ("dropped", "seat", "orders")):
            _check_other_line(line)
            return ReplayedLine(line)
        turn = undo_turn(game, header) if "undo" in line else _play_line(game, header, line)
    except HashmarkError as fault:
        raise BrokenLog(f"{where}: {fault}{_version_note(game, header)}") from None
    if line.get("at") != position_digest(game.position):
        raise BrokenLog(
            f"{where}: these rules lead to a different position than the log records"
            f"{_version_note(game, header)}"
        )
    return ReplayedLine(line, turn)


def _check_other_line(line: Mapping[str, Any]) -> None:
    """Check a line that is not a turn: a seat, standing orders, or a dropped call."""
    for key in ("seat", "orders"):
        if line.get(key, TEAMS[0]) not in TEAMS:
            raise BrokenLog(f"{key} must be home or away, not {quote(line[key])}")
    if "seat" in line and not isinstance(line.get("who"), str):
        raise BrokenLog(f"{quote(line.get('who'))} is not a player or coach")
    windows = line.get("windows", {})
    if not isinstance(windows, dict) or not all(isinstance(when, str) for when in windows.values()):
        raise BrokenLog("its standing orders are unreadable")


def _version_note(game: Game, header: Header) -> str:
    now = game.rules.version
    if now == header.rules_version:
        return ""
    return f" (the log has version {header.rules_version} of the rules; this is version {now})"


def _play_line(game: Game, header: Header, line: Mapping[str, Any]) -> Turn:
    faces = _parse_turn(game, line)
    if header.dice == "auto":
        turn = game.play(_parse_call(game, line))
        if [turn.faces_of(0), turn.faces_of(1)] != faces:
            raise BrokenLog(f"the dice are not those of seed {header.seed}")
        return turn
    return play_with_faces(game, _parse_call(game, line), faces)


def _parse_call(game: Game, line: Mapping[str, Any]) -> CallCode:
    return game.parse_call(line["call"]) if "call" in line else NO_CALL


def _parse_turn(game: Game, line: Mapping[str, Any]) -> list[list[Any]]:
    """Return the faces of a turn, after checking its team, call and draws."""
    faces = _parse_faces(line.get("dice", {}))
    draw_count = line.get("drawn", game.draw_count)
    if type(draw_count) is not int or not 0 <= draw_count <= MASK:
        raise BrokenLog("the number of draws is unreadable")
    if not isinstance(line.get("call", ""), str):
        raise BrokenLog(f"{quote(line['call'])} is not the name of a call")
    game.draw_count = draw_count
    if "call" in line and game.wants_call and line.get("team") != TEAMS[game.team_to_act]:
        raise BrokenLog(f"it is {TEAMS[game.team_to_act]}'s call here, not {line.get('team')}'s")
    return faces


def _replay_pending_turn(game: Game, header: Header, line: Mapping[str, Any]) -> PendingTurn:
    """Return a turn that waits for real dice, with the next of them; refuse any other turn."""
    draw_count = game.draw_count
    try:
        faces = _parse_turn(game, line)
        if header.dice != "typed":
            raise BrokenLog("only a game with real dice can wait for dice")
        code = _parse_call(game, line)
        play_with_faces(game, code, faces)
    except OutOfDice as missing:
        team = NOBODY if code == NO_CALL else game.team_to_act
        return PendingTurn(team, code, line.get("drawn", draw_count), (faces[0], faces[1]), missing)
    finally:
        game.draw_count = draw_count
    game.undo()
    raise BrokenLog("it waits for dice that the call does not need")


def _parse_faces(dice: object) -> list[list[Any]]:
    """Return the faces of a line by team."""
    if not isinstance(dice, Mapping) or not all(
        team in TEAMS and isinstance(faces, list) for team, faces in dice.items()
    ):
        raise BrokenLog("its dice are unreadable")
    return [list(dice.get(team, [])) for team in TEAMS]


def play_with_faces(game: Game, code: CallCode, faces: Sequence[Sequence[Any]]) -> Turn:
    """Play with exactly these faces; `OutOfDice` says which are missing."""
    dice = ListedDice(faces)
    with game.using_dice(dice):
        turn = game.play(code)
    if any(dice.remaining()):
        game.undo()
        raise BrokenLog("it has more dice than the call needs")
    return turn
