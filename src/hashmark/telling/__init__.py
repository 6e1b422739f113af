"""The telling: a game as text and pictures, whoever shows it.

Games bring their words (`RuleSet.words`); here they are put together: the scoreboard, the
field, play-by-play, box score, drives, tables in plain text, and the frame of a page.
"""
