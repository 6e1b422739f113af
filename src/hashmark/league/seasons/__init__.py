"""Seasons: a real schedule played again many times, its standings, playoffs and champions.

Here is the one game behind seasons, what-ifs and checks: its options, its matches and the
compiled loop that plays them.
"""
