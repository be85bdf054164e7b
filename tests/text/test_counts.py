"""Counts in words."""

from smelt.text.counts import counted


def test_one_is_singular_and_none_is_plural() -> None:
    assert [counted(count, "row") for count in (0, 1, 2000)] == ["0 rows", "1 row", "2,000 rows"]
