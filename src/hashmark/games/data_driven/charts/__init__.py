"""Charts: the notation of a cell, the chart files, and their layout in a match.

Rules read them through `lookups`; team sheets and figures show them to people.
"""
