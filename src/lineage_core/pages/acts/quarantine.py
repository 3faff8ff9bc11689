"""Reading documents of the quarantine again, and discarding them."""

from __future__ import annotations

from collections.abc import Sequence

from lineage_core import quarantine as kept
from lineage_core.capability import counted
from lineage_core.errors import WrongUsage
from lineage_core.ingest.store import retry
from lineage_core.pages.acting import ActQuestion, Fields, PageActs, is_number, one_of, required
from lineage_core.postgres.store import Store

COMMANDS = ("retry", "discard")
MOST = 500
"""Documents of one act: each takes a transaction, and a person waits."""

MOST_NAMED = 20
"""Documents that the question lists."""


def ask(store: Store, sent: Fields) -> ActQuestion:
    command = one_of(sent, COMMANDS)
    numbers, reason = sent.get("documents"), sent.get("reason")
    chosen = kept.chosen(store, None if numbers is None else _numbers(numbers), reason)
    taken = chosen[:MOST]
    size = _size(store, taken)
    amount = counted(len(taken), "document")
    fields = {"do": command, "documents": ",".join(map(str, taken))}
    rest = ", …" if len(taken) > MOST_NAMED else ""
    which = f"{amount}, {size:,} bytes together: {', '.join(map(str, taken[:MOST_NAMED]))}{rest}."
    sentences = [which]
    if len(taken) < len(chosen):
        sentences.append(
            f"These are the first of {counted(len(chosen), 'document')}; the others stay for another time."
        )
    if command == "retry":
        sentences.append("What is an event now becomes a raw event, and leaves the quarantine.")
        sentences.append("Whatever is none stays, with the reason of now.")
        return ActQuestion(f"Read {amount} again", "Read again", sentences, fields)
    why = required(sent, "why", "The reason why the documents are not needed")
    sentences.append("Their text is deleted for good. What they were stays in `discarded_documents`, without it.")
    sentences.append("One that comes again, from wherever, is not kept.")
    sentences.append(f"The reason that is stored: {why}")
    return ActQuestion(f"Discard {amount}", "Discard", sentences, fields | {"why": why})


def do(store: Store, sent: Fields) -> None:
    """Of the documents that the question has named, and no others."""
    numbers = _numbers(required(sent, "documents", "The number of a document"))
    if one_of(sent, COMMANDS) == "retry":
        for _ in retry(store, numbers):
            pass
    else:
        kept.discard(store, numbers, required(sent, "why", "The reason why the documents are not needed"))


def _numbers(text: str) -> list[int]:
    numbers = text.split(",")
    if not all(map(is_number, numbers)):
        raise WrongUsage("Documents are named by their numbers")
    if len(numbers) > MOST:
        raise WrongUsage(f"At most {MOST} documents at once")
    return list(dict.fromkeys(map(int, numbers)))


def _size(store: Store, numbers: Sequence[int]) -> int:
    """Raises WrongUsage if one of them is not there."""
    sizes = {entry.id: entry.size for entry in kept.entries(store)}
    for missing in sorted(set(numbers) - set(sizes)):
        raise kept.no_such_document(missing)
    return sum(sizes[number] for number in numbers)


ACTS = PageActs("quarantine", "quarantine ", ask, do)
