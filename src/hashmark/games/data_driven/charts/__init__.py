"""Charts: the notation of a cell, the files they come from, where they lie in a match.

Rules read them through `lookups`; people read them as team sheets and figures.
"""
