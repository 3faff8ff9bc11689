"""Every error this project raises, grouped by what the caller should do.

LineageError
├── RejectedEvent      quarantine the document; the ones beside it go on
├── TryAgain           nothing was changed; the same call may succeed later
│   ├── LeaseTaken     another run holds the lease
│   ├── LeaseLost      the lease went to another run; this one must end
│   ├── StoreUnavailable
│   └── ProcessDied    the processes at work died, one after the other
└── NeedsOperator      a person has to decide or repair something first
    ├── WrongUsage     the call itself is wrong
    │   └── NotInStore what it names is not there, or no longer
    ├── SliceRefused   the events of a slice cannot be taken in: find which
    ├── SchemaDiffers  the database is not what the declarations say
    ├── BrokenStream   a changelog stream breaks a rule, or would: at which offset
    ├── SchemaRefused  the schema of a stream may not become this one
    ├── ReaderFenced   what a reader asks for is no longer what there is
    └── StaleWatermark the watermark was made in another cluster

A message says what is wrong, where, and what to do next. A job of Spark that ends with an error exits with the code of
its class, so that Airflow knows whether to start it again.
"""

from __future__ import annotations

import traceback
from typing import ClassVar


class LineageError(Exception):
    """The root of all errors of this project."""

    exit_code: ClassVar[int] = 1
    """As of an unforeseen error."""


class RejectedEvent(LineageError):
    """A document that cannot become rows: it goes to quarantine with its reason and place.

    `path` is a JSON path into the document (`$.run.runId`), `$` where the document as a whole is meant.
    """

    def __init__(self, reason: str, path: str = "$") -> None:
        super().__init__(f"{path}: {reason}")
        self.reason = reason
        self.path = path


class TryAgain(LineageError):
    """Nothing was changed; the same call may succeed later."""

    exit_code = 75
    """EX_TEMPFAIL of sysexits.h."""


class LeaseTaken(TryAgain):
    """Another run holds the lease."""


class StoreUnavailable(TryAgain):
    """The database cannot be reached or ended the connection."""


class ProcessDied(TryAgain):
    """The processes at work died, one after the other: of what they worked on, perhaps."""


class LeaseLost(TryAgain):
    """The lease went to another run while this one worked; this one must end without writing."""


class NeedsOperator(LineageError):
    """A person has to decide or repair something first."""

    exit_code = 3


class WrongUsage(NeedsOperator):
    """The call itself is wrong: an unknown option, a malformed value, a missing file."""

    exit_code = 2
    """As of an option that the command line itself refuses."""


class NotInStore(WrongUsage):
    """The store has no such thing, or no longer: a name that no event has, a run that retention deleted."""


class SliceRefused(NeedsOperator):
    """The events of a slice cannot be staged, or Postgres does not take what they say.

    The reason is unforeseen, and may lie in one of them alone.
    """


class SchemaDiffers(NeedsOperator):
    """The database is not what the declarations say."""


class SchemaRefused(NeedsOperator):
    """A schema may not become another one (seed 004). Nothing has changed.

    `path` is the field (`address.city`), empty where the schema as a whole is meant; `rule` the name of the rule
    (`lineage_core.evolution.EvolutionRule`).
    """

    def __init__(self, path: str, rule: str, reason: str) -> None:
        super().__init__(f"{path or 'The schema'}: {reason} (rule {rule})")
        self.path = path
        self.rule = rule
        self.reason = reason

    def __reduce__(self) -> tuple[type[SchemaRefused], tuple[str, str, str]]:
        return type(self), (self.path, self.rule, self.reason)


class ReaderFenced(NeedsOperator):
    """A reader's schema is not what the data can be migrated to (seed 004), so that it gets no row.

    `path` and `rule` as those of SchemaRefused.
    """

    def __init__(self, path: str, rule: str, reason: str) -> None:
        super().__init__(f"The reader's schema no longer fits. {path or 'The schema'}: {reason} (rule {rule})")
        self.path = path
        self.rule = rule
        self.reason = reason

    def __reduce__(self) -> tuple[type[ReaderFenced], tuple[str, str, str]]:
        return type(self), (self.path, self.rule, self.reason)


class StaleWatermark(NeedsOperator):
    """The watermark was made in another cluster, so its transaction ids mean nothing here."""


class BrokenStream(NeedsOperator):
    """A changelog stream breaks a rule, or would. `rule` is the rule, `offset` the record that is against it."""

    def __init__(self, rule: str, offset: int, what: str) -> None:
        super().__init__(f"Record {offset} of the changelog stream breaks the rule that {rule}: {what}")
        self.rule = rule
        self.offset = offset
        self.what = what

    def __reduce__(self) -> tuple[type[BrokenStream], tuple[str, int, str]]:
        return type(self), (self.rule, self.offset, self.what)


def needs_operator(exit_code: int) -> bool:
    """Whether a job that exits with this code would fail again until a person has done something."""
    return exit_code in (NeedsOperator.exit_code, WrongUsage.exit_code)


LONGEST_MESSAGE = 1_000
"""Characters of what the error itself says: it may repeat the document."""

_FRAMES = 15
"""The innermost: that is where it happened."""


def traceback_text(error: BaseException) -> str:
    """The error in one line, and behind it where it happened. The values of variables are not in it."""
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if len(message) > LONGEST_MESSAGE:
        message = f"{message[:LONGEST_MESSAGE]} [...]"
    frames = "".join(traceback.format_tb(error.__traceback__, limit=-_FRAMES))
    return _storable(f"{' '.join(message.split())}\n{frames}".strip())


def _storable(text: str) -> str:
    """Without what Postgres' texts cannot hold."""
    return text.encode(errors="backslashreplace").decode().replace("\0", r"\x00")
