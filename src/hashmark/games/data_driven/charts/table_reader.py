"""Reader of a file's tables that collects faults, each with its place, instead of stopping."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from hashmark.errors import UnknownName
from hashmark.sanitize import one_line, quote

MAX_NAME_LENGTH = 200  # maximum length of a name

Value = TypeVar("Value")
Default = TypeVar("Default")


class TableReader:
    """Reader of one file; it collects the faults with their places."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.partial = False
        self.faults: list[str] = []
        self.notes: list[str] = []

    def add_fault(self, where: str, what: object) -> None:
        place = f"{self.path.name}: {where}" if where else self.path.name
        self.faults.append(one_line(f"{place}: {what}"))

    def add_missing(self, where: str, what: str) -> None:
        """Note something that only a partial file may leave out."""
        if self.partial:
            self.notes.append(f"{where}: {what}")
        else:
            self.add_fault(where, f"{what} (only a file with partial = true may leave it out)")

    def check_keys(self, where: str, raw: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
        for key in raw:
            if key not in allowed:
                self.add_fault(where, UnknownName("key", key, allowed))

    def read_table(self, where: str, raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        given = raw.get(key, {})
        if not isinstance(given, Mapping):
            self.add_fault(where, f"{key} must be a table, not {quote(given)}")
            return {}
        return given

    def read_tables(self, where: str, raw: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        """Return the values that are tables; any other value is a fault and is skipped."""
        tables = {key: self.read_table(where, raw, key) for key in raw}
        return {key: table for key, table in tables.items() if table is raw[key]}

    def read_value(
        self, where: str, raw: Mapping[str, Any], key: str, kind: type[Value], default: Default
    ) -> Value | Default:
        if key not in raw:
            return default
        given = raw[key]
        if isinstance(given, kind) and not (kind is int and isinstance(given, bool)):
            return given
        self.add_fault(
            where, f"{key} is {quote(given)}, which is not a value of type {kind.__name__}"
        )
        return default

    def read_name(self, where: str, raw: Mapping[str, Any], default: str) -> str:
        """Read a name; it is cut to the length that a sheet has room for."""
        name = self.read_value(where, raw, "name", str, default)
        if len(name) > MAX_NAME_LENGTH:
            message = f"the name has {len(name)} characters; at most {MAX_NAME_LENGTH} are allowed"
            self.add_fault(where, message)
        return name[:MAX_NAME_LENGTH]

    def read_number(
        self, where: str, raw: Mapping[str, Any], key: str, allowed: range, default: Default
    ) -> int | Default:
        given = self.read_value(where, raw, key, int, default)
        if key in raw and given not in allowed:
            self.add_fault(
                where, f"{key} is {quote(given)}, not between {allowed[0]} and {allowed[-1]}"
            )
            return default
        return given
