"""The table: what every game shares, and what the readers of a rulebook stand on."""
