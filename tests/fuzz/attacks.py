"""Attacks on every parser of foreign text: input that is small and meant to be costly."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request, cookie_parser

from hashmark.engine import position_id
from hashmark.engine.options import parse_int
from hashmark.errors import UnknownName
from hashmark.games.data_driven.charts import cells
from hashmark.games.data_driven.plans import plan as plans
from hashmark.league.data import play_file_limits
from hashmark.league.whatifs import plan_changes
from hashmark.sanitize import one_line
from hashmark.session import log
from hashmark.storage.text_limits import check_log
from hashmark.storage.user_files import loads_json, parse_toml
from hashmark.web.leagues.league_state import parse_date
from hashmark.web.pages.form_data import parse_form, parse_upload
from hashmark.web.pages.leagues_pages import parse_days
from hashmark.web.request_limits import find_excess, without_foreign_cookies

from .costs import Attack

MAX_KEY = "a.b.c.d.e.f.g.h"  # as many parts as a key may have


def _repeat(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Return a generator of text: `unit` repeated up to a size."""
    return lambda size: before + unit * (size // len(unit)) + after


def _each(form: str, separator: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Return a generator of text: `form` with ever another number."""

    def make(size: int) -> str:
        return before + separator.join(form.format(n) for n in range(size // len(form))) + after

    return make


# --- TOML ------------------------------------------------------------------------------------

TOML: dict[str, Callable[[int], str]] = {
    "dotted key": _repeat("a.", after="a = 1"),
    "dotted header": _repeat("a.", "[", "a]"),
    "dotted key in an inline table": _repeat("a.", "x = {", "a = 1}"),
    "quoted parts": _repeat('"a".', after="a = 1"),
    "keys of all parts": _each(f"k{{}}.{MAX_KEY[4:]} = 1", "\n"),
    "headers of all parts": _each(f"[k{{}}.{MAX_KEY[4:]}]", "\n"),
    "lists of tables": _repeat(f"[[{MAX_KEY}]]\n"),
    "keys below a long header": _each("k{} = 1", "\n", f"[{MAX_KEY}]\n"),
    "nested lists": _repeat("[", "a = "),
    "nested tables": _repeat("{a=", "a = "),
    "empty lists": _repeat("[],", "a = [", "]"),
    "lists as deep as allowed": _repeat("[[[[[[[[[]]]]]]]]],", "a = [", "]"),
    "empty tables": _repeat("{},", "a = [", "]"),
    "digits": _repeat("9", "a = "),
    "hexadecimal digits": _repeat("f", "a = 0x"),
    "underscores": _repeat("1_", "a = ", "1"),
    "fraction": _repeat("1", "a = 0."),
    "numbers": _repeat("9" * 40 + ",", "a = [", "]"),
    "dates": _repeat("1979-05-27T07:32:00.999999-07:00,", "a = [", "]"),
    "escapes": _repeat("\\n", 'a = "', '"'),
    "line ends within a string": _repeat("\\\n", 'a = """', '"""'),
    "quotation marks within a string": _repeat('""a', 'a = """', '"""'),
    "open strings": _repeat("'\n"),
    "open string of escapes": _repeat('\\"', 'a = "'),
    "open long string": _repeat('""a', 'a = """'),
    "quotation marks": _repeat('"'),
    "comments": _repeat("#\n"),
    "comments in a list": _repeat("#\n", "a = ["),
    "spaces": _repeat(" ", "a", "= 1"),
    "words as long as allowed": _repeat("a" * 100 + " "),
}

# --- JSON ------------------------------------------------------------------------------------

JSON: dict[str, Callable[[int], str]] = {
    "nested lists": _repeat("["),
    "nested objects": _repeat('{"a":'),
    "lists as deep as allowed": _repeat("[" * 40 + "]" * 40 + ",", "[", "0]"),
    "empty lists": _repeat("[],", "[", "0]"),
    "keys": _each('"k{}":0', ",", "{", "}"),
    "the same key": _repeat('"a":0,', "{", '"a":0}'),
    "digits": _repeat("9"),
    "fraction": _repeat("9", "0."),
    "exponent": _repeat("9", "1e"),
    "numbers": _repeat("9" * 40 + ",", "[", "0]"),
    "escapes": _repeat("\\u0041", '"', '"'),
    "open string of quotation marks": _repeat('\\"', "[" * 51 + '"'),
    "open strings": _repeat('"', "[" * 51),
    "backslashes": _repeat("\\", "[" * 51 + '"'),
    "spaces": _repeat(" "),
}

# --- Logs ------------------------------------------------------------------------------------


def _read_log(text: str) -> None:
    raw = text.encode()
    check_log(raw)
    log.replay_bytes(raw, Path("attack.log"))


LOGS: dict[str, Callable[[int], str]] = {
    "empty lines": _repeat("\n", "{}"),
    "empty objects": _repeat("{}\n"),
    "lists": _repeat("[],", '{"a": [', "0]}\n"),
    "lines of lists": _repeat('{"a": [[],[],[],[]]}\n'),
    "a line without end": _repeat("x", '{"a": "'),
    "nested lists": _repeat("[" * 60 + "\n"),
}

# --- Plans and positions -----------------------------------------------------------------------


def _pack(make: Callable[[int], str], size: int) -> str:
    packed = zlib.compress(make(size).encode(), 9)
    return plans.PACKED_PREFIX + urlsafe_b64encode(packed).decode()


PLANS: dict[str, Callable[[int], str]] = {
    "entries": _repeat("[[play]]\ndraw=1\n", f'format = "{plans.FORMAT}"\n'),
    "tables": _repeat("[[play]]\n", f'format = "{plans.FORMAT}"\n'),
    "calls": _each("k{} = 1", "\n", f'format = "{plans.FORMAT}"\n[[play]]\n'),
    "dotted key": TOML["dotted key"],
    "name": _repeat("x", f'format = "{plans.FORMAT}"\nname = "', '"'),
}


def _unpack(word: str) -> None:
    plans.unpack.cache_clear()
    plans.unpack(word)


# --- Forms -------------------------------------------------------------------------------------

BOUNDARY = "-" * 60
PART = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'
FILE_PART = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n'
NESTED = f"--{BOUNDARY}x\r\nContent-Type: multipart/mixed; boundary={BOUNDARY}x\r\n\r\n"
END = f"\r\n--{BOUNDARY}--\r\n"
URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"
CHUNK_BYTES = 1 << 16


def make_request(kind: str, body: bytes) -> Request:
    """Return a request whose body arrives in chunks."""
    starts = iter(range(0, len(body), CHUNK_BYTES))

    async def receive() -> dict[str, Any]:
        start = next(starts, None)
        chunk = b"" if start is None else body[start : start + CHUNK_BYTES]
        return {"type": "http.request", "body": chunk, "more_body": start is not None}

    headers = [(b"content-type", kind.encode())]
    scope = {"type": "http", "method": "POST", "headers": headers, "app": None}
    return Request(scope, receive)


async def _upload(body: str) -> None:
    async with parse_upload(make_request(MULTIPART, body.encode())):
        pass


async def _form(body: str) -> None:
    await parse_form(make_request(URLENCODED, body.encode()))


def _run_async(work: Callable[[str], Any], body: str) -> None:
    asyncio.run(work(body))


UPLOADS: dict[str, Callable[[int], str]] = {
    "parts": _repeat(PART),
    "nested parts": _repeat(NESTED, FILE_PART, END),
    "headers": _repeat("a: b\r\n", f"--{BOUNDARY}\r\n"),
    "a header without end": _repeat("b", f"--{BOUNDARY}\r\na: "),
    "line ends": _repeat("\r\n", FILE_PART, END),
    "carriage returns": _repeat("\r", FILE_PART, END),
    "almost the boundary": _repeat(f"\r\n--{BOUNDARY[:-1]}x", FILE_PART, END),
    "dashes": _repeat("-", FILE_PART, END),
    "text before the first part": _repeat("\r\n"),
    "text after the last part": _repeat("\r\n", PART + END),
}
FORMS: dict[str, Callable[[int], str]] = {
    "fields": _repeat("a=b&"),
    "empty fields": _repeat("&"),
    "semicolons": _repeat("a;"),
    "escapes": _repeat("%41", "a="),
    "broken escapes": _repeat("%", "a="),
}

# --- Requests ----------------------------------------------------------------------------------


def _scope(query: str = "", **headers: str) -> dict[str, Any]:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http", "query_string": query.encode(), "raw_path": b"/", "headers": raw}


def _read_query(query: str) -> None:
    if find_excess(_scope(query)) is None:
        QueryParams(query)


def _read_cookies(text: str) -> None:
    for _, value in without_foreign_cookies(_scope(cookie=text))["headers"]:
        cookie_parser(value.decode())


def _read_content_type(text: str) -> None:
    if find_excess(_scope(content_type=text)) is None:
        asyncio.run(parse_form(make_request(text, b"")))


REQUESTS: dict[str, tuple[Callable[[str], None], Callable[[int], str]]] = {
    "query of fields": (_read_query, _repeat("a&")),
    "query of escapes": (_read_query, _repeat("%ff", "a=")),
    "quoted cookie": (_read_cookies, _repeat("\\", 'hashmark="', '"')),
    "foreign cookie": (_read_cookies, _repeat("\\", 'a="', '"; hashmark=x')),
    "cookies": (_read_cookies, _repeat("hashmark=;")),
    "spaces between cookies": (_read_cookies, _repeat("; ")),
    "parameters": (_read_content_type, _repeat(";", "multipart/form-data")),
    "quoted parameters": (_read_content_type, _repeat(";", 'multipart/form-data; a="')),
}

# --- Words -------------------------------------------------------------------------------------


def _name_error(name: str, allowed: list[str]) -> UnknownName:
    return UnknownName("call", name, allowed)


WORDS: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "message of spaces": (one_line, _repeat(" ", "a", "b")),
    "message of lines": (one_line, _repeat("\n ", "a", "b")),
    "message of words": (one_line, _repeat("x" * 399 + " ")),
    "message of controls": (one_line, _repeat("\x1b")),
    "unknown name": (partial(_name_error, allowed=["a" * 79]), _repeat("a")),
    "number": (parse_int, _repeat("9")),
    "date": (parse_date, _repeat("2026-12-24T18:00")),
    "date of digits": (parse_date, _repeat("9", "2026-12-24T18:00:00.")),
    "days": (parse_days, _repeat("9", "0.")),
    "cell": (cells.parse, _repeat("9")),
    "rows": (cells.parse_rows, _repeat("10,")),
    "situation": (plan_changes.parse_situation, _repeat("down=1,")),
    "range": (plan_changes.parse_situation, _repeat("9", "down=")),
    "amount": (partial(plan_changes.parse_amount, "x"), _repeat("9", "+")),
    "position ID": (position_id.decode_position, _repeat("z", "hm")),
    "position ID as long as allowed": (
        position_id.decode_position,
        lambda size: "hm" + "z" * min(size, 3990),
    ),
}

# --- Play-by-play ------------------------------------------------------------------------------


def _check_play_file(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "plays.csv.gz"
        path.write_bytes(content)
        play_file_limits.check_file(path)


PLAYS: dict[str, Callable[[int], bytes]] = {
    "packed zeros": lambda size: gzip.compress(bytes(size), 1),
    "packed lines": lambda size: gzip.compress(b"\n" * size, 1),
    "a first line without end": lambda size: gzip.compress(b"a," * (size // 2), 1),
}


def _attacks() -> list[Attack]:
    found: list[Attack] = []

    def add(parser: str, parse: Callable[[Any], object], makers: Any, size: int) -> None:
        found.extend(Attack(parser, name, parse, make, size) for name, make in makers.items())

    add("toml", parse_toml, TOML, 4_000)
    add("json", loads_json, JSON, 8_000)
    add("log", _read_log, LOGS, 8_000)
    add("plan", lambda text: plans.parse_text(text, "the plan"), PLANS, 4_000)
    packed = {name: partial(_pack, make) for name, make in PLANS.items()}
    add("packed plan", _unpack, packed, 4_000)
    add("upload", partial(_run_async, _upload), UPLOADS, 200_000)
    add("form", partial(_run_async, _form), FORMS, 16_000)
    for name, (parse, make) in REQUESTS.items():
        add("request", parse, {name: make}, 8_000)
    for name, (read, make) in WORDS.items():
        add("word", read, {name: make}, 8_000)
    add("plays", _check_play_file, PLAYS, 1_000_000)
    return found


ATTACKS = _attacks()
