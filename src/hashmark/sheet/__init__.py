"""Score sheets: what is on them (`document`), and how they come to paper and screens.

A game describes its sheet as a `Document`; `text`, `html` and `pdf` render any document.
"""
