"""Functions made from source lines."""

from __future__ import annotations

from hashmark.engine.codegen import make_function


def test_a_function_uses_the_names_it_is_given() -> None:
    add = make_function("add", "a, b=1", ["    return a + b + offset"], offset=10)
    assert add.__name__ == "add"
    assert (add(1), add(1, 2)) == (12, 13)
