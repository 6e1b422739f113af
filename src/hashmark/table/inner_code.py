"""Code that is only ever called by other compiled code is not finished on its own.

A rule set is some hundreds of small functions, and Numba compiles each as if Python might call
it: every one is optimised together with all that it calls, and turned into machine code, which
nobody uses, since the loop that calls them all links their code in and is optimised as a whole.
Here the inner functions are only put in line with what they call, and what Python calls is
finished as ever. That saves a third of the time, and the code that comes out is as quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUTargetOptions
from numba.core.registry import cpu_target

CALLED_BY_PYTHON = "_ZN7cpython"  # how the name of a wrapper begins that Python can call


class InnerCode(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function; finished only if Python can call it."""

    _unfinished = False

    def finalize(self) -> None:
        """Link in what is called; the rest is left to whoever links this in."""
        if self._is_called_by_python():
            super().finalize()
            return
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._put_in_line()
        self._finalize_dynamic_globals()
        self._finalized = self._unfinished = True

    def _put_in_line(self) -> None:
        """The cheap half of what Numba does: small functions go into those that call them."""
        generator = self._codegen
        passes, builder = generator._module_pass_manager(
            loop_vectorize=generator._loopvect,
            slp_vectorize=False,
            opt=generator._opt_level,
            cost="cheap",
        )
        passes.run(self._final_module, builder)

    def _is_called_by_python(self) -> bool:
        return any(
            one.name.startswith(CALLED_BY_PYTHON) and not one.is_declaration
            for one in self._final_module.functions
        )

    def get_pointer_to_function(self, name: str) -> Any:
        """The address of machine code, or 0 where there is none."""
        self._ensure_finalized()
        return 0 if self._unfinished else super().get_pointer_to_function(name)

    @property
    def codegen(self) -> Any:
        return _NoEnvironment(self._codegen) if self._unfinished else self._codegen


class _NoEnvironment:
    """A code generator that sets no environment: there is no machine code that could use it."""

    def __init__(self, whole: Any) -> None:
        self._whole = whole

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to do."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)


class _Judged(CPUTargetOptions):  # type: ignore[misc]
    """Options of functions that are put in line if they say so, and not since their callers do."""

    def finalize(self, flags: Any, options: Any) -> None:
        """What is set for one function."""
        super().finalize(flags, options)
        if not options.get("forceinline"):
            flags.forceinline = False


@contextmanager
def left_unfinished(in_line: bool = True) -> Iterator[None]:
    """For a while, inner functions are not finished; nobody else can compile meanwhile.

    With `in_line` the rules that a loop calls are put in line wherever they are called, as Numba
    does it; else the compiler judges.
    """
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        usual = codegen._library_class, cpu_target.options
        codegen._library_class = InnerCode
        if not in_line:
            cpu_target.options = _Judged
        try:
            yield
        finally:
            codegen._library_class, cpu_target.options = usual
