"""What the page answers about real teams: seasons, teams, what-ifs, and leagues among friends.

Values and pages of them, nothing of a server: `web` asks, keeps and shows.
"""
