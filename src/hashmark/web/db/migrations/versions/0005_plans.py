"""Saved game plans."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "plans",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("team", sa.String(8), nullable=False),
        sa.Column("caller", sa.String(64), nullable=False, index=True),
        sa.Column("made", sa.Float, nullable=False),
    )
