"""The engine: records, dice, effects, events, rule sets and games, used by every reader of rules."""
