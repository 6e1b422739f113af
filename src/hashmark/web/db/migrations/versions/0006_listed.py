"""Visibility of tables and jobs as a column; flags are booleans; rows belong to existing rows.

Until now, a table was listed if its settings said so in JSON, and a job unless its type or one of
its settings made it private.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

FLAGS = {  # by table; all were integers
    "works": ("stopping",),
    "work_files": ("brought",),
    "leagues": ("listed",),
    "fixtures": ("neutral", "ready"),
}
FOREIGN_KEYS = {  # table: its column, and the column that this names
    "lines": ("table_id", "tables.id"),
    "seats": ("table_id", "tables.id"),
    "invitations": ("table_id", "tables.id"),
    "askers": ("work", "works.key"),
    "entrants": ("league_id", "leagues.id"),
    "fixtures": ("league_id", "leagues.id"),
    "passes": ("league_id", "leagues.id"),
}


def upgrade() -> None:
    for name in ("tables", "works"):
        column = sa.Column("listed", sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column(name, column)
    _fill_listed()
    for table in sorted({*FLAGS, *FOREIGN_KEYS}):
        _alter(table)


def _fill_listed() -> None:
    tables, works = (
        sa.table(name, *map(sa.column, ("listed", "kind", "settings")))
        for name in ("tables", "works")
    )
    is_listed = tables.c.settings.like('%"listed": true%')
    op.execute(sa.update(tables).where(is_listed).values(listed=sa.true()))
    is_private = sa.or_(
        works.c.kind == "charts",
        sa.and_(works.c.kind == "season", works.c.settings.like('%"charts": %')),
        sa.and_(works.c.kind == "whatif", works.c.settings.like('%"plan": %')),
    )
    op.execute(sa.update(works).where(~is_private).values(listed=sa.true()))


def _alter(name: str) -> None:
    """Change flags and add the foreign key; rows that belong to nothing are unreachable and go."""
    with op.batch_alter_table(name) as batch:
        for flag in FLAGS.get(name, ()):
            batch.alter_column(
                flag,
                type_=sa.Boolean,
                existing_type=sa.Integer,
                existing_nullable=False,
                postgresql_using=f"{flag} <> 0",
            )
        if name in FOREIGN_KEYS:
            column, target = FOREIGN_KEYS[name]
            parent, key = target.split(".")
            op.execute(f"delete from {name} where {column} not in (select {key} from {parent})")
            batch.create_foreign_key(
                f"{name}_{column}_fkey", parent, [column], [key], ondelete="CASCADE"
            )
