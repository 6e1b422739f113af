"""Public Python API, imported as `hashmark`: play, odds, best calls, simulation, seasons, what-ifs.

The names that users may import are listed in `hashmark/__init__.py`; they are imported on demand,
so that `import hashmark` is fast and needs no extra.
"""
