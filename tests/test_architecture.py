"""The house is as docs/architecture.md shows it: arrows point one way, and names are real."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"
PAGE = (SRC.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
ROOT = "hashmark"  # the package itself: its version, and who comes to every game

BASE = {"errors", "sanitize", "extras"}  # shared by all packages
LEAGUE = {"engine", "storage", "compiler", "text", "reports", "sim", "games.data_driven"}
KNOWS = {  # each package, and the packages that it may import
    ROOT: set(),
    "errors": {"engine"},  # a type only
    "sanitize": set(),
    "extras": set(),
    "storage": set(),
    "engine": {"storage", "games"},  # the registry lists the games; it imports none by name
    "session": {"engine", "storage"},
    "compiler": {"engine", "storage"},
    "text": {"engine", "session", "storage"},
    "reports": set(),
    "sheets": {"engine", "text", "reports"},
    "odds": {"engine", "session", "compiler"},
    "sim": {"engine", "session", "storage", "compiler"},
    "values": {"engine", "session", "storage", "compiler", "text", "reports", "odds", "sim"},
    "conformance": {"engine", "session", "text", "sheets", "odds", "sim"},
    "league": {"league.charts"},
    "league.data": LEAGUE,
    "league.plans": LEAGUE | {"league.data"},
    "league.charts": LEAGUE | {"league.data", "league.plans"},
    "league.seasons": LEAGUE | {"league.data"},
    "league.whatifs": LEAGUE | {"league.data", "league.seasons", "odds"},
    "league.validation": LEAGUE
    | {"league.data", "league.plans", "league.charts", "league.seasons"},
    "envs": {"engine", "session", "compiler", "text", "odds", "sim"},
    "terminal": {"engine", "session", "storage", "text", "odds", "values"},
    "web": set(),
    "web.svg": {"engine", "session", "text", "reports"},  # strings only: no server
}
WEB = LEAGUE | {"session", "sheets", "odds", "values"}
WEB |= {f"league.{name}" for name in ("data", "plans", "charts", "seasons", "whatifs")}
WEB_LAYERS = (  # each may import what is in the layers above it here
    ("tokens", "rate_limits"),
    ("db",),
    ("tables",),
    ("jobs",),
    ("seasons",),
    ("leagues",),
    ("metrics", "views", "game_menu"),
    ("guards", "app_state"),
    ("dependencies",),
    ("api", "pages", "health"),
    ("app",),
    ("server",),
)
for _number, _layer in enumerate(WEB_LAYERS):
    _known = {f"web.{name}" for layer in WEB_LAYERS[:_number] for name in layer}
    KNOWS |= {f"web.{name}": WEB | _known for name in _layer}
KNOWS["web.pages"] |= {"web.svg"}
GAME = {"engine", "storage", "text", "sheets"}


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of the package, by its full name."""
    for path in sorted(SRC.rglob("*.py")):
        parts = path.relative_to(SRC).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


MODULES = dict(modules())


def room_of(module: str) -> str:
    """The room in which a module is; each game is a room, and so are rooms within rooms."""
    parts = module.split(".")[1:]
    if parts[:1] in (["games"], ["league"], ["web"]):
        return ".".join(parts[:2])
    return parts[0] if parts else ROOT


@cache
def nodes(module: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))))


def known_by(module: str) -> set[str]:
    """The modules of the package that a module imports, wherever in its file."""
    found: set[str] = set()
    for node in nodes(module):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: a relative import"
            inside = {f"{node.module}.{name.name}" for name in node.names}
            found |= {one if one in MODULES else str(node.module) for one in inside}
    return {one for one in found if one in MODULES}


def is_allowed(room: str, other: str) -> bool:
    if other in (room, ROOT) or other in BASE or room in ("cli", "__main__"):
        return True
    return other in (GAME if room.startswith("games.") else KNOWS[room])


def test_the_arrows_point_one_way() -> None:
    wrong = [
        f"{module} imports {other}"
        for module in MODULES
        for other in sorted(known_by(module))
        if not is_allowed(room_of(module), room_of(other))
    ]
    assert not wrong


def test_the_eyes_of_these_tests_are_open() -> None:
    assert "hashmark.errors" in known_by("hashmark.league.charts.build")
    assert "hashmark.odds.odds_tables" in known_by(
        "hashmark.values.odds_panel"
    )  # inside a function
    assert not is_allowed("engine", "sim")
    assert not is_allowed("games.fourth_down", "games.rapid_roll")
    assert not is_allowed("league.data", "league.seasons")
    assert not is_allowed("web.tables", "web.leagues")
    assert not is_allowed("web.api", "web.pages")
    assert not is_allowed("web.pages", "web.api")


def test_no_room_is_missing_on_the_page() -> None:
    rooms = {room_of(module) for module in MODULES} - {ROOT, "__main__", "league"}
    rooms -= {f"web.{name}" for layer in WEB_LAYERS for name in layer}
    for room in sorted(rooms):
        if not room.startswith("games."):
            assert f"| `{room}` |" in PAGE


def names() -> set[str]:
    """Whatever has a name in the sources: modules, classes, functions, arguments, fields."""
    found = {part for module in MODULES for part in module.split(".")}
    for module in MODULES:
        for node in nodes(module):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
    return found


def test_what_the_flows_and_rooms_name_is_there() -> None:
    section = PAGE[PAGE.index("## The house") : PAGE.index("## How it compiles")]
    pieces = re.findall(r"`([A-Za-z_][\w.]*?)(?:\([^`]*\))?`", section)
    assert len(pieces) > 150
    known = names() | {"py", "toml"}
    missing = {piece for piece in pieces if not set(piece.split(".")) <= known}
    assert missing == {"SEASON.toml"}
