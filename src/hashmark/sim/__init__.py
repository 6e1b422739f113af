"""Simulation of millions of games: compiled, seeded and in constant memory."""

from hashmark.sim.results import Estimate, Result, Share, Totals
from hashmark.sim.run import simulate

__all__ = ["Estimate", "Result", "Share", "Totals", "simulate"]
