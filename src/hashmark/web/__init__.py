"""The table on a web page: the same sittings, kept in a database, for browsers and programs."""
