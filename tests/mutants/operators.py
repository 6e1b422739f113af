"""Mutation operators: every way to change one place in the syntax tree of a module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

MODULE = "<module>"
MAX_SHOWN_CHARACTERS = 120  # characters of a long statement that are shown
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
COUNTERPARTS = {
    "HOME": "AWAY",
    "AWAY": "HOME",
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
}
FIXED_ARGUMENTS = ("m", "g", "self", "cls")  # first arguments that are never swapped

Change = tuple[
    str, Callable[[], Callable[[], None]]
]  # its kind; applying it returns the undo function


@dataclass(frozen=True)
class Mutant:
    """One fault: its location and its text; `apply` puts it into the tree and returns undo."""

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
    """Position of the walk: the statement, the function, and whether it is inside one."""

    top: ast.stmt
    statement: ast.stmt
    function: str
    inside: bool  # in the body of a function: only its code must be replaced


def mutants_of(file: str, tree: ast.Module, is_number: Callable[[ast.expr], bool]) -> list[Mutant]:
    """Return every mutant of a module; `numbers` tells whether a name is a whole number."""
    mutants = []
    originals: dict[int, str] = {}
    for place, kind, apply in _changes(tree, is_number):
        was = originals.get(id(place.statement)) or _header(place.statement)
        originals[id(place.statement)] = was
        undo = apply()
        now = _header(place.statement)
        undo()
        if was == now:
            continue
        was, now = _cut(was, now)
        first, last = _lines(place.statement)
        function = place.function if place.inside else MODULE
        mutants.append(Mutant(file, function, kind, (first, last), was, now, place.top, apply))
    return mutants


def _header(statement: ast.stmt) -> str:
    """Return a statement as text; for a compound one, its first line only."""
    body = getattr(statement, "body", None)
    if body is None:
        return ast.unparse(statement)
    statement.body = []  # type: ignore[attr-defined]
    try:
        return ast.unparse(statement).partition("\n")[0]
    finally:
        statement.body = body  # type: ignore[attr-defined]


def _cut(was: str, now: str) -> tuple[str, str]:
    """Cut long statements to the part that differs."""
    if max(len(was), len(now)) <= MAX_SHOWN_CHARACTERS:
        return was, now
    first_difference = next(
        (i for i, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), 0
    )
    begin = max(0, first_difference - MAX_SHOWN_CHARACTERS // 2)
    return was[begin : begin + MAX_SHOWN_CHARACTERS], now[begin : begin + MAX_SHOWN_CHARACTERS]


def _lines(statement: ast.stmt) -> tuple[int, int]:
    """Return the lines of a statement; for a compound one, those before its body."""
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
        for kind, apply in _statement_changes(statement, numbers):
            yield here, kind, apply
    for block in ("body", "orelse", "finalbody"):
        inner = getattr(statement, block, None)
        if not isinstance(inner, list) or not inner or not isinstance(inner[0], ast.stmt):
            continue
        for index, child in enumerate(inner):
            if _is_docstring(child, index, statement):
                continue
            if outer:
                for kind, apply in _removal(inner, index):
                    yield _Place(top, child, outer, True), kind, apply
            yield from _in_statement(child, top, outer, numbers)
    for handler in getattr(statement, "handlers", []):
        for child in handler.body:
            yield from _in_statement(child, top, outer, numbers)


def _is_docstring(statement: ast.stmt, index: int, holder: ast.stmt) -> bool:
    return (
        index == 0
        and isinstance(holder, ast.FunctionDef | ast.ClassDef)
        and isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
    )


# --- Statements ----------------------------------------------------------------------------


def _removal(block: list[ast.stmt], index: int) -> Iterator[Change]:
    """Leave out a statement that only acts."""
    statement = block[index]
    acts = isinstance(statement, ast.AugAssign) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    )
    if isinstance(statement, ast.Assign):
        acts = all(
            isinstance(target, ast.Attribute | ast.Subscript) for target in statement.targets
        )
    if acts:
        yield "left out", _replace_by_pass(statement)


def _replace_by_pass(statement: ast.stmt) -> Callable[[], Callable[[], None]]:
    """Return a change that turns the statement into `pass`, in place."""

    def apply() -> Callable[[], None]:
        old_class, old_fields = statement.__class__, dict(statement.__dict__)
        for key in statement._fields:
            delattr(statement, key)
        statement.__class__ = ast.Pass

        def undo() -> None:
            statement.__class__ = old_class
            statement.__dict__.update(old_fields)

        return undo

    return apply


def _statement_changes(
    statement: ast.stmt, numbers: Callable[[ast.expr], bool]
) -> Iterator[Change]:
    """Yield the mutations of the expressions of one statement."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return
    if isinstance(statement, ast.AugAssign) and type(statement.op) in ARITHMETIC:
        yield "arithmetic", _set(statement, "op", ARITHMETIC[type(statement.op)]())
    if isinstance(statement, ast.If | ast.While) and not isinstance(statement.test, ast.Compare):
        yield "condition", _set(statement, "test", _negated(statement.test))
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
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.expr):
                holder = value if isinstance(value, list) else statement
                key = index if isinstance(value, list) else name
                yield from _in_expression(holder, child, numbers, key)
            elif isinstance(child, ast.withitem):
                yield from _in_expression(child, child.context_expr, numbers, "context_expr")


def _negated(test: ast.expr) -> ast.expr:
    """Return the negation of a condition."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


# --- Expressions ---------------------------------------------------------------------------


def _in_expression(
    holder: Any, node: ast.expr, numbers: Callable[[ast.expr], bool], key: Any = None
) -> Iterator[Change]:
    """Yield the mutations of an expression and of all its parts."""
    if key is None:  # the default of a parameter
        holder, key = next(
            (values, values.index(node))
            for values in (holder.defaults, holder.kw_defaults)
            if node in values
        )
    yield from _node_changes(holder, key, node, numbers)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            for index, child in enumerate(value):
                if index == 0 and _is_grid(node):
                    continue  # its name, which appears only in internal errors
                if isinstance(child, ast.expr):
                    yield from _in_expression(value, child, numbers, index)
                elif (
                    isinstance(child, ast.keyword) and child.arg != "strict"
                ):  # a guard, not a rule
                    yield from _in_expression(child, child.value, numbers, "value")
                elif isinstance(child, ast.comprehension):
                    yield from _in_expression(child, child.iter, numbers, "iter")
                    for number, test in enumerate(child.ifs):
                        yield from _in_expression(child.ifs, test, numbers, number)
        elif isinstance(value, ast.expr) and name != "format_spec":
            yield from _in_expression(node, value, numbers, name)


def _node_changes(
    holder: Any, key: Any, node: ast.expr, numbers: Callable[[ast.expr], bool]
) -> Iterator[Change]:
    """Yield the mutations of a node itself."""
    if isinstance(node, ast.Constant):
        for other in _other_constants(node.value):
            yield "constant", _set(node, "value", other)
    elif isinstance(node, ast.Compare):
        for index, op in enumerate(node.ops):
            yield "comparison", _set(node.ops, index, COMPARISONS[type(op)]())
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _is_parity(holder):
        yield "arithmetic", _set(node, "op", ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield "and, or", _set(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "sign", _set(holder, key, node.operand)
    elif isinstance(node, ast.IfExp) and not isinstance(node.test, ast.Compare):
        yield "condition", _set(node, "test", _negated(node.test))
    elif isinstance(node, ast.Call):
        yield from _argument_swaps(node)
    elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield from _name_changes(holder, key, node, numbers)


def _is_grid(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Grid"


def _is_parity(holder: Any) -> bool:
    """Return whether this is a remainder by 2, for which plus and minus are the same."""
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


def _argument_swaps(call: ast.Call) -> Iterator[Change]:
    """Swap two neighboring arguments where their order can matter."""
    if isinstance(call.func, ast.Name) and call.func.id in ("min", "max"):
        return
    for index in range(len(call.args) - 1):
        first, second = call.args[index : index + 2]
        standing = isinstance(first, ast.Name) and first.id in FIXED_ARGUMENTS
        starred = isinstance(first, ast.Starred) or isinstance(second, ast.Starred)
        if not standing and not starred and ast.dump(first) != ast.dump(second):
            yield (
                "swapped",
                _set(call, "args", [*call.args[:index], second, first, *call.args[index + 2 :]]),
            )


def _name_changes(
    holder: Any, key: Any, node: ast.Name | ast.Attribute, numbers: Callable[[ast.expr], bool]
) -> Iterator[Change]:
    """Replace a name by its counterpart, or a numeric constant by itself plus one."""
    name = node.id if isinstance(node, ast.Name) else node.attr
    if name in COUNTERPARTS:
        yield "twin", _set(node, "id" if isinstance(node, ast.Name) else "attr", COUNTERPARTS[name])
    elif name.isupper() and numbers(node):
        more = ast.BinOp(node, ast.Add(), ast.Constant(1))
        yield (
            "constant",
            _set(holder, key, ast.fix_missing_locations(ast.copy_location(more, node))),
        )


def _set(holder: Any, key: Any, value: Any) -> Callable[[], Callable[[], None]]:
    """Return a change that puts a value into a node or a list."""

    def put(new_value: Any) -> None:
        if isinstance(holder, list):
            holder[key] = new_value
        else:
            setattr(holder, key, new_value)

    def apply() -> Callable[[], None]:
        old_value = holder[key] if isinstance(holder, list) else getattr(holder, key)
        put(value)
        return lambda: put(old_value)

    return apply
