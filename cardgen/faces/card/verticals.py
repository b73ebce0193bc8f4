"""The vertical places of what stands in a line (CSS 2, 10.8)."""

from __future__ import annotations

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.fragments import Fragment
from cardgen.faces.card.style import Style


def stacked(line: Fragment, style: Style) -> tuple[float, float]:
    """Give the parts of a line their vertical places, the baseline at 0: its lowest and highest edge."""
    later: list[Fragment] = []
    bottom, top = _subtree(line, style, later)
    # A part that is aligned with the whole line is measured by itself.
    parts = []
    for part in later:
        assert part.box is not None
        parts.append((part, part.box.style, *_subtree(part, part.box.style, later)))
    if parts:
        bottom = max(bottom, top + max(low - high for _, _, low, high in parts))
    for part, own, low, high in parts:
        _lower(part, top - high if own.vertical_align == "top" else bottom - low)
    return bottom, top


def _lower(part: Fragment, by: float) -> None:
    part.y += by
    if part.box is not None and part.box.kind == "inline":
        for child in part.inside:
            if child.box is None or not _is_line_aligned(child.box):
                _lower(child, by)


def _is_line_aligned(box: Box) -> bool:
    return box.kind != "text" and box.style.vertical_align in {"top", "bottom"}


def _subtree(part: Fragment, style: Style, later: list[Fragment]) -> tuple[float, float]:
    """The lowest and highest edge of a part with all that is aligned with it, its baseline at 0."""
    top = -part.baseline
    bottom = top + part.outer
    if part.box is None or part.box.kind == "inline":
        low, high = _inside(part, style, later, 0.0)
        bottom, top = max(bottom, low), min(top, high)
    else:
        part.y = top + part.above
    return bottom, top


def _inside(part: Fragment, style: Style, later: list[Fragment], baseline: float) -> tuple[float, float]:
    low, high = float("-inf"), float("inf")
    for child in part.inside:
        box = child.box
        assert box is not None
        if box.is_absolute:
            continue
        align = box.style.vertical_align if box.kind != "text" else "baseline"
        if align == "baseline":
            own = baseline
        elif not isinstance(align, str):
            own = baseline - align
        else:
            own = _aligned(align, part, style, child, baseline)
        top = own - child.baseline
        child.y = top + child.above
        if align in {"top", "bottom"}:
            later.append(child)
            continue
        bottom = top + child.outer
        low, high = max(low, bottom), min(high, top)
        if box.kind == "inline":
            inner_low, inner_high = _inside(child, box.style, later, own)
            low, high = max(low, inner_low), min(high, inner_high)
    return low, high


def _aligned(align: str, part: Fragment, style: Style, child: Fragment, baseline: float) -> float:
    """Where the baseline of a child comes to lie."""
    if align == "middle":
        ex = style.font_size * style.text.metrics.x_height
        return baseline - (ex + child.outer) / 2 + child.baseline
    content_top = baseline - part.baseline + part.above + part.border[0] + part.padding[0]
    if align == "text-top":
        return content_top + child.baseline
    if align == "text-bottom":
        return content_top + style.font_size - child.outer + child.baseline
    return 0.0
