"""Conformance kit: the checks that every rule set must pass, and golden playthroughs.

from hashmark.conformance import CHECKS, ConformanceKit
CHECKS["plain equals compiled"](ConformanceKit("fourth-down"))
"""

from hashmark.conformance.checks import CHECKS
from hashmark.conformance.kit import ConformanceKit, Violation

__all__ = ["CHECKS", "ConformanceKit", "Violation"]
