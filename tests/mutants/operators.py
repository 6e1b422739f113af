"""The faults: every way in which one place of a module's syntax tree is changed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

MODULE = "<module>"
SHOWN = 120  # characters of a statement that are kept
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitAnd,
}
TWINS = {"HOME": "AWAY", "AWAY": "HOME", "min": "max", "max": "min", "any": "all", "all": "any"}
STANDING = ("m", "g", "self", "cls")  # first arguments that are never swapped with others

Change = tuple[str, Callable[[], Callable[[], None]]]  # its kind; doing it gives the way back


@dataclass(frozen=True)
class Mutant:
    """One fault: where it is and what it says; `apply` puts it into the tree, and returns undo."""

    file: str  # below games/
    function: str  # its dotted name, or MODULE
    kind: str
    lines: tuple[int, int]
    was: str
    now: str
    top: ast.stmt  # the statement of the module that holds it
    apply: Callable[[], Callable[[], None]]

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.file, self.function, self.was, self.now


@dataclass
class _Place:
    """Where the walk is: the statement, the function, and what may be changed there."""

    top: ast.stmt
    statement: ast.stmt
    function: str
    inside: bool  # in the body of a function: its code alone has to be changed


def mutants_of(file: str, tree: ast.Module, numbers: Callable[[ast.expr], bool]) -> list[Mutant]:
    """Every mutant of a module; `numbers` says whether a name stands for a whole number."""
    found = []
    before: dict[int, str] = {}
    for place, kind, apply in _changes(tree, numbers):
        was = before.get(id(place.statement)) or _header(place.statement)
        before[id(place.statement)] = was
        undo = apply()
        now = _header(place.statement)
        undo()
        if was == now:
            continue
        was, now = _cut(was, now)
        first, last = _lines(place.statement)
        function = place.function if place.inside else MODULE
        found.append(Mutant(file, function, kind, (first, last), was, now, place.top, apply))
    return found


def _header(statement: ast.stmt) -> str:
    """A statement as text; of a compound one its first line, for which its body is not read."""
    body = getattr(statement, "body", None)
    if body is None:
        return ast.unparse(statement)
    statement.body = []  # type: ignore[attr-defined]
    try:
        return ast.unparse(statement).partition("\n")[0]
    finally:
        statement.body = body  # type: ignore[attr-defined]


def _cut(was: str, now: str) -> tuple[str, str]:
    """Of long statements the part that differs."""
    if max(len(was), len(now)) <= SHOWN:
        return was, now
    at = next((i for i, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), 0)
    begin = max(0, at - SHOWN // 2)
    return was[begin : begin + SHOWN], now[begin : begin + SHOWN]


def _lines(statement: ast.stmt) -> tuple[int, int]:
    """The lines of a statement; of a compound one those before its body."""
    body = getattr(statement, "body", None)
    if body and isinstance(body[0], ast.stmt):
        return statement.lineno, max(statement.lineno, body[0].lineno - 1)
    return statement.lineno, statement.end_lineno or statement.lineno


def _changes(
    tree: ast.Module, numbers: Callable[[ast.expr], bool]
) -> Iterator[tuple[_Place, str, Callable[[], Callable[[], None]]]]:
    for top in tree.body:
        if isinstance(top, ast.Import | ast.ImportFrom):
            continue
        yield from _in_statement(top, top, "", numbers)


def _in_statement(
    statement: ast.stmt, top: ast.stmt, function: str, numbers: Callable[[ast.expr], bool]
) -> Iterator[tuple[_Place, str, Callable[[], Callable[[], None]]]]:
    inside = bool(function)
    here = _Place(top, statement, function, inside)
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        name = statement.name
        if isinstance(statement, ast.FunctionDef):
            for default in (*statement.args.defaults, *statement.args.kw_defaults):
                if default is not None:
                    for kind, apply in _in_expression(statement.args, default, numbers):
                        yield here, kind, apply
        within = f"{function}.{name}".lstrip(".")
        outer = within if inside or isinstance(statement, ast.FunctionDef) else ""
    else:
        outer = function
        for kind, apply in _own_changes(statement, numbers):
            yield here, kind, apply
    for block in ("body", "orelse", "finalbody"):
        inner = getattr(statement, block, None)
        if not isinstance(inner, list) or not inner or not isinstance(inner[0], ast.stmt):
            continue
        for at, one in enumerate(inner):
            if _is_docstring(one, at, statement):
                continue
            if outer:
                for kind, apply in _without(inner, at):
                    yield _Place(top, one, outer, True), kind, apply
            yield from _in_statement(one, top, outer, numbers)
    for handler in getattr(statement, "handlers", []):
        for one in handler.body:
            yield from _in_statement(one, top, outer, numbers)


def _is_docstring(one: ast.stmt, at: int, holder: ast.stmt) -> bool:
    return (
        at == 0
        and isinstance(holder, ast.FunctionDef | ast.ClassDef)
        and isinstance(one, ast.Expr)
        and isinstance(one.value, ast.Constant)
    )


# --- Statements ----------------------------------------------------------------------------


def _without(block: list[ast.stmt], at: int) -> Iterator[Change]:
    """A statement that only acts is left out."""
    one = block[at]
    acts = isinstance(one, ast.AugAssign) or (
        isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)
    )
    if isinstance(one, ast.Assign):
        acts = all(isinstance(to, ast.Attribute | ast.Subscript) for to in one.targets)
    if acts:
        yield "left out", _emptied(one)


def _emptied(one: ast.stmt) -> Callable[[], Callable[[], None]]:
    """The statement becomes `pass`, in place."""

    def apply() -> Callable[[], None]:
        kind, inside = one.__class__, dict(one.__dict__)
        for key in one._fields:
            delattr(one, key)
        one.__class__ = ast.Pass

        def undo() -> None:
            one.__class__ = kind
            one.__dict__.update(inside)

        return undo

    return apply


def _own_changes(statement: ast.stmt, numbers: Callable[[ast.expr], bool]) -> Iterator[Change]:
    """The faults in the expressions of one statement."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return
    if isinstance(statement, ast.AugAssign) and type(statement.op) in ARITHMETIC:
        yield "arithmetic", _set(statement, "op", ARITHMETIC[type(statement.op)]())
    if isinstance(statement, ast.If | ast.While) and not isinstance(statement.test, ast.Compare):
        yield "condition", _set(statement, "test", _not(statement.test))
    if (
        isinstance(statement, ast.Return)
        and statement.value is not None
        and not isinstance(statement.value, ast.Constant)
        and not numbers(statement.value)
    ):
        yield "return", _set(statement, "value", ast.copy_location(ast.Constant(0), statement))
    for name, value in ast.iter_fields(statement):
        if name in ("annotation", "returns", "decorator_list", "bases", "type_comment"):
            continue
        for at, one in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(one, ast.expr):
                holder = value if isinstance(value, list) else statement
                key = at if isinstance(value, list) else name
                yield from _in_expression(holder, one, numbers, key)
            elif isinstance(one, ast.withitem):
                yield from _in_expression(one, one.context_expr, numbers, "context_expr")


def _not(test: ast.expr) -> ast.expr:
    """The opposite of a condition."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


# --- Expressions ---------------------------------------------------------------------------


def _in_expression(
    holder: Any, node: ast.expr, numbers: Callable[[ast.expr], bool], key: Any = None
) -> Iterator[Change]:
    """The faults of an expression and of all that is in it."""
    if key is None:  # a default of an argument
        holder, key = next(
            (values, values.index(node))
            for values in (holder.defaults, holder.kw_defaults)
            if node in values
        )
    yield from _changed(holder, key, node, numbers)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            for at, one in enumerate(value):
                if at == 0 and _is_grid(node):
                    continue  # its name, which only a fault of ours would show
                if isinstance(one, ast.expr):
                    yield from _in_expression(value, one, numbers, at)
                elif isinstance(one, ast.keyword) and one.arg != "strict":  # a guard, not a rule
                    yield from _in_expression(one, one.value, numbers, "value")
                elif isinstance(one, ast.comprehension):
                    yield from _in_expression(one, one.iter, numbers, "iter")
                    for number, test in enumerate(one.ifs):
                        yield from _in_expression(one.ifs, test, numbers, number)
        elif isinstance(value, ast.expr) and name != "format_spec":
            yield from _in_expression(node, value, numbers, name)


def _changed(
    holder: Any, key: Any, node: ast.expr, numbers: Callable[[ast.expr], bool]
) -> Iterator[Change]:
    """The faults of one node itself."""
    if isinstance(node, ast.Constant):
        for other in _other_constants(node.value):
            yield "constant", _set(node, "value", other)
    elif isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            yield "comparison", _set(node.ops, at, COMPARISONS[type(op)]())
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _is_parity(holder):
        yield "arithmetic", _set(node, "op", ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield "and, or", _set(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "sign", _set(holder, key, node.operand)
    elif isinstance(node, ast.IfExp) and not isinstance(node.test, ast.Compare):
        yield "condition", _set(node, "test", _not(node.test))
    elif isinstance(node, ast.Call):
        yield from _swapped(node)
    elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield from _renamed(holder, key, node, numbers)


def _is_grid(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Grid"


def _is_parity(holder: Any) -> bool:
    """Whether this is the remainder by 2, for which plus and minus are the same."""
    return (
        isinstance(holder, ast.BinOp)
        and isinstance(holder.op, ast.Mod)
        and isinstance(holder.right, ast.Constant)
        and holder.right.value == 2
    )


def _other_constants(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, float):
        return [value + 1]
    if isinstance(value, str):
        return [f"XX{value}"]
    return []


def _swapped(call: ast.Call) -> Iterator[Change]:
    """Two neighbouring arguments change places, where their order can matter."""
    if isinstance(call.func, ast.Name) and call.func.id in ("min", "max"):
        return
    for at in range(len(call.args) - 1):
        one, other = call.args[at : at + 2]
        standing = isinstance(one, ast.Name) and one.id in STANDING
        starred = isinstance(one, ast.Starred) or isinstance(other, ast.Starred)
        if not standing and not starred and ast.dump(one) != ast.dump(other):
            yield "swapped", _set(call, "args", [*call.args[:at], other, one, *call.args[at + 2 :]])


def _renamed(
    holder: Any, key: Any, node: ast.Name | ast.Attribute, numbers: Callable[[ast.expr], bool]
) -> Iterator[Change]:
    """A name becomes its twin; one that stands for a number stands for the next."""
    name = node.id if isinstance(node, ast.Name) else node.attr
    if name in TWINS:
        yield "twin", _set(node, "id" if isinstance(node, ast.Name) else "attr", TWINS[name])
    elif name.isupper() and numbers(node):
        more = ast.BinOp(node, ast.Add(), ast.Constant(1))
        yield (
            "constant",
            _set(holder, key, ast.fix_missing_locations(ast.copy_location(more, node))),
        )


def _set(holder: Any, key: Any, value: Any) -> Callable[[], Callable[[], None]]:
    """Put a value into a node or a list."""

    def put(one: Any) -> None:
        if isinstance(holder, list):
            holder[key] = one
        else:
            setattr(holder, key, one)

    def apply() -> Callable[[], None]:
        was = holder[key] if isinstance(holder, list) else getattr(holder, key)
        put(value)
        return lambda: put(was)

    return apply
