"""Where leagues are kept: rows of the store's database, and of two changes at once only one counts.

A league is read as a whole, changed as a value, and written back if nobody else was quicker: its
version says so. Everything here waits for the database, so it is called on a thread.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from hashmark.club.league_state import OnTable
from hashmark.club.leagues import CLOSED, OPEN, PLAYING, Entrant, Game, League, Terms
from hashmark.web.database import to_write
from hashmark.web.journal import NotKept
from hashmark.web.schema import ENTRANTS, FIXTURES, LEAGUES, PASSES, TABLES
from hashmark.web.store import LAID, OVER, Store, Used

TRIES = 50  # to change a league, before it is given up
MOST_LISTED = 30
MOST_READY = 500
GROUP = -1  # an invitation to whichever team is free


@dataclass(frozen=True)
class Ready:
    """A game that coaches may play."""

    league: str
    number: int
    table: str
    claimed: float


class LeagueStore:
    """The rows of all leagues."""

    def __init__(self, store: Store) -> None:
        self.engine = store.engine

    # --- Reading ---------------------------------------------------------------------------

    def find(self, key: str) -> League | None:
        """A league as it is kept."""
        with self.engine.connect() as connection:
            row = connection.execute(select(LEAGUES).where(LEAGUES.c.id == key)).first()
            return None if row is None else _read(connection, row)

    def listed(self, holder: str = "") -> list[dict[str, Any]]:
        """The newest leagues: those that somebody has to do with, or all that are listed."""
        columns = (LEAGUES.c.id, LEAGUES.c.title, LEAGUES.c.stage, LEAGUES.c.terms)
        wanted = select(*columns, LEAGUES.c.round, LEAGUES.c.due, LEAGUES.c.touched)
        if holder:
            held = select(ENTRANTS.c.league_id).where(ENTRANTS.c.holder == holder)
            mine = or_(LEAGUES.c.commissioner == holder, LEAGUES.c.id.in_(held))
            wanted = wanted.where(mine, LEAGUES.c.stage != CLOSED)
        else:
            wanted = wanted.where(LEAGUES.c.listed == 1, LEAGUES.c.stage != CLOSED)
        wanted = wanted.order_by(LEAGUES.c.touched.desc()).limit(MOST_LISTED)
        with self.engine.connect() as connection:
            return [dict(row._mapping) for row in connection.execute(wanted)]

    def open_leagues(self, caller: str) -> tuple[int, int]:
        """How many leagues this caller has open, and how many there are."""
        wanted = select(func.count()).where(LEAGUES.c.stage.in_((OPEN, PLAYING)))
        with self.engine.connect() as connection:
            every = int(connection.execute(wanted).scalar_one())
            own = connection.execute(wanted.where(LEAGUES.c.caller == caller)).scalar_one()
        return int(own), every

    def results(self, key: str) -> dict[int, tuple[int, int]]:
        """How those games ended whose tables say so and whose league does not know yet."""
        wanted = (
            select(FIXTURES.c.number, TABLES.c.score)
            .join(TABLES, TABLES.c.id == FIXTURES.c.table_id)
            .where(
                FIXTURES.c.league_id == key,
                FIXTURES.c.home_points.is_(None),
                TABLES.c.stage == OVER,
            )
        )
        with self.engine.connect() as connection:
            return {int(number): read_score(score) for number, score in connection.execute(wanted)}

    def laid(self, key: str) -> dict[str, OnTable]:
        """The tables that are laid for games which the league has no result of, by their names."""
        wanted = (
            select(TABLES.c.id, TABLES.c.stage, TABLES.c.said, TABLES.c.asked)
            .join(FIXTURES, TABLES.c.id == FIXTURES.c.table_id)
            .where(FIXTURES.c.league_id == key, FIXTURES.c.home_points.is_(None))
        )
        with self.engine.connect() as connection:
            return {
                str(row.id): OnTable(row.stage != LAID, row.said, row.asked)
                for row in connection.execute(wanted)
            }

    def stirring(self, now: float) -> list[str]:
        """The leagues in which a date has passed, or a game has ended that they do not know."""
        late = select(LEAGUES.c.id).where(LEAGUES.c.stage == PLAYING, LEAGUES.c.due <= now)
        ended = (
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
            found = [*connection.execute(late).scalars(), *connection.execute(ended).scalars()]
        return sorted({str(one) for one in found})

    def ready(self, before: float) -> list[Ready]:
        """Games that coaches may play, and that nobody has begun with since then."""
        wanted = (
            select(FIXTURES.c.league_id, FIXTURES.c.number, FIXTURES.c.table_id, FIXTURES.c.claimed)
            .join(LEAGUES, LEAGUES.c.id == FIXTURES.c.league_id)
            .where(FIXTURES.c.ready == 1, FIXTURES.c.claimed < before, LEAGUES.c.stage == PLAYING)
            .order_by(LEAGUES.c.touched, FIXTURES.c.number)
            .limit(MOST_READY)
        )
        with self.engine.connect() as connection:
            return [Ready(*row) for row in connection.execute(wanted)]

    # --- Changing --------------------------------------------------------------------------

    def add(self, league: League, caller: str, now: float) -> None:
        """A new league."""
        with to_write(self.engine) as connection:
            connection.execute(
                insert(LEAGUES), {**_row(league), "id": league.id, "caller": caller, "touched": now}
            )
            _write_parts(connection, None, league)

    def change(
        self,
        key: str,
        now: float,
        act: Callable[[League], League],
        seated: int | None = None,
        used: str = "",
    ) -> League | None:
        """The league as it is then; None if there is none. What is the same is not written.

        With it all invitations to the team that was `seated` are void; one that is made use of,
        by its digest, must still be there.
        """
        for _ in range(TRIES):
            old = self.find(key)
            if old is None:
                return None
            new = act(old)
            if new == old and seated is None:
                return old
            new = replace(new, version=old.version + 1)
            mine = update(LEAGUES).where(LEAGUES.c.id == key, LEAGUES.c.version == old.version)
            with to_write(self.engine) as connection:
                if connection.execute(mine, {**_row(new), "touched": now}).rowcount == 1:
                    _write_parts(connection, old, new)
                    _void(connection, key, seated, used)
                    return new
        raise NotKept("too much happens in this league just now: try again")

    def claim(self, game: Ready, now: float) -> bool:
        """Whether a game that coaches may play is ours to be played."""
        mine = update(FIXTURES).where(
            FIXTURES.c.league_id == game.league,
            FIXTURES.c.number == game.number,
            FIXTURES.c.ready == 1,
            FIXTURES.c.claimed == game.claimed,
        )
        with to_write(self.engine) as connection:
            return bool(connection.execute(mine.values(claimed=now)).rowcount == 1)

    def release(self, game: Ready) -> None:
        """A game that was claimed is not played here after all."""
        mine = update(FIXTURES).where(
            FIXTURES.c.league_id == game.league, FIXTURES.c.number == game.number
        )
        with to_write(self.engine) as connection:
            connection.execute(mine.values(claimed=0.0))

    # --- Invitations -----------------------------------------------------------------------

    def invite(self, digest: str, key: str, team: int) -> None:
        """An invitation in place of those before it to the same team, or to the group."""
        with to_write(self.engine) as connection:
            connection.execute(
                delete(PASSES).where(PASSES.c.league_id == key, PASSES.c.team == team)
            )
            connection.execute(insert(PASSES), {"digest": digest, "league_id": key, "team": team})

    def invitation(self, digest: str) -> tuple[str, int] | None:
        """The league and the team that an invitation is for."""
        wanted = select(PASSES.c.league_id, PASSES.c.team).where(PASSES.c.digest == digest)
        with self.engine.connect() as connection:
            row = connection.execute(wanted).first()
        return None if row is None else (str(row[0]), int(row[1]))


def read_score(score: str) -> tuple[int, int]:
    """The points of both, as a table's row has them."""
    home, _, away = score.rpartition("-")
    return int(home), int(away)


# --- Rows and values -----------------------------------------------------------------------------


def _read(connection: Connection, row: Any) -> League:
    known = dict(row._mapping)
    key = known["id"]
    entrants = connection.execute(
        select(ENTRANTS).where(ENTRANTS.c.league_id == key).order_by(ENTRANTS.c.number)
    )
    fixtures = connection.execute(
        select(FIXTURES).where(FIXTURES.c.league_id == key).order_by(FIXTURES.c.number)
    )
    return League(
        id=key,
        title=known["title"],
        terms=Terms(**json.loads(known["terms"])),
        commissioner=known["commissioner"],
        entrants=tuple(
            Entrant(one.number, one.name, one.code, one.coach, one.holder, one.friend)
            for one in entrants
        ),
        games=tuple(_game(one) for one in fixtures),
        made=known["made"],
        stage=known["stage"],
        listed=bool(known["listed"]),
        round=known["round"],
        began=known["began"],
        due=known["due"],
        ahead=known["ahead"],
        version=known["version"],
    )


def _game(row: Any) -> Game:
    score = None if row.home_points is None else (int(row.home_points), int(row.away_points))
    where = (row.number, row.round, row.stage, row.home, row.away, bool(row.neutral), row.table_id)
    return Game(*where, score, bool(row.ready))


def _row(league: League) -> dict[str, Any]:
    """What of the row changes with the value."""
    return {
        "title": league.title,
        "stage": league.stage,
        "terms": json.dumps(vars(league.terms) | {"options": dict(league.terms.options)}),
        "commissioner": league.commissioner,
        "listed": int(league.listed),
        "made": league.made,
        "round": league.round,
        "began": league.began,
        "due": league.due,
        "ahead": league.ahead,
        "version": league.version,
    }


def _write_parts(connection: Connection, old: League | None, new: League) -> None:
    """The teams and games that are new, or that have changed."""
    for entrant in new.entrants:
        if old is None:
            connection.execute(insert(ENTRANTS), {"league_id": new.id, **vars(entrant)})
        elif entrant != old.entrants[entrant.number]:
            here = (ENTRANTS.c.league_id == new.id, ENTRANTS.c.number == entrant.number)
            connection.execute(
                update(ENTRANTS).where(*here), {"holder": entrant.holder, "friend": entrant.friend}
            )
    before = () if old is None else old.games
    fresh = [
        {"league_id": new.id, **_fixture(game), **_outcome(game), "claimed": 0.0}
        for game in new.games[len(before) :]
    ]
    if fresh:
        connection.execute(insert(FIXTURES), fresh)
    for was, game in zip(before, new.games, strict=False):
        if game != was:
            here = (FIXTURES.c.league_id == new.id, FIXTURES.c.number == game.number)
            connection.execute(update(FIXTURES).where(*here), _outcome(game))


def _void(connection: Connection, key: str, team: int | None, used: str) -> None:
    """Invitations to a team are void; refused if the one that is made use of was void before."""
    if used and not connection.execute(delete(PASSES).where(PASSES.c.digest == used)).rowcount:
        raise Used("this invitation is not valid, or was used already")
    if team is not None:
        connection.execute(delete(PASSES).where(PASSES.c.league_id == key, PASSES.c.team == team))


def _fixture(game: Game) -> dict[str, Any]:
    return {
        "number": game.number,
        "round": game.round,
        "stage": game.stage,
        "home": game.home,
        "away": game.away,
        "neutral": int(game.neutral),
        "table_id": game.table,
    }


def _outcome(game: Game) -> dict[str, Any]:
    home, away = game.score if game.score is not None else (None, None)
    return {"home_points": home, "away_points": away, "ready": int(game.ready)}
