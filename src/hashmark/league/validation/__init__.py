"""Validation: how well the charts and plans of a season reproduce what really happened.

The real schedule is simulated and compared with the real figures; an out-of-sample test fits on odd
weeks and scores on even weeks; and our forecasts compete with baselines on a scoreboard.
"""
