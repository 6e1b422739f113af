"""Mutants: small faults put into the games on purpose, to see whether a test notices.

    PYTHONPATH=tests python -m mutants --rules fourth-down

`operators` makes the faults, `checks` are what must notice them, `surgery` puts a fault into a
running Python, `hunt` lets the one loose on the other and keeps the score. Everything is loaded
once; each mutant lives in a forked child.
"""
