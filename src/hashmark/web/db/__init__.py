"""The database of a server: connection, schema, migrations, preflight check, several servers."""
