"""What is kept between builds: parts of renderings, in memory and on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Set
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.geometry import Box, Size
from cardgen.model.face import Fit, Rendering, Stray
from cardgen.model.painted import Bits, Blob, Glyphs, Painted, PaintedFace, Part, PictureUse
from cardgen.model.trim import Trim
from cardgen.pdf import sheets
from cardgen.pipeline.keep import memory, sealed
from cardgen.pipeline.keep.disk import DiskDrawings
from cardgen.pipeline.keep.memory import MOST_SMALL, Drawings
from cardgen.pipeline.keep.parts import faces_of, part_of, parts_of
from cardgen.pipeline.keep.sealed import MAX_KEPT, Place

TRIM = Trim("poker", "Poker", Size(63.0, 88.0))
SECRET = b"s" * 32
FONT = Blob(b"a font " * 100)


def key(name: object) -> str:
    return sha256(str(name).encode()).hexdigest()


def fit(of: str) -> Fit:
    return Fit(of, "rules", Box(0.0, 0.0, 10.0, 10.0), Box(0.0, 0.0, 9.0, 11.5), 0.8, True)


def painted(names: Iterable[object], **more: object) -> Rendering:
    """A rendering as the engine for cards makes them, every face with something of everything."""
    keys = tuple(key(name) for name in names)
    faces = tuple(
        PaintedFace(
            f"content {one}".encode(),
            (("XObject", "P1"),),
            (Glyphs(FONT.digest, Bits(1 << 300 | 6), ((2, "ffi"),)),),
            (PictureUse(f"http://{one[:2]}", (600, 600), (25.4, 25.4)),),
        )
        for one in keys
    )
    part = Part("XObject", "P1", b"/Width 3", Blob(b"picture"), (), (Glyphs(FONT.digest, Bits(0)),), "")
    rendering = Rendering(
        b"", keys, TRIM, 3.0, (),
        tuple(map(fit, keys)), strays=tuple(Stray(one, "safe", "title", True, 0.5, "text") for one in keys),
        painted=Painted(faces, (part,), (FONT,)),
    )  # fmt: skip
    return structs.replace(rendering, **more)


def as_pdf(names: Iterable[object]) -> Rendering:
    return structs.replace(painted(names), pdf=b"%PDF", painted=None)


def open_store(folder: Path, secret: bytes = SECRET, most: int = MAX_KEPT) -> DiskDrawings:
    return DiskDrawings(Place(folder / ".cardgen" / "faces", secret, most))


def stored(folder: Path, *renderings: Rendering) -> None:
    store = open_store(folder)
    for rendering in renderings:
        store.keep(rendering)
    store.flush()


def files(folder: Path, suffix: str) -> list[Path]:
    return sorted((folder / ".cardgen" / "faces").glob(f"*/*{suffix}"))


# --- parts ------------------------------------------------------------------------------------------------------------


def test_a_part_has_nothing_of_the_faces_that_are_gone() -> None:
    part = part_of(painted("abc"), {key("a"), key("c"), key("z")})
    assert part is not None and part.painted is not None
    assert part.keys == (key("a"), key("c"))
    assert [face.content for face in part.painted.faces] == [f"content {key(name)}".encode() for name in "ac"]
    assert {fit.key for fit in part.fits} == {stray.key for stray in part.strays} == {key("a"), key("c")}


def test_pages_of_a_pdf_stay_and_lose_their_keys() -> None:
    part = part_of(as_pdf("abc"), {key("b")})
    assert part is not None and part.keys == ("", key("b"), "") and [fit.key for fit in part.fits] == [key("b")]


def test_a_text_that_flows_is_one_face() -> None:
    one = key("book")
    rendering = structs.replace(as_pdf("x"), keys=(one, f"{one}/2", f"{one}/3", key("other")))
    part = part_of(rendering, {one})
    assert part is not None and part.keys == (one, f"{one}/2", f"{one}/3", "")


@pytest.mark.parametrize(
    "told",
    [
        {"complaints": ("a glyph is missing",)},
        {"undrawn": (("http://x", "broken"),)},
        {"refused": ("http://x",)},
    ],
)
def test_what_is_told_of_all_faces_keeps_them_together(told: dict[str, object]) -> None:
    rendering = painted("abc", **told)
    assert part_of(rendering, {key("a")}) is None
    assert part_of(rendering, {*map(key, "abcd")}) is rendering


@given(
    st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=8, unique=True), max_size=6),
    st.sets(st.integers(0, 30), max_size=20),
)
def test_parts_have_each_wanted_face_once(groups: list[list[int]], wanted: set[int]) -> None:
    keys = {key(name) for name in wanted}
    parts = parts_of([painted(group) for group in groups], keys)
    found = [one for part in parts for one in part.keys]
    assert sorted(found) == sorted(keys & {key(name) for group in groups for name in group})


def test_a_coarse_picture_keeps_pages_of_a_pdf_together() -> None:
    coarse = structs.replace(as_pdf("abc"), pictures=(PictureUse("http://x", (60, 60), (25.4, 25.4)),))
    assert part_of(coarse, {key("a")}) is None


def test_painted_faces_take_their_pictures_with_them() -> None:
    part = part_of(painted("abc"), {key("a"), key("c")})
    assert part is not None and {use.url for use in part.pictures} == {f"http://{key(name)[:2]}" for name in "ac"}


# --- memory -----------------------------------------------------------------------------------------------------------


def test_memory_forgets_what_the_last_build_did_not_use() -> None:
    drawings = Drawings()
    drawings.keep(painted("abc"))
    assert [part.keys for part in drawings.find({key("b")})] == [(key("b"),)]
    assert drawings.find({key("a")}) == []


def test_the_disk_is_asked_only_for_what_it_has() -> None:
    class Disk(Drawings):
        asked: list[set[str]] = []  # noqa: RUF012

        def find(self, keys: Set[str]) -> list[Rendering]:
            self.asked.append(set(keys))
            return super().find(keys)

    disk = Disk()
    disk.keep(painted("ab"))
    drawings = Drawings(disk)
    assert [part.keys for part in drawings.find({key("a"), key("c")})] == [(key("a"),)]
    assert drawings.find({key("c"), key("d")}) == []
    assert disk.asked == [{key("a")}]


def test_many_small_renderings_are_drawn_anew_together() -> None:
    drawings = Drawings()
    drawings.keep(painted(range(100, 120)))
    for number in range(MOST_SMALL + 1):
        drawings.keep(painted([number]))
    keys = {key(number) for number in (*range(MOST_SMALL + 1), *range(100, 120))}
    assert [len(faces_of(part)) for part in drawings.find(keys)] == [20]


# --- the disk ---------------------------------------------------------------------------------------------------------


def test_what_was_stored_is_found_by_another_process(tmp_path: Path) -> None:
    rendering = painted(range(20))
    stored(tmp_path, rendering)
    assert open_store(tmp_path).find({key(number) for number in range(30)}) == [rendering]
    part = open_store(tmp_path).find({key(3)})
    assert [one.keys for one in part] == [(key(3),)] and part == [part_of(rendering, {key(3)})]


def test_blobs_are_stored_once(tmp_path: Path) -> None:
    stored(tmp_path, painted("ab"), painted("cd"), painted("ef"))
    assert len(files(tmp_path, ".faces")) == 3 and len(files(tmp_path, ".blob")) == 2


def test_pdfs_and_faces_that_failed_are_not_stored(tmp_path: Path) -> None:
    stored(tmp_path, as_pdf("ab"), painted("cd", failures=((key("x"), "no"),)))
    assert files(tmp_path, "") == []


@settings(max_examples=40)
@given(st.data())
def test_a_file_with_any_byte_changed_is_drawn_anew(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("torn")
    stored(folder, painted("abc"))
    path = data.draw(st.sampled_from(files(folder, "")))
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    torn = data.draw(st.sampled_from(["cut", "flip", "longer"]))
    changed = {"cut": whole[:at], "longer": whole + b"x", "flip": whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]}
    path.write_bytes(changed[torn])
    assert open_store(folder).find({*map(key, "abc")}) == []
    stored(folder, painted("abc"))
    assert open_store(folder).find({*map(key, "abc")}) == [painted("abc")]


def test_what_somebody_else_sealed_is_not_drawn(tmp_path: Path) -> None:
    store = open_store(tmp_path, secret=b"t" * 32)
    store.keep(painted("abc"))
    store.flush()
    assert open_store(tmp_path).find({*map(key, "abc")}) == []


def test_what_other_programs_drew_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(tmp_path, painted("abc"))
    monkeypatch.setattr(sealed, "programs", lambda: "another version")
    assert open_store(tmp_path).find({*map(key, "abc")}) == []


@pytest.mark.parametrize("link", [".cardgen", ".cardgen/faces"])
def test_a_link_leads_nowhere(tmp_path: Path, link: str) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / link).parent.mkdir(parents=True)
    (project / link).symlink_to(elsewhere)
    stored(project, painted("abc"))
    assert list(elsewhere.iterdir()) == [] and open_store(project).find({key("a")}) == []


def test_the_folder_is_bounded_and_the_oldest_goes_first(tmp_path: Path) -> None:
    store = open_store(tmp_path, most=12_000)
    for number in range(30):
        store.keep(painted([number, f"{number} more"]))
        store.flush()
        for path in files(tmp_path, ".faces"):
            if number == 0:
                os.utime(path, (1, 1))
    total = sum(path.stat().st_size for path in files(tmp_path, ""))
    assert 6_000 < total <= 12_000
    assert open_store(tmp_path).find({key(0)}) == [] and open_store(tmp_path).find({key(29)}) != []


def test_processes_may_write_and_read_at_once(tmp_path: Path) -> None:
    def work(number: int) -> int:
        stored(tmp_path, painted(range(number, number + 5)))
        return sum(len(part.keys) for part in open_store(tmp_path).find({key(one) for one in range(20)}))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, [number % 15 for number in range(60)]))
    assert not [path for path in files(tmp_path, "") if path.name.startswith(".")]


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / ".cardgen").write_text("a file")
    stored(tmp_path, painted("abc"))
    assert open_store(tmp_path).find({key("a")}) == []


def test_only_sheets_that_changed_are_compressed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    compressed: list[bytes] = []

    def counting(content: bytes) -> bytes:
        compressed.append(content)
        return content[::-1]

    monkeypatch.setattr(sheets, "deflated", counting)
    products = memory.Products()
    written: list[list[bytes]] = []
    for made_of, shown in ((1, [b"one", b"two", b"two"]), (2, [b"one", b"three"]), (3, [b"two"])):
        products.write(
            "name",
            made_of,
            Report(),
            lambda known, shown=shown: written.append([known.deflated(each) for each in shown]) or [],
        )
    # What the last file does not have is forgotten.
    assert compressed == [b"one", b"two", b"three", b"two"]
    assert written == [[b"eno", b"owt", b"owt"], [b"eno", b"eerht"], [b"owt"]]
