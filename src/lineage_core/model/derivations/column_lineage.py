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
            "touched_runs",
            "The runs that say or read something new, read a version whose fields have changed, or read a dataset "
            "that has gained or lost a name: what they say may be of that name.",
        ),
        TemporaryTable("touched_outputs", "Versions of outputs of these runs."),
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
            "described_inputs",
            "The inputs that are described alike, and have the same schema, whatever run they are of: a list of pairs "
            "each.",
        ),
        TemporaryTable("resolved_pairs", "The pairs of these lists, with both fields."),
        TemporaryTable("several_pairs", "The pairs between versions that several descriptions speak of."),
        TemporaryTable(
            "version_lists",
            "The list that holds between each output and each input of these runs, and since when until when it was "
            "said.",
        ),
        TemporaryTable("listed_pairs", "The pairs of the lists that hold between any versions."),
        TemporaryTable("list_contents", "The id of each list, by its content."),
        TemporaryTable("doubtful_pairs", "The lists that may hold between no versions any more."),
    ),
    writes=("column_lineage_pairs", "column_lineage_versions"),
    removes=("column_lineage_pairs", "column_lineage_versions"),
    before=("derive/unreferenced",),
)
