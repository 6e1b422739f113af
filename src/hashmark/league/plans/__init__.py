"""Plans: how every team of a season really called, as game plans.

Counts of real calls become shares by situation; what play-by-play does not show, such as
formations, is filled in by a table that is the same for every team.
"""
