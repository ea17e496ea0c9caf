"""Tournaments in a database: their settings, and the results of their matches."""

from __future__ import annotations

import json
import weakref
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from gridarium.arena.match_result import MatchResult
from gridarium.arena.tournaments.scheduled_match import ScheduledMatch

try:
    import sqlalchemy as sa
except ImportError as error:
    raise ImportError("tournaments are stored with SQLAlchemy: pip install 'gridarium[arena]'") from error

TABLES = sa.MetaData()
TOURNAMENTS = sa.Table(
    "tournaments",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
    sa.Column("settings", sa.Text, nullable=False, comment="JSON"),
    sa.Column("created", sa.DateTime(timezone=True), nullable=False),
)
MATCHES = sa.Table(
    "matches",
    TABLES,
    sa.Column("tournament", sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("encounter", sa.Integer, nullable=False),
    sa.Column("seats", sa.Text, nullable=False, comment="JSON: the player in each seat, by number"),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("result", sa.Text, nullable=False, comment="JSON, see MatchResult"),
    sa.Column("finished", sa.DateTime(timezone=True), nullable=False),
)


IN_MEMORY: dict[str, Any] = {"poolclass": sa.StaticPool, "connect_args": {"check_same_thread": False}}
"""One connection for all threads: a database in memory is that of its connection."""


class ResultStore:
    """The tournaments in a database.

    Each result is committed by itself, so that nothing which has been added is lost when the process is killed.
    Connections are closed by `close`, or once nobody uses the store.

    Args:
        address: a file of SQLite, which is created, or an address of SQLAlchemy: `postgresql://...`; by default memory.

    Raises:
        ValueError: the database cannot be opened.
    """

    def __init__(self, address: str = "") -> None:
        given = address if "://" in address else f"sqlite:///{address}"
        try:
            self._engine = sa.create_engine(given, **(IN_MEMORY if given == "sqlite:///" else {}))
            weakref.finalize(self, self._engine.dispose)
            TABLES.create_all(self._engine)
        except (sa.exc.SQLAlchemyError, ImportError) as error:
            raise ValueError(f"{address} cannot be opened as a database: {error}") from error

    def open(self, name: str, settings: Mapping[str, Any]) -> int:
        """The number of a tournament, which is created unless it is there.

        Args:
            name: of the tournament.
            settings: plain data, whose order counts: results know players by their numbers.

        Raises:
            ValueError: there is a tournament of this name with other settings.
        """
        with self._engine.begin() as connection:
            row = connection.execute(sa.select(TOURNAMENTS).where(TOURNAMENTS.c.name == name)).one_or_none()
            if row is None:
                now = datetime.now(UTC)
                made = connection.execute(
                    TOURNAMENTS.insert().values(name=name, settings=json.dumps(settings), created=now)
                )
                assert made.inserted_primary_key is not None
                return int(made.inserted_primary_key[0])
        before, given = json.loads(row.settings), json.loads(json.dumps(settings))
        different = [
            key for key in {**before, **given} if json.dumps(before.get(key)) != json.dumps(given.get(key))
        ]
        if different:
            lines = [f"{key}: {before.get(key)!r} there, {given.get(key)!r} here" for key in different]
            raise ValueError(
                f"the database has a tournament {name!r} with other settings; give another name, or the same settings\n"
                + "\n".join(lines)
            )
        return int(row.id)

    def settings(self, name: str) -> dict[str, Any] | None:
        """The settings of a tournament; None if there is none of the name."""
        with self._engine.connect() as connection:
            found = connection.scalar(sa.select(TOURNAMENTS.c.settings).where(TOURNAMENTS.c.name == name))
        return None if found is None else json.loads(found)

    def add(self, tournament: int, match: ScheduledMatch, result: MatchResult) -> None:
        """Add the result of a match.

        Raises:
            ValueError: it is there already.
        """
        try:
            with self._engine.begin() as connection:
                connection.execute(
                    MATCHES.insert().values(
                        tournament=tournament,
                        number=match.number,
                        round=match.round,
                        encounter=match.encounter,
                        seats=json.dumps(match.seats),
                        seed=match.seed,
                        result=result.to_json(),
                        finished=datetime.now(UTC),
                    )
                )
        except sa.exc.IntegrityError:
            raise ValueError(
                f"match {match.number} was stored by somebody else: does another process run this tournament?"
            ) from None

    def results(self, tournament: int) -> dict[int, tuple[ScheduledMatch, MatchResult]]:
        """The matches that have been played, by their numbers."""
        wanted = sa.select(MATCHES).where(MATCHES.c.tournament == tournament).order_by(MATCHES.c.number)
        with self._engine.connect() as connection:
            rows = connection.execute(wanted).all()
        return {
            row.number: (
                ScheduledMatch(row.number, row.round, row.encounter, tuple(json.loads(row.seats)), row.seed),
                MatchResult.from_json(row.result),
            )
            for row in rows
        }

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()
