"""removed_stream_files: files that belong to no changelog stream any more, or never did."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, DEFAULT, KEY, PLATFORM, TEXT, TIMESTAMPTZ, Column, Index, Table

TABLE = Table(
    name="removed_stream_files",
    doc=(
        "Files that belong to no changelog stream any more, or never did. They are deleted after a grace time, as a"
        " reader may have their names."
    ),
    columns=(
        Column("path", TEXT, KEY, "The file, below the root of all streams.", nullable=False),
        Column("stream", TEXT, PLATFORM, "The stream in whose folder it is.", nullable=False),
        Column("bytes", BIGINT, PLATFORM, "Its size; null for a file that never belonged to the stream."),
        Column("removed_at", TIMESTAMPTZ, DEFAULT, "Since when it is here.", nullable=False, default="now()"),
        Column("deleted_at", TIMESTAMPTZ, PLATFORM, "From then on the file may be gone; null before."),
    ),
    primary_key=("path",),
    indexes=(Index("removed_stream_files_stream_index", "(stream)", "Compaction looks for those of a stream."),),
)
