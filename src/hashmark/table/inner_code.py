"""Code that is only ever called by other compiled code is not finished on its own.

A rule set is some hundreds of small functions, and Numba compiles each as if Python might call
it: every one is linked and optimised together with all that it calls, and turned into machine code,
which nobody uses, since the loop that calls them all links their code in and is optimised as a
whole. Here inner functions stay as they are, and the loop that Python calls links each of them in
once.

They keep the linkage that Numba gives them. Made the loop's own (`internal`) the compiler could do
more with them in less time, but a loop then ended in a segmentation fault: a function was called
with other arguments than those it was made for.
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
    _whole: Any = None

    def finalize(self) -> None:
        """Finish what Python calls, with all that it calls; the rest waits for that."""
        if self._is_called_by_python():
            self._linking_libraries = [_Alone(library) for library in _called_by(self)]
            super().finalize()
            return
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = self._unfinished = True

    def _get_module_for_linking(self) -> Any:
        """The code for whoever links it in elsewhere, who knows nothing of what it calls."""
        if not self._unfinished:
            return super()._get_module_for_linking()
        if self._whole is None:
            self._whole = self.alone().clone()
            for library in _called_by(self):
                self._whole.link_in(_Alone(library)._get_module_for_linking(), preserve=True)
        return self._whole

    def alone(self) -> Any:
        """The code of this function without what it calls."""
        return super()._get_module_for_linking()

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


def _called_by(library: Any) -> list[Any]:
    """All that a function calls, itself and by others, each once."""
    found: dict[Any, None] = {}
    waiting = [library]
    while waiting:
        for called in waiting.pop()._linking_libraries:
            if called not in found:
                found[called] = None
                if getattr(called, "_unfinished", False):  # else all that it calls is in it
                    waiting.append(called)
    return list(found)


class _Alone:
    """A library as a loop links it in: without what it calls, if that is linked in beside it."""

    def __init__(self, library: Any) -> None:
        self._library, self._reload_init = library, library._reload_init

    def _get_module_for_linking(self) -> Any:
        library = self._library
        unfinished = getattr(library, "_unfinished", False)
        return library.alone() if unfinished else library._get_module_for_linking()


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
