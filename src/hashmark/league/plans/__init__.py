"""Real game plans: how every team of a season actually called its plays.

Counts of real calls become shares by situation. What play-by-play does not record, such as
formations, comes from a table that is the same for every team.
"""
