"""Odds: the exact distribution of what a call leads to."""

from hashmark.odds.outlook import Outcome, Outlook, comparison, outlook

__all__ = ["Outcome", "Outlook", "comparison", "outlook"]
