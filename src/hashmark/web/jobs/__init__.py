"""Background jobs: their types, the queue in the database, worker processes, and uploads."""
