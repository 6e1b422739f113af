"""Rendering of a game as text, for any user interface.

Games provide their texts (`RuleSet.words`); this package combines them: the scoreboard, the field,
play-by-play, box score, drives, and tables in plain text.
"""
