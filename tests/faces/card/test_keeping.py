"""What a process keeps of faces and layouts: it draws as one that has seen nothing, and notices what has changed."""

from __future__ import annotations

import gc
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.diagnostics import Report
from cardgen.faces.assets import Assets
from cardgen.faces.card import building, keeping
from cardgen.faces.card.engine import render
from cardgen.faces.card.outlines import num, nums
from cardgen.faces.card.parting import elements_of, is_sound
from cardgen.faces.engines import Job
from cardgen.faces.make import FaceMaker
from cardgen.model.face import Face, Rendering
from tests.faces.card.shipped import jobs_of
from tests.support import load

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="10"><rect width="5" height="5"/></svg>'


def content(rendering: Rendering, key: str) -> bytes:
    assert rendering.painted is not None and not rendering.failures
    return rendering.painted.faces[rendering.keys.index(key)].content


def test_a_face_is_the_same_alone_and_among_others() -> None:
    for job in jobs_of("arena", "es", most=2):
        keeping._KEPT.clear()
        together = render(job)
        for face in reversed(job.faces):
            keeping._KEPT.clear()
            alone = render(replace(job, faces=(face,)))
            assert content(alone, face.key) == content(together, face.key)
            assert content(render(replace(job, faces=(face,))), face.key) == content(together, face.key)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A card with a picture that is as wide as it says, in a project of its own."""
    root = tmp_path / "project"
    shutil.copytree(Path(__file__).resolve().parents[3] / "fonts", root / "fonts")
    for folder in ("cards/g/cards", "cards/g/art", "layouts/g"):
        (root / folder).mkdir(parents=True)
    (root / "cardgen.yaml").write_text("name: one\n", "utf-8")
    (root / "cards/g/art/p.svg").write_text(PICTURE.format(20), "utf-8")
    kind = "{title: Item, trim: poker-eu, front: g/item, fields: {name: {type: text}}}"
    (root / "cards/g/game.yaml").write_text(
        f"title: G\nversion: '1'\nsource: en\nlanguages: [en]\nkinds: {{item: {kind}}}\nprints: {{p: {{title: P, version: '1', kinds: [item]}}}}\n"
    )
    (root / "cards/g/cards/c.yaml").write_text("a: {kind: item, name: one}\n", "utf-8")
    (root / "layouts/g/item.css").write_text(
        ".face{font-family:text;font-size:9pt}.a{position:absolute;left:5mm;top:5mm}"
    )
    (root / "layouts/g/item.html.j2").write_text(
        '{% set engine = "card" %}{% set css = ["g/item.css"] %}\n'
        '<div class="a">x <img src="{{ art_url("p.svg") }}"> {{ card.name }}</div>'
    )
    report = Report()
    project = load(root)
    face = FaceMaker(project, report).make(project.games["g"].cards["a"], project.games["g"], "front")
    assert isinstance(face, Face) and not report.items
    return Job((face,), Assets(project.shelf), project.fonts)


def root_of(job: Job) -> Path:
    root: Path = job.assets.shelf.roots[0]
    return root


def test_a_picture_that_has_changed_is_seen(job: Job) -> None:
    key = job.faces[0].key
    keeping._KEPT.clear()
    before = content(render(job), key)
    assert keeping._KEPT and content(render(job), key) == before
    (root_of(job) / "cards/g/art/p.svg").write_text(PICTURE.format(40), "utf-8")
    after = content(render(job), key)
    keeping._KEPT.clear()
    assert before != after == content(render(job), key)


def test_a_style_sheet_that_has_changed_is_seen(job: Job) -> None:
    key = job.faces[0].key
    before = content(render(job), key)
    style = root_of(job) / "layouts/g/item.css"
    style.write_text(style.read_text("utf-8").replace("left:5mm", "left:9mm"), "utf-8")
    assert content(render(job), key) != before


def test_a_font_that_has_changed_is_seen(job: Job) -> None:
    key = job.faces[0].key
    render(job)
    used = job.fonts["text"].faces
    regular, other = used[0].file, next(face.file for face in used if face.file != used[0].file)
    before = render(job)
    shutil.copyfile(root_of(job) / "fonts" / other, root_of(job) / "fonts" / regular)
    assert content(render(job), key) != content(before, key)


def test_what_is_kept_is_bounded(job: Job) -> None:
    first = job.faces[0]
    for number in range(keeping._MOST + 5):
        trim = replace(first.trim, bleed=1.0 + number / 100)
        render(replace(job, faces=(replace(first, trim=trim),)))
    assert len(keeping._KEPT) <= keeping._MOST


def test_what_is_let_go_leaves_nothing_to_collect(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "_MOST_KNOWN", 3)
    first = job.faces[0]

    def draw(numbers: range) -> None:
        for number in numbers:
            other = first.markup.replace(b"one", b"one %d" % number)
            assert other != first.markup
            render(replace(job, faces=(replace(first, key=str(number), markup=other),)))

    draw(range(5))
    gc.collect()
    draw(range(5, 45))
    assert gc.collect() < 20


def test_problems_of_one_face_are_not_told_of_another(job: Job) -> None:
    first = job.faces[0]
    odd = replace(first, markup=first.markup.replace(b'class="a"', b'class="a" style="width:calc(oops)"'), key="b")
    assert render(replace(job, faces=(odd,))).complaints
    assert not render(job).complaints


def test_drawing_leaves_nothing_behind_for_the_collector(job: Job) -> None:
    pytest.importorskip("cardgen.faces.weasyprint")
    from cardgen.faces.weasyprint import render as by_reference

    by_reference(job)
    gc.collect()
    by_reference(job)
    # A page is some thousands of objects that hold each other.
    assert gc.collect() < 500


@given(st.floats(-1e4, 1e4))
def test_equal_numbers_are_written_alike(value: float) -> None:
    assert num(0.0 * value) == "0" and nums(-0.0, 0.0) == "0 0"
    assert float(num(value)) == pytest.approx(value, abs=5.1e-4)


# --- cutting a face's HTML apart ----------------------------------------------------------------------------------

TEXTS = st.text("abc d&;\n", max_size=6)


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tag = st.sampled_from(["div", "p", "b", "i", "span", "section"])
    attributes = st.sampled_from(["", ' class="a"', " id='x y'", ' style="left:0"', ' title="a > b"'])
    return st.builds(lambda tag, more, held: f"<{tag}{more}>{''.join(held)}</{tag}>", tag, attributes, st.lists(inner))


ELEMENTS = st.recursive(TEXTS | st.just('<img src="a">') | st.just("<br>"), nested, max_leaves=8)


@settings(deadline=None, max_examples=60)
@given(st.lists(nested(ELEMENTS) | st.just('<img src="b">'), max_size=5), st.sampled_from(["", " ", "\n\n"]))
def test_elements_are_cut_where_they_end(elements: list[str], space: str) -> None:
    found = elements_of(space.join(elements))
    if any("a > b" in element for element in elements):
        assert found is None or [text for text, _ in found] == elements or not all(is_sound(text) for text, _ in found)
        return
    assert found is not None and [text for text, _ in found] == elements
    assert all(is_sound(text) for text, _ in found)


@pytest.mark.parametrize(
    "html", ["text", "<div>x</div> text", "<div>x", "<div>x</div></p>", "<!-- c --><div></div>", "<DIV></DIV>", "<div"]
)
def test_what_only_a_parser_can_tell(html: str) -> None:
    assert elements_of(html) is None


@pytest.mark.parametrize(
    "html", ['<div title="<b>"></div>', "<div><style>a</div>", "<div <b></div>", "<div a='></div>"]
)
def test_what_may_be_cut_at_the_wrong_place(html: str) -> None:
    assert not is_sound(html)
