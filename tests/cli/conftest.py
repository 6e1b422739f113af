"""Fixtures that the command tests share with the league tests."""

from league.conftest import league_folder

__all__ = ["league_folder"]
