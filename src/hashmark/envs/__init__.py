"""Reinforcement learning environments: Gymnasium, PettingZoo, OpenSpiel and vectorized games.

Each is a module to be imported by name; no library is loaded before that.
"""
