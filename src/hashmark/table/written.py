"""Functions made from lines of source, for code that depends on a declaration."""

from __future__ import annotations

from typing import Any


def written(name: str, arguments: str, lines: list[str], **known: Any) -> Any:
    """A function of these lines, which may use the names that are known."""
    space: dict[str, Any] = dict(known)
    exec(compile(f"def {name}({arguments}):\n" + "\n".join(lines), f"<{name}>", "exec"), space)
    return space[name]
