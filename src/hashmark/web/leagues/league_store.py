"""Database storage of leagues, with optimistic locking.

A league is read as a whole, changed as a value, and written back only if its version is unchanged.
All methods block on the database, so call them on a thread.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from hashmark.web.db.connection import begin_write
from hashmark.web.db.schema import ENTRANTS, FIXTURES, LEAGUES, PASSES, TABLES
from hashmark.web.leagues.league import CLOSED, OPEN, PLAYING, Entrant, League, LeagueGame, Terms
from hashmark.web.leagues.league_state import TableStatus
from hashmark.web.leases import RELEASED, new_lease
from hashmark.web.tables.table_store import NOT_STARTED, OVER, InvitationUsed, TableStore
from hashmark.web.tables.write_batcher import WriteFailed

MAX_ATTEMPTS = 50  # attempts to change a league
MAX_LISTED = 30
MAX_CLAIMABLE_GAMES = 500
ANY_FREE_TEAM = -1  # an invitation to any free team


@dataclass(frozen=True)
class ClaimableGame:
    """Game that coaches may play."""

    league: str
    number: int
    table: str
    claim: float  # lease of the server that plays it, see `leases`


class LeagueStore:
    """Stored leagues."""

    def __init__(self, store: TableStore) -> None:
        self.engine = store.engine

    # --- Reading ---------------------------------------------------------------------------

    def find(self, key: str) -> League | None:
        """Return a stored league, or None."""
        with self.engine.connect() as connection:
            row = connection.execute(select(LEAGUES).where(LEAGUES.c.id == key)).first()
            return None if row is None else _league_from_row(connection, row)

    def list_leagues(self, holder: str = "") -> list[dict[str, Any]]:
        """Return the newest leagues: the holder's own, or all public ones."""
        columns = (LEAGUES.c.id, LEAGUES.c.title, LEAGUES.c.stage, LEAGUES.c.terms)
        query = select(*columns, LEAGUES.c.round, LEAGUES.c.due, LEAGUES.c.touched)
        if holder:
            joined = select(ENTRANTS.c.league_id).where(ENTRANTS.c.holder == holder)
            is_involved = or_(LEAGUES.c.commissioner == holder, LEAGUES.c.id.in_(joined))
            query = query.where(is_involved, LEAGUES.c.stage != CLOSED)
        else:
            query = query.where(LEAGUES.c.listed, LEAGUES.c.stage != CLOSED)
        query = query.order_by(LEAGUES.c.touched.desc()).limit(MAX_LISTED)
        with self.engine.connect() as connection:
            return [dict(row._mapping) for row in connection.execute(query)]

    def count_open_leagues(self, caller: str) -> tuple[int, int]:
        """Return the number of open leagues of this caller, and of all callers."""
        query = select(func.count()).where(LEAGUES.c.stage.in_((OPEN, PLAYING)))
        with self.engine.connect() as connection:
            total = int(connection.execute(query).scalar_one())
            own = connection.execute(query.where(LEAGUES.c.caller == caller)).scalar_one()
        return int(own), total

    def new_results(self, key: str) -> dict[int, tuple[int, int]]:
        """Return the scores of finished tables that the league has not recorded yet."""
        query = (
            select(FIXTURES.c.number, TABLES.c.score)
            .join(TABLES, TABLES.c.id == FIXTURES.c.table_id)
            .where(
                FIXTURES.c.league_id == key,
                FIXTURES.c.home_points.is_(None),
                TABLES.c.stage == OVER,
            )
        )
        with self.engine.connect() as connection:
            return {int(number): parse_score(score) for number, score in connection.execute(query)}

    def table_statuses(self, key: str) -> dict[str, TableStatus]:
        """Return the status of existing tables whose games have no result yet, by table ID."""
        query = (
            select(TABLES.c.id, TABLES.c.stage, TABLES.c.said, TABLES.c.asked)
            .join(FIXTURES, TABLES.c.id == FIXTURES.c.table_id)
            .where(FIXTURES.c.league_id == key, FIXTURES.c.home_points.is_(None))
        )
        with self.engine.connect() as connection:
            return {
                str(row.id): TableStatus(row.stage != NOT_STARTED, row.said, row.asked)
                for row in connection.execute(query)
            }

    def due_leagues(self, now: float) -> list[str]:
        """Return the leagues that are overdue or have unrecorded results."""
        overdue = select(LEAGUES.c.id).where(LEAGUES.c.stage == PLAYING, LEAGUES.c.due <= now)
        unrecorded = (
            select(FIXTURES.c.league_id)
            .join(TABLES, TABLES.c.id == FIXTURES.c.table_id)
            .join(LEAGUES, LEAGUES.c.id == FIXTURES.c.league_id)
            .where(
                FIXTURES.c.home_points.is_(None),
                TABLES.c.stage == OVER,
                LEAGUES.c.stage == PLAYING,
            )
        )
        with self.engine.connect() as connection:
            keys = [
                *connection.execute(overdue).scalars(),
                *connection.execute(unrecorded).scalars(),
            ]
        return sorted({str(key) for key in keys})

    def ready_games(self) -> list[ClaimableGame]:
        """Return games that coaches may play, claimed or not."""
        query = (
            select(FIXTURES.c.league_id, FIXTURES.c.number, FIXTURES.c.table_id, FIXTURES.c.claimed)
            .join(LEAGUES, LEAGUES.c.id == FIXTURES.c.league_id)
            .where(FIXTURES.c.ready, LEAGUES.c.stage == PLAYING)
            .order_by(LEAGUES.c.touched, FIXTURES.c.number)
            .limit(MAX_CLAIMABLE_GAMES)
        )
        with self.engine.connect() as connection:
            return [ClaimableGame(*row) for row in connection.execute(query)]

    # --- Changing --------------------------------------------------------------------------

    def add(self, league: League, caller: str, now: float) -> None:
        """Store a new league."""
        with begin_write(self.engine) as connection:
            connection.execute(
                insert(LEAGUES),
                {**_row_values(league), "id": league.id, "caller": caller, "touched": now},
            )
            _write_parts(connection, None, league)

    def change(
        self,
        key: str,
        now: float,
        act: Callable[[League], League],
        seated_team: int | None = None,
        used_digest: str = "",
    ) -> League | None:
        """Apply a change and return the changed league; None if there is no such league.

        An unchanged league is not written. The change voids all invitations to `seated_team`. The
        invitation with the digest `used_digest` must still exist; it is consumed.
        """
        for _ in range(MAX_ATTEMPTS):
            old = self.find(key)
            if old is None:
                return None
            new = act(old)
            if new == old and seated_team is None:
                return old
            new = replace(new, version=old.version + 1)
            statement = update(LEAGUES).where(LEAGUES.c.id == key, LEAGUES.c.version == old.version)
            with begin_write(self.engine) as connection:
                if (
                    connection.execute(statement, {**_row_values(new), "touched": now}).rowcount
                    == 1
                ):
                    _write_parts(connection, old, new)
                    _void_invitations(connection, key, seated_team, used_digest)
                    return new
        raise WriteFailed("this league is busy: try again")

    def claim(self, game: ClaimableGame) -> ClaimableGame | None:
        """Claim a game for this server; return None if another server was faster."""
        claimed = replace(game, claim=new_lease())
        return claimed if self._update_claim(game, claimed.claim) else None

    def release(self, game: ClaimableGame) -> None:
        """Give up this server's claim on a game."""
        self._update_claim(game, RELEASED)

    def _update_claim(self, game: ClaimableGame, claim: float) -> bool:
        """Change the claim on a game unless another server has changed it; return whether."""
        statement = update(FIXTURES).where(
            FIXTURES.c.league_id == game.league,
            FIXTURES.c.number == game.number,
            FIXTURES.c.claimed == game.claim,
        )
        if claim != RELEASED:
            statement = statement.where(FIXTURES.c.ready)
        with begin_write(self.engine) as connection:
            return bool(connection.execute(statement.values(claimed=claim)).rowcount == 1)

    # --- Invitations -----------------------------------------------------------------------

    def add_invitation(self, digest: str, key: str, team: int) -> None:
        """Store an invitation; it replaces earlier ones to the same team or group."""
        with begin_write(self.engine) as connection:
            connection.execute(
                delete(PASSES).where(PASSES.c.league_id == key, PASSES.c.team == team)
            )
            connection.execute(insert(PASSES), {"digest": digest, "league_id": key, "team": team})

    def find_invitation(self, digest: str) -> tuple[str, int] | None:
        """Return the league and the team of an invitation."""
        query = select(PASSES.c.league_id, PASSES.c.team).where(PASSES.c.digest == digest)
        with self.engine.connect() as connection:
            row = connection.execute(query).first()
        return None if row is None else (str(row[0]), int(row[1]))


def parse_score(score: str) -> tuple[int, int]:
    """Parse the score of a table's row."""
    home, _, away = score.rpartition("-")
    return int(home), int(away)


# --- Rows and values -----------------------------------------------------------------------------


def _league_from_row(connection: Connection, row: Row[Any]) -> League:
    values = dict(row._mapping)
    key = values["id"]
    entrants = connection.execute(
        select(ENTRANTS).where(ENTRANTS.c.league_id == key).order_by(ENTRANTS.c.number)
    )
    fixtures = connection.execute(
        select(FIXTURES).where(FIXTURES.c.league_id == key).order_by(FIXTURES.c.number)
    )
    return League(
        id=key,
        title=values["title"],
        terms=Terms(**json.loads(values["terms"])),
        commissioner=values["commissioner"],
        entrants=tuple(
            Entrant(item.number, item.name, item.code, item.coach, item.holder, item.friend)
            for item in entrants
        ),
        games=tuple(_game_from_row(item) for item in fixtures),
        made=values["made"],
        stage=values["stage"],
        listed=values["listed"],
        round=values["round"],
        began=values["began"],
        due=values["due"],
        ahead=values["ahead"],
        version=values["version"],
    )


def _game_from_row(row: Row[Any]) -> LeagueGame:
    score = None if row.home_points is None else (int(row.home_points), int(row.away_points))
    fields = (row.number, row.round, row.stage, row.home, row.away, row.neutral, row.table_id)
    return LeagueGame(*fields, score, row.ready)


def _row_values(league: League) -> dict[str, Any]:
    """Return the column values of a league."""
    return {
        "title": league.title,
        "stage": league.stage,
        "terms": json.dumps(vars(league.terms) | {"options": dict(league.terms.options)}),
        "commissioner": league.commissioner,
        "listed": league.listed,
        "made": league.made,
        "round": league.round,
        "began": league.began,
        "due": league.due,
        "ahead": league.ahead,
        "version": league.version,
    }


def _write_parts(connection: Connection, old: League | None, new: League) -> None:
    """Write the teams and games that are new or have changed."""
    for entrant in new.entrants:
        if old is None:
            connection.execute(insert(ENTRANTS), {"league_id": new.id, **vars(entrant)})
        elif entrant != old.entrants[entrant.number]:
            key = (ENTRANTS.c.league_id == new.id, ENTRANTS.c.number == entrant.number)
            connection.execute(
                update(ENTRANTS).where(*key), {"holder": entrant.holder, "friend": entrant.friend}
            )
    old_games = () if old is None else old.games
    new_rows = [
        {"league_id": new.id, **_fixture_values(game), **_result_values(game), "claimed": 0.0}
        for game in new.games[len(old_games) :]
    ]
    if new_rows:
        connection.execute(insert(FIXTURES), new_rows)
    for old_game, game in zip(old_games, new.games, strict=False):
        if game != old_game:
            key = (FIXTURES.c.league_id == new.id, FIXTURES.c.number == game.number)
            connection.execute(update(FIXTURES).where(*key), _result_values(game))


def _void_invitations(connection: Connection, key: str, team: int | None, used: str) -> None:
    """Delete the invitations to a team; raise Used if the one being used is gone."""
    if used and not connection.execute(delete(PASSES).where(PASSES.c.digest == used)).rowcount:
        raise InvitationUsed("this invitation is invalid or has already been used")
    if team is not None:
        connection.execute(delete(PASSES).where(PASSES.c.league_id == key, PASSES.c.team == team))


def _fixture_values(game: LeagueGame) -> dict[str, Any]:
    return {
        "number": game.number,
        "round": game.round,
        "stage": game.stage,
        "home": game.home,
        "away": game.away,
        "neutral": game.neutral,
        "table_id": game.table,
    }


def _result_values(game: LeagueGame) -> dict[str, Any]:
    home, away = game.score if game.score is not None else (None, None)
    return {"home_points": home, "away_points": away, "ready": game.ready}
