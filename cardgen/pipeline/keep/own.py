"""Files that are this user's own business: those that may be lost, and the key that seals them."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def write_cached(path: Path, parts: Iterable[bytes]) -> bool:
    """Write a file that may be lost: whole or not at all, but nobody waits for the disk. Whether it is there."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as stream:
            stream.writelines(parts)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        return False
    return True


def own_secret(path: Path, length: int) -> bytes | None:
    """Random bytes that lie in a file which nobody else can read, made when there are none; None when that fails."""
    with suppress(OSError):
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent)  # which only its owner can read
            with os.fdopen(handle, "wb") as stream:
                stream.write(secrets.token_bytes(length))
            with suppress(FileExistsError):  # of two that begin at once the first stays
                os.link(temporary, path)
            Path(temporary).unlink()
        secret = path.read_bytes()
        return secret if len(secret) == length else None
    return None
