"""Numba: compiled effects, dispatch of rules, registration of loops, cache of compiled code."""
