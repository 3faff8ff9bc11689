"""Changelog streams: the history of a table, as records that append, retract and correct its rows (ODF RFC-015).

A *state* is a table of live rows: event time and data columns. A *slice* is the records of one commit, with the
system columns `offset`, `op`, `system_time` and `event_time` before the data columns. *Changes* are records that have
no offset and no system time yet. All are Arrow tables; `lineage_core.spark.changelog` has the same for Spark, by these
same rules.

**What a batch changes.** `merge(strategy, state, batch)` gives changes, and `numbered(changes, first_offset,
system_time)` the slice that is published. The strategies are those of ODF:

- `Append()`: every row is new.
- `Ledger(primary_key)`: rows with a new key are appended, what is there never changes.
- `Snapshot(primary_key, compare_columns)`: the batch is the whole table; new rows are appended, rows that are gone
  retracted, rows that differ corrected. Without a primary key they are retracted and appended.
- `UpsertStream(primary_key)`: +A and -R by key; the last record of a key counts.
- `ChangelogStream(primary_key)`: records that are a changelog stream already.

`merge_strategy(manifest)` reads one from ODF's manifest, `DatasetVocabulary.from_manifest` the names of the system
columns. Both refuse the `obsv` column and its vocabulary, and say what replaced them.

**Other names.** `Changelog(vocabulary)` has the functions of this package as methods, for streams whose system columns
are called otherwise. The functions themselves are the methods of `STANDARD`, whose names are ODF's.

**What records say.** `replay(records, state, primary_key)` gives the state after them. `validate` names the record and
the rule if a slice does not follow from the state. `converted(records, source, target)` turns one of the four forms of
the RFC into another.

**Which values are the same** stands in `values`, once: NULL is NULL, NaN is NaN, -0.0 is 0.0. A key holds no NULL, is
there once, and is of a type with an exact order.

**Files.** `write_part` and `read_part` keep slices as immutable Parquet below any URL. `StreamFolder` is a stream of
your own in a folder: `publish` appends what a table changes, `state` gives the rows that are there, or were there,
`evolve` changes its schema. `append` makes parts that you have written its next commit, once. `compact`, `checkpoint`
and `clean_up` keep it small.

Errors: WrongUsage where a call or a table is wrong, BrokenStream where records break a rule of changelog streams.
"""

from lineage_core.changelog.bins import BinSizes
from lineage_core.changelog.changelog import STANDARD, Changelog
from lineage_core.changelog.folder_log import FolderHead
from lineage_core.changelog.forms import Form
from lineage_core.changelog.logical_hash import logical_hash
from lineage_core.changelog.operations import Operation
from lineage_core.changelog.parts import StreamPart, described_part, read_part
from lineage_core.changelog.strategies import (
    Append,
    ChangelogStream,
    Ledger,
    MergeStrategy,
    Snapshot,
    UpsertStream,
    merge_strategy,
)
from lineage_core.changelog.stream_folder import StreamFolder
from lineage_core.changelog.vocabulary import DatasetVocabulary

slice_of, numbered = STANDARD.slice_of, STANDARD.numbered
merge, replay, validate = STANDARD.merge, STANDARD.replay, STANDARD.validate
converted, write_part = STANDARD.converted, STANDARD.write_part

__all__ = [
    "STANDARD",
    "Append",
    "BinSizes",
    "Changelog",
    "ChangelogStream",
    "DatasetVocabulary",
    "FolderHead",
    "Form",
    "Ledger",
    "MergeStrategy",
    "Operation",
    "Snapshot",
    "StreamFolder",
    "StreamPart",
    "UpsertStream",
    "converted",
    "described_part",
    "logical_hash",
    "merge",
    "merge_strategy",
    "numbered",
    "read_part",
    "replay",
    "slice_of",
    "validate",
    "write_part",
]
