"""Web server: game sessions stored in a database, for browsers and programs."""
