"""Code generation: functions made from source lines, for code that depends on a declaration."""

from __future__ import annotations

from typing import Any


def make_function(name: str, arguments: str, lines: list[str], **known: Any) -> Any:
    """Compile source lines into a function that may use the `known` names."""
    namespace: dict[str, Any] = dict(known)
    exec(compile(f"def {name}({arguments}):\n" + "\n".join(lines), f"<{name}>", "exec"), namespace)
    return namespace[name]
