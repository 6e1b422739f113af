"""Leagues with their teams, games and invitations; calendar feeds; table summaries.

The summary of a table says which team is to act, since when, and the score.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tables", sa.Column("asked", sa.Integer, nullable=False, server_default="-1"))
    op.add_column("tables", sa.Column("asked_at", sa.Float, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("score", sa.String(16), nullable=False, server_default=""))
    op.create_table(
        "leagues",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("stage", sa.String(8), nullable=False, index=True),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("commissioner", sa.String(64), nullable=False, index=True),
        sa.Column("caller", sa.String(64), nullable=False, index=True),
        sa.Column("listed", sa.Integer, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False, index=True),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("due", sa.Float, nullable=True),
        sa.Column("ahead", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
    )
    op.create_table(
        "entrants",
        sa.Column("league_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("coach", sa.String(80), nullable=False),
        sa.Column("holder", sa.String(64), nullable=False, index=True),
        sa.Column("friend", sa.Text, nullable=False),
    )
    op.create_table(
        "fixtures",
        sa.Column("league_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("stage", sa.String(8), nullable=False),
        sa.Column("home", sa.Integer, nullable=False),
        sa.Column("away", sa.Integer, nullable=False),
        sa.Column("neutral", sa.Integer, nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False, index=True, unique=True),
        sa.Column("home_points", sa.Integer, nullable=True),
        sa.Column("away_points", sa.Integer, nullable=True),
        sa.Column("ready", sa.Integer, nullable=False, index=True),
        sa.Column("claimed", sa.Float, nullable=False),
    )
    op.create_table(
        "passes",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("league_id", sa.String(32), nullable=False, index=True),
        sa.Column("team", sa.Integer, nullable=False),
    )
    op.create_table(
        "feeds",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False, index=True),
        sa.Column("made", sa.Float, nullable=False),
    )
