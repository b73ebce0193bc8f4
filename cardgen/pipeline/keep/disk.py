"""Drawings that outlive a process: painted faces as files of the project's `.cardgen/faces`, which git ignores.

A file is data and nothing but data: it is decoded against the types of the model, and only after its seal was found to be
that of this user on this machine (BLAKE2 with a key that lies in the user's cache folder). So what somebody packed into
a project is never drawn. Files are written beside their place and renamed and never change, so processes may share the
folder; whatever is missing, torn or unknown is drawn anew. What was not used for the longest time goes first.

Only painted renderings are kept: what WeasyPrint draws depends on libraries of the system, and a PDF of 150 faces weighs
as much as all of its fonts.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator, Set
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct

from cardgen.errors import FileProblem
from cardgen.files import MB, own_secret, read_bounded, read_start, remove_file, write_cached
from cardgen.model.face import Rendering
from cardgen.model.painted import Bits, Blob
from cardgen.pipeline.keep.parts import faces_of, parts_of

# Of all files of a project; stated in docs/limits.md.
MAX_KEPT = 200 * MB
# A file that claims to be larger was not made here.
MAX_FILE = 100 * MB
_MAGIC = b"cardgen1"
_KEY, _SEAL, _COUNT = 32, 32, 4
_MOST_FACES = 100_000
_NAME = re.compile(r"[0-9a-f]{64}\.(?:faces|blob)")
# What painting stands on besides this package: another version may draw otherwise.
_LIBRARIES = ("uharfbuzz", "PIL", "tinycss2", "cssselect2", "lxml", "pyphen", "unicode_segmentation_rs", "bidi")


class _File(Struct, frozen=True):
    """A file of faces: where it is, and the keys in it."""

    path: Path
    keys: frozenset[str]


class DiskDrawings:
    """The painted renderings below a folder. Nothing is ever raised: what cannot be read or written is not kept."""

    def __init__(self, folder: Path, secret: bytes, most: int = MAX_KEPT) -> None:
        self._root = folder
        self._folder = folder / programs()
        self._secret = secret
        self._most = most
        self._new: list[Rendering] = []

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
                _remove(file.path)
                continue
            for part in parts_of([rendering], left):
                left -= faces_of(part)
                found.append(part)
                _touch(file.path)
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
        if not self._new or not _is_own(self._root, self._folder):
            return
        for rendering in self._new:
            self._write(rendering)
        self._new = []
        self._prune()

    # --- files --------------------------------------------------------------------------------------------------------

    def _files(self) -> Iterator[_File]:
        if not _is_own(self._root, self._folder):
            return
        for path in self._folder.glob("*.faces"):
            start = read_start(path, len(_MAGIC) + _COUNT)
            count = int.from_bytes(start[len(_MAGIC) :], "big")
            if start.startswith(_MAGIC) and count <= _MOST_FACES:
                raw = read_start(path, len(start) + count * _KEY)[len(start) :]
                yield _File(path, frozenset(raw[at : at + _KEY].hex() for at in range(0, len(raw), _KEY)))

    def _read(self, file: _File) -> Rendering | None:
        import msgspec

        try:
            data = _read_own(file.path)
            head, body = data[:-_SEAL], data[len(_MAGIC) + _COUNT + _KEY * len(file.keys) : -_SEAL]
            if not secrets.compare_digest(self._seal(head), data[-_SEAL:]):
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
        write_cached(self._folder / f"{name}.faces", (head, body, self._seal(head, body)))

    def _seal(self, *parts: bytes) -> bytes:
        seal = blake2b(key=self._secret, digest_size=_SEAL)
        for part in parts:
            seal.update(part)
        return seal.digest()

    def _encoded(self, value: Any) -> str | bytes:
        """How bits are written, and a blob: it has a file of its own, since many renderings share it."""
        if isinstance(value, Bits):
            return value.to_bytes((value.bit_length() + 7) // 8, "big")
        if not isinstance(value, Blob):
            raise NotImplementedError(type(value).__name__)
        path = self._folder / f"{value.digest}.blob"
        if not path.exists():
            write_cached(path, (value.data,))
        return value.digest

    def _decoded(self, kind: type, digest: Any) -> Any:
        """Bits or a blob as they were written. Raises ValueError when its file is gone or is not what it was."""
        if kind is Bits and isinstance(digest, bytes):
            return Bits(int.from_bytes(digest, "big"))
        if kind is not Blob or not re.fullmatch(r"[0-9a-f]{64}", str(digest)):
            raise ValueError(digest)
        path = self._folder / f"{digest}.blob"
        blob = Blob(_read_own(path))
        if blob.digest != digest:
            _remove(path)
            raise ValueError(digest)
        _touch(path)
        return blob

    def _prune(self) -> None:
        files = []
        with contextlib.suppress(OSError):
            for path in self._root.glob("*/*"):
                if _NAME.fullmatch(path.name) and not path.is_symlink():
                    status = path.stat()
                    files.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._most:
                break
            _remove(path)
            total -= size


def open_drawings(project: Path) -> DiskDrawings | None:
    """The kept drawings of a project; None where there is no place for the key that seals them."""
    import platformdirs

    secret = own_secret(platformdirs.user_cache_path("cardgen", appauthor=False) / "seal", _KEY)
    return DiskDrawings(project / ".cardgen" / "faces", secret) if secret is not None else None


def programs() -> str:
    """A name for what draws: this package's files and those of the libraries below it, by size and time."""
    digest = blake2b(digest_size=16)
    package = Path(__file__).resolve().parents[2]
    folders = [package / "faces", package / "faces" / "card", package / "model", package / "text"]
    for path in (path for folder in folders for path in _listed(folder)):
        digest.update(_print_of(path))
    for name in _LIBRARIES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            digest.update(_print_of(Path(spec.origin)))
    return digest.hexdigest()


def _listed(folder: Path) -> Iterable[Path]:
    return sorted(folder.glob("*.py"))


def _print_of(path: Path) -> bytes:
    status = path.stat()
    return f"{path.name} {status.st_size} {status.st_mtime_ns}\n".encode()


def _is_own(root: Path, folder: Path) -> bool:
    """Whether no part of the folder's name is a link: a project must not lead writing elsewhere."""
    return not any(path.is_symlink() for path in (folder, root, root.parent))


def _read_own(path: Path) -> bytes:
    """The bytes of a file that lies where it seems to. Raises FileProblem."""
    if path.is_symlink():
        raise FileProblem(f"`{path.name}` is a link")
    return read_bounded(path, path.name, MAX_FILE)


def _touch(path: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(path, (time.time(), time.time()))


def _remove(path: Path) -> None:
    with contextlib.suppress(FileProblem):
        remove_file(path)
