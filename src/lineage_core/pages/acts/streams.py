"""Turning a changelog stream on and off."""

from __future__ import annotations

from lineage_core.pages.acting import ActQuestion, Fields, PageActs, one_of, required
from lineage_core.postgres.store import Store
from lineage_core.streams import published_versions, reading
from lineage_core.streams.store import switches

COMMANDS = ("start", "stop")


def ask(store: Store, sent: Fields) -> ActQuestion:
    command, name = one_of(sent, COMMANDS), switches.stream_named(required(sent, "name", "The stream")).name
    records = published_versions.published_version(store, name).next_offset
    is_on = next(one.is_on for one in reading.list_streams(store) if one.name == name)
    fields = {"do": command, "name": name}
    if command == "start":
        sentences = [
            f"The stream {name} is {'on already, so that nothing changes' if is_on else 'off'}.",
            f"Its next publication begins with what its table has then, behind the {records:,} records that are"
            " published.",
            "From now on each change of the table is kept until it is published.",
        ]
        return ActQuestion(f"Start the stream {name}", "Start it", sentences, fields)
    sentences = [
        f"The stream {name} is {'on' if is_on else 'off already, so that nothing changes'}.",
        f"The {records:,} records that are published stay. Changes from now on are not kept.",
        "A later start publishes the difference between these records and the table.",
    ]
    return ActQuestion(f"Stop the stream {name}", "Stop it", sentences, fields)


def do(store: Store, sent: Fields) -> None:
    command, name = one_of(sent, COMMANDS), required(sent, "name", "The stream")
    (switches.start if command == "start" else switches.stop)(store, name)


ACTS = PageActs("streams", "stream ", ask, do)
