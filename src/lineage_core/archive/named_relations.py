"""Relations by name, each looked at when it is asked for: what a query does not name costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from lineage_core.archive.relations import EVENTS, Relation, event_relations, stream_of, stream_relations
from lineage_core.errors import WrongUsage
from lineage_core.postgres.store import Store
from lineage_core.retention.archived_sets import archived_sets
from lineage_core.streams.files_to_read import files_of_version
from lineage_core.streams.published_versions import version_below
from lineage_core.streams.store import switches


class NamedRelations:
    """Of event archives, and of the streams that a store publishes.

    archives: URLs of archives, or of manifests. streams: below which URL streams are published. store: where they are
    registered; it is chosen only if a stream is asked for.
    """

    def __init__(self, archives: Sequence[str], streams: str, store: Callable[[], Store]) -> None:
        self._archives = [_from_anywhere(url) for url in archives]
        self._root = _from_anywhere(streams)
        self._store = store
        self._known = dict[str, Relation]()

    def __getitem__(self, name: str) -> Relation | None:
        """None if there is none of that name, in which capitals do not count.

        Raises WrongUsage for archived events without an archive, and what reading manifests and the registry of streams
        raises.
        """
        name = name.lower()
        if name not in self._known:
            stream = stream_of(name)
            if name == EVENTS:
                self._known |= self.events()
            elif stream is not None:
                self._known |= self.stream(stream)
        return self._known.get(name)

    def events(self) -> dict[str, Relation]:
        """`lineage_events`, behind what it is made of."""
        if not self._archives:
            raise WrongUsage(f"{EVENTS} are in an archive: name it by --archive")
        return event_relations(archived_sets(self._archives))

    def stream(self, name: str) -> dict[str, Relation]:
        """The rows of a stream, behind its records. Raises WrongUsage if there is none of that name.

        Of the raw events' own stream the records alone: `lineage_events` are those that were archived.
        """
        declared = switches.stream_named(name)
        version = version_below(self._store(), self._root, name)
        found = stream_relations(name, declared.key, files_of_version(version, self._root))
        return {relation: made for relation, made in found.items() if relation != EVENTS}


def _from_anywhere(url: str) -> str:
    """A URL that means the same in any folder, as a script of views is read in another one."""
    return url if "://" in url else str(Path(url).absolute())
