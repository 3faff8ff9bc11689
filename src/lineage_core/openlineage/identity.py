"""Every id that is derived from content: Marquez' own, byte for byte, and those where Marquez draws random ones.

Ids are kept as their 16 bytes, the form that Postgres' COPY takes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from uuid import UUID

from lineage_core.remembered import remembered

_REMEMBERED = 8 << 20
"""Bytes of the ids of each kind: some 20,000 with names of usual length."""


def java_uuid(name: str, prefix: bytes = b"") -> bytes:
    """Java's `UUID.nameUUIDFromBytes` of the UTF-8 text behind the prefix: MD5 with version 3 bits.

    Marquez derives run ids, dataset versions, schema versions and job versions with it, without a prefix
    (marquez-model, section 2.1).
    """
    digest = bytearray(hashlib.md5(prefix + name.encode(), usedforsecurity=False).digest())
    digest[6] = digest[6] & 0x0F | 0x30
    digest[8] = digest[8] & 0x3F | 0x80
    return bytes(digest)


def key_uuid(entity: str, *key: str | None) -> bytes:
    """The id of a row that Marquez would give a random one: SHA-256 of its key, with version 8 bits (RFC 9562).

    Each part of the key is written behind its length in bytes, or as `-` for null, so that no two keys are written
    alike. The SQL function of the same name agrees.
    """
    return _uuid_of(_written_key(entity, *key))


def _written_key(*parts: str | None) -> bytes:
    return b"".join(map(_written_part, parts))


def _written_part(part: str | None) -> bytes:
    if part is None:
        return b"-"
    encoded = part.encode()
    return b"%d:%b" % (len(encoded), encoded)


_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


def _uuid_of(written: bytes) -> bytes:
    """The id of a key that is written so."""
    digits = hashlib.sha256(written).hexdigest()
    return bytes.fromhex(f"{digits[:12]}8{digits[13:16]}{_VARIANT[digits[16]]}{digits[17:32]}")


def content_digest(text: bytes) -> bytes:
    """16 bytes that stand for an event: SHA-256 of its jsonb text. An exact re-post has the same."""
    return hashlib.sha256(text).digest()[:16]


_JAVA_UUID = re.compile(r"-".join([r"(\+?[0-9a-fA-F]+)"] * 5))
_WIDTHS = (32, 16, 16, 16, 48)
_LONGEST = 36


def run_uuid(run_id: str) -> bytes:
    """A run's id: the producer's, if Java's `UUID.fromString` takes it, else derived from its text.

    Java takes groups of any length and keeps the low bits of each, so `1-1-1-1-1` is a UUID. The SQL function of the
    same name agrees.
    """
    parsed = _as_java_reads(run_id)
    return java_uuid(run_id) if parsed is None else parsed


_URLS = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8").bytes
"""The namespace of URLs in RFC 9562, which Marquez puts before the names of parent runs."""


def parent_run_uuid(namespace: str, job_name: str, run_id: str) -> bytes:
    """The run that a parent facet names. Tasks of one DAG that give its run id as a text name one run."""
    parsed = _as_java_reads(run_id)
    if parsed is not None:
        return parsed
    return java_uuid(f"{namespace}.{name_without_last_part(job_name)}.{run_id}", _URLS)


def conflicting_run_uuid(namespace: str, job_name: str, run: bytes) -> bytes:
    """The run that stands for a named parent whose run turns out to be another job's."""
    return java_uuid(f"{namespace}.{job_name}.{UUID(bytes=run)}", _URLS)


def name_without_last_part(name: str) -> str:
    """Up to the last dot; the whole name if it has none."""
    return name.rpartition(".")[0] if "." in name else name


def _as_java_reads(text: str) -> bytes | None:
    match = _JAVA_UUID.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    groups = [int(group, 16) for group in match.groups()]
    if any(group >= 1 << 63 for group in groups):
        return None
    number = 0
    for group, width in zip(groups, _WIDTHS, strict=True):
        number = number << width | group & (1 << width) - 1
    return number.to_bytes(16, "big")


def utf16_order(text: str) -> bytes:
    """Sort key of Java's strings: by UTF-16 code units, so beyond the basic plane unlike Python's or `COLLATE "C"`."""
    return text.encode("utf-16-be", "surrogatepass")


CAPITAL_SINCE_UNICODE_14 = frozenset(
    map(
        chr,
        (
            *(0x19B, 0x264, 0x2C5F, 0xA7C1, 0xA7CD, 0xA7CF, 0xA7D1, 0xA7D3, 0xA7D5, 0xA7D7, 0xA7D9, 0xA7DB),
            *range(0x10597, 0x105BD),
            *range(0x10D70, 0x10D86),
            *range(0x16EBB, 0x16ED4),
        ),
    )
)
"""Letters without a capital in Unicode 13."""


def upper_case(text: str) -> str:
    """A text in capitals, as Java 17 writes it in no particular language: with the letters of Unicode 13.

    Marquez derives ids from such texts, so the Unicode of this Python has no part in it.
    """
    if text.isascii():
        return text.upper()
    return "".join(one if one in CAPITAL_SINCE_UNICODE_14 else one.upper() for one in text)


_LIKE_ASCII = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")


def ignoring_case(text: str) -> str:
    """A text to compare with a word of ASCII letters in lower case, as Java's `equalsIgnoreCase` does.

    Java knows four other characters as the letters i, s and k.
    """
    return text.lower() if text.isascii() else text.translate(_LIKE_ASCII).lower()


def joined(parts: Iterable[str | None]) -> str:
    """Marquez' joiner: `:` between parts; nulls are left out, empty texts are not."""
    return ":".join([part for part in parts if part is not None])


@remembered(_REMEMBERED)
def namespace_uuid(name: str) -> bytes:
    return key_uuid("namespaces", name)


@remembered(_REMEMBERED)
def source_uuid(name: str) -> bytes:
    return key_uuid("sources", name)


@remembered(_REMEMBERED)
def dataset_uuid(namespace: str, name: str) -> bytes:
    """`namespace` is the formatted one."""
    return key_uuid("datasets", namespace, name)


def field_uuids(namespace: str, dataset: str) -> Callable[[str, str | None], bytes]:
    """The id of a field of the dataset by name and type; `namespace` is the formatted one."""
    dataset_part = _written_key("dataset_fields", namespace, dataset)
    return lambda name, type_: _uuid_of(dataset_part + _written_part(name) + _written_part(type_))


@remembered(_REMEMBERED)
def job_uuid(namespace: str, name: str) -> bytes:
    """`namespace` is the formatted one."""
    return key_uuid("jobs", namespace, name)


def run_args_uuid(checksum: str) -> bytes:
    return key_uuid("run_args", checksum)


def tag_uuid(name: str) -> bytes:
    return key_uuid("tags", name)


def owner_uuid(name: str) -> bytes:
    return key_uuid("owners", name)
