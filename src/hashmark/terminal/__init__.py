"""Terminal user interface, also usable from a script through standard input."""
