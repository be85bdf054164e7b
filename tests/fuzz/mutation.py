"""Texts that nobody wrote, a few changes away from texts that somebody did.

Every choice is drawn from a :class:`random.Random`, so that hypothesis, a seed or a fuzzer's bytes can make it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.fuzz.corpus import Kind, bases, texts

_TOKEN = re.compile(r"'[^']*'|\"[^\"]*\"|\w+|\s+|[^\w\s]")
_SQL_WORDS = """
SELECT|FROM|WHERE|QUALIFY|WINDOW|PARTITION BY|ORDER BY|GROUP BY|HAVING|LIMIT|OFFSET|UNION ALL|EXCEPT|WITH|AS|ON|USING
JOIN|LEFT JOIN|CROSS JOIN|ASOF JOIN|LATERAL|OVER|OVER (|LEAD(|LAG(|ROW_NUMBER()|FILTER (WHERE|IGNORE NULLS|DISTINCT
CASE|WHEN|THEN|ELSE|END|NOT|AND|OR|IN|IN (|BETWEEN|IS NULL|IS NOT DISTINCT FROM|LIKE|SIMILAR TO|COLLATE|ESCAPE|EXISTS (
CAST(|TRY_CAST(|::INTEGER|::DECIMAL(|::STRUCT(a INTEGER)|INTERVAL|INTERVAL 1 DAY|DATE '|TIMESTAMP '|AT TIME ZONE 'UTC'
EXCLUDE (|REPLACE (|RENAME (|COLUMNS(|*|t.*|.*|x -> x|lambda x: x + 1|[x for x in l if x]|{'a': 1}|MAP {1: 2}|#1|?|$1|$a
VALUES (1)|PIVOT|UNPIVOT|SUMMARIZE|DESCRIBE|INSERT INTO|CREATE TABLE|DROP|USING SAMPLE 10%|TABLESAMPLE (|FETCH FIRST
POSITIONAL JOIN|NATURAL|RANGE BETWEEN|ROWS UNBOUNDED PRECEDING|EXCLUDE CURRENT ROW|GROUPING SETS (|ROLLUP (|RECURSIVE
smelt.sources.customer_changes|smelt.|smelt.customer_history|smelt.ref.x.y|"smelt"."sources"."customer_changes"
NULL|TRUE|1|1.5e10|1_000|.5|0x1F|''|'a'|"a"|e'\\n'|x'0f'|$$|$a$|NOW()|CURRENT_DATE|random()|read_csv('/dev/zero')
(|)|[|]|{|}|,|;|.|::|:|->|->>|=>|:=|==|<>|!=|<=|||~~|!~|//|**|@|&&|<<|^|%|$|`|\\|'|"|/*|*/|-- |---|#|!|?
""".replace("\n", "|")
_YAML_WORDS = """
- |: |? |> || ||-|&a |*a|*b|<<: *a|<<: {|!!int |!!str |!!binary |!x |!<tag:yaml.org,2002:int> |--- |...|%YAML 1.1
%TAG ! x:|{|}|[|]|,|"|'|#| #|~|null|true|no|on|yes|0|-1|1.5|1e999|.inf|-.inf|.nan|0x1F|0o17|0b1|010|1_000|12:30
2024-01-31|9999-99-99|\t|  |    |name|columns|files|type|expression|nullable|tests|relationships|accepted_values
targets|models|unique_key
timeseries|event_time_column|partition_column|granularity|mutation_profile|retention|90 days|change_feed|append_only
refresh|incremental|grain|succession|key_per_partition|version|require|>=0.1|settings|extensions|init_sql|${HOME}|${|$$
"\\ud800"|"\\u0000"|"\\x00"|"\\N"|"\\U0010FFFF"|DECIMAL(38, 3)|STRUCT(a INTEGER)|INTEGER[]|smelt.x|models/
/dev/zero|../..
""".replace("\n", "|")
_ODD = ("\0", "\ufeff", "\u200b", "\xa0", "\x85", "\u2028", "\x0b", "\x0c", "\x1a", "\x7f", "\r", "\r\n", "\n", "\t")
_ODD += ("😀", "é", "e\u0301", "\u202e", "İ", "ß", "ſ", "\ud800", "\udfff", "\uffff", "\U0010ffff", "١", "²", "½")
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Mutant:
    """A project to try: texts by path, as :class:`~tests.fuzz.corpus.Base` has them."""

    files: dict[str, str]
    changed: tuple[str, ...]


def mutant(random: Random, kind: Kind) -> Mutant:
    """A project of the corpus with one or two files changed in up to six places."""
    base = random.choice(bases())
    paths = base.of(kind)
    if not paths:
        return mutant(random, kind)
    files = dict(base.files)
    changed = tuple(dict.fromkeys(random.choice(paths) for _ in range(random.choice((1, 1, 1, 2)))))
    for path in changed:
        for _ in range(random.randint(1, 6)):
            files[path] = random.choice(_MUTATIONS)(random, kind, files[path])[:_LONGEST]
    return Mutant(files, changed)


def _range(random: Random, text: str) -> tuple[int, int]:
    """A range of whole tokens, mostly a short one."""
    edges = [0, *(match.end() for match in _TOKEN.finditer(text))]
    first = random.randrange(len(edges))
    last = min(first + random.choice((0, 1, 1, 2, 3, 5, 10, 30)), len(edges) - 1)
    return edges[first], edges[last]


def _word(random: Random, kind: Kind) -> str:
    """A word of the grammar, with a line end where it could matter."""
    words = (_SQL_WORDS if kind == "sql" else _YAML_WORDS).split("|")
    return random.choice(words) or "|"


def _delete(random: Random, kind: Kind, text: str) -> str:
    start, end = _range(random, text)
    return text[:start] + text[end:]


def _insert_word(random: Random, kind: Kind, text: str) -> str:
    at, _ = _range(random, text)
    around = random.choice(("", " ", "\n")) if kind == "yaml" else " "
    return text[:at] + around + _word(random, kind) + around + text[at:]


def _replace_word(random: Random, kind: Kind, text: str) -> str:
    start, end = _range(random, text)
    return f"{text[:start]}{_word(random, kind)}{text[end:]}"


def _replace_value(random: Random, kind: Kind, text: str) -> str:
    """A whole value behind a colon, or a whole expression between commas."""
    found = list(re.finditer(r"(?<=: )[^\n,}\]]+" if kind == "yaml" else r"(?<=[,(]) ?[^,()]+", text))
    if not found:
        return _insert_word(random, kind, text)
    match = random.choice(found)
    return text[: match.start()] + _word(random, kind) + text[match.end() :]


def _odd_character(random: Random, kind: Kind, text: str) -> str:
    at = random.randint(0, len(text))
    return text[:at] + random.choice(_ODD) + text[at + random.choice((0, 0, 1)) :]


def _move(random: Random, kind: Kind, text: str) -> str:
    start, end = _range(random, text)
    piece, rest = text[start:end], text[:start] + text[end:]
    at, _ = _range(random, rest)
    return rest[:at] + piece + rest[at:]


def _repeat(random: Random, kind: Kind, text: str) -> str:
    start, end = _range(random, text)
    times = random.choice((1, 1, 1, 2, 10, 100, 600))
    return text[:end] + text[start:end] * times + text[end:]


def _graft(random: Random, kind: Kind, text: str) -> str:
    """A piece of another text in the place of a piece."""
    other = random.choice(texts(kind))
    start, end = _range(random, text)
    begin, stop = _range(random, other)
    return text[:start] + other[begin:stop] + text[end:]


def _wrap(random: Random, kind: Kind, text: str) -> str:
    """A piece in brackets, up to very many."""
    start, end = _range(random, text)
    pairs = ("()", "[]", "{}", "''", '""') + ((("CASE WHEN ", " END"), ("(SELECT ", ")")) if kind == "sql" else ())
    opening, closing = random.choice(pairs)
    times = random.choice((1, 1, 1, 3, 80, 200, 700))
    return text[:start] + opening * times + text[start:end] + closing * times + text[end:]


def _cut(random: Random, kind: Kind, text: str) -> str:
    at = random.randint(0, len(text))
    return random.choice((text[:at], text[at:]))


def _line_ends(random: Random, kind: Kind, text: str) -> str:
    return text.replace("\n", random.choice(("\r\n", "\r", "\n\n", " ", "\u2028")))


_Mutation = Callable[[Random, Kind, str], str]
_MUTATIONS: tuple[_Mutation, ...] = (
    _delete,
    _insert_word,
    _insert_word,
    _replace_word,
    _replace_word,
    _replace_value,
    _replace_value,
    _odd_character,
    _move,
    _repeat,
    _graft,
    _graft,
    _wrap,
    _cut,
    _line_ends,
)
