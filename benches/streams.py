"""Streams of changes: so many rows, keys, late ones, deletes and deliveries again, each decided by a number and a seed.

A stream is SQL text, so that ten million events take seconds. Nothing in it depends on the engine's own hash or
random numbers: each event's draws are the digits of an MD5.
"""

from dataclasses import dataclass

COLUMNS = (
    ("customer_id", "INTEGER", False),
    ("tier", "VARCHAR", True),
    ("region", "VARCHAR", True),
    ("effective_ts", "TIMESTAMP", False),
    ("is_deleted", "BOOLEAN", False),
    ("ingested_date", "DATE", False),
)
"""Name, type and whether NULL may stand there."""

FIRST_DAY = "2020-01-01"

_SLOT = 64_000_000
"""Microseconds between two events that come in order; also the most events that a stream can have."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream of changes. Event ``i`` is the ``i``-th to arrive.

    Attributes:
        keys: how many different keys are drawn from.
        skew: 1 draws keys evenly; 2 gives the first tenth of the keys a third of the events, 3 nearly half.
        late: share of events whose clock lies anywhere before their arrival instead of at it.
        deletes: share of events that are deletes.
        redelivered: share of arrivals that bring an earlier event once more.
    """

    keys: int
    skew: float = 1.0
    late: float = 0.3
    deletes: float = 0.05
    redelivered: float = 0.0
    seed: int = 1

    def select(self, first: int, count: int, day: str) -> str:
        """A query for the events ``first`` to ``first + count``, in the order of arrival.

        ``day`` is SQL over ``arrival`` for the number of days after :data:`FIRST_DAY` on which an event arrives.
        """
        return f"""\
SELECT
    CAST({self._key()} AS INTEGER) AS customer_id,
    CASE WHEN NOT deleted THEN ['bronze', 'silver', 'gold', 'platinum'][1 + low % 4] END AS tier,
    CASE WHEN NOT deleted THEN ['emea', 'amer', 'apac'][1 + low % 3] END AS region,
    make_timestamp(1577836800000000 + slot * {_SLOT} + event) AS effective_ts,
    deleted AS is_deleted,
    DATE '{FIRST_DAY}' + CAST({day} AS INTEGER) AS ingested_date
FROM (
    SELECT arrival, event, low,
        {_draw("low", 32)} AS key_draw,
        {_draw("high", 0, 16)} < {round(self.deletes * 65536)} AS deleted,
        CASE WHEN {_draw("high", 16, 16)} < {round(self.late * 65536)}
            THEN ({_draw("high", 32)} * event) >> 31 ELSE event END AS slot
    FROM (
        SELECT arrival, event,
            CAST(md5_number_lower('{self.seed}:' || event) & 9223372036854775807 AS BIGINT) AS low,
            CAST(md5_number_upper('{self.seed}:' || event) & 9223372036854775807 AS BIGINT) AS high
        FROM ({self._events(first, count)}) AS events
    ) AS digits
) AS drawn"""

    def _key(self) -> str:
        if self.skew == 1:
            return f"(key_draw * {self.keys}) >> 31"
        return f"floor({self.keys} * pow(key_draw / 2147483648.0, {self.skew}))"

    def _events(self, first: int, count: int) -> str:
        """Which event each arrival brings: its own, or an earlier one again."""
        arrivals = f"SELECT range AS arrival FROM range({first}, {first + count})"
        if not self.redelivered:
            return f"SELECT arrival, arrival AS event FROM ({arrivals}) AS arrivals"
        draw = f"CAST(md5_number_lower('again {self.seed}:' || arrival) & 9223372036854775807 AS BIGINT)"
        again = f"(again & 65535) < {round(self.redelivered * 65536)}"
        return (
            f"SELECT arrival, CASE WHEN {again} THEN ((again >> 32) * arrival) >> 31 ELSE arrival END AS event "
            f"FROM (SELECT arrival, {draw} AS again FROM ({arrivals}) AS arrivals) AS again_drawn"
        )


def _draw(number: str, shift: int, bits: int | None = None) -> str:
    """Some binary digits of a draw of 63."""
    shifted = f"({number} >> {shift})" if shift else number
    return shifted if bits is None else f"({shifted} & {2**bits - 1})"
