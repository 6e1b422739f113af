"""Packages are as the architecture page shows them: imports point one way, and names exist."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"
DOCS = SRC.parent / "docs"
PAGE = (DOCS / "explanation/architecture.md").read_text(encoding="utf-8")
ROOT = "hashmark"  # the package itself: its version, and who comes to every game

BASE = {"errors", "sanitize", "number_text", "extras"}  # shared by all packages
LEAGUE = {"engine", "storage", "compiler", "text", "reports", "sim", "games.data_driven"}
KNOWS = {  # each package, and the packages that it may import
    ROOT: {"api", "extras"},  # lazily, for those who import `hashmark`
    "errors": {"engine"},  # a type only
    "sanitize": set(),
    "number_text": set(),
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
    "games": set(),
    "web": set(),
    "web.svg": {"engine", "session", "text", "reports"},  # strings only: no server
}
WEB = LEAGUE | {"session", "sheets", "odds", "values"}
WEB |= {f"league.{name}" for name in ("data", "plans", "charts", "seasons", "whatifs")}
WEB_LAYERS = (  # each may import what is in the layers above it here
    ("tokens", "clock", "single_process"),
    ("leases", "rate_limits"),
    ("sandbox",),
    ("db",),
    ("tables",),
    ("jobs",),
    ("seasons",),
    ("leagues",),
    ("metrics", "views", "game_menu", "request_limits", "page_address"),
    ("guards", "app_state"),
    ("dependencies",),
    ("head_requests",),
    ("api", "pages", "health"),
    ("app",),
    ("server",),
)
for _number, _layer in enumerate(WEB_LAYERS):
    _known = {f"web.{name}" for layer in WEB_LAYERS[:_number] for name in layer}
    KNOWS |= {f"web.{name}": WEB | _known for name in _layer}
KNOWS["web.pages"] |= {"web.svg"}
KNOWS["api"] = WEB | {"web.svg", "league.validation"}
GAME = {"engine", "storage", "text", "sheets"}
FILE_ENDINGS = (".py", ".html", ".md")
NOT_OURS = {  # names in backticks that the sources do not define
    "explanation/architecture.md": {"KNOWS"},
    "maintainers/internals.md": {"KNOWS"},
    "guides/adding-a-game.md": {"turnovers"},
}


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
    rooms |= {f"web.{path.parent.name}" for path in (SRC / ROOT / "web").glob("*/__init__.py")}
    for room in sorted(rooms):
        if not room.startswith("games."):
            assert f"| `{room}` |" in PAGE


def defined_names(node: ast.AST) -> set[str]:
    """Return the names that are defined or used within a node: of functions, fields, arguments."""
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(inner.name)
        elif isinstance(inner, ast.arg):
            found.add(inner.arg)
        elif isinstance(inner, ast.Attribute):
            found.add(inner.attr)
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            found.add(inner.id)
    return found


@cache
def names_by_owner() -> dict[str, set[str]]:
    """Return the names in each module, package and class; those of the same name are merged."""
    found: dict[str, set[str]] = {}
    for module in MODULES:
        *packages, name = module.split(".")
        if packages:
            found.setdefault(packages[-1], set()).add(name)
        found.setdefault(name, set()).update(defined_names(nodes(module)[0]))
        for node in nodes(module):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).update(defined_names(node))
    return found


@cache
def parents() -> dict[str, set[str]]:
    """Return the bases of each class, and what each alias stands for."""
    found: dict[str, set[str]] = {}
    for module in MODULES:
        for node in nodes(module):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).update(map(_base_name, node.bases))
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found.setdefault(node.targets[0].id, set()).add(_base_name(node.value))
    return found


def _base_name(node: ast.expr) -> str:
    """Return `Base` of `Base`, `module.Base` or `Base[int]`; empty for any other expression."""
    if isinstance(node, ast.Subscript):
        node = node.value
    return getattr(node, "id", getattr(node, "attr", ""))


def has_name(owner: str, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether a class, module or package has a name, itself or from a base."""
    if name in names_by_owner().get(owner, ()):
        return True
    others = parents().get(owner, set()) - seen
    return any(has_name(other, name, seen | {owner}) for other in others)


def is_real(name: str) -> bool:
    """Return whether a dotted name exists: each part within the one before it."""
    parts = name.split(".")
    if not any(parts[0] in names for names in [*names_by_owner().values(), names_by_owner()]):
        return False
    return all(has_name(owner, part) for owner, part in itertools.pairwise(parts))


def test_names_on_the_pages_exist() -> None:
    for page, not_ours in NOT_OURS.items():
        text = (DOCS / page).read_text(encoding="utf-8")
        pieces = re.findall(r"`([A-Za-z_][\w.]*?)(?:\([^`]*\))?`", text)
        names = {piece for piece in pieces if not piece.endswith(FILE_ENDINGS)}
        assert len(names) > 15
        assert {name for name in names if not is_real(name)} == not_ours


def test_a_name_that_does_not_exist_is_found() -> None:
    assert is_real("GameSession.answer")
    assert is_real("RuleSet.step")  # of a base class
    assert is_real("league.whatifs")
    assert not is_real("Sitting")
    assert not is_real("GameSession.wanted")
    assert not is_real("session.sitting")
