"""What the tests of the command share with those of the league."""

from league.conftest import league_folder

__all__ = ["league_folder"]
