"""Playing at a terminal, or from a script through standard input."""
