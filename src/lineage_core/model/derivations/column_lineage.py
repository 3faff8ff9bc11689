"""The derivation of sql/derive/column_lineage.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="column_lineage",
    doc=(
        "Which columns the columns of an output come from, by what its mentions say, and by the fields of the "
        "versions that the run had read by then."
    ),
    again=(
        "The run names or reads something new; an input reads another version; a version that it read has other "
        "fields; a name becomes another dataset's."
    ),
    reads=(
        "dataset_column_lineages",
        "dataset_fields",
        "dataset_mentions",
        "dataset_schema_versions_field_mapping",
        "dataset_versions",
        identities("datasets"),
        "runs_input_mapping",
        "changed_names",
        "moved_reads",
        "reshaped_versions",
        "slice_mentions",
    ),
    makes=(
        TemporaryTable(
            "touched_outputs",
            "Versions of outputs whose runs say or read something new, read a version whose fields have changed, "
            "or read a dataset that has gained or lost a name: what they say may be of that name.",
        ),
        TemporaryTable(
            "run_reads",
            "The versions that the runs of these outputs read, of which datasets, and since which event.",
        ),
        TemporaryTable(
            "said_lineages",
            "The descriptions of columns that mentions of a version give, for each input, once however many say "
            "the same.",
        ),
        TemporaryTable(
            "described_pairs",
            "The pairs of each description, with the fields and datasets that they name.",
        ),
        TemporaryTable("input_fields", "The fields of the schema versions of these inputs, by name."),
        TemporaryTable(
            "resolved_pairs",
            "The pairs with both fields, once for all runs that say the same of inputs with the same schema.",
        ),
        TemporaryTable("column_origins", "The rows that touched outputs have now."),
    ),
    writes=("column_lineage",),
    removes=("column_lineage",),
    before=("derive/unreferenced",),
)
