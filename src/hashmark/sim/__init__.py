"""Simulation: games by the million, compiled, seeded and in constant memory."""
