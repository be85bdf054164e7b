"""Records of a check as JSON values, and back."""

from collections.abc import Mapping
from typing import Any

from smelt.analysis.binding import BoundColumn
from smelt.analysis.incremental import Record
from smelt.analysis.model import Summary
from smelt.diagnostics import registry
from smelt.diagnostics.codec import pack, unpack
from smelt.diagnostics.model import Code
from smelt.project.known import KnownFile, KnownModel, KnownRelation, KnownSource
from smelt.text.spans import Span

Value = list[Any]


def encode(records: Mapping[str, Record]) -> dict[str, Value]:
    """The records as JSON values, by file."""
    return {file: _record(record) for file, record in records.items()}


def decode(values: Mapping[str, Value]) -> dict[str, Record]:
    """The records of what :func:`encode` gave.

    Raises:
        KeyError, TypeError, ValueError: these are no such values.
    """
    return {file: _unpacked_record(value) for file, value in values.items()}


def _record(record: Record) -> Value:
    model, source = record.facts.model, record.facts.source
    return [
        record.digest,
        None if model is None else _model(model),
        None if source is None else [source.relation],
        [pack(finding) for finding in record.findings],
        [list(one) for one in record.inputs],
        record.interface,
        None if record.columns is None else [[column.name, column.type] for column in record.columns],
        None if record.summary is None else [record.summary.kind, list(record.summary.identity)],
        record.reads,
    ]


def _unpacked_record(value: Value) -> Record:
    digest, model, source, findings, inputs, interface, columns, summary, reads = value
    return Record(
        digest=digest,
        facts=KnownFile(
            model=None if model is None else _unpacked_model(model),
            source=None if source is None else KnownSource(*source),
        ),
        findings=tuple(unpack(finding, _code) for finding in findings),
        inputs=tuple((address, seen) for address, seen in inputs),
        interface=interface,
        columns=None if columns is None else tuple(BoundColumn(name, kind) for name, kind in columns),
        summary=None if summary is None else Summary(summary[0], tuple(summary[1])),
        reads=tuple(reads),
    )


def _code(name: str) -> Code:
    return registry.entry(name).code


def _model(model: KnownModel) -> Value:
    return [
        _span(model.sql_span),
        model.name,
        model.target,
        [[key, *_span(span)] for key, span in model.marks],
        _span(model.whole),
        [[one.kind, list(one.parts), *_span(one.span), *_span(one.name_span)] for one in model.relations],
    ]


def _unpacked_model(value: Value) -> KnownModel:
    sql, name, target, marks, whole, relations = value
    return KnownModel(
        sql_span=Span(*sql),
        name=name,
        target=target,
        marks=tuple((key, Span(start, end)) for key, start, end in marks),
        whole=Span(*whole),
        relations=tuple(
            KnownRelation(kind, Span(start, end), Span(first, last), tuple(parts))
            for kind, parts, start, end, first, last in relations
        ),
    )


def _span(span: Span) -> Value:
    return [span.start, span.end]
