"""One font written into a file: cut down to its glyphs, with its metrics, widths and character map."""

from __future__ import annotations

import hashlib
import re
import struct
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pikepdf

# All that a CIDFont reads; names, layout and character maps are of no use in a PDF that names glyphs by id.
_KEPT_TABLES = frozenset({"glyf", "loca", "head", "hhea", "hmtx", "maxp", "CFF ", "OS/2"})
_SYMBOLIC, _FIXED_PITCH, _ITALIC = 1 << 2, 1 << 0, 1 << 6
# No font tells the thickness of its stems; readers only use it to imitate fonts that are not embedded.
_STEM_V = 80


def embed(
    pdf: pikepdf.Pdf,
    target: Any,
    file: bytes,
    digest: str,
    drawn: Mapping[int, Collection[str]],
    strange: Mapping[int, float],
) -> None:
    """Fill the font dictionary `target` with a subset of a font file.

    `digest` names the file, `drawn` are its glyphs in use with the texts they were said to stand for, `strange` the
    widths in 1/1000 em of ids that the font does not have: a layout engine's stand-ins for missing characters.
    """
    import pikepdf
    import uharfbuzz

    face = uharfbuzz.Face(file)
    measured = uharfbuzz.Font(face)
    glyphs = sorted(glyph for glyph in drawn if glyph < face.glyph_count)
    data = subset(face, glyphs)
    open_type = data[:4] == b"OTTO"
    widths = {glyph: round(measured.get_glyph_h_advance(glyph) * 1000 / face.upem, 3) for glyph in {0, *glyphs}}
    widths |= {glyph: strange.get(glyph, 0) for glyph in drawn if glyph >= face.glyph_count}
    name = pikepdf.Name(f"/{_tag(digest, glyphs)}+{_postscript_name(face)}")

    kind = {"/Subtype": pikepdf.Name.OpenType} if open_type else {"/Length1": len(data)}
    descriptor = pikepdf.Dictionary(
        {
            "/Type": pikepdf.Name.FontDescriptor,
            "/FontName": name,
            **_metrics(face, measured, widths),
            "/FontFile3" if open_type else "/FontFile2": pikepdf.Stream(pdf, data, kind),
        }
    )
    cid_font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.CIDFontType0 if open_type else pikepdf.Name.CIDFontType2,
        BaseFont=name,
        CIDSystemInfo=pikepdf.Dictionary(
            Registry=pikepdf.String("Adobe"), Ordering=pikepdf.String("Identity"), Supplement=0
        ),
        W=_width_array(widths),
        FontDescriptor=pdf.make_indirect(descriptor),
    )
    if not open_type:
        cid_font.CIDToGIDMap = pikepdf.Name.Identity
    target.Type = pikepdf.Name.Font
    target.Subtype = pikepdf.Name.Type0
    target.BaseFont = name
    target.Encoding = pikepdf.Name("/Identity-H")
    target.DescendantFonts = pikepdf.Array([pdf.make_indirect(cid_font)])
    target.ToUnicode = pikepdf.Stream(pdf, to_unicode(glyph_texts(face, measured, drawn)))


def subset(face: Any, glyphs: Iterable[int]) -> bytes:
    """The font file with `glyphs` only, their ids kept."""
    import uharfbuzz

    wanted = uharfbuzz.SubsetInput()
    wanted.glyph_set.update(glyphs)
    # Hints are for screens of the nineties; print and present screens do without, as WeasyPrint does by default.
    wanted.flags = (
        uharfbuzz.SubsetFlags.RETAIN_GIDS
        | uharfbuzz.SubsetFlags.NO_HINTING
        | uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
        | uharfbuzz.SubsetFlags.NO_LAYOUT_CLOSURE
    )
    wanted.drop_table_tag_set.update(
        int.from_bytes(tag.encode("ascii"), "big") for tag in face.table_tags if tag not in _KEPT_TABLES
    )
    return bytes(uharfbuzz.subset(face, wanted).blob.data)


def _tag(digest: str, glyphs: Iterable[int]) -> str:
    """The six capitals that mark a subset, told by the font and its glyphs."""
    hashed = hashlib.sha256(f"{digest} {list(glyphs)}".encode()).digest()
    return "".join(chr(65 + byte % 26) for byte in hashed[:6])


def _postscript_name(face: Any) -> str:
    import uharfbuzz

    name = face.get_name(uharfbuzz.OTNameIdPredefined.POSTSCRIPT_NAME) or "Font"
    return re.sub(r"[^A-Za-z0-9-]", "", name) or "Font"


def _metrics(face: Any, measured: Any, widths: Mapping[int, float]) -> dict[str, Any]:
    import pikepdf
    import uharfbuzz

    scale = 1000 / face.upem
    extents = measured.get_font_extents("ltr")
    # xMin, yMin, xMax, yMax stand at byte 36 of `head` (OpenType specification).
    box = struct.unpack_from(">4h", bytes(face.reference_table("head").data), 36)
    slant = measured.get_style_value(uharfbuzz.StyleTag.SLANT_ANGLE)
    fixed = len(widths) > 1 and len(set(widths.values())) == 1
    return {
        "/Flags": _SYMBOLIC | (_FIXED_PITCH if fixed else 0) | (_ITALIC if slant else 0),
        "/FontBBox": pikepdf.Array([round(edge * scale) for edge in box]),
        "/ItalicAngle": round(slant),
        "/Ascent": round(extents.ascender * scale),
        "/Descent": round(extents.descender * scale),
        "/CapHeight": round(measured.get_metric_position_with_fallback(uharfbuzz.OTMetricsTag.CAP_HEIGHT) * scale),
        "/StemV": _STEM_V,
    }


def _width_array(widths: Mapping[int, float]) -> pikepdf.Array:
    import pikepdf

    array: list[Any] = []
    run: list[Any] = []
    for glyph in sorted(widths):
        if not array or glyph - 1 not in widths:
            run = []
            array += [glyph, run]
        width = widths[glyph]
        run.append(int(width) if width == int(width) else width)
    return pikepdf.Array(pikepdf.Array(item) if isinstance(item, list) else item for item in array)


def glyph_texts(face: Any, measured: Any, drawn: Mapping[int, Collection[str]]) -> dict[int, str]:
    """What each glyph stands for, whoever drew it first.

    Several characters may share a glyph (space and no-break space, hyphen and soft hyphen). The engine tells the one
    that it met first, which depends on the order of the faces; so the font is asked for the lowest instead. It cannot
    tell the letters of a ligature or of a small capital; there the engine's word counts.
    """
    lowest: dict[int, str] = {}
    for character in sorted(face.unicodes):
        glyph = measured.get_nominal_glyph(character)
        if glyph in drawn:
            lowest.setdefault(glyph, chr(character))
    texts = {}
    for glyph, told in drawn.items():
        shortest = min(
            (unicodedata.normalize("NFC", text) for text in told), key=lambda text: (len(text), text), default=""
        )
        text = lowest.get(glyph, shortest) if len(shortest) < 2 else shortest
        if text:
            texts[glyph] = text
    return texts


def to_unicode(texts: Mapping[int, str]) -> bytes:
    """The character map that lets readers search and copy: glyph ids to their text in UTF-16."""
    lines = [
        "/CIDInit /ProcSet findresource begin",
        "12 dict begin",
        "begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        "/CMapName /Adobe-Identity-UCS def",
        "/CMapType 2 def",
        "1 begincodespacerange",
        "<0000> <ffff>",
        "endcodespacerange",
    ]
    glyphs = sorted(texts)
    # At most 100 entries a section, says the CMap specification.
    for start in range(0, len(glyphs), 100):
        section = glyphs[start : start + 100]
        lines.append(f"{len(section)} beginbfchar")
        lines += [f"<{glyph:04x}> <{texts[glyph].encode('utf-16-be').hex()}>" for glyph in section]
        lines.append("endbfchar")
    lines += ["endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end"]
    return "\n".join(lines).encode("ascii")
