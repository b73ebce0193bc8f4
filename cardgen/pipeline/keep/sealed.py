"""Files that outlive a process: in the project's `.cardgen/faces`, which git ignores.

A file is data and nothing but data: it is decoded against types, and only after its seal was found to be that of this
user on this machine (BLAKE2 with a key that lies in the user's cache folder). So what somebody packed into a project is
never used. Files are written beside their place and renamed and never change, so processes may share the folder;
whatever is missing, torn or unknown is made anew. What was not used for the longest time goes first.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sys
import time
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar

from cardgen.errors import FileProblem
from cardgen.files import MB, own_secret, read_bounded, remove_file, write_cached
from cardgen.model.painted import Bits

# Of all files of a project; stated in docs/limits.md.
MAX_KEPT = 200 * MB
# Files but for pictures and fonts: every edit adds one of drawings, and each run reads how all of them begin.
MAX_FILES = 1000
# A file that claims to be larger was not made here.
MAX_FILE = 100 * MB
KEY, SEAL = 32, 32
_MAGIC = b"cardgen values 1"
_NAME = re.compile(r"[0-9a-f]{64}\.(?:faces|blob|values)")
# What everything stands on besides this package: another version may read, fill or draw otherwise.
_LIBRARIES = (
    "uharfbuzz",
    "PIL",
    "tinycss2",
    "cssselect2",
    "lxml",
    "pyphen",
    "unicode_segmentation_rs",
    "bidi",
    "yaml",
    "jinja2",
    "markupsafe",
    "msgspec",
)

T = TypeVar("T")
# Of so many values one may have come since.
_FEW = 8


class Place:
    """A project's folder of kept files. Nothing is ever raised: what cannot be read or written is not kept."""

    def __init__(self, root: Path, secret: bytes, most: int = MAX_KEPT) -> None:
        self.root = root
        self.programs = programs()
        self.folder = root / self.programs
        self._secret = secret
        self._most = most

    @property
    def is_own(self) -> bool:
        """Whether no part of the folder's name is a link: a project must not lead writing elsewhere."""
        return not any(path.is_symlink() for path in (self.folder, self.root, self.root.parent))

    def seal(self, *parts: bytes) -> bytes:
        """What only this user can have put at the end of these bytes."""
        seal = blake2b(key=self._secret, digest_size=SEAL)
        for part in parts:
            seal.update(part)
        return seal.digest()

    def read(self, path: Path) -> bytes:
        """The bytes of a file that lies where it seems to. Raises FileProblem."""
        if path.is_symlink():
            raise FileProblem(f"`{path.name}` is a link")
        return read_bounded(path, path.name, MAX_FILE)

    def find(self, name: str, kind: type[T]) -> T | None:
        """The value that was kept by that name, as it was; None when there is none, or none that can be trusted."""
        import msgspec

        path, head = self._named(name)
        if not self.is_own or not path.exists():
            return None
        try:
            data = self.read(path)
            body = data[len(_MAGIC) : -SEAL]
            if data.startswith(_MAGIC) and secrets.compare_digest(self.seal(head, body), data[-SEAL:]):
                value = msgspec.msgpack.decode(body, type=kind, dec_hook=decoded)
                touch(path)
                return value
        except (FileProblem, ValueError, msgspec.MsgspecError):
            pass
        remove(path)
        return None

    def keep(self, name: str, value: Any) -> None:
        """Keep a value by a name. One that cannot be written as it is is not kept."""
        import msgspec

        if not self.is_own:
            return
        path, head = self._named(name)
        try:
            body = msgspec.msgpack.encode(value, enc_hook=encoded)
        except (ValueError, TypeError, OverflowError, NotImplementedError, msgspec.MsgspecError):
            return
        write_cached(path, (_MAGIC, body, self.seal(head, body)))

    def _named(self, name: str) -> tuple[Path, bytes]:
        """Where a value lies, and what its seal speaks of besides it: this version, and no other name."""
        digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=32)
        return self.folder / f"{digest.hexdigest()}.values", b"".join((_MAGIC, self.programs.encode(), digest.digest()))

    def prune(self) -> None:
        """Remove what is too much, what was not used for the longest time first."""
        files = []
        with contextlib.suppress(OSError):
            for path in self.root.glob("*/*"):
                if _NAME.fullmatch(path.name) and not path.is_symlink():
                    status = path.stat()
                    files.append((status.st_mtime_ns, status.st_size, path))
        total, count = sum(size for _, size, _ in files), sum(path.suffix != ".blob" for _, _, path in files)
        for _, size, path in sorted(files):
            if total <= self._most and (count <= MAX_FILES or path.suffix == ".blob"):
                continue
            remove(path)
            total, count = total - size, count - (path.suffix != ".blob")


class Table(Generic[T]):
    """Values by the hashes of what they were made of, in two files: the second has the few that came since, so that one
    value more does not write all of them."""

    def __init__(self, place: Place, name: str, kind: Any) -> None:
        self._place, self._names = place, (name, f"{name}, more")
        self._most: dict[bytes, T] = place.find(name, kind) or {}
        self.values: dict[bytes, T] = self._most | (place.find(self._names[1], kind) or {})

    def keep(self, values: Mapping[bytes, T]) -> None:
        """Keep these; those that are not among them are forgotten some time."""
        more = {key: value for key, value in values.items() if key not in self._most}
        if len(more) * _FEW <= len(self._most) <= 2 * len(values):
            self._place.keep(self._names[1], more)
        else:
            self._place.keep(self._names[0], dict(values))
            self._place.keep(self._names[1], {})


def encoded(value: Any) -> bytes:
    """How bits are written. Raises NotImplementedError for what nobody knows how to write."""
    if not isinstance(value, Bits):
        raise NotImplementedError(type(value).__name__)
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


def decoded(kind: type, data: Any) -> Any:
    """Bits as they were written. Raises ValueError for what none are."""
    if kind is not Bits or not isinstance(data, bytes):
        raise ValueError(data)
    return Bits(int.from_bytes(data, "big"))


def open_place(project: Path) -> Place | None:
    """The kept files of a project; None where there is no place for the key that seals them."""
    import platformdirs

    secret = own_secret(platformdirs.user_cache_path("cardgen", appauthor=False) / "seal", KEY)
    return Place(project / ".cardgen" / "faces", secret) if secret is not None else None


def programs() -> str:
    """A name for what reads, fills and draws: this package's files and the libraries below it, by size and time."""
    digest = blake2b(sys.version.encode(), digest_size=16)
    package = Path(__file__).resolve().parents[2]
    for path in _listed(package):
        digest.update(_print_of(path))
    for name in _LIBRARIES:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            digest.update(_print_of(spec.origin))
    return digest.hexdigest()


# What has no part in what is kept: it may change without anything being made anew.
_APART = {"cli", "studio", "exports", "starter", "_shipped", "__pycache__"}


def _listed(package: Path) -> Iterable[str]:
    for parent, folders, files in os.walk(package):
        folders[:] = sorted(set(folders) - _APART)
        yield from (f"{parent}{os.sep}{name}" for name in sorted(files) if name.endswith(".py"))


def _print_of(path: str) -> bytes:
    status = os.stat(path)  # noqa: PTH116 -- two milliseconds less for all of them
    return f"{path.rpartition(os.sep)[2]} {status.st_size} {status.st_mtime_ns}\n".encode()


def touch(path: Path) -> None:
    """Note that a file was used just now."""
    with contextlib.suppress(OSError):
        os.utime(path, (time.time(), time.time()))


def remove(path: Path) -> None:
    """Remove a file, if that may be."""
    with contextlib.suppress(FileProblem):
        remove_file(path)
