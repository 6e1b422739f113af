"""Game sessions: seats, pending input, event feed, views, logs, replays and scenarios."""
