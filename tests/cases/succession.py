"""The handed data cases as projects."""

import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from smelt.text.identifiers import quote
from smelt.text.intervals import Interval
from tests.engines.labs import Lab

FOLDER = Path(__file__).parent
SOURCE = "smelt.sources.events AS events"


@dataclass(frozen=True)
class Case:
    """One case of ``succession.json``."""

    raw: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.raw["id"])

    @property
    def names(self) -> list[str]:
        return [str(name) for name, _ in self.raw["columns"]]

    @property
    def windows(self) -> dict[str, Interval]:
        """Each window covers the arrival days of its rows; an empty one the day after the one before it."""
        arrived = self.names.index("arrived")
        found: dict[str, Interval] = {}
        after = datetime(2025, 1, 1)
        for window in self.raw["windows"]:
            days = [datetime.fromisoformat(row[arrived].strip("'")) for row in window["rows"]] or [after]
            found[window["window"]] = Interval(min(days), max(days) + timedelta(days=1))
            after = max(days) + timedelta(days=1)
        return found

    def rows(self, window: str) -> list[list[str]]:
        return next(one["rows"] for one in self.raw["windows"] if one["window"] == window)

    @property
    def required(self) -> set[str]:
        """The columns to declare NOT NULL: those of the identity that no row of the case has NULL in."""
        identity = [*self.raw["key"], self.raw["clock"], "arrived"]
        if self.raw["flag"] is not None:
            identity.append(self.raw["flag"])
        return {
            name
            for name in identity
            if all(row[self.names.index(name)] != "NULL" for one in self.raw["windows"] for row in one["rows"])
        }

    def files(self) -> dict[str, str]:
        columns = "".join(
            f"  - {{name: {json.dumps(name)}, type: {json.dumps(kind)}"
            f"{', nullable: false' if name in self.required else ''}}}\n"
            for name, kind in self.raw["columns"]
        )
        source = (
            "name: main.events\nmutation_profile: append_only\n"
            f"timeseries: {{event_time_column: {json.dumps(self.raw['clock'])}, partition_column: arrived, "
            f"granularity: day}}\ncolumns:\n{columns}"
        )
        sql = re.sub(r"\bFROM events\b", f"FROM {SOURCE}", self.raw["model_sql"])
        return {
            "models/sources/events.yml": source,
            "models/history.sql": f"---\nrefresh: incremental\n---\n{sql}\n",
        }

    def lab(self, root: Path) -> Lab:
        lab = Lab(root, self.files())
        columns = ", ".join(f"{quote(name)} {kind}" for name, kind in self.raw["columns"])
        lab.run(f"CREATE TABLE main.events ({columns})")
        return lab

    def insert(self, lab: Lab, rows: list[list[str]]) -> None:
        for row in rows:
            lab.run(f"INSERT INTO main.events VALUES ({', '.join(row)})")

    def oracle(self, windows: list[Interval]) -> str:
        """The right table over what these windows hold."""
        inside = " OR ".join(f"(arrived >= '{one.start}' AND arrived < '{one.end}')" for one in windows) or "FALSE"
        return f"WITH events AS (SELECT * FROM main.events WHERE {inside}) {self.raw['oracle_sql']}"


def data_cases() -> list[Case]:
    """Every case with rows and steps."""
    raw = json.loads((FOLDER / "succession.json").read_text(encoding="utf-8"))
    return [Case(one) for one in raw if one["kind"] == "data"]
