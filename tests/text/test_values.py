"""Values of data in messages."""

from smelt.text.values import on_one_line


def test_a_value_stays_on_one_line() -> None:
    assert on_one_line("a\nb\tü \x1b[0m") == "a\\nb\\tü \\x1b[0m"
    assert on_one_line(None) == "NULL"
