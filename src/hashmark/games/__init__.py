"""The games: one package for each rulebook, found by the registry through its name."""
