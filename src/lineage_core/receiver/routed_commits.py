"""The commits of a receiver into several stores: each document into the store of its route, each store by a group
commit of its own, so that none waits for another."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lineage_core.ingest.routes import routing_namespace
from lineage_core.receiver.group_commit import GroupCommit
from lineage_core.receiver.observations import Observations
from lineage_core.receiver.store import DocumentOutcome, ReceivedRequest, TokenVerdict
from lineage_core.store_list import StoreList


@dataclass(eq=False)
class RoutedCommits:
    """The commits of one process. commits: by the names of the stores in the list.

    A token is one of the store that has made it: it is good if any store knows it, and in a store that does not, it is
    one of another namespace. The figures of requests are those of the default store.
    """

    listed: StoreList
    commits: Mapping[str, GroupCommit]

    @property
    def observations(self) -> Observations:
        return self.commits[self.listed.default].observations

    def start(self) -> None:
        """As `GroupCommit.start`."""
        for one in self.commits.values():
            one.start()

    def end(self) -> None:
        """As `GroupCommit.end`."""
        for one in self.commits.values():
            one.end()

    async def store(self, arrival: ReceivedRequest) -> list[DocumentOutcome]:
        """As `GroupCommit.store`. Where a store fails, the others have committed theirs: to send all again is safe."""
        if not arrival.documents:
            return await self._of_any(arrival)
        shares = defaultdict[str, list[int]](list)
        for index, document in enumerate(arrival.documents):
            shares[self.listed.store_of(routing_namespace(document))].append(index)
        answers = await asyncio.gather(
            *(self._share(name, arrival, indexes) for name, indexes in shares.items()), return_exceptions=True
        )
        outcomes = dict[int, DocumentOutcome]()
        for indexes, answer in zip(shares.values(), answers, strict=True):
            if isinstance(answer, BaseException):
                raise answer
            outcomes.update(zip(indexes, map(_elsewhere, answer), strict=True))
        return [outcomes[index] for index in range(len(arrival.documents))]

    async def _share(self, name: str, arrival: ReceivedRequest, indexes: Sequence[int]) -> list[DocumentOutcome]:
        documents = [arrival.documents[index] for index in indexes]
        return await self.commits[name].store(replace(arrival, documents=documents))

    async def _of_any(self, arrival: ReceivedRequest) -> list[DocumentOutcome]:
        """Whether a token is good in any store, or whether any could store an event. Raises what a store raised that
        might have known better."""
        answers = await asyncio.gather(*(one.store(arrival) for one in self.commits.values()), return_exceptions=True)
        outcomes = [answer for answer in answers if not isinstance(answer, BaseException)]
        good = [answer for answer in outcomes if answer[0].token in (None, TokenVerdict.ALLOWED)]
        if good:
            return good[0]
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        known = [answer for answer in outcomes if answer[0].token is not TokenVerdict.UNKNOWN]
        return (known or outcomes)[0]


def _elsewhere(outcome: DocumentOutcome) -> DocumentOutcome:
    """A token that was let in, and that the store of a document does not know, is one of another store."""
    return replace(outcome, token=TokenVerdict.OTHER_NAMESPACE) if outcome.token is TokenVerdict.UNKNOWN else outcome
