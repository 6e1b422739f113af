"""Odds: the exact distribution of what a call leads to."""

from hashmark.odds.outlook import Outcome, Outlook, outlook

__all__ = ["Outcome", "Outlook", "outlook"]
