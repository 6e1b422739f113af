"""Numba: compiled effects, dispatch of rules, registration of loops, and the cache of compiled code."""
