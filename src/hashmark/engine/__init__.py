"""The engine: records, dice, effects, events, rule sets and games; what every reader uses."""
