"""Application state of a server: all services around its database."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from hashmark.web.clock import Clock
from hashmark.web.jobs.jobs import JobService
from hashmark.web.jobs.uploaded_charts import UploadedCharts
from hashmark.web.leagues.feeds import Feeds
from hashmark.web.leagues.leagues import Leagues
from hashmark.web.metrics import Metrics
from hashmark.web.rate_limits import Limits, RateLimiter, StreamLimiter
from hashmark.web.sandbox import Sandbox
from hashmark.web.seasons.saved_plans import SavedPlans
from hashmark.web.tables.change_feed import open_change_feed
from hashmark.web.tables.game_files import GameFiles
from hashmark.web.tables.review_queue import FinishedReview, ReviewQueue
from hashmark.web.tables.services import TableServices
from hashmark.web.tables.table import StaleRequest, Table, Viewer
from hashmark.web.tables.table_store import TableStore
from hashmark.web.tables.tables import Tables
from hashmark.web.tables.write_batcher import WriteBatcher


class AppState:
    """Application state: builds the services, gives each what it needs, and closes them."""

    def __init__(
        self,
        store: TableStore,
        limits: Limits | None = None,
        is_trusting: bool = True,
        clock: Clock | None = None,
    ) -> None:
        self.store, self.limits = store, limits or Limits()
        self.clock = clock or Clock()
        self.rate_limiter = RateLimiter(self.limits, self.clock)
        self.stream_limiter = StreamLimiter(self.limits)
        self.jobs = JobService(store, self.clock, self.limits, self.stream_limiter)
        self.uploaded_charts = UploadedCharts(self.jobs.queue)
        self.files = GameFiles(self.uploaded_charts, is_trusting)
        loaded: OrderedDict[str, Table] = OrderedDict()
        self.metrics = Metrics(store, loaded, self.stream_limiter, self.clock)
        batcher = WriteBatcher(store, self.metrics.count_write)
        change_feed = open_change_feed(store, self.clock)
        services = TableServices(self.clock, store, self.limits, self.files, batcher, change_feed)
        services.on_conflict = self.metrics.conflicts.inc
        self.tables, self.closing = Tables(services, loaded), services.closing
        self.leagues, self.feeds = Leagues(self.tables), Feeds(store, self.clock)
        services.on_league_game_over = self.leagues.wake
        self.sandbox = Sandbox(self.clock)
        self.saved_plans = SavedPlans(store, self.limits, self.clock, self.sandbox)
        self.reviews = ReviewQueue(self.clock)

    async def request_review(self, table: Table, viewer: Viewer) -> asyncio.Task[FinishedReview]:
        """Return the review of a finished game, which may still be under way."""
        if not table.is_over:
            raise StaleRequest("you can review a game when it is over")
        charts_directory = await asyncio.to_thread(
            self.uploaded_charts.directory, table.header.options
        )
        return self.reviews.request(table.id, await table.log(viewer), charts_directory)

    def end_streams(self) -> None:
        """End every event stream so that the server can shut down."""
        self.closing.set()
        self.jobs.notify_all()
        self.tables.notify_all()

    async def close(self) -> None:
        """Release everything; acknowledged changes are already on disk."""
        self.end_streams()
        await self.leagues.close()
        await self.tables.stop()
        self.reviews.close()
        self.sandbox.close()
        await self.jobs.close()
        self.uploaded_charts.close()
        await self.tables.close()
        self.store.close()
