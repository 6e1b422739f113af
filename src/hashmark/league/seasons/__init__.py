"""Season replays: a real schedule played many times, with standings, playoffs and champions.

This package also holds the game engine that seasons, what-ifs and validation share: the options of
a game, its matches and the compiled loop that plays them.
"""
