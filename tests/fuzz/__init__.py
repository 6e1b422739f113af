"""Fuzzers: hostile input of every kind, with a seed, a budget, and cases kept for good."""
