"""SQL that looks admitted and is not proven: each must be refused, whatever the reason given."""

import pytest

from smelt.analysis.analyze import analyze
from smelt.analysis.model import ModelAnalysis
from smelt.project.load import load_project
from smelt.project.model import Address
from tests.pages.reading import default_files

SOURCE = """\
mutation_profile: append_only
timeseries: {event_time_column: effective_ts, partition_column: ingested_date, granularity: day}
columns:
  - {name: customer_id,   type: INTEGER,   nullable: false}
  - {name: tier,          type: VARCHAR}
  - {name: region,        type: VARCHAR}
  - {name: xs,            type: "INTEGER[]"}
  - {name: after,         type: "STRUCT(id INTEGER, flag BOOLEAN)"}
  - {name: n,             type: INTEGER}
  - {name: maybe,         type: BOOLEAN}
  - {name: effective_ts,  type: TIMESTAMP, nullable: false}
  - {name: other_ts,      type: TIMESTAMP, nullable: false}
  - {name: is_deleted,    type: BOOLEAN,   nullable: false}
  - {name: ingested_date, type: DATE,      nullable: false}
"""
WINDOW = "PARTITION BY customer_id ORDER BY effective_ts"
LEAD = f"LEAD(effective_ts) OVER ({WINDOW})"


def judged(sql: str) -> ModelAnalysis:
    files = {
        **default_files(),
        "models/sources/s.yml": SOURCE,
        "models/m.sql": f"---\nrefresh: incremental\n---\n{sql}",
    }
    texts = {path: text for path, text in files.items() if path.endswith((".sql", ".yml"))}
    return analyze(load_project(texts, environment={})).models[Address(("m",))]


def assert_refused(sql: str) -> None:
    one = judged(sql)
    assert one.kind == "refused", one.shape
    assert one.shape is None
    assert any(diagnostic.is_error for diagnostic in one.diagnostics)


def test_the_frame_of_these_tests_is_admitted() -> None:
    sql = f"SELECT customer_id, effective_ts, {LEAD} AS v, n + 1 AS x FROM smelt.sources.s AS s QUALIFY NOT is_deleted"
    one = judged(sql)
    assert one.kind == "succession", one.diagnostics


@pytest.mark.parametrize(
    "item",
    [
        # another function under a known name, or out of sight
        "main.LEAD(effective_ts) OVER w AS x",
        "effective_ts.lead() OVER w AS x",
        "macros.upper(tier) AS x",
        "tier.upper() AS x",
        "tier.concat(region) AS x",
        "LEAD(effective_ts) WITHIN GROUP (ORDER BY n) OVER w AS x",
        "LEAD(expr := effective_ts) OVER w AS x",
        '"MAX"(n) OVER w AS x',
        # names that mean another thing where the expression is computed
        "date_trunc(tier, effective_ts) AS x",
        "date_trunc(tier, LEAD(effective_ts) OVER w) AS x",
        "[tier for tier in [1]] AS x",
        "[y for y in xs] AS x",
        "list_transform(xs, lambda tier: tier + 1) AS x",
        "list_transform(xs, tier -> tier + 1) AS x",
        "list_transform(xs, lambda valid_to: valid_to) AS x",
        "#1 AS x",
        "#2 + 1 AS x",
        # values that do not come from the row
        "$1 AS x",
        "? AS x",
        "$name AS x",
        "current_date AS x",
        "CURRENT_TIMESTAMP AS x",
        "localtime AS x",
        "user AS x",
        "now() AS x",
        "today() AS x",
        "get_current_timestamp() AS x",
        "age(effective_ts) AS x",
        "random() AS x",
        "uuid() AS x",
        "gen_random_uuid() AS x",
        "nextval('seq') AS x",
        "current_setting('TimeZone') AS x",
        "getvariable('v') AS x",
        "getenv('HOME') AS x",
        "version() AS x",
        "txid_current() AS x",
        "list_aggregate(xs, 'reservoir_quantile', 0.5) AS x",
        "list_transform(xs, lambda y: random()) AS x",
        "no_such_function(n) AS x",
        "DEFAULT AS x",
        # other rows
        "rowid AS x",
        "s.rowid AS x",
        "s AS x",
        "row(s) AS x",
        "(SELECT max(n) FROM smelt.sources.s) AS x",
        "n IN (SELECT 1) AS x",
        "EXISTS (FROM smelt.sources.s) AS x",
        "n = ANY (SELECT 1) AS x",
        "count(*) AS x",
        "sum(n) AS x",
        "any_value(n) AS x",
        "first(n) AS x",
        "list(n) AS x",
        "max(n) FILTER (WHERE maybe) AS x",
        "unnest(xs) AS x",
        "generate_subscripts(xs, 1) AS x",
        "grouping(tier) AS x",
        "row_number() OVER w AS x",
        "sum(n) OVER w AS x",
        "sum(LEAD(effective_ts) OVER w) AS x",
        "LEAD(LEAD(effective_ts) OVER w) OVER w AS x",
        "first_value(effective_ts) OVER w AS x",
        "nth_value(effective_ts, 1) OVER w AS x",
        # stars that hide columns
        "COLUMNS(*)",
        "COLUMNS('t.*')",
        "*COLUMNS(*)",
        "COLUMNS(c -> c LIKE 't%')",
        "* LIKE 't%'",
        "* SIMILAR TO 't.*'",
        "* EXCLUDE (nobody)",
        "nobody.*",
        "after.*",
        "* REPLACE (random() AS region)",
        "* REPLACE (LEAD(effective_ts) OVER w AS region)",
        "struct_pack(*) AS x",
        # other windows
        "LEAD(effective_ts, 1) OVER w AS x",
        "LEAD(effective_ts, 0) OVER w AS x",
        "LEAD(effective_ts, n) OVER w AS x",
        "LEAD(effective_ts, 1, other_ts) OVER w AS x",
        "LEAD(other_ts) OVER w AS x",
        "LEAD(effective_ts::DATE) OVER w AS x",
        "LEAD(effective_ts + INTERVAL 1 day) OVER w AS x",
        "LEAD(effective_ts ORDER BY n) OVER w AS x",
        "LEAD(DISTINCT effective_ts) OVER w AS x",
        "LEAD(effective_ts) FILTER (WHERE maybe) OVER w AS x",
        "LEAD(effective_ts IGNORE NULLS) OVER w AS x",
        "LEAD(effective_ts) IGNORE NULLS OVER w AS x",
        "LEAD(effective_ts) OVER (w ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS x",
        "LEAD(effective_ts) OVER (w RANGE UNBOUNDED PRECEDING EXCLUDE TIES) AS x",
        "LEAD(effective_ts) OVER () AS x",
        "LEAD(effective_ts) OVER (PARTITION BY customer_id) AS x",
        "LEAD(effective_ts) OVER (ORDER BY effective_ts) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY customer_id, region ORDER BY effective_ts) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY customer_id % 2 ORDER BY effective_ts) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY (customer_id, tier) ORDER BY effective_ts) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY region ORDER BY effective_ts) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY 1 ORDER BY effective_ts) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY s ORDER BY effective_ts) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts DESC) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts, n) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY effective_ts::DATE) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY -n) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY 1) AS x",
        "LEAD(effective_ts) OVER (PARTITION BY customer_id ORDER BY ALL) AS x",
        "LEAD(other_ts) OVER (PARTITION BY customer_id ORDER BY other_ts) AS x",
        "LEAD(later) OVER (PARTITION BY customer_id ORDER BY later) AS x, effective_ts AS later",
        "LEAD(effective_ts) OVER nobody AS x",
        # derived values that a stored row cannot give back
        "CASE WHEN LEAD(effective_ts) OVER w IS NULL THEN region END AS x",
        "LEAD(effective_ts) OVER w + to_days(n) AS x",
        "LEAD(effective_ts) OVER w + random() * INTERVAL 1 day AS x",
        "coalesce(LEAD(effective_ts) OVER w, now()) AS x",
        "coalesce(valid_to, current_timestamp) AS x",
        "(SELECT valid_to) AS x",
        "upper(u) || LEAD(effective_ts) OVER w AS x, region || tier AS u",
    ],
)
def test_items(item: str) -> None:
    assert_refused(
        f"SELECT customer_id, tier, effective_ts, LEAD(effective_ts) OVER w AS valid_to, {item} "
        f"FROM smelt.sources.s AS s WINDOW w AS ({WINDOW}) QUALIFY NOT is_deleted"
    )


@pytest.mark.parametrize(
    "source",
    [
        "smelt.sources.s UNPIVOT INCLUDE NULLS (v FOR m IN (tier, region))",
        "smelt.sources.s UNPIVOT (v FOR m IN (tier, region))",
        "smelt.sources.s PIVOT (max(n) FOR tier IN ('a'))",
        "smelt.sources.s AT (VERSION => 1)",
        "smelt.sources.s FOR SYSTEM_TIME AS OF now()",
        "ONLY smelt.sources.s",
        "LATERAL smelt.sources.s",
        "smelt.sources.s WITH ORDINALITY",
        "smelt.sources.s LATERAL VIEW explode(xs) t AS e",
        "smelt.sources.s CONNECT BY n",
        "smelt.sources.s CLUSTER BY n",
        "smelt.sources.s s FOR UPDATE",
        "smelt.sources.s s (customer_id, tier)",
        "smelt.sources.s POSITIONAL JOIN smelt.sources.s b",
        "smelt.sources.s ASOF JOIN smelt.sources.s b USING (effective_ts)",
        "smelt.sources.s SEMI JOIN smelt.sources.s b USING (n)",
        "smelt.sources.s, unnest(xs)",
        "smelt.sources.s, LATERAL (SELECT 1)",
        "(smelt.sources.s)",
        "(SELECT * FROM smelt.sources.s)",
        "(FROM smelt.sources.s)",
        "(VALUES (1, TIMESTAMP '2025-01-01')) AS s (customer_id, effective_ts)",
        "smelt.sources.s TABLESAMPLE 10%",
        "smelt.sources.s USING SAMPLE 10 ROWS",
        "smelt.sources.s LIMIT 1",
        "smelt.sources.s LIMIT 10%",
        "smelt.sources.s OFFSET 1",
        "smelt.sources.s FETCH FIRST 1 ROW ONLY",
        "smelt.sources.s ORDER BY 1",
        "smelt.sources.s GROUP BY ALL",
        "smelt.sources.s HAVING TRUE",
        "smelt.sources.s UNION ALL SELECT 1, now(), now()",
        "smelt.sources.s EXCEPT SELECT 1, now(), now()",
        "smelt.customer_history",
        "read_csv('x.csv')",
        "main.s",
        # filters before the windows
        "smelt.sources.s WHERE random() < 0.5",
        "smelt.sources.s WHERE tier = 'x' AND random() < 0.5 AND n = 1",
        "smelt.sources.s WHERE ingested_date > current_date - 7",
        "smelt.sources.s WHERE n > (SELECT 1)",
        "smelt.sources.s WHERE EXISTS (SELECT 1)",
        "smelt.sources.s WHERE n IN (SELECT 1)",
        "smelt.sources.s WHERE valid_to IS NULL",
        f"smelt.sources.s WHERE {LEAD} IS NULL",
        "smelt.sources.s WHERE count(*) > 1",
        "smelt.sources.s WHERE rowid < 5",
        "smelt.sources.s WHERE s IS NOT NULL",
        "smelt.sources.s WHERE #1 = 1",
        "smelt.sources.s WHERE $1",
        "smelt.sources.s WHERE COLUMNS(*) IS NOT NULL",
        "smelt.sources.s WHERE list_any_value([random()]) = 1",
        "smelt.sources.s WHERE CASE WHEN TRUE AND now() > effective_ts THEN TRUE END",
        # filters behind the windows
        "smelt.sources.s QUALIFY is_deleted",
        "smelt.sources.s QUALIFY NOT maybe",
        "smelt.sources.s WHERE maybe QUALIFY NOT maybe",
        "smelt.sources.s WHERE maybe IS NULL OR maybe QUALIFY NOT maybe",
        "smelt.sources.s QUALIFY NOT is_deleted AND n = 1",
        "smelt.sources.s QUALIFY NOT is_deleted OR TRUE",
        "smelt.sources.s QUALIFY NOT is_deleted IS NULL",
        "smelt.sources.s QUALIFY NOT is_deleted = FALSE",
        "smelt.sources.s QUALIFY NOT is_deleted::BOOLEAN",
        "smelt.sources.s QUALIFY NOT NOT is_deleted",
        "smelt.sources.s QUALIFY ! is_deleted",
        "smelt.sources.s QUALIFY NOT after.flag",
        "smelt.sources.s QUALIFY NOT n",
        "smelt.sources.s QUALIFY NOT valid_to",
        "smelt.sources.s QUALIFY NOT nobody",
        "smelt.sources.s QUALIFY NOT is_deleted QUALIFY NOT is_deleted",
        "smelt.sources.s QUALIFY valid_to IS NULL",
        "smelt.sources.s QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY effective_ts) = 1",
        "smelt.sources.s QUALIFY",
    ],
)
def test_sources_and_filters(source: str) -> None:
    assert_refused(f"SELECT customer_id, effective_ts, {LEAD} AS valid_to FROM {source}")


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT DISTINCT customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"SELECT DISTINCT ON (customer_id) customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"SELECT customer_id, effective_ts, {LEAD} AS v INTO t FROM smelt.sources.s",
        f"SELECT AS STRUCT customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"SELECT TOP 5 customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"WITH c AS (SELECT 1) SELECT customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"WITH s AS (SELECT * FROM smelt.sources.s) SELECT customer_id, effective_ts, {LEAD} AS v FROM s",
        f"(SELECT customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s) LIMIT 1",
        f"SELECT customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s; SELECT 1",
        f"CREATE TABLE t AS SELECT customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"EXPLAIN SELECT customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"SELECT effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"SELECT customer_id, {LEAD} AS v FROM smelt.sources.s",
        f"SELECT customer_id + 0 AS customer_id, effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"SELECT customer_id, effective_ts::DATE AS effective_ts, {LEAD} AS v FROM smelt.sources.s",
        f"SELECT * REPLACE (-customer_id AS customer_id), {LEAD} AS v FROM smelt.sources.s",
        f"SELECT customer_id, effective_ts, {LEAD} AS tier, tier FROM smelt.sources.s",
        f"SELECT customer_id, effective_ts, {LEAD} FROM smelt.sources.s",
        "SELECT customer_id AS region, effective_ts, LEAD(effective_ts) OVER w AS v FROM smelt.sources.s"
        " WINDOW w AS (PARTITION BY region ORDER BY effective_ts)",
        "SELECT customer_id, effective_ts FROM smelt.sources.s",
        "FROM smelt.sources.s",
        "TABLE smelt.sources.s",
        "VALUES (1)",
        "SELECT",
        "",
    ],
)
def test_statements(sql: str) -> None:
    assert_refused(sql)
