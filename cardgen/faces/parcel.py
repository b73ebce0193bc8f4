"""What drawing reads, packed to travel: workers of a cluster need not see the project's disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from msgspec import field, structs

from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets, font_url, urls_in, urls_of_css
from cardgen.faces.engines import Job, render
from cardgen.files import MAX_IMAGE, Shelf, checked_name
from cardgen.model.face import Rendering


class Parcel(Shelf, frozen=True):
    """A shelf whose files are in memory, by name. Picklable; `digest` is that of all files, and tells parcels apart."""

    digest: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parcel) and (self.roots, self.digest) == (other.roots, other.digest)

    def __hash__(self) -> int:
        return hash((self.roots, self.digest))

    def find(self, name: str) -> Path | None:
        """The name as a path, when it is in the parcel."""
        checked_name(name)
        return Path(name) if name in self.files else None

    def read(self, name: str, limit: int) -> bytes:
        """The bytes of a file, as the shelf it was packed from had them."""
        if self.find(name) is None:
            raise FileProblem(f"there is no file `{name}`")
        return self.files[name]

    def names(self, folder: str, suffix: str) -> list[str]:
        """Names of the packed files below `folder` that end in `suffix`."""
        return sorted(name for name in self.files if name.startswith(f"{folder}/") and name.endswith(suffix))

    def folders(self, folder: str) -> list[str]:
        """Nothing: only loading a project asks."""
        return []


def pack(jobs: Iterable[Job]) -> Parcel:
    """All that drawing the jobs may read: styles and drawings of layouts, the fonts, and the pictures they name."""
    files: dict[str, bytes] = {}
    urls: set[str] = set()
    shelves = []
    for job in jobs:
        if job.assets.shelf not in shelves:
            shelves.append(job.assets.shelf)
        roles = job.fonts.values()
        urls |= {font_url(face.file) for role in roles for face in role.faces}
        urls |= {font_url(face.file) for role in roles for own in role.languages.values() for face in own.faces}
        for face in job.faces:
            urls.update(urls_in(face.html))
    for shelf in shelves:
        for suffix in (".css", ".svg"):
            for name in shelf.names("layouts", suffix):
                _add(name, shelf, files)
        for name in [name for name in files if name.endswith(".css")]:
            urls.update(urls_of_css(name.removeprefix("layouts/"), files[name].decode("utf-8", "replace")))
        for url in sorted(urls):
            try:
                file = Assets(shelf).file(url)
            except FileProblem:
                continue  # which was reported where it is named
            if file is not None:
                _add(file, shelf, files)
    digest = sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\0{sha256(data).hexdigest()}\0".encode())
    return Parcel((), digest.hexdigest(), files)


def _add(name: str, shelf: Shelf, files: dict[str, bytes]) -> None:
    try:
        files.setdefault(name, shelf.read(name, MAX_IMAGE))
    except FileProblem:
        return  # as if it were not there: whoever asks for it is told


def without_assets(job: Job) -> Job:
    """The job as it is sent beside a parcel."""
    return structs.replace(job, assets=Assets(Parcel(())))


def render_from(job: Job, parcel: Parcel) -> Rendering:
    """Draw a job with what a parcel holds. Raises what `render` raises."""
    return render(structs.replace(job, assets=Assets(parcel)))
