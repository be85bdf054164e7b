"""Make the example's data: a month of a change topic, as Debezium writes it and a sink lands it in files.

    python generate.py             writes data/topics/shop.public.customers/dt=2025-03-01 … dt=2025-03-31

A small PostgreSQL table is played through a month; everything follows from ``SEED``. The files hold one message value a
line (the JSON converter with ``schemas.enable=false``):

* the first day is the connector's snapshot: every row once, with ``op`` ``r``;
* then come ``c``, ``u`` and ``d``. With the default replica identity ``before`` is null in an update, and holds the
  primary key alone in a delete;
* each delete is followed by a tombstone, whose value is ``null``: a line of its own;
* a changed primary key comes as a delete of the old and a create of the new one, of one instant;
* after a restart the connector sends its last messages again: the same changes at a later ``ts_ms``;
* the sink wrote one file twice, and nothing at all on the 18th: that day's messages came on the 19th.
"""

import argparse
import json
import random
import shutil
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

SEED = 20250301
FIRST, DAYS = date(2025, 3, 1), 31
TOPIC = "shop.public.customers"
RESTART = date(2025, 3, 12)
SINK_DOWN = date(2025, 3, 18)
WRITTEN_TWICE = date(2025, 3, 24)
NAMES = ("Ada", "Bo", "Cem", "Dana", "Eli", "Fay", "Gus", "Hana", "Ivo", "José", "Kai", "Mia", "Ngọc", "Ole", "Åsa")
TIERS = ("bronze", "silver", "gold")

Row = dict[str, Any]
Message = dict[str, Any] | None


@dataclass(slots=True)
class Connector:
    """Turns committed changes into messages, with the positions and clocks that PostgreSQL and Debezium give them."""

    rng: random.Random
    lsn: int = 24_023_128
    transaction: int = 555
    messages: list[Message] = field(default_factory=list)

    def emit(self, op: str, before: Row | None, after: Row | None, at: datetime, snapshot: str = "false") -> None:
        """One message; ``at`` is the instant of the commit."""
        self.lsn += self.rng.randrange(56, 4096, 8)
        self.transaction += 1
        committed = int(at.timestamp() * 1_000_000)
        seen = committed + self.rng.randrange(40_000, 900_000)
        source = {
            "version": "3.0.8.Final",
            "connector": "postgresql",
            "name": "shop",
            "ts_ms": committed // 1000,
            "snapshot": snapshot,
            "db": "shop",
            "sequence": f'[null,"{self.lsn}"]',
            "ts_us": committed,
            "ts_ns": committed * 1000,
            "schema": "public",
            "table": "customers",
            "txId": self.transaction,
            "lsn": self.lsn,
            "xmin": None,
        }
        envelope = {"before": before, "after": after, "source": source, "transaction": None, "op": op}
        self.messages.append(envelope | {"ts_ms": seen // 1000, "ts_us": seen, "ts_ns": seen * 1000})

    def delete(self, row: Row, at: datetime) -> None:
        """A delete and its tombstone."""
        self.emit("d", {name: row[name] if name == "id" else None for name in row}, None, at)
        self.messages.append(None)

    def take(self) -> list[Message]:
        """The messages since the last call."""
        taken, self.messages = self.messages, []
        return taken


class Shop:
    """The table, and what people do to it."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.connector = Connector(rng)
        self.rows: dict[int, Row] = {}
        self.next_id = 1001

    def new_row(self, at: datetime) -> Row:
        """A customer who registered at ``at``."""
        name = self.rng.choice(NAMES)
        row = {
            "id": self.next_id,
            "name": name,
            "email": f"{name.lower()}{self.next_id}@example.com" if self.rng.random() < 0.9 else None,
            "tier": self.rng.choices(TIERS, (6, 3, 1))[0],
            "registered_at": int(at.timestamp() * 1_000_000),
        }
        self.next_id += self.rng.randrange(1, 3)
        return row

    def snapshot(self, at: datetime) -> None:
        """What the connector reads before it begins to stream."""
        for _ in range(80):
            row = self.new_row(at - timedelta(seconds=self.rng.randrange(86400 * 400)))
            self.rows[row["id"]] = row
        first, *_, last = self.rows
        for key, row in self.rows.items():
            marker = {first: "first", last: "last"}.get(key, "true")
            self.connector.emit("r", None, dict(row), at, marker)

    def something(self, at: datetime) -> None:
        """One change, committed at ``at``."""
        what = self.rng.choices(("create", "update", "delete", "renumber"), (22, 60, 15, 3))[0]
        if what == "create":
            row = self.new_row(at)
            self.rows[row["id"]] = row
            self.connector.emit("c", None, dict(row), at)
            return
        row = self.rows[self.rng.choice(list(self.rows))]
        if what == "update":
            row["tier"] = self.rng.choice(TIERS)
            if self.rng.random() < 0.3:
                row["email"] = f"{row['name'].lower()}.{self.rng.randrange(100)}@example.org"
            self.connector.emit("u", None, dict(row), at)
            return
        del self.rows[row["id"]]
        self.connector.delete(row, at)
        if what == "renumber":
            row = row | {"id": self.next_id}
            self.next_id += 1
            self.rows[row["id"]] = row
            self.connector.emit("c", None, dict(row), at)

    def day(self, day: date) -> None:
        """A day of changes; each at an instant of its own."""
        seconds = sorted(self.rng.sample(range(6 * 3600, 22 * 3600), self.rng.randrange(8, 20)))
        for second in seconds:
            at = datetime.combine(day, time(), UTC) + timedelta(seconds=second, milliseconds=self.rng.randrange(1000))
            self.something(at)


def again(messages: list[Message], later: timedelta) -> list[Message]:
    """The same changes as a restarted connector sends them: only the envelope's own clock is another."""
    shift = int(later.total_seconds())
    factors = {"ts_ms": 1_000, "ts_us": 1_000_000, "ts_ns": 1_000_000_000}
    return [
        message and message | {name: message[name] + shift * factor for name, factor in factors.items()}
        for message in messages
    ]


def files() -> dict[date, list[list[Message]]]:
    """The files of each day, with their messages."""
    shop = Shop(random.Random(SEED))
    shop.snapshot(datetime.combine(FIRST, time(5), UTC))
    landed: dict[date, list[list[Message]]] = defaultdict(list)
    previous: list[Message] = []
    for number in range(DAYS):
        day = FIRST + timedelta(days=number)
        shop.day(day)
        messages = shop.connector.take()
        if day == RESTART:
            messages = again(previous[-12:], timedelta(hours=9)) + messages
        landed[day + timedelta(days=1) if day == SINK_DOWN else day].append(messages)
        if day == WRITTEN_TWICE:
            landed[day].append(messages)
        previous = messages
    return landed


def main() -> None:
    """Write the month."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "data" / "topics" / TOPIC)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.output, ignore_errors=True)
    offset = lines = 0
    for day, batches in sorted(files().items()):
        folder = arguments.output / f"dt={day.isoformat()}"
        folder.mkdir(parents=True)
        for messages in batches:
            text = "".join(
                json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n" for message in messages
            )
            (folder / f"{TOPIC}+0+{offset:010}.json").write_text(text, encoding="utf-8")
            offset += len(messages)
            lines += len(messages)
    print(f"{lines} messages under {arguments.output}")


if __name__ == "__main__":
    main()
