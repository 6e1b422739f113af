"""Fuzzers for hostile input of every kind, with a seed, a budget and saved cases."""
