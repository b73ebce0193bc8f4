"""Drawings that outlive a process: painted faces as sealed files (see `sealed`).

Only painted renderings are kept: what WeasyPrint draws depends on libraries of the system, and a PDF of 150 faces weighs
as much as all of its fonts.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Set
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct

from cardgen.errors import FileProblem
from cardgen.files import read_start, write_cached
from cardgen.model.face import Rendering
from cardgen.model.painted import Bits, Blob
from cardgen.pipeline.keep.parts import faces_of, parts_of
from cardgen.pipeline.keep.sealed import KEY, SEAL, Place, decoded, encoded, remove, touch

_MAGIC = b"cardgen1"
_COUNT = 4
_BEGIN = len(_MAGIC) + _COUNT
# So many keys are read with the beginning of a file: as many as the faces that are drawn together.
_SOME, _MOST_FACES = 150, 100_000


class _File(Struct, frozen=True):
    """A file of faces: where it is, and the keys in it."""

    path: Path
    keys: frozenset[str]


class DiskDrawings:
    """The painted renderings below a folder. Nothing is ever raised: what cannot be read or written is not kept."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._new: list[Rendering] = []
        # those that were read for what is being found: most files name the same ones
        self._blobs: dict[str, Blob] = {}

    def find(self, keys: Set[str]) -> list[Rendering]:
        """Renderings of faces among `keys`."""
        found: list[Rendering] = []
        left = set(keys)
        # The newest first: they hold what was edited last, and the others only what is left.
        for file in sorted(self._files(), key=lambda file: -len(file.keys & keys)):
            if left.isdisjoint(file.keys):
                continue
            rendering = self._read(file)
            if rendering is None:
                remove(file.path)
                continue
            for part in parts_of([rendering], left):
                left -= faces_of(part)
                found.append(part)
                touch(file.path)
        self._blobs = {}
        return found

    def keys(self) -> set[str]:
        """The keys of all faces below the folder, as the files' names for them have it."""
        return set().union(*(file.keys for file in self._files()))

    def keep(self, rendering: Rendering) -> None:
        """Take in what was drawn just now; `flush` writes it."""
        if rendering.painted is not None and rendering.keys and not rendering.failures:
            self._new.append(rendering)

    def flush(self) -> None:
        """Write what was taken in, and remove what is too much."""
        if not self._new or not self._place.is_own:
            return
        for rendering in self._new:
            self._write(rendering)
        self._new = []
        self._place.prune()

    # --- files --------------------------------------------------------------------------------------------------------

    def _files(self) -> Iterator[_File]:
        if not self._place.is_own:
            return
        for path in self._place.folder.glob("*.faces"):
            start = read_start(path, _BEGIN + _SOME * KEY)
            count = int.from_bytes(start[len(_MAGIC) : _BEGIN], "big")
            if start.startswith(_MAGIC) and count <= _MOST_FACES:
                end = _BEGIN + count * KEY
                raw = (start if count <= _SOME else read_start(path, end))[_BEGIN:end]
                yield _File(path, frozenset(raw[at : at + KEY].hex() for at in range(0, len(raw), KEY)))

    def _read(self, file: _File) -> Rendering | None:
        import msgspec

        try:
            data = self._place.read(file.path)
            head, body = data[:-SEAL], data[len(_MAGIC) + _COUNT + KEY * len(file.keys) : -SEAL]
            if not secrets.compare_digest(self._place.seal(head), data[-SEAL:]):
                return None
            rendering = msgspec.msgpack.decode(body, type=Rendering, dec_hook=self._decoded)
        except (FileProblem, ValueError, msgspec.MsgspecError):
            return None
        return rendering if faces_of(rendering) == file.keys else None

    def _write(self, rendering: Rendering) -> None:
        import msgspec

        keys = sorted(faces_of(rendering))
        body = msgspec.msgpack.encode(rendering, enc_hook=self._encoded)
        head = _MAGIC + len(keys).to_bytes(_COUNT, "big") + b"".join(map(bytes.fromhex, keys))
        name = blake2b(head, digest_size=32).hexdigest()
        write_cached(self._place.folder / f"{name}.faces", (head, body, self._place.seal(head, body)))

    def _encoded(self, value: Any) -> str | bytes:
        """How bits are written, and a blob: it has a file of its own, since many renderings share it."""
        if not isinstance(value, Blob):
            return encoded(value)
        path = self._place.folder / f"{value.digest}.blob"
        if not path.exists():
            write_cached(path, (value.data,))
        return value.digest

    def _decoded(self, kind: type, digest: Any) -> Any:
        """Bits or a blob as they were written. Raises ValueError when its file is gone or is not what it was."""
        if kind is Bits:
            return decoded(kind, digest)
        if kind is not Blob or not re.fullmatch(r"[0-9a-f]{64}", str(digest)):
            raise ValueError(digest)
        known = self._blobs.get(digest)
        if known is not None:
            return known
        path = self._place.folder / f"{digest}.blob"
        blob = Blob(self._place.read(path))
        if blob.digest != digest:
            remove(path)
            raise ValueError(digest)
        touch(path)
        self._blobs[digest] = blob
        return blob
