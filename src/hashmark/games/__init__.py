"""Games: one package for each rulebook; the registry finds a package by its name."""
