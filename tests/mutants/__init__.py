"""Mutation testing: small faults put into the games on purpose, to see whether a test notices.

    PYTHONPATH=tests python -m mutants --rules fourth-down

`operators` makes the mutants, `checks` are what must notice them, `injection` puts a mutant into
the running Python, and `runner` runs the checks against the mutants and keeps the score. Everything
is loaded once; each mutant lives in a forked child.
"""
