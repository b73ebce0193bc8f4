"""Hashes of what something was made of, by which it is found again in another process."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

# How long they are, in bytes.
SIZE = 32


def begun(text: str) -> Any:
    """A hash of a text, to be taken or, on a copy, gone on with."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=SIZE)


def written(*values: object) -> str | None:
    """How values are written, so that those that differ are written differently; None where one is shown as its address
    in memory, and nobody could tell it from another."""
    text = repr(values)
    return None if " at 0x" in text else text
