"""The generator of change streams: deterministic, of the shares asked for, no two events at one key and clock."""

import duckdb
import pytest

from benches.streams import COLUMNS, Stream

_COUNT = 20_000
Row = tuple[object, ...]


def _ask(stream: Stream, question: str = "SELECT * FROM s", first: int = 0, count: int = _COUNT) -> list[Row]:
    select = stream.select(first, count, "arrival // 1000")
    with duckdb.connect() as connection:
        return connection.execute(f"WITH s AS ({select}) {question}").fetchall()


def test_columns_are_those_that_a_source_declares() -> None:
    described = _ask(Stream(keys=10), "SELECT column_name, column_type FROM (DESCRIBE FROM s)")
    assert described == [(name, kind) for name, kind, _ in COLUMNS]


def test_a_part_is_a_part_of_the_whole() -> None:
    stream = Stream(keys=100, redelivered=0.1)
    assert _ask(stream)[500:700] == _ask(stream, first=500, count=200)
    assert _ask(stream) != _ask(Stream(keys=100, redelivered=0.1, seed=2))


def test_shares_are_those_asked_for() -> None:
    ((deletes, late, keys),) = _ask(
        Stream(keys=500, late=0.2, deletes=0.1),
        "SELECT avg(CAST(is_deleted AS INTEGER)), avg(CAST(effective_ts < newest AS INTEGER)), "
        "count(DISTINCT customer_id) FROM (SELECT *, max(effective_ts) OVER (ORDER BY number) AS newest "
        "FROM (SELECT *, row_number() OVER () AS number FROM s))",
    )
    assert deletes == pytest.approx(0.1, abs=0.01)
    assert late == pytest.approx(0.2, abs=0.01)
    assert keys == 500


def test_a_delete_has_no_payload_and_every_other_event_has_one() -> None:
    assert _ask(Stream(keys=50), "SELECT count(*) FROM s WHERE is_deleted <> (tier IS NULL AND region IS NULL)") == [
        (0,)
    ]


def test_no_two_events_share_key_and_clock() -> None:
    question = "SELECT count(*) FROM (SELECT 1 FROM s GROUP BY customer_id, effective_ts HAVING count(*) > 1)"
    assert _ask(Stream(keys=3, late=0.9), question) == [(0,)]


def test_what_is_delivered_again_is_an_earlier_event_on_a_later_day() -> None:
    stream = Stream(keys=1000, redelivered=0.2)
    ((again,),) = _ask(stream, "SELECT count(*) - count(DISTINCT (customer_id, effective_ts)) FROM s")
    assert isinstance(again, int)
    assert 0.15 * _COUNT < again < 0.2 * _COUNT
    payloads = "SELECT DISTINCT customer_id, effective_ts, tier, region, is_deleted FROM s"
    clash = f"SELECT count(*) - count(DISTINCT (customer_id, effective_ts)) FROM ({payloads})"
    assert _ask(stream, clash) == [(0,)]


def test_skew_gives_the_first_keys_more_events() -> None:
    question = "SELECT avg(CAST(customer_id < 100 AS INTEGER)) FROM s"
    found = [_ask(Stream(keys=1000, skew=skew), question)[0][0] for skew in (1, 2, 3)]
    assert found == [pytest.approx(share, abs=0.02) for share in (0.1, 0.316, 0.464)]
