"""Charts: from the plays of a season to the charts of its teams (docs/chart-building.md).

Plays are counted into columns, held to the league's average where they are few, freed of the
opponents they were gained against, and laid on the dice.
"""
