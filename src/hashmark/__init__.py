"""Hashmark: gridiron football dice games, played, simulated and solved."""

__version__ = "0.1.0"
