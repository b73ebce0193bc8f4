"""The HTML page around faces: one page a face, the trim's corner at the page's corner plus bleed, fonts by role."""

from __future__ import annotations

import re
from collections.abc import Mapping

from markupsafe import escape

from cardgen.faces.assets import face_url
from cardgen.faces.fit import resolve_marks
from cardgen.model.face import Face, LeaveOut
from cardgen.model.font import FontRole
from cardgen.model.trim import Trim
from cardgen.text.direction import is_rtl
from cardgen.units import format_mm

# Fitted text first loses leading, then size; the ladder is docs/layouts.md's.
TIGHT_LEADING = 1.06
_REFERENCE = re.compile(r"""(?:url\(|href=")#([\w-]+)""")


def font_css(roles: Mapping[str, FontRole]) -> str:
    """`@font-face` rules: each role is a family of its own name."""
    rules = []
    for role in roles.values():
        for face in role.faces:
            rules.append(
                f"@font-face{{font-family:{role.id};src:url('{face_url(face)}');"
                f"font-weight:{face.weight};font-style:{face.style}}}"
            )
    return "\n".join(rules)


def page_css(trim: Trim) -> str:
    """The page's own rules: its size, and a face's box. Lengths in mm."""
    width, height, bleed = trim.size.width, trim.size.height, trim.bleed
    paper = f"{format_mm(width + 2 * bleed)}mm {format_mm(height + 2 * bleed)}mm"
    return (
        f"@page{{size:{paper};margin:{format_mm(bleed)}mm}}"
        "html,body{margin:0;padding:0}"
        f".face{{position:relative;width:{format_mm(width)}mm;height:{format_mm(height)}mm;"
        "break-inside:avoid;break-after:page}"
        ".face:last-child{break-after:auto}"
    )


def flow_css(trim: Trim) -> str:
    """The page of a text that flows: its size alone; the layout's own style sheet has the margins."""
    return (
        f"@page{{size:{format_mm(trim.size.width)}mm {format_mm(trim.size.height)}mm}}html,body{{margin:0;padding:0}}"
    )


def flow_html(face: Face) -> str:
    """The document of a text that flows."""
    head = f'<html lang="{escape(face.lang)}"><head><meta charset="utf-8"><title></title></head>'
    return f'<!DOCTYPE html>{head}<body class="flowing">{face.html}</body></html>'


def language_css(lang: str) -> str:
    """What a language asks of every page: texts from right to left begin at the right, boxes keep their places."""
    return "html{direction:rtl}" if is_rtl(lang) else ""


def leave_out_css(leave_out: tuple[LeaveOut, ...]) -> str:
    """Rules that take away what is left out; room to write stays, since boxes keep their places and borders."""
    rules = {
        "backgrounds": '[data-layer="background"]{visibility:hidden}',
        "fills": '[data-ink="fill"]{background-color:transparent!important;background-image:none!important}',
    }
    return "".join(rules[what] for what in leave_out)


def page_html(faces: list[tuple[Face, Mapping[str, tuple[bool, float]]]]) -> str:
    """The page of several faces; each comes with the fits that differ from full size (field -> tight, scale).

    The face with index n has the anchor `face-n`, its fitted boxes `n-fit-<field>` and `n-fit-<field>-text`.
    """
    lang = escape(faces[0][0].lang)
    parts = [f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title></title></head><body>']
    for number, (face, fits) in enumerate(faces):
        body = resolve_marks(face.html, {field: fit_style(*fit) for field, fit in fits.items()})
        # Ids are anchors to the engine, and anchors are unique in a document.
        body = body.replace('id="fit-', f'id="{number}-fit-')
        body = _own_names(body, number)
        parts.append(f'<article class="face {escape(face.side)}" id="face-{number}">{body}</article>')
    parts.append("</body></html>")
    return "".join(parts)


def _own_names(body: str, number: int) -> str:
    """What a drawing in the face names and refers to (patterns, clips), under names of this face's own."""
    for name in set(_REFERENCE.findall(body)):
        body = body.replace(f'id="{name}"', f'id="{number}-{name}"')
        body = body.replace(f"url(#{name})", f"url(#{number}-{name})").replace(
            f'href="#{name}"', f'href="#{number}-{name}"'
        )
    return body


def fit_style(tight: bool, scale: float) -> str:
    """What a fitted field's style says when its leading was tightened and its type scaled."""
    leading = f"line-height:{TIGHT_LEADING};" if tight else ""
    return leading + (f"font-size:{scale:.4f}em;" if scale != 1 else "")
