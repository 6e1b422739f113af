"""Checks: how true the charts and plans of a season are, against what happened.

The real schedule simulated and laid beside the real figures, and the test that cannot be passed
by heart: odd weeks predict even weeks.
"""
