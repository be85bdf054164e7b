"""Every diagnostic code and the module that declares it.

A module named here has a docstring (the code's page) and a ``CODE``. Names map to module paths, not to
objects, so that one page can be shown without importing the rest, and so that this layer imports nothing
above it.
"""

import importlib
from dataclasses import dataclass

from smelt.diagnostics.model import Code

CODES: dict[str, str] = {
    # project files
    "YamlSyntax": "smelt.project.rules.yaml_syntax",
    "YamlDuplicateKey": "smelt.project.rules.yaml_duplicate_key",
    "UnknownDeclaredColumn": "smelt.analysis.rules.unknown_declared_column",
    "UnknownKey": "smelt.project.rules.unknown_key",
    "MissingKey": "smelt.project.rules.missing_key",
    "InvalidValue": "smelt.project.rules.invalid_value",
    "UndefinedVariable": "smelt.project.rules.undefined_variable",
    "ProjectFileMissing": "smelt.project.rules.project_file_missing",
    "FileUnreadable": "smelt.project.rules.file_unreadable",
    "FrontmatterUnclosed": "smelt.project.rules.frontmatter_unclosed",
    "DuplicateAddress": "smelt.project.rules.duplicate_address",
    "DuplicateRelation": "smelt.project.rules.duplicate_relation",
    "ReservedRelationName": "smelt.project.rules.reserved_relation_name",
    "UnknownReference": "smelt.project.rules.unknown_reference",
    "CircularReference": "smelt.project.rules.circular_reference",
    "MaterializedViewUnsupported": "smelt.project.rules.materialized_view_unsupported",
    "RefreshViewConflict": "smelt.project.rules.refresh_view_conflict",
    "UnknownTimeseriesColumn": "smelt.project.rules.unknown_timeseries_column",
    "DuplicateColumn": "smelt.project.rules.duplicate_column",
    "UnknownType": "smelt.project.rules.unknown_type",
    "SourceDataConflict": "smelt.project.rules.source_data_conflict",
    "UnknownTarget": "smelt.project.rules.unknown_target",
    "VersionUnsupported": "smelt.project.rules.version_unsupported",
    # SQL
    "SqlSyntax": "smelt.sql.rules.syntax",
    "SuccessionProjectsRunAxis": "smelt.grains.succession.rules.projects_run_axis",
    "ProjectionNameInvalid": "smelt.grains.succession.rules.projection_name_invalid",
    "ReservedColumnName": "smelt.grains.succession.rules.reserved_column_name",
    "UnknownColumn": "smelt.facts.rules.unknown_column",
    "TypeMismatch": "smelt.analysis.rules.type_mismatch",
    "BindError": "smelt.analysis.rules.bind_error",
    "SourceExpressionNotRowLocal": "smelt.facts.rules.source_expression_not_row_local",
    "GrainAssertionMismatch": "smelt.grains.rules.grain_assertion_mismatch",
    "GrainNotAvailable": "smelt.grains.rules.grain_not_available",
    # succession
    "SuccessionWindowFunctionNotLead": "smelt.grains.succession.rules.window_function_not_lead",
    "SuccessionPartitionKeyMismatch": "smelt.grains.succession.rules.partition_key_mismatch",
    "SuccessionOrderNotMonotoneClock": "smelt.grains.succession.rules.order_not_monotone_clock",
    "SuccessionRowLocalColumnViolation": "smelt.grains.succession.rules.row_local_column_violation",
    "SuccessionIdentityNotProjected": "smelt.grains.succession.rules.identity_not_projected",
    "SuccessionSingleSourceOnly": "smelt.grains.succession.rules.single_source_only",
    "SuccessionDrivingSourceNotAppendOnly": "smelt.grains.succession.rules.driving_source_not_append_only",
    "PartitionColumnNullable": "smelt.grains.succession.rules.partition_column_nullable",
    "SuccessionPreFilterNotRowLocal": "smelt.grains.succession.rules.pre_filter_not_row_local",
    "SuccessionDeleteFilterMisplaced": "smelt.grains.succession.rules.delete_filter_misplaced",
    "SuccessionPreFilterNegatesFlag": "smelt.grains.succession.rules.pre_filter_negates_flag",
    "SuccessionPatternUnrecognized": "smelt.grains.succession.rules.pattern_unrecognized",
    "SuccessionClockTie": "smelt.grains.succession.rules.clock_tie",
    # comments that allow a finding
    "InvalidAllow": "smelt.analysis.rules.invalid_allow",
    "UnusedAllow": "smelt.analysis.rules.unused_allow",
    # state
    "StateLocked": "smelt.state.rules.locked",
    "StateLockUnsupported": "smelt.state.rules.lock_unsupported",
    "StateCorrupt": "smelt.state.rules.corrupt",
    "StateUnreadable": "smelt.state.rules.unreadable",
    "StateUnwritable": "smelt.state.rules.unwritable",
    "StateDiskFull": "smelt.state.rules.disk_full",
    "StateVersionNewer": "smelt.state.rules.version_newer",
    "StateLegacyLayout": "smelt.state.rules.legacy_layout",
    "StateModeUnavailable": "smelt.state.rules.mode_unavailable",
    # editor
    "InternalError": "smelt.analysis.rules.internal_error",
    # run time
    "DatabaseNotCompactable": "smelt.engines.rules.database_not_compactable",
    "DefinitionDeltaPending": "smelt.engines.rules.definition_delta_pending",
    "MaintainedRelationChanged": "smelt.engines.rules.maintained_relation_changed",
    "RelationNotBuilt": "smelt.engines.rules.relation_not_built",
    "RelationNotManaged": "smelt.engines.rules.relation_not_managed",
    "SeedUnreadable": "smelt.engines.rules.seed_unreadable",
    "SourceColumnMissing": "smelt.engines.rules.source_column_missing",
    "SourceFileUnreadable": "smelt.engines.rules.source_file_unreadable",
    "SourceFilesMissing": "smelt.engines.rules.source_files_missing",
    "SourceHistoryExpired": "smelt.engines.rules.source_history_expired",
    "SourceMutationProfileViolated": "smelt.engines.rules.source_mutation_profile_violated",
    "SourceNullViolation": "smelt.engines.rules.source_null_violation",
    "SourceRedeliveryViolated": "smelt.engines.rules.source_redelivery_violated",
    "SourceRelationMissing": "smelt.engines.rules.source_relation_missing",
    "SourceTypeMismatch": "smelt.engines.rules.source_type_mismatch",
    "SourceUnbound": "smelt.project.rules.source_unbound",
    "WarehouseDiskFull": "smelt.engines.rules.warehouse_disk_full",
    "WarehouseExtensionUnavailable": "smelt.engines.rules.warehouse_extension_unavailable",
    "WarehouseInitSqlFailed": "smelt.engines.rules.warehouse_init_sql_failed",
    "WarehouseInterrupted": "smelt.engines.rules.warehouse_interrupted",
    "WarehouseLocked": "smelt.engines.rules.warehouse_locked",
    "WarehouseOpenFailed": "smelt.engines.rules.warehouse_open_failed",
    "WarehouseOutOfMemory": "smelt.engines.rules.warehouse_out_of_memory",
    "WarehouseSettingInvalid": "smelt.engines.rules.warehouse_setting_invalid",
    "WarehouseStatementFailed": "smelt.engines.rules.warehouse_statement_failed",
    "ColumnTestFailed": "smelt.run.rules.column_test_failed",
    "ColumnTestUnavailable": "smelt.run.rules.column_test_unavailable",
    "ModelTargetUnavailable": "smelt.run.rules.model_target_unavailable",
    "NothingToResume": "smelt.run.rules.nothing_to_resume",
    "ResumeWindowDiffers": "smelt.run.rules.resume_window_differs",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered code with its page (Markdown)."""

    code: Code
    page: str


def entry(name: str) -> Entry:
    """The declaration and page of a code.

    Raises:
        KeyError: no such code.
    """
    module = importlib.import_module(CODES[name])
    code: Code = module.CODE
    return Entry(code, (module.__doc__ or "").strip() + "\n")


def names() -> tuple[str, ...]:
    """All code names, in registry order."""
    return tuple(CODES)
