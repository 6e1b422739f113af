"""What-ifs: a team's plan changed, the same schedule and the same luck otherwise.

Changes of plans, the trial that plays them, searches for the best plan, and what is left of it
when the opponents answer.
"""
