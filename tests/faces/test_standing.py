"""Where text stands: what is cut off, leaves its box, is hidden or near the cut, whichever way it is turned."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec import structs

from cardgen.faces.assets import Assets
from cardgen.faces.engines import Job, render
from cardgen.geometry import Size
from cardgen.model.face import Face, Rendering, Stray
from cardgen.model.font import FontRole
from cardgen.model.trim import Trim
from tests.support import load, write_project

Fonts = tuple[Assets, Mapping[str, FontRole]]

TRIM = Trim("small", "Small", Size(40.0, 60.0))
# Capitals of 10 mm: 7 mm high and about 5 mm wide, in lines of 12 mm.
CSS = """
.face { font-family: text; font-size: 10mm; line-height: 12mm }
.a { position: absolute }
.fit-text { display: inline-block; min-width: 100%; vertical-align: top }
"""


@pytest.fixture(scope="module")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Fonts:
    folder = write_project(tmp_path_factory.mktemp("project"), {"layouts/g/item.css": CSS})
    project = load(folder)
    return Assets(project.shelf), project.fonts


def draw(fonts: Fonts, html: str, *fields: str, trim: Trim = TRIM) -> Rendering:
    face = Face(
        "key", "a/front", "g", "g/item", "front", trim, "en", "weasyprint", ("g/item.css",), html.encode(),
        dict.fromkeys(fields, 0.5),
    )  # fmt: skip
    return render(Job((face,), *fonts))


def strays(fonts: Fonts, html: str, *fields: str) -> list[tuple[str, str]]:
    return [(stray.kind, stray.box) for stray in draw(fonts, html, *fields).strays]


def only(fonts: Fonts, html: str) -> Stray:
    (stray,) = draw(fonts, html).strays
    return stray


def fit(style: str, text: str, field: str = "name") -> str:
    return (
        f'<div class="fit {field}" id="fit-{field}" style="{style}">'
        f'<div class="fit-text" id="fit-{field}-text" style="--fit:{field}">{text}</div></div>'
    )


@pytest.mark.parametrize(
    ("style", "kind"),
    [
        ("left: 10mm; top: 20mm", None),
        ("left: 38mm; top: 20mm", "trim"),
        ("left: -3mm; top: 20mm", "trim"),
        ("left: 10mm; top: -7mm", "trim"),
        ("left: 10mm; top: 55mm", "trim"),
        ("left: 90mm; top: 20mm", "trim"),
        ("left: 1mm; top: 20mm", "safe"),
        ("left: 2.2mm; top: 20mm", None),
        ("left: 10mm; top: -1.6mm", "safe"),
        # Air that fonts leave around letters may be anywhere.
        ("left: 10mm; top: 0mm", None),
        # Turned, the letter goes where its corner goes: left of it, above it, or both.
        ("left: 4mm; top: 20mm; transform: rotate(90deg); transform-origin: 0 0", "trim"),
        ("left: 20mm; top: 2mm; transform: rotate(-90deg); transform-origin: 0 0", "trim"),
        ("left: 4mm; top: 20mm; transform: rotate(180deg); transform-origin: 0 0", "trim"),
        ("left: 20mm; top: 20mm; transform: rotate(180deg); transform-origin: 0 0", None),
        ("left: 30mm; top: 20mm; transform: rotate(90deg); transform-origin: 0 0", None),
        ("left: -7mm; top: 20mm; transform: rotate(-90deg); transform-origin: 0 0", "trim"),
    ],
)
def test_text_and_the_cut(fonts: Fonts, style: str, kind: str | None) -> None:
    expected = [] if kind is None else [(kind, ".a.number")]
    assert strays(fonts, f'<div class="a number" style="{style}">M</div>') == expected


def test_how_far_is_measured_at_the_letters(fonts: Fonts) -> None:
    plain = only(fonts, '<div class="a" style="left: 38mm; top: 20mm">M</div>')
    turned = only(
        fonts,
        '<div class="a" style="left: 10mm; top: 58mm; transform: rotate(90deg); transform-origin: 0 0">M</div>',
    )
    # The same letter, 2 mm before the edge in the direction it is read in.
    assert plain.by == pytest.approx(turned.by, abs=0.01)
    assert 3 < plain.by < 6
    assert plain.text == "M"


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ('<div class="a" style="left: 5mm; top: 5mm; width: 20mm; height: 12mm">MM</div>', None),
        ('<div class="a" style="left: 5mm; top: 5mm; width: 8mm; height: 12mm">MM</div>', "box"),
        # It wraps in its width, and leaves its height.
        ('<div class="a" style="left: 5mm; top: 5mm; width: 12mm; height: 12mm">M M</div>', "box"),
        ('<div class="a" style="left: 5mm; top: 5mm; width: 12mm">M M</div>', None),
        ('<div class="a" style="left: 5mm; right: 27mm; top: 5mm">MM</div>', "box"),
        ('<div class="a" style="left: 5mm; top: 5mm; bottom: 40mm; width: 12mm">M M</div>', "box"),
        # A line as high as its box holds letters that are smaller than it.
        ('<div class="a" style="left: 5mm; top: 5mm; width: 20mm; height: 8mm; line-height: 8mm">MM</div>', None),
        ('<div class="a" style="left: 5mm; top: 5mm; width: 20mm; height: 5mm; line-height: 5mm">MM</div>', "box"),
        # The nearest box bounds it, not those that it was taken out of.
        ('<div class="a" style="left: 5mm; top: 5mm; width: 3mm; height: 3mm">'
         '<div class="a" style="left: 0; top: 0">MM</div></div>', None),
        ('<div class="a" style="left: 5mm; top: 5mm; width: 30mm; height: 40mm">'
         '<span style="display: inline-block; width: 5mm">MM</span></div>', "box"),
        # Turned together with its box it lies in it as before.
        ('<div class="a" style="left: 20mm; top: 10mm; width: 20mm; height: 12mm; transform: rotate(90deg)">MM</div>',
         None),
        ('<div class="a" style="left: 20mm; top: 10mm; width: 8mm; height: 12mm; transform: rotate(90deg)">MM</div>',
         "box"),
        ('<div class="a" style="left: 5mm; top: 5mm; width: 8mm; height: 12mm; overflow: hidden">MM</div>', "hidden"),
        ('<div class="a" style="left: 5mm; top: 5mm; width: 8mm; height: 12mm; overflow: hidden">'
         '<div class="a" style="left: 7mm; top: 0">M</div></div>', "hidden"),
        ('<div class="a" style="left: 5mm; top: 5mm; width: 20mm; height: 12mm; overflow: hidden">MM</div>', None),
    ],
)  # fmt: skip
def test_text_and_its_box(fonts: Fonts, html: str, kind: str | None) -> None:
    assert [found for found, _ in strays(fonts, html)] == ([] if kind is None else [kind])


@pytest.mark.parametrize(
    "html",
    [
        '<div class="a" data-layer="background" style="left: -3mm; top: -3mm; width: 46mm">MMMM</div>',
        '<div class="a" data-layer="background" style="left: 38mm; top: 5mm"><span>MMMM</span></div>',
        '<div class="a" style="visibility: hidden; left: 38mm; top: 5mm">M</div>',
        '<div class="a" style="display: none; left: 38mm; top: 5mm">M</div>',
        '<div class="a" style="left: 38mm; top: 5mm; white-space: pre-wrap">   </div>',
        '<div class="a" style="left: -3mm; top: -3mm; width: 46mm; height: 66mm; background-color: #ff0000"></div>',
        '<img class="a" style="left: -3mm; top: -3mm; width: 46mm" src="{icon}">',
        '<div class="a" style="left: 30mm; top: 5mm"><img class="icon" style="width: 20mm; height: 20mm" src="{icon}"></div>',
    ],
)
def test_what_may_stand_anywhere(fonts: Fonts, html: str) -> None:
    icon = "http://cardgen.invalid/icon/g/health/000000"
    assert strays(fonts, html.replace("{icon}", icon)) == []


def test_an_icon_in_a_line_is_a_letter(fonts: Fonts) -> None:
    icon = '<img class="icon" style="width: 5mm; height: 5mm" alt="coin" src="http://cardgen.invalid/icon/g/health/0">'
    stray = only(
        fonts, f'<div class="a cost" style="left: 32mm; top: 5mm; font-size: 5mm; white-space: nowrap">M {icon}</div>'
    )
    assert (stray.kind, stray.box, stray.text) == ("trim", ".a.cost", "[coin]")


@pytest.mark.parametrize(
    ("style", "kind"),
    [
        ("position: absolute; left: 5mm; top: 5mm; width: 20mm; height: 12mm", None),
        ("position: absolute; left: 5mm; top: 5mm; bottom: 20mm; right: 5mm", None),
        ("position: absolute; left: 5mm; top: 5mm; width: 20mm; max-height: 12mm", None),
        ("position: absolute; left: 5mm; top: 5mm; width: 20mm; height: 30%", None),
        ("position: absolute; left: 5mm; top: 5mm; width: 20mm", "unsized"),
        ("left: 5mm; top: 5mm; width: 20mm", "unsized"),
        ("", "unsized"),
        ("left: 5mm; top: 5mm; width: 20mm; height: 12mm", "unplaced"),
        ("position: absolute; width: 20mm; height: 12mm", "unplaced"),
        ("position: absolute; left: 5mm; width: 20mm; height: 12mm", "unplaced"),
        # In the flow, where nobody said otherwise.
        ("height: 12mm; margin: 5mm", None),
        ("position: relative; left: 5mm; top: 5mm; height: 12mm", None),
    ],
)
def test_what_a_fitted_box_needs(fonts: Fonts, style: str, kind: str | None) -> None:
    found = [stray.kind for stray in draw(fonts, fit(style, "M"), "name").strays if stray.kind != "safe"]
    assert found == ([] if kind is None else [kind])


@pytest.mark.parametrize("display", ["block", "flex"])
@pytest.mark.parametrize("turn", ["0deg", "90deg", "180deg", "270deg"])
def test_words_wider_than_a_fitted_box_are_measured(fonts: Fonts, display: str, turn: str) -> None:
    style = (
        f"position: absolute; left: 10mm; top: 24mm; width: 20mm; height: 12mm; display: {display}; "
        f"font-size: 6mm; line-height: 7mm; transform: rotate({turn})"
    )
    (found,) = draw(fonts, fit(style, "WWWWW"), "name").fits
    assert found.scale < 1
    assert found.overflow < 0.05
    narrow, wide = sorted((found.content.width, found.content.height))
    assert narrow <= 12.05 and 15 < wide <= 20.05


def test_text_in_a_fitted_box_is_not_measured_twice(fonts: Fonts) -> None:
    style = "position: absolute; left: 5mm; top: 5mm; width: 6mm; height: 4mm"
    rendering = draw(fonts, fit(style, "MMMM"), "name")
    assert rendering.fits[0].overflow > 1
    assert rendering.strays == ()


def test_a_second_box_of_a_field_is_text_like_any_other(fonts: Fonts) -> None:
    style = "position: absolute; left: 5mm; top: {}mm; width: 8mm; height: 12mm"
    both = fit(style.format(5), "M") + fit(style.format(30), "MMM").replace("--fit:name", "")
    assert strays(fonts, both, "name") == [("box", ".name")]


def test_the_worst_of_each_box_is_told(fonts: Fonts) -> None:
    lines = "".join(f'<p style="margin: 0">{"M" * count}</p>' for count in (2, 4, 3))
    found = draw(fonts, f'<div class="a" style="left: 25mm; top: 5mm; white-space: nowrap">{lines}</div>').strays
    assert [stray.text for stray in found if stray.kind == "trim"] == ["MMMM"]


def test_a_face_is_called_the_face(fonts: Fonts) -> None:
    assert strays(fonts, "M") == [("safe", "face")]


def test_pieces_without_a_safe_margin_are_bounded_by_the_cut(fonts: Fonts) -> None:
    bare = structs.replace(TRIM, bleed=0.0, safe=0.0, corner=0.0)
    html = '<div class="a" style="left: {}mm; top: 20mm">M</div>'
    assert draw(fonts, html.format(-0.3), trim=bare).strays == ()
    assert [stray.kind for stray in draw(fonts, html.format(-2), trim=bare).strays] == ["trim"]
