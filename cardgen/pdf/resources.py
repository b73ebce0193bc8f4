"""Resources of a file: each once, under short names in the order of first use.

Renderings come from several processes, each numbering its states, groups and patterns from zero and naming its images
by their address. Here every resource gets a name of its own by its content, and the contents are written anew with
those names. So equal things are stored once, unequal things never meet under one name, and the file does not depend
on how the faces were shared out, nor on where the project lies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from cardgen.pdf.fonts import SourceFonts
from cardgen.pdf.names import rename

if TYPE_CHECKING:
    import pikepdf

_PREFIXES = {
    "XObject": "X",
    "ExtGState": "G",
    "Shading": "S",
    "Pattern": "P",
    "ColorSpace": "C",
    "Font": "F",
}
# What is told by a stream's own data, or made anew.
_NOT_COMPARED = frozenset({"/Length", "/Filter", "/DecodeParms", "/Resources"})

# (category, name) of a resource that a content uses.
Used = set[tuple[str, str]]


class Source:
    """One PDF whose contents are taken over: its fonts by name, and what its names became."""

    def __init__(self, pdf: pikepdf.Pdf, fonts: SourceFonts) -> None:
        self.pdf, self.fonts = pdf, fonts
        # (resource dictionary, category, name there) -> name in the file; None when nothing bears that name there.
        self.names: dict[tuple[object, str, bytes], bytes | None] = {}


class Resources:
    """All resources of a file under construction."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._objects: dict[tuple[str, str], pikepdf.Object] = {}
        self._by_content: dict[tuple[str, bytes], str] = {}
        self._counts = dict.fromkeys(_PREFIXES, 0)

    def add(self, category: str, content: bytes, make: Callable[[], pikepdf.Object]) -> str:
        """The name of the resource with this content; `make` makes it when it is new."""
        key = (category, content)
        if key not in self._by_content:
            # Made before it is named, so that what it uses gets the lower number.
            made = make()
            self._counts[category] += 1
            name = f"{_PREFIXES[category]}{self._counts[category]}"
            self._by_content[key] = name
            self._objects[category, name] = made
        return self._by_content[key]

    def adopt(self, category: str, name: str, made: pikepdf.Object) -> None:
        """Take a resource under a name of its own, which tells its content and none of ours begins like."""
        self._objects[category, name] = made

    def dictionary(self, used: Iterable[tuple[str, str]]) -> pikepdf.Dictionary:
        """A resource dictionary of the names `used`."""
        import pikepdf

        result = pikepdf.Dictionary()
        for category, name in sorted(used):
            if f"/{category}" not in result:
                result[f"/{category}"] = pikepdf.Dictionary()
            result[f"/{category}"][f"/{name}"] = self._objects[category, name]
        return result

    def take(self, content: bytes, resources: Any, source: Source) -> tuple[bytes, Used]:
        """`content` of a source, with its `resources`, in this file's names; and the names it uses."""
        used: Used = set()
        # Dictionaries shared by pages are looked through once; a direct one belongs to its one stream.
        scope: object = resources.objgen if resources is not None and resources.is_indirect else object()

        def new_name(category: str, name: bytes) -> bytes:
            key = (scope, category, name)
            if key not in source.names:
                source.names[key] = self._take_named(category, name, resources, source)
            new = source.names[key]
            if new is None:
                # A name without a resource, such as /DeviceRGB, stays as it is.
                return name
            used.add((category, new.decode("ascii")))
            return new

        renamed = rename(content, new_name)
        source.fonts.drawn_in(content)
        return renamed, used

    def _take_named(self, category: str, name: bytes, resources: Any, source: Source) -> bytes | None:
        entries = resources.get(f"/{category}") if resources is not None else None
        found = entries.get("/" + name.decode("utf-8")) if entries is not None else None
        if found is None:
            return None
        return self._take_object(category, name.decode("utf-8"), found, source).encode("ascii")

    def _take_object(self, category: str, name: str, found: Any, source: Source) -> str:
        import pikepdf

        if category == "Font":
            font = source.fonts.font(name, found)
            if font is not None:
                return self.add("Font", repr(font.objgen).encode(), lambda: font)
        if isinstance(found, pikepdf.Stream) and (
            found.get("/Subtype") == pikepdf.Name.Form or found.get("/PatternType") == 1
        ):
            return self._take_drawn(category, found, source)
        if category == "ExtGState" and isinstance(found.get("/SMask"), pikepdf.Dictionary):
            return self._take_masked(found, source)
        return self.add(category, _fingerprint(found), lambda: _copy(self._pdf, source.pdf, found))

    def _take_drawn(self, category: str, found: Any, source: Source) -> str:
        """A form or a tiling pattern: it has contents and resources of its own."""
        import pikepdf

        content, used = self.take(found.read_bytes(), found.get("/Resources"), source)
        rest = {key: value for key, value in found.stream_dict.items() if key not in _NOT_COMPARED}
        digest = hashlib.sha256(content)
        for key in sorted(rest):
            digest.update(key.encode() + b" " + _fingerprint(rest[key]))

        def make() -> pikepdf.Object:
            made: Any = pikepdf.Stream(self._pdf, content)
            for key, value in rest.items():
                made[key] = _copy(self._pdf, source.pdf, value)
            made.Resources = self.dictionary(used)
            whole: pikepdf.Object = self._pdf.make_indirect(made)
            return whole

        return self.add(category, digest.digest(), make)

    def _take_masked(self, found: Any, source: Source) -> str:
        """A graphics state with a soft mask, whose group is a form."""
        import pikepdf

        group = self._take_drawn("XObject", found.SMask.G, source)
        mask = {key: value for key, value in found.SMask.items() if key != "/G"}
        rest = {key: value for key, value in found.items() if key != "/SMask"}
        content = b" ".join([_fingerprint(pikepdf.Dictionary(part)) for part in (mask, rest)]) + group.encode()

        def make() -> pikepdf.Object:
            made = pikepdf.Dictionary({key: _copy(self._pdf, source.pdf, value) for key, value in rest.items()})
            made.SMask = pikepdf.Dictionary({key: _copy(self._pdf, source.pdf, value) for key, value in mask.items()})
            made.SMask.G = self._objects["XObject", group]
            return made

        return self.add("ExtGState", content, make)


def _copy(target: pikepdf.Pdf, source: pikepdf.Pdf, value: Any) -> Any:
    """A value of one file for another."""
    import pikepdf

    if not isinstance(value, pikepdf.Object):
        return value
    if value.is_indirect:
        return target.copy_foreign(value)
    if isinstance(value, (pikepdf.Dictionary, pikepdf.Array)):
        return target.copy_foreign(source.make_indirect(value))
    return value


def _fingerprint(value: Any) -> bytes:
    """Bytes that are equal for equal values, whatever numbers their objects have in a file."""
    import pikepdf

    if isinstance(value, pikepdf.Stream):
        rest = {key: item for key, item in value.stream_dict.items() if key != "/Length"}
        return hashlib.sha256(_fingerprint(pikepdf.Dictionary(rest)) + value.read_raw_bytes()).digest()
    if isinstance(value, pikepdf.Dictionary):
        return b"<<" + b" ".join(key.encode() + b" " + _fingerprint(value[key]) for key in sorted(value.keys())) + b">>"
    if isinstance(value, pikepdf.Array):
        return b"[" + b" ".join(_fingerprint(item) for item in value) + b"]"
    if isinstance(value, pikepdf.Object):
        return bytes(value.unparse())
    return repr(value).encode()


def page_content(page: Any) -> bytes:
    """The operators of a page."""
    import pikepdf

    contents = page.get("/Contents")
    if contents is None:
        return b""
    if isinstance(contents, pikepdf.Array):
        return b"\n".join(bytes(part.read_bytes()) for part in contents)
    return bytes(contents.read_bytes())
