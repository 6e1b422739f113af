"""Several servers on one database: version, writer and lease of a table, presence of players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("writer", sa.String(32), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("lease", sa.Float, nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("seen", sa.Float, nullable=True))
