"""Chart building: from the plays of a season to the charts of its teams .

The method is explained in docs/explanation/chart-building.md.

Plays are counted into columns, shrunk to the league average where the sample is small, adjusted
for opponents, and quantized onto the dice.
"""
