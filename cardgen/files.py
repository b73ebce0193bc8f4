"""The only door to the disk: confined reading with bounds, and writing that never leaves half a file."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath

from msgspec import Struct

from cardgen.diagnostics import printable
from cardgen.errors import FileProblem

KB, MB = 1_000, 1_000_000
# Bounds on what is read, stated in docs/limits.md.
MAX_YAML = 20 * MB
MAX_PO = 20 * MB
MAX_LAYOUT = 300 * KB
MAX_STYLE = 2 * MB
MAX_ICON = 2 * MB
MAX_IMAGE = 100 * MB
MAX_FONT = 40 * MB


@cache
def shipped_root() -> Path:
    """The folder that holds the shipped cards, layouts and fonts: inside an installed package, else the clone."""
    package = Path(__file__).resolve().parent
    installed = package / "_shipped"
    return installed if installed.is_dir() else package.parent


class Shelf(Struct, frozen=True):
    """The folders that may be read: the project's own first, then the shipped ones.

    Names are relative, with forward slashes; a project's file hides a shipped file of the same name.
    """

    roots: tuple[Path, ...]

    def find(self, name: str) -> Path | None:
        """The path of an existing file or folder called `name`.

        Raises FileProblem for a name that is absolute, climbs out with `..`, holds control characters, or that a
        symbolic link leads out of the root.
        """
        parts = checked_name(name)
        for root in self.roots:
            path = root.joinpath(*parts)
            if not _exists(path, name):
                continue
            if _leads_out(root, parts):
                raise FileProblem(f"`{name}` leads out of the project; files outside are never read")
            return path
        return None

    def read(self, name: str, limit: int) -> bytes:
        """The bytes of a file of at most `limit` bytes. Raises FileProblem, which says what is wrong."""
        path = self.find(name)
        if path is None:
            link = any(root.joinpath(*checked_name(name)).is_symlink() for root in self.roots)
            raise FileProblem(f"`{name}` is a link that leads nowhere" if link else f"there is no file `{name}`")
        return read_bounded(path, name, limit)

    def names(self, folder: str, suffix: str) -> list[str]:
        """Names of the files below `folder` that end in `suffix`, in all roots, sorted, each once.

        A folder that a symbolic link leads out of the root has none; `find` says so.
        """
        parts = checked_name(folder)
        found: set[str] = set()
        for root in self.roots:
            base = root.joinpath(*parts)
            if base.is_dir() and not _leads_out(root, parts):
                found.update(f"{folder}/{name}" for name in _walk(base, suffix))
        return sorted(found)

    def folders(self, folder: str) -> list[str]:
        """Names of the folders directly below `folder` in the project's own root, sorted."""
        base = self.roots[0].joinpath(*checked_name(folder))
        if not base.is_dir():
            return []
        return sorted(
            entry.name for entry in base.iterdir() if entry.is_dir() and not entry.name.startswith((".", "_"))
        )


# The same names are asked for again and again: a game's pictures by every card that shows one.
@lru_cache(maxsize=4096)
def checked_name(name: str) -> tuple[str, ...]:
    """The parts of a relative name. Raises FileProblem for one that is absolute, climbs out or holds odd characters."""
    if not name or any(ord(char) < 32 or ord(char) == 127 for char in name) or "\\" in name:
        raise FileProblem(f"`{printable(name)}` is not a usable file name")
    path = PurePosixPath(name)
    if "//" in name.lstrip("/"):
        raise FileProblem(f"`{printable(name)}` holds an absolute path; name files from their folder")
    if path.is_absolute() or (len(name) > 1 and name[1] == ":"):
        raise FileProblem(f"`{name}` is an absolute path; name files from the project's folder")
    if ".." in path.parts:
        raise FileProblem(f"`{name}` climbs out with `..`; files outside the project are never read")
    return path.parts


def _leads_out(root: Path, parts: tuple[str, ...]) -> bool:
    """Whether links lead a name below `root` to somewhere else. `parts` climb nowhere: without a link they stay inside."""
    path = str(root)
    for part in parts:
        path = f"{path}{os.sep}{part}"
        # Windows has other things than links that lead elsewhere.
        if os.name == "nt" or os.path.islink(path):  # noqa: PTH114 -- half a millisecond a file less
            return not root.joinpath(*parts).resolve().is_relative_to(root.resolve())
    return False


def _exists(path: Path, name: str) -> bool:
    try:
        return path.exists()
    except OSError as error:  # a name too long for the file system, a loop of links
        raise FileProblem(f"`{name}` cannot be looked up: {error.strerror or error}") from None


def _walk(base: Path, suffix: str) -> Iterator[str]:
    start = len(str(base)) + 1
    for parent, folders, files in os.walk(base):
        below = parent[start:].replace(os.sep, "/")
        below += "/" if below else ""
        folders[:] = sorted(folder for folder in folders if not folder.startswith("."))
        # A folder with the name of a file is told when it is read.
        for file in (*files, *(folder for folder in folders if suffix and folder.endswith(suffix))):
            if file.endswith(suffix) and not file.startswith("."):
                yield below + file


def read_bounded(path: Path, name: str, limit: int) -> bytes:
    """The bytes of `path`, called `name` in messages. Raises FileProblem when it is no file or too large."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise FileProblem(f"`{name}` is a folder where a file should be")
        if not stat.S_ISREG(status.st_mode):
            raise FileProblem(f"`{name}` is not a regular file")
        # What is too large by its own account is not read at all; the rest is not trusted to have the size it says.
        large = status.st_size > limit
        data = b"" if large else _read_some(path, limit + 1)
        large = large or len(data) > limit
    except (FileNotFoundError, NotADirectoryError):
        raise FileProblem(f"there is no such file: `{name}`") from None
    except OSError as error:
        raise FileProblem(f"`{name}` cannot be read: {error.strerror or error}") from None
    if large:
        raise FileProblem(f"`{name}` is larger than {f'{limit // MB} MB' if limit >= MB else f'{limit // KB} kB'}")
    return data


def _read_some(path: Path, length: int) -> bytes:
    with path.open("rb") as stream:
        return stream.read(length)


class FileStamp(Struct, frozen=True):
    """What tells a file from another of that name, and from itself when it was written again: device, inode, size,
    nanoseconds of its last writing and of its last change, which nobody can set back."""

    path: Path
    device: int
    inode: int
    size: int
    written: int
    changed: int

    @property
    def is_settled(self) -> bool:
        """Whether it was written so long ago that another writing would show: clocks of disks may be coarse."""
        return max(self.written, self.changed) < time.time_ns() - 2_000_000_000


def file_stamp(path: Path | None) -> FileStamp | None:
    """The stamp of a file as it is now; None when there is none."""
    with suppress(OSError):
        if path is not None:
            status = path.stat()
            return FileStamp(path, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return None


def read_start(path: Path, length: int) -> bytes:
    """The first bytes of a file, at most `length`; none when it cannot be read."""
    with suppress(OSError):
        return _read_some(path, length)
    return b""


def starter_files() -> Iterator[tuple[str, bytes]]:
    """The names and contents of the project that `cardgen new` makes."""
    base = Path(__file__).resolve().parent / "starter"
    for name in sorted(_walk(base, "")):
        yield name, (base / name).read_bytes()
    yield ".gitignore", b"# what `cardgen build` writes\n/output/\n"


def find_project(start: Path) -> Path | None:
    """The nearest folder from `start` upwards that holds a cardgen.yaml."""
    for folder in (start, *start.parents):
        if (folder / "cardgen.yaml").is_file():
            return folder
    return None


def open_shelf(project: Path) -> Shelf:
    """The shelf of a project: its own folder, then the shipped ones unless it is them."""
    shipped = shipped_root()
    if project.resolve() == shipped.resolve():
        return Shelf((project,))
    return Shelf((project, shipped))


def own_path(shelf: Shelf, file: str) -> Path:
    """Where the project's own file of that name lies or would lie. Raises FileProblem for a name that leads out."""
    shelf.find(file)  # refuses names that climb out and links that lead out
    root = shelf.roots[0].resolve()
    path = root / file
    if not path.parent.resolve().is_relative_to(root) or path.is_symlink():
        raise FileProblem(f"`{file}` leads out of the project; files outside are never written")
    return path


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` to a temporary file beside `path` and rename it, so that `path` is old or new, never half.

    Raises FileProblem when the disk refuses; the temporary file is gone and the old file is whole then.
    """
    for folder in (path.parent, *path.parent.parents):
        if folder.exists():
            if not folder.is_dir():
                raise FileProblem(f"`{folder}` is a file; a folder is needed to write `{path.name}` into")
            break
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise FileProblem(f"`{path}` cannot be written: {error.strerror or error}") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        # mkstemp makes private files; what people print should be readable like any file they save.
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise FileProblem(f"`{path}` cannot be written: {error.strerror or error}") from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


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


def move(path: Path, target: Path) -> None:
    """Give a file another place on the same disk. Raises FileProblem when the disk refuses."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)
    except OSError as error:
        raise FileProblem(f"`{target}` cannot be written: {error.strerror or error}") from None


def unpack(archive: bytes, folder: Path) -> None:
    """Unpack a tar file into a folder; links and names that lead out of it are refused with a FileProblem."""
    import tarfile  # only a release from git is unpacked

    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(folder, filter="data")
    except (tarfile.TarError, OSError) as error:
        raise FileProblem(f"the archive cannot be unpacked: {error}") from None


def remove_folder(path: Path) -> None:
    """Remove a folder of products with all that is in it; it may be gone already. Raises FileProblem when the disk
    refuses, and for a link, whose target is never touched."""
    if path.is_symlink():
        raise FileProblem(f"`{path}` is a link; what it leads to is left alone")
    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise FileProblem(f"`{path}` cannot be removed: {error.strerror or error}") from None


def remove_file(path: Path) -> None:
    """Remove a file that may be gone already. Raises FileProblem when the disk refuses."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise FileProblem(f"`{path}` cannot be removed: {error.strerror or error}") from None
