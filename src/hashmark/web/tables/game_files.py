"""Charts and plans that the options of a game may name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hashmark.storage import search_path


class ChartLibrary(Protocol):
    """Uploaded charts that games are played with."""

    def directory(self, options: Mapping[str, Any]) -> Path | None:
        """Return the directory of the uploaded charts that the options name, or None."""

    def keep_used(self, options: Mapping[str, Any]) -> None:
        """Keep the uploaded charts that the options name, because a game uses them."""


@dataclass(frozen=True)
class GameFiles:
    """Files that callers may name: untrusted ones get shipped and uploaded files only."""

    uploaded_charts: ChartLibrary
    is_trusting: bool = True

    @contextmanager
    def allowed(self, options: Mapping[str, Any] | None = None) -> Iterator[None]:
        """Restrict which charts and plans options may name; uploaded charts that these options name
        are found.
        """
        uploaded = self.uploaded_charts.directory(options or {})
        folders = [] if uploaded is None else [uploaded]
        search = search_path.search_first if self.is_trusting else search_path.shipped_only
        with search(folders):
            yield
