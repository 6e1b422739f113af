"""Alembic migrations of the database; `web.db.migrate` applies them."""
