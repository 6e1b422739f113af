"""Simulation: games by the million, compiled, seeded and in constant memory."""

from hashmark.sim.results import Estimate, Result, Totals
from hashmark.sim.run import simulate

__all__ = ["Estimate", "Result", "Totals", "simulate"]
