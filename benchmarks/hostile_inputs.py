"""Hostile requests for `hostile.py`: for every parser of a server the costliest input known.

Each kind is a function that returns requests; `INPUTS` has them by name. What a parser accepts is
mixed with what it refuses late. All requests are made before anything is measured.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

PLAN_BYTES = 120 * 1024  # below the limit of a plan, 128 kB
JSON_BYTES = 60 * 1024  # below the limit of a body, 64 kB
LOG_BYTES = 4 * 1000 * 1000  # below the limit of a log, 4 MB
UPLOAD_BYTES = 23 * 1000 * 1000  # below the limit of an upload, 24 MB
QUERY_BYTES = 60 * 1024  # below the limit of uvicorn's request head, 64 kB
UNPACKED_BYTES = 2 * 10**9  # of a decompression bomb
MAX_LOG_LINES = 20_000
LOG_BUILD_SECONDS = 10.0
JSON_TYPE = "application/json"
FORM_TYPE = "application/x-www-form-urlencoded"
TOML_TYPE = "application/toml"


@dataclass(frozen=True)
class HostileRequest:
    """One request; a slow one is sent a few bytes at a time, over many connections."""

    method: str
    path: str
    body: bytes = b""
    content_type: str = ""
    headers: tuple[str, ...] = ()
    is_slow: bool = False

    def head(self, source: str) -> bytes:
        """Return the request line and the headers."""
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: localhost", "Connection: close"]
        lines += [f"X-Source: {source}", *self.headers]
        if self.content_type:
            lines.append(f"Content-Type: {self.content_type}")
        if self.method != "GET":
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join([*lines, "", ""]).encode()


Requests = list[HostileRequest]


def _posts(path: str, content_type: str, *bodies: bytes | str) -> Requests:
    return [
        HostileRequest("POST", path, body.encode() if isinstance(body, str) else body, content_type)
        for body in bodies
    ]


def harmless() -> Requests:
    """The same traffic without malice, for comparison."""
    return [HostileRequest("GET", "/api/alive")]


# --- TOML ----------------------------------------------------------------------------------------


def _dotted(parts: int) -> str:
    return ".".join(["a"] * parts)


def plan_keys(parts: int) -> Requests:
    """Keys and table headers of thousands of dotted parts."""
    key = _dotted(parts)
    return _posts("/api/plans", TOML_TYPE, f"{key} = 1\n", f"[{key}]\nb = 1\n") + _posts(
        "/plans/file", TOML_TYPE, f"x = {{ {key} = 1 }}\n"
    )


def plan_nesting() -> Requests:
    """Arrays and inline tables nested as deeply as a plan is long."""
    depth = PLAN_BYTES // 8
    return _posts(
        "/api/plans",
        TOML_TYPE,
        "a = " + "[" * depth + "]" * depth,
        "a = " + "[" * PLAN_BYTES,
        "a = " + "{a=" * depth + "1" + "}" * depth,
        "".join(f"[{_dotted(n % 45 + 1)}.b{n}]\n" for n in range(PLAN_BYTES // 60)),
    )


def plan_many() -> Requests:
    """Thousands of keys, tables and values."""
    count = PLAN_BYTES // 9
    shared = "x." * 40
    return _posts(
        "/api/plans",
        TOML_TYPE,
        "".join(f"k{n}=1\n" for n in range(count)),
        "".join(f"[t{n}]\n" for n in range(count)),
        "[[a]]\n" * (PLAN_BYTES // 6),
        "a = [" + "1," * (PLAN_BYTES // 2 - 4) + "]",
        "".join(f"{shared}k{n}=1\n" for n in range(PLAN_BYTES // 90)),
    )


def plan_strings() -> Requests:
    """Long strings, escapes, comments and numbers."""
    size = PLAN_BYTES - 20
    return _posts(
        "/api/plans",
        TOML_TYPE,
        'a = "' + "x" * size + '"',
        'a = "' + "\\u0041" * (size // 6) + '"',
        'a = """' + '""x' * (size // 3),
        "a = '''" + "''x" * (size // 3),
        "#" + "x" * size,
        "a = " + "1" * size,
        "a = 0x" + "f" * size,
        "a = 1" + "_1" * (size // 2),
        "a = 1979-05-27T07:32:00." + "9" * size,
    )


def plans_accepted() -> Requests:
    """Valid plans with as many entries as fit, each with another name."""
    from hashmark.games.data_driven.plans import plan as plans
    from hashmark.games.data_driven.plans.text import write_plan

    text = write_plan(plans.load("2008:BUF"))
    lines = text.splitlines()
    name = next(index for index, line in enumerate(lines) if line.startswith("name"))
    bodies = []
    for number in range(40):
        lines[name] = f'name = "Plan {number}"'
        bodies.append("\n".join(lines))
    return _posts("/api/plans?season=2008&team=BUF", TOML_TYPE, *bodies)


def packed_plans() -> Requests:
    """Plans within the options of a table, packed a hundredfold."""
    texts = (
        _dotted(10_000) + "=1",
        _dotted(55_000) + "=1",
        "a = " + "[" * PLAN_BYTES,
        "a=1" + "0" * (4 * 10**7),
    )
    forms = []
    for text in texts:
        packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode()
        options = {"home_plan": f"plan:{packed}"}
        forms.append({"rules": "data-driven", "options": options, "seats": {"home": "coach:plan"}})
    return _posts("/api/tables", JSON_TYPE, *map(json.dumps, forms))


# --- JSON and forms ------------------------------------------------------------------------------


def json_deep() -> Requests:
    """Bodies nested as deeply as they are long."""
    depth = JSON_BYTES // 6
    nested = '{"a":' * depth + "1" + "}" * depth
    lists = '{"a":' + "[" * 900 + "]" * 900 + "}"
    return [
        *_posts("/api/tables", JSON_TYPE, "[" * JSON_BYTES, nested),
        *_posts("/api/tables", JSON_TYPE, _with_options(nested), _with_options(lists)),
        *_posts("/api/works", JSON_TYPE, f'{{"kind": "season", "settings": {nested}}}'),
        *_posts("/api/leagues", JSON_TYPE, f'{{"rules": "rapid-roll", "options": {nested}}}'),
    ]


def _with_options(options: str) -> str:
    return f'{{"rules": "fourth-down", "options": {options}}}'


def json_wide() -> Requests:
    """Bodies with thousands of keys and values, and long numbers."""
    count = JSON_BYTES // 12
    keys = json.dumps({f"k{n}": 1 for n in range(count)})
    numbers = '{"a": [' + "1," * (JSON_BYTES // 3) + "1]}"
    digits = '{"a": ' + "1" * (JSON_BYTES - 200) + "}"
    halves = "\\ud800" * (JSON_BYTES // 7)
    teams = ",".join(['"a"'] * (count * 2))
    return [
        *_posts("/api/tables", JSON_TYPE, keys, *map(_with_options, (keys, numbers, digits))),
        *_posts("/api/tables", JSON_TYPE, f'{{"rules": "{halves}"}}'),
        *_posts("/api/works", JSON_TYPE, f'{{"kind": "whatif", "settings": {keys}}}'),
        *_posts("/api/leagues", JSON_TYPE, f'{{"teams": [{teams}]}}'),
    ]


def form_fields() -> Requests:
    """Forms and queries with thousands of fields."""
    pairs = "&".join(f"k{n}=1" for n in range(JSON_BYTES // 8))
    query = "&".join(f"k{n}=1" for n in range(QUERY_BYTES // 8))
    gets = ("/new/data-driven/picks", "/api/games/data-driven/picks", "/versus", "/new/data-driven")
    posts = ("/tables", "/whatifs", "/works", "/leagues", "/plans")
    return [
        *(HostileRequest("GET", f"{path}?{query}") for path in gets),
        *(HostileRequest("GET", f"{path}?{'&' * QUERY_BYTES}") for path in gets[:2]),
        *(one for path in posts for one in _posts(path, FORM_TYPE, pairs, "&" * JSON_BYTES)),
        *_posts("/tables", FORM_TYPE, "rules=" + "%41" * (JSON_BYTES // 3)),
    ]


def names() -> Requests:
    """Names as long as a body, of letters that are hard to measure."""
    texts = ("x", "\u0301", "\u202e", "\N{FAMILY}", "<")
    forms = [{"rules": "fourth-down", "name-home": text * 9000} for text in texts]
    whos = [{"rules": text * 9000, "coach": text * 9000} for text in texts]
    return [
        *_posts("/tables", FORM_TYPE, *(urlencode(form)[:JSON_BYTES] for form in (*forms, *whos))),
        *_posts(
            "/api/tables",
            JSON_TYPE,
            *(json.dumps({"rules": "fourth-down", "names": {"home": t * 80}}) for t in texts),
            *(
                json.dumps({"rules": "rapid-roll", "options": {text * 4000: text}})
                for text in texts
            ),
        ),
        *(HostileRequest("GET", "/rules/" + "x" * QUERY_BYTES) for _ in range(1)),
        *(HostileRequest("GET", "/table/" + "%2e%2f" * (QUERY_BYTES // 6)) for _ in range(1)),
    ]


def headers() -> Requests:
    """Request heads with thousands of headers, cookies or proxies."""
    many = tuple(f"X-{n}: 1" for n in range(QUERY_BYTES // 12))
    cookies = "Cookie: " + "; ".join(f"c{n}=1" for n in range(QUERY_BYTES // 8))
    forwarded = "X-Forwarded-For: " + "1.1.1.1," * (QUERY_BYTES // 8)
    token = "Authorization: Bearer " + "x" * QUERY_BYTES
    return [
        HostileRequest("GET", "/api/tables", headers=each)
        for each in (many, (cookies,), (forwarded,), (token,))
    ]


def leagues() -> Requests:
    """Leagues as large as they may be, begun at once."""
    forms: list[dict[str, Any]] = [
        {"season": 2008, "real": True, "begin": True},
        {"rules": "rapid-roll", "teams": [f"T{n}" for n in range(32)], "legs": 2, "begin": True},
    ]
    return _posts("/api/leagues", JSON_TYPE, *map(json.dumps, forms))


# --- Logs ----------------------------------------------------------------------------------------


def _seal(lines: Iterator[dict[str, Any]]) -> Iterator[str]:
    from hashmark.session.log import seal_line

    chain = ""
    for line in lines:
        text, chain = seal_line(chain, line)
        yield text


def undone_log(rules: str, max_lines: int) -> bytes:
    """Return a valid log in which a person calls and takes the call back, again and again."""
    from hashmark.engine import registry
    from hashmark.session.game_session import GameSession
    from hashmark.session.header import Header
    from hashmark.session.pending import PendingCall

    seats = {"home": "human", "away": "coach:book"}
    header = Header(rules, seats=seats, seed=1, rules_version=registry.load(rules).version)
    lines = [header.to_json()]
    session = GameSession(header, header.new_game(), persist=lambda line: lines.append(dict(line)))
    until = time.monotonic() + LOG_BUILD_SECONDS
    while len(lines) < max_lines and time.monotonic() < until:
        while session.advance():
            pass
        pending = session.pending_input()
        if not isinstance(pending, PendingCall):
            break
        session.answer(session.moment, pending.team, pending.calls[0])
        while session.advance():
            pass
        session.undo(session.moment, pending.team)
    return "".join(_seal(iter(lines[:max_lines]))).encode()


def log_undo() -> Requests:
    """Valid logs of thousands of calls taken back."""
    games = ("rapid-roll", "roll-for-yardage", "data-driven")
    return _posts("/api/logs", "text/plain", *(undone_log(rules, 6000) for rules in games))


def log_lines() -> Requests:
    """Logs of as many lines as are taken, of one long line, and of deep ones."""
    header = undone_log("fourth-down", 1)
    line = LOG_BYTES // MAX_LOG_LINES - 40
    many = b"".join(b'{"turn": %d, "at": "%s"}\n' % (n, b"x" * line) for n in range(19_000))
    return _posts(
        "/api/logs",
        "text/plain",
        header + many,
        header + b'{"turn": [' + b"1," * (LOG_BYTES // 2 - 1000) + b"1]}\n",
        header + b"[" * (LOG_BYTES - 2000) + b"\n",
        header + b'{"turn": ' + b"1" * (LOG_BYTES - 2000) + b"}\n",
        header + b"\n" * 19_000,
        b"\xff" * LOG_BYTES,
    )


def positions() -> Requests:
    """Logs that begin at made-up positions, with options and positions of all sizes."""
    header = json.loads(undone_log("data-driven", 1))
    header.pop("sum")
    wide = {f"k{n}": n for n in range(100_000)}
    deep: Any = 1
    for _ in range(45):
        deep = {"a": deep, "b": [deep] if isinstance(deep, int) else 1}
    starts: list[dict[str, Any]] = [
        {"start": wide},
        {"start": {"score": [10**39] * 90_000}},
        {"start": {"phase": "x" * 1_000_000}},
        {"start": deep, "options": deep},
        {"options": wide},
        {"options": {"charts": "x" * 1_000_000}},
        {"names": {"home": "x" * 1_000_000}},
    ]
    logs = ["".join(_seal(iter([{**header, **start}]))) for start in starts]
    return _posts("/api/logs", "text/plain", *logs)


# --- Uploads -------------------------------------------------------------------------------------


def multipart() -> Requests:
    """Multipart bodies with many parts, nested parts, long headers and no end."""
    kind = "multipart/form-data; boundary=b"
    part = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    nested = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (n, n + 1)
        for n in range(30_000)
    )
    file = b'--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
    head = b"--b\r\n" + b"X: " + b"x" * (UPLOAD_BYTES // 8) + b"\r\n\r\n"
    heads = b"--b\r\n" + b"X: 1\r\n" * (UPLOAD_BYTES // 48) + b"\r\n"
    boundary = file + b"\r\n--" * (UPLOAD_BYTES // 32)
    field = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + b"x" * (UPLOAD_BYTES // 8)
    bodies = (part * (UPLOAD_BYTES // 8 // len(part)), nested, head, heads, boundary, field)
    outer = "multipart/form-data; boundary=b0"
    long_boundary = "multipart/form-data; boundary=" + "b" * 30_000
    return [
        *_posts("/charts", kind, *bodies),
        *_posts("/charts", outer, nested),
        *_posts("/charts", long_boundary, b"--" + b"b" * 30_000 + b"\r\n" * 100_000),
        *_posts("/tables", kind, (part * 1000)[:JSON_BYTES], heads[:JSON_BYTES]),
    ]


def charts_packed() -> Requests:
    """Small files that unpack to gigabytes: packed CSV and Parquet."""
    columns = gzip.compress(b",".join(b"c%d" % n for n in range(8)) + b"\n")
    rows = _repeated_gzip((b"1," * 7 + b"1\n") * 500_000)
    return _distinct_uploads(columns + rows, columns + _repeated_gzip(bytes(10**7)), _parquet())


def _repeated_gzip(data: bytes) -> bytes:
    """Return a gzip file that unpacks to gigabytes of repeated data."""
    return gzip.compress(data, 9) * (UNPACKED_BYTES // len(data))


def _parquet() -> bytes:
    """Return a small Parquet file that unpacks to gigabytes of equal texts."""
    import polars as pl

    rows = 4_000_000
    frame = pl.select(pl.repeat("x" * 100, rows, dtype=pl.String).alias("c0"))
    frame = frame.with_columns(pl.col("c0").alias(f"c{column}") for column in range(1, 8))
    written = io.BytesIO()
    frame.write_parquet(written, compression="zstd", row_group_size=rows)
    return written.getvalue()


def charts_wide() -> Requests:
    """CSV files with a hundred thousand columns, one endless line, and millions of rows."""
    wide = ",".join(f"c{n}" for n in range(100_000)) + "\n" + "1," * 99_999 + "1\n"
    endless = "a,b,c,d,e\n" + '"' + "x" * 8_000_000
    rows = "season,week,desc,play_type,x\n" + "2008,1,x,run,1\n" * 500_000
    return _distinct_uploads(*(text.encode() for text in (wide, endless, rows)))


def _distinct_uploads(*bodies: bytes) -> Requests:
    """Return uploads for different seasons: each is a job of its own."""
    return [
        HostileRequest(
            "POST", f"/api/charts?season={season}&partial=true", body, "application/octet-stream"
        )
        for season in range(2001, 2011)
        for body in bodies
    ]


def slow() -> Requests:
    """Requests whose head or body never ends, over many connections."""
    bodies = (("/api/plans", 100_000), ("/api/logs", LOG_BYTES), ("/charts", LOG_BYTES))
    return [
        HostileRequest("GET", "/", headers=("X: " + "x" * 10_000,), is_slow=True),
        *(
            HostileRequest("POST", path, b"x" * size, TOML_TYPE, is_slow=True)
            for path, size in bodies
        ),
    ]


INPUTS: dict[str, Callable[[], Requests]] = {
    "harmless": harmless,
    "plan-keys": partial(plan_keys, 10_000),
    "plan-most-keys": partial(plan_keys, 55_000),
    "plan-nesting": plan_nesting,
    "plan-many": plan_many,
    "plan-strings": plan_strings,
    "plans-accepted": plans_accepted,
    "packed-plans": packed_plans,
    "json-deep": json_deep,
    "json-wide": json_wide,
    "form-fields": form_fields,
    "names": names,
    "headers": headers,
    "leagues": leagues,
    "log-undo": log_undo,
    "log-lines": log_lines,
    "positions": positions,
    "multipart": multipart,
    "charts-packed": charts_packed,
    "charts-wide": charts_wide,
    "slow": slow,
}
