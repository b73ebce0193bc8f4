"""How large a picture is by itself, before a style says anything."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets
from cardgen.faces.images import Picture, look, serve

_PX = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6}
_LENGTH = re.compile(r"\s*([-+]?[\d.]+(?:e[-+]?\d+)?)(px|pt|pc|in|cm|mm|q|em|)\s*", re.IGNORECASE)
_TAG = re.compile(r"<(?:\w+:)?svg\b[^>]*>", re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(r"""\s(width|height|viewbox)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)


class Natural(NamedTuple):
    """Width and height in px and their ratio; None for what a drawing does not say."""

    width: float | None
    height: float | None
    ratio: float | None


def natural_of_svg(text: str, em: float = 16.0) -> Natural:
    """The size that the text of a drawing states; `em` is the size of the type around it."""
    tag = _TAG.search(text)
    stated = {name.lower(): one or two for name, one, two in _ATTRIBUTE.findall(tag[0] if tag else "")}
    width, height = _length(stated.get("width"), em), _length(stated.get("height"), em)
    if width is not None and height is not None:
        return Natural(width, height, width / height if width and height else 1.0)
    view = stated.get("viewbox", "").replace(",", " ").split()
    try:
        _, _, across, along = (float(part) for part in view)
    except ValueError:
        return Natural(width, height, None)
    if not across or not along:
        return Natural(width, height, None)
    ratio = across / along
    if width:
        height = width / ratio
    elif height:
        width = height * ratio
    return Natural(width, height, ratio)


def _length(text: str | None, em: float) -> float | None:
    match = _LENGTH.fullmatch(text) if text else None
    if match is None:
        return None
    return float(match[1]) * (em if match[2].lower() == "em" else _PX[match[2].lower()])


def _looked_at(assets: Assets, url: str) -> tuple[bytes, Picture]:
    """What is served for an address. What is served as it lies there is not converted only to know its size."""
    with suppress(FileProblem):
        data, _ = assets.read(url)
        picture = look(data)
        if picture.notes == ():
            return data, picture
    data, _ = serve(assets, url)
    return data, look(data)


@lru_cache(maxsize=8192)
def natural_of(assets: Assets, url: str) -> Natural | None:
    """The natural size of the picture behind an address, or of the placeholder; None when nothing is there at all."""
    try:
        data, picture = _looked_at(assets, url)
    except FileProblem:
        return None
    if picture.width:
        return Natural(picture.width, picture.height, picture.width / picture.height)
    return natural_of_svg(data[:4096].decode("utf-8", "replace"))
