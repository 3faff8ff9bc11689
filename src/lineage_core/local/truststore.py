"""The certificates that this machine trusts, for a Java that brings only its own."""

from __future__ import annotations

import secrets
import ssl
import warnings
from collections.abc import Iterator
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption
from cryptography.hazmat.primitives.serialization.pkcs12 import PKCS12Certificate, serialize_java_truststore
from cryptography.utils import CryptographyDeprecationWarning

PASSWORD = "changeit"  # noqa: S105
"""Java's own word for stores of certificates, which are public; the format demands one."""


def write_truststore(file: Path) -> bool:
    """Write what Python trusts on this machine as Java reads it; False if Python knows of none."""
    trusted = [PKCS12Certificate(one, str(number).encode()) for number, one in enumerate(_trusted())]
    if not trusted:
        return False
    # A Java that starts meanwhile must not read half of it.
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    draft.write_bytes(serialize_java_truststore(trusted, BestAvailableEncryption(PASSWORD.encode())))
    draft.replace(file)
    return True


def _trusted() -> Iterator[x509.Certificate]:
    for encoded in ssl.create_default_context().get_ca_certs(binary_form=True):
        with warnings.catch_warnings():
            # Some authorities' certificates are older than the rules for them.
            warnings.simplefilter("ignore", CryptographyDeprecationWarning)
            yield x509.load_der_x509_certificate(encoded)
