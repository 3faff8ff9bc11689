"""The views as a script for DuckDB, which needs nothing else to read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lineage_core.archive.relations import FILENAME, EventFiles, Relation, SqlView, StreamRecords, column_names, quoted


def script(relations: Mapping[str, Relation]) -> Iterator[str]:
    """A statement for each relation, those first that others are made of."""
    for name, relation in relations.items():
        yield f"CREATE OR REPLACE VIEW {quoted(name)} AS\n{_query(relation)};\n"


def _query(relation: Relation) -> str:
    match relation:
        case SqlView(text):
            return text
        case EventFiles(paths):
            return f"SELECT *\nFROM read_parquet({_texts(paths)}, {FILENAME} = true)"
        case StreamRecords(files):
            written = {name for struct in files.paths for name in column_names(struct)}
            columns = ", ".join(
                quoted(name) if name in written else f"NULL AS {quoted(name)}"
                for name in column_names(files.migration.target)
            )
            parts = [path for paths in files.paths.values() for path in paths]
            if not parts:
                return f"SELECT {columns}\nWHERE false"
            return f"SELECT {columns}\nFROM read_parquet({_texts(parts)}, union_by_name = true)"


def _texts(paths: Sequence[str]) -> str:
    return f"[{', '.join(_text(path) for path in paths)}]"


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
