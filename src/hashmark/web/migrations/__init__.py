"""Steps from one shape of the database to the next, for Alembic; `web.migrating` takes them."""
