"""What-ifs: a team's plan changed, with the same schedule and otherwise the same luck.

The package holds plan changes, the trial that plays them, searches for the best plan, and the part
of a gain that remains when the opponents respond.
"""
