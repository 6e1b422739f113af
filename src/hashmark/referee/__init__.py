"""Conformance kit: the checks that every rule set must pass, and golden playthroughs.

from hashmark.conformance import CHECKS, ConformanceKit
CHECKS["plain equals compiled"](ConformanceKit("fourth-down"))
"""

from hashmark.referee.checks import CHECKS
from hashmark.referee.referee import Foul, Referee

__all__ = ["CHECKS", "Foul", "Referee"]
