"""SQL that holds a succession model's table against the model's own query over what was folded. Pure.

The query is the author's, not the plan's: only what it reads is replaced, by the folded rows with re-deliveries
collapsed. So a fault in the plan shows too.
"""

from dataclasses import dataclass

from smelt.engines.duckdb.render_events import partition_of
from smelt.engines.duckdb.render_whole import physical_query
from smelt.engines.duckdb.statements import columns, qualified, same, select_list
from smelt.grains.succession.shape import SuccessionShape
from smelt.plan.succession import SuccessionPlan
from smelt.project.model import Address, Model
from smelt.text.identifiers import quote

SOURCE = 'temp."__smelt_source"'
FRONTIER = 'temp."__smelt_folded"'
LEFT_OUT = 'temp."__smelt_left_out"'
ORACLE = 'temp."__smelt_oracle"'
DELETES = 'temp."__smelt_deletes"'
PARTITION = '"__smelt_partition"'
_FOLDED = f"(SELECT s.* FROM {SOURCE} AS s SEMI JOIN {FRONTIER} AS f ON f.{PARTITION} = s.{PARTITION})"


@dataclass(frozen=True, slots=True)
class Verification:
    """The statements for one model."""

    plan: SuccessionPlan
    model: Model

    @property
    def shape(self) -> SuccessionShape:
        """What the model was recognised as."""
        return self.plan.shape

    def copy(self) -> str:
        """Every row of the source that lies in a partition, once, so that all that follows sees the same rows."""
        source = self.plan.source
        items = [*(quote(name) for name in self.shape.reads), f"{self._partition()} AS {PARTITION}"]
        return (
            f"CREATE TEMP TABLE {SOURCE} AS\nSELECT {select_list(items)}\nFROM {source.relation}\n"
            f"WHERE {self._partition()} IS NOT NULL"
        )

    def frontier(self) -> str:
        """The folded partitions with their raw counts, from ``$partitions`` and ``$rows``."""
        return (
            f"CREATE TEMP TABLE {FRONTIER} AS\nSELECT unnest($partitions::TIMESTAMP[]) AS {PARTITION}, "
            "unnest($rows::BIGINT[]) AS raw_rows"
        )

    def behind(self) -> str:
        """How many partitions, and rows in them, were never folded."""
        return (
            f"SELECT count(DISTINCT {PARTITION}), count(*) FROM {SOURCE} AS s\n"
            f"ANTI JOIN {FRONTIER} AS f ON f.{PARTITION} = s.{PARTITION}"
        )

    def changed(self) -> str:
        """How many folded partitions have another number of rows now."""
        return f"SELECT count(*) FROM ({self._changed()})"

    def left_out(self) -> str:
        """The keys of which not all that was folded can be seen any more.

        Those with a row in a changed partition; and, for rows that are gone altogether, those with a point in the
        table or the ledger that has no row in the source.
        """
        shape = self.shape
        keys = [f"{quote(name)} AS {quote(output)}" for name, output in zip(shape.key, shape.key_outputs, strict=True)]
        seen = f"SELECT DISTINCT {', '.join(keys)} FROM {SOURCE} WHERE {PARTITION} IN ({self._changed()})"
        pairs = list(zip((*shape.key, shape.clock), (*shape.key_outputs, shape.clock_output), strict=True))
        on = " AND ".join(f"s.{quote(name)} = p.{quote(output)}" for name, output in pairs)
        lost = (
            f"SELECT DISTINCT {columns(shape.key_outputs, 'p')} FROM ({self._points()}) AS p\n"
            f"ANTI JOIN {SOURCE} AS s ON {on}\nWHERE EXISTS ({self._changed()})"
        )
        return f"CREATE TEMP TABLE {LEFT_OUT} AS\n{seen}\nUNION\n{lost}"

    def oracle(self) -> str:
        """The author's query over the folded rows; what makes two rows one event is what the outline says."""
        shape = self.shape
        where = f"WHERE {shape.pre_filter}\n" if shape.pre_filter is not None else ""
        same_event = [column.sql for column in shape.row_local]
        if shape.flag is not None:
            same_event.append(quote(shape.flag))
        folded = f"(SELECT DISTINCT ON ({', '.join(same_event)}) {columns(shape.reads)}\nFROM {_FOLDED}\n{where})"

        def relation(address: Address) -> str | None:
            return folded if address == shape.source else None

        return f"CREATE TEMP TABLE {ORACLE} AS\n{physical_query(self.model, relation)}"

    def deletes(self) -> str:
        """The key and clock of every delete that was folded."""
        shape = self.shape
        pairs = zip((*shape.key, shape.clock), (*shape.key_outputs, shape.clock_output), strict=True)
        items = ", ".join(f"{quote(name)} AS {quote(output)}" for name, output in pairs)
        kept = f" AND ({shape.pre_filter})" if shape.pre_filter is not None else ""
        return (
            f"CREATE TEMP TABLE {DELETES} AS\nSELECT DISTINCT {items}\n"
            f"FROM {_FOLDED}\n"
            f"WHERE {quote(shape.flag or '')}{kept}"
        )

    def table(self) -> str:
        """The rows of the table that are compared."""
        relations = self.plan.relations
        return self._compared(qualified(relations.schema, relations.presented), self._outputs())

    def expected(self) -> str:
        """The rows that the query gives."""
        return self._compared(ORACLE, self._outputs())

    def ledger(self) -> str:
        """The points of the ledger that are compared."""
        return self._compared(f"({self._ledger_points()})", self._identity())

    def expected_ledger(self) -> str:
        """The deletes that were folded."""
        return self._compared(DELETES, self._identity())

    def _compared(self, relation: str, names: tuple[str, ...]) -> str:
        on = same(self.shape.key_outputs, "one", "k")
        return f"SELECT {columns(names, 'one')} FROM {relation} AS one ANTI JOIN {LEFT_OUT} AS k ON {on}"

    def _changed(self) -> str:
        counted = f"SELECT {PARTITION}, count(*) AS raw_rows FROM {SOURCE} GROUP BY ALL"
        return (
            f"SELECT f.{PARTITION} FROM {FRONTIER} AS f LEFT JOIN ({counted}) AS c ON c.{PARTITION} = f.{PARTITION}\n"
            "WHERE coalesce(c.raw_rows, 0) <> f.raw_rows"
        )

    def _points(self) -> str:
        relations = self.plan.relations
        rows = f"SELECT {columns(self._identity())} FROM {qualified(relations.schema, relations.presented)}"
        return rows if relations.ledger is None else f"{rows}\nUNION ALL {self._ledger_points()}"

    def _ledger_points(self) -> str:
        relations, shape = self.plan.relations, self.shape
        pairs = zip((*shape.key, shape.clock), self._identity(), strict=True)
        items = ", ".join(f"{quote(name)} AS {quote(output)}" for name, output in pairs)
        return f"SELECT {items} FROM {qualified(relations.schema, relations.ledger or '')}"

    def _identity(self) -> tuple[str, ...]:
        return (*self.shape.key_outputs, self.shape.clock_output)

    def _outputs(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.shape.outputs)

    def _partition(self) -> str:
        return partition_of(self.shape, self.plan.source.axis_type)


def difference(left: str, right: str) -> str:
    """The rows of ``left`` that ``right`` lacks, counting equal rows."""
    return f"({left})\nEXCEPT ALL\n({right})"
