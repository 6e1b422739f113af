"""The referee kit: what any rule set must stand, and golden playthroughs to read.

from hashmark.referee import CHECKS, Referee
CHECKS["plain equals compiled"](Referee("fourth-down"))
"""

from hashmark.referee.checks import CHECKS
from hashmark.referee.referee import Foul, Referee

__all__ = ["CHECKS", "Foul", "Referee"]
