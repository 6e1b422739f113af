"""Numba internals: compile functions that only compiled code calls without finishing them.

A rule set has hundreds of small functions, and Numba compiles each as if Python might call it: it
optimizes every one together with all of its callees and generates machine code that is never used,
because the loop that calls them all links their code in and is optimized as a whole. Here inner
functions are only inlined into their callers, and functions that Python calls are finished as
usual. This saves a third of the compile time, and the resulting code is as fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUTargetOptions
from numba.core.registry import cpu_target

PYTHON_WRAPPER_PREFIX = "_ZN7cpython"  # symbol prefix of wrappers that Python can call


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code library of one function; finished only if Python can call it."""

    _unfinished = False

    def finalize(self) -> None:
        """Link in the callees; leave code generation to the library that links this one."""
        if self._is_called_by_python():
            super().finalize()
            return
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._inline_callees()
        self._finalize_dynamic_globals()
        self._finalized = self._unfinished = True

    def _inline_callees(self) -> None:
        """Run the cheap half of Numba's passes, which inlines small functions."""
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
            function.name.startswith(PYTHON_WRAPPER_PREFIX) and not function.is_declaration
            for function in self._final_module.functions
        )

    def get_pointer_to_function(self, name: str) -> Any:
        """Return the address of the machine code, or 0 if there is none."""
        self._ensure_finalized()
        return 0 if self._unfinished else super().get_pointer_to_function(name)

    @property
    def codegen(self) -> Any:
        return _CodegenWithoutEnv(self._codegen) if self._unfinished else self._codegen


class _CodegenWithoutEnv:
    """Code generator that sets no environment, because no machine code uses it."""

    def __init__(self, codegen: Any) -> None:
        self._wrapped = codegen

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wrapped, name)


class _InlineOnRequestOptions(CPUTargetOptions):  # type: ignore[misc]
    """Target options that inline functions only if they ask for it themselves."""

    def finalize(self, flags: Any, options: Any) -> None:
        """Set the flags of one function."""
        super().finalize(flags, options)
        if not options.get("forceinline"):
            flags.forceinline = False


@contextmanager
def unfinished_inner_code(inline: bool = True) -> Iterator[None]:
    """Leave inner functions unfinished within this context; no other thread can compile meanwhile.

    With `inline`, the rules that a loop calls are inlined at every call, as Numba does; otherwise
    the compiler decides.
    """
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        previous = codegen._library_class, cpu_target.options
        codegen._library_class = InnerLibrary
        if not inline:
            cpu_target.options = _InlineOnRequestOptions
        try:
            yield
        finally:
            codegen._library_class, cpu_target.options = previous
