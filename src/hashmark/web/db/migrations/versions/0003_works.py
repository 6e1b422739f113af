"""Background jobs: the queue, the requesters and the files of each job."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "works",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("program", sa.String(40), nullable=False),
        sa.Column("caller", sa.String(64), nullable=False, index=True),
        sa.Column("state", sa.String(8), nullable=False, index=True),
        sa.Column("stopping", sa.Integer, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("kept", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=True),
        sa.Column("page", sa.LargeBinary, nullable=True),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
        sa.Column("looked", sa.Float, nullable=False, index=True),
        sa.Column("until", sa.Float, nullable=True),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("worker", sa.String(64), nullable=False),
        sa.Column("lease", sa.Float, nullable=False),
    )
    op.create_table(
        "askers",
        sa.Column("work", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), primary_key=True, index=True),
        sa.Column("asked", sa.Float, nullable=False),
    )
    op.create_table(
        "work_files",
        sa.Column("work", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(120), primary_key=True),
        sa.Column("part", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("brought", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
