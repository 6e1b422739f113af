"""Leagues among friends: fixtures, standings, storage, games that coaches play out, and feeds."""
