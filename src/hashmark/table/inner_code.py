"""Code that is only ever called by other compiled code is not finished on its own.

A rule set is some hundreds of small functions, and Numba compiles each as if Python might call
it: every one is optimised together with all that it calls, and turned into machine code, which
nobody uses, since the loop that calls them all links their code in and is optimised as a whole.
Here the inner functions are left as they were before that, and only what Python calls is
finished. That saves a third of the time of a small game and almost half of a large one; the
code that comes out is as quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

CALLED_BY_PYTHON = "_ZN7cpython"  # how the name of a wrapper begins that Python can call


class InnerCode(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function; finished only if Python can call it."""

    @property
    def _is_inner(self) -> bool:
        found = self._final_module.functions
        return not any(
            one.name.startswith(CALLED_BY_PYTHON) and not one.is_declaration for one in found
        )

    def finalize(self) -> None:
        """Link in what is called; the rest is left to whoever links this in."""
        if not self._is_inner:
            super().finalize()
            return
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> Any:
        """None: there is no machine code."""
        if not self._is_inner:
            return super().get_pointer_to_function(name)
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return _NoEnvironment(self._codegen) if self._is_inner else self._codegen


class _NoEnvironment:
    """A code generator that sets no environment: there is no machine code that could use it."""

    def __init__(self, whole: Any) -> None:
        self._whole = whole

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to do."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)


@contextmanager
def left_unfinished() -> Iterator[None]:
    """For a while, inner functions are not finished; nobody else can compile meanwhile."""
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        usual = codegen._library_class
        codegen._library_class = InnerCode
        try:
            yield
        finally:
            codegen._library_class = usual
