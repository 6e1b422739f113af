"""Environments for research: one game behind Gymnasium, PettingZoo, OpenSpiel and arrays.

Each is a module that is imported by its name; nothing of the libraries is loaded before that.
"""
