"""Where faces find pictures, icons, styles and fonts: addresses below one name that never leads to a network."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from html import escape, unescape
from posixpath import relpath
from urllib.parse import quote, unquote, urljoin, urlsplit

from msgspec import Struct

from cardgen.errors import FileProblem
from cardgen.files import MAX_FONT, MAX_ICON, MAX_IMAGE, MAX_STYLE, Shelf
from cardgen.model.font import FontFace

# A reserved top-level domain: no resolver knows it, so that even a mistake could not reach a server.
BASE = "http://cardgen.invalid/"
DEFAULT_INK = "#1f2022"

# The same few hundred addresses are asked for on every face.
_joined = lru_cache(maxsize=8192)(urljoin)
_quoted = lru_cache(maxsize=8192)(quote)
_URL = re.compile(re.escape(BASE) + r"[^\s\"'()<>]+")
# Begun with letters, which are searched for fast; the space before them is looked at behind.
_SRC = re.compile(r"""src(?<=\ssrc)\s*=\s*(["'])?((?(1)[^"'<>]+|[^\s"'<>]+))""")
_CSS_URL = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)""")
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# A die's colours in its drawing, with what to use where nobody fills them in: `fill="var(--colour, #b23a28)"`.
_VARIABLE = re.compile(rb"var\(\s*--(colour|ink)\s*(?:,[^()]*)?\)")
_CHANGE = re.compile(r"size=(\d+(?:\.\d+)?)&offset=(-?\d+(?:\.\d+)?)")
_BADGE = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">\
<rect x="0.8" y="0.8" width="22.4" height="22.4" rx="4.6" fill="{colour}" stroke="{ink}" stroke-width="1.6"/>\
<text x="12" y="{y:g}" text-anchor="middle" font-family="display" font-weight="700" font-size="{size}" fill="{ink}">\
{text}</text></svg>
"""
_TYPES = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".css": "text/css",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
}


def icon_url(game: str, name: str, colour: str | None = None) -> str:
    """The address of an icon; parts drawn in `currentColor` take the colour (default: ink)."""
    ink = (colour or DEFAULT_INK).lstrip("#")
    return f"{BASE}icon/{_quoted(game)}/{_quoted(name, safe='')}/{_quoted(ink, safe='')}"


def die_url(game: str, icon: str, letter: str, colour: str, ink: str) -> str:
    """The address of a die's badge: its icon, or, where there is no drawing of that name, one made of its values.

    In the drawing `var(--colour)` and `var(--ink)` (and `currentColor`, which is the ink) take the die's colours.
    """
    parts = (icon, letter, colour.lstrip("#"), ink.lstrip("#"))
    return f"{BASE}die/{quote(game)}/" + "/".join(quote(part, safe="") for part in parts)


def art_url(game: str, file: str) -> str:
    """The address of a picture below `cards/<game>/art` or `layouts/<game>/art`."""
    return f"{BASE}art/{_quoted(game)}/{_quoted(file)}"


def font_url(file: str, size: float = 100.0, offset: float = 0.0) -> str:
    """The address of a font file below `fonts/`, set larger and moved down by so many percent of the font size."""
    changed = f"?size={size:g}&offset={offset:g}" if (size, offset) != (100.0, 0.0) else ""
    return f"{BASE}fonts/{quote(file)}{changed}"


def face_url(face: FontFace) -> str:
    """The address of one file of a role, as its language has it."""
    return font_url(face.file, face.size, face.offset)


def css_url(name: str) -> str:
    """The address of a style sheet below `layouts/`; what it names is relative to it."""
    return f"{BASE}layouts/{quote(name)}"


def named_in_css(name: str, text: str) -> list[tuple[str, str, int]]:
    """What a style sheet names with `url(…)`: the address, how it is written, and where that begins in the text."""
    text = _CSS_COMMENT.sub(lambda comment: " " * len(comment[0]), text)
    named = ((match[1].strip(), match.start(1)) for match in _CSS_URL.finditer(text))
    return [(urljoin(css_url(name), written), written, at) for written, at in named]


def urls_of_css(name: str, text: str) -> list[str]:
    """The addresses of what a style sheet names with `url(…)`, each once, sorted."""
    return sorted({url for url, _, _ in named_in_css(name, text)})


def foreign_in_css(name: str, text: str) -> list[tuple[str, int]]:
    """The addresses in a style sheet that lead out of the project, and where they are written in the text."""
    return [(url, at) for url, _, at in named_in_css(name, text) if not url.startswith(BASE)]


def _named(text: str) -> list[str]:
    """What a piece of HTML names, as it is written."""
    return [*(written for _, written in _SRC.findall(text)), *(_CSS_URL.findall(text) if "url(" in text else ())]


def _read_as(written: str) -> str:
    url: str = _joined(BASE, (unescape(written) if "&" in written else written).strip())
    return url


def urls_in(text: str) -> list[str]:
    """Every asset address in a piece of HTML, each once, sorted; relative ones as the engine reads them."""
    relative = map(_read_as, {*_named(text)})
    return sorted({*_URL.findall(text), *(url for url in relative if url.startswith(BASE))})


def written_in(text: str, url: str) -> str:
    """How a piece of HTML writes an address; the address itself when it does not name it."""
    return next((written.strip() for written in _named(text) if _read_as(written) == url), url)


def written_for(file: str, name: str = "") -> str:
    """How a style sheet below `layouts/`, or without one HTML, writes the address of a file of the project."""
    return relpath(file, f"layouts/{name}/..") if name else file


def climbs_out(written: str, name: str = "") -> bool:
    """Whether an address, as it is written in a style sheet below `layouts/` or, without one, in HTML, begins at the
    root of a disk or climbs out of the project."""
    if written.startswith(BASE):
        return False  # of art_url and the like, which name what a card says
    depth = name.count("/") + 1 if name else 0
    for part in unquote(urlsplit(written).path).split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            return True
    return written.startswith("/")


def picture_name(url: str) -> str | None:
    """What people call the picture behind an address (a file, an icon's name); None when it is no picture."""
    if not url.startswith(BASE):
        return None
    match _parts(url):
        case ["art", _, *file] if file:
            return "/".join(file)
        case ["icon", _, name, _] | ["die", _, name, _, _, _]:
            return name
        case [""] | ["fonts", _, *_]:
            return None
        case parts if not parts[-1].endswith(".css"):
            return "/".join(parts)
    return None


def _colour(name: str) -> str:
    if not re.fullmatch(r"[0-9a-zA-Z]{1,20}", name):
        raise FileProblem(f"`{name}` is not a colour")
    return f"#{name}" if re.fullmatch(r"[0-9a-fA-F]{3}|[0-9a-fA-F]{6}", name) else name


def _parts(url: str) -> list[str]:
    return [unquote(part) for part in urlsplit(url).path.strip("/").split("/")]


class Assets(Struct, frozen=True):
    """Reads what the addresses name, from the shelf and nowhere else. Picklable, so that workers can have it."""

    shelf: Shelf

    def read(self, url: str) -> tuple[bytes, str]:
        """The bytes and the MIME type behind an address. Raises FileProblem."""
        if not url.startswith(BASE):
            raise FileProblem(f"`{url[:80]}` is not part of the project; layouts reach no network and no other files")
        parts = _parts(url)
        if parts[0] == "icon" and len(parts) == 4:
            return self._icon(parts[1], parts[2], parts[3]), "image/svg+xml"
        if parts[0] == "die" and len(parts) == 6:
            return self._die(*parts[1:]), "image/svg+xml"
        name = self._name(parts)
        if name is None:
            raise FileProblem(f"`{url[:80]}` names nothing")
        suffix = "." + name.rpartition(".")[2].lower()
        limit = MAX_FONT if parts[0] == "fonts" else MAX_IMAGE
        data = self.shelf.read(name, limit)
        if parts[0] == "fonts" and (change := _CHANGE.fullmatch(urlsplit(url).query)):
            from cardgen.faces.sized_fonts import sized

            data = sized(data, float(change[1]), float(change[2]))
        return data, _TYPES.get(suffix, "application/octet-stream")

    def _name(self, parts: list[str]) -> str | None:
        if parts[0] in {"icon", "die"} and len(parts) in {4, 6}:
            return self.icon_file(parts[1], parts[2])
        if parts[0] == "art" and len(parts) > 2:
            return self.art_file(parts[1], "/".join(parts[2:]))
        # Of `cards/` only the pictures: its other files are data.
        is_open = parts[0] in {"layouts", "fonts"} or (len(parts) > 3 and parts[::2][:2] == ["cards", "art"])
        return "/".join(parts) if is_open else None

    def file(self, url: str) -> str | None:
        """The file behind an address, by its name on the shelf; None when there is none.

        Raises FileProblem for a name that may not be looked up.
        """
        name = self._name(_parts(url))
        return name if name is not None and self.shelf.find(name) is not None else None

    def siblings(self, url: str) -> list[str]:
        """Names that would lead somewhere in place of the one in an address, as `picture_name` says them."""
        parts = _parts(url)
        if parts[0] == "icon":
            folders = [f"layouts/{parts[1]}/icons", "layouts/_base/icons"]
            return sorted({name.rpartition("/")[2][:-4] for at in folders for name in self.shelf.names(at, ".svg")})
        if parts[0] == "art":
            folders = [f"cards/{parts[1]}/art", f"layouts/{parts[1]}/art"]
            return sorted({name[len(at) + 1 :] for at in folders for name in self.shelf.names(at, "")})
        return self.shelf.names("/".join(parts[:-1]), "") if self._name(parts) is not None else []

    def instead_of(self, url: str) -> list[str]:
        """The files that an address below no `art_url` may have meant: those of its last name, else its neighbours."""
        wanted = _parts(url)[-1]
        found = [name for at in ("layouts", "cards") for name in self.shelf.names(at, wanted)] if wanted else []
        named = [name for name in found if name.rpartition("/")[2] == wanted] or self.siblings(url)
        names = (name for name in named if not name.endswith((".css", ".j2")))
        return [name for name in names if self._name(name.split("/")) is not None]

    def art_file(self, game: str, file: str) -> str:
        """The file of a picture: a card's own art, else the art of the game's layouts."""
        own, shared = f"cards/{game}/art/{file}", f"layouts/{game}/art/{file}"
        return own if self.shelf.find(own) is not None or self.shelf.find(shared) is None else shared

    def _icon(self, game: str, name: str, colour: str) -> bytes:
        found = self.icon_file(game, name)
        if found is None:
            raise FileProblem(f"there is no icon `{name}`")
        return self.shelf.read(found, MAX_ICON).replace(b"currentColor", _colour(colour).encode())

    def _die(self, game: str, icon: str, letter: str, colour: str, ink: str) -> bytes:
        colours = {b"colour": _colour(colour).encode(), b"ink": _colour(ink).encode()}
        found = self.icon_file(game, icon)
        if found is None:
            # The letter is set in the display role: its capitals are about 0.8 of its size.
            size = {0: 16, 1: 16, 2: 12}.get(len(letter), 9)
            text = escape(letter, quote=False)
            return _BADGE.format(
                colour=_colour(colour), ink=_colour(ink), text=text, size=size, y=12 + 0.4 * size
            ).encode()
        drawing = _VARIABLE.sub(lambda variable: colours[variable[1]], self.shelf.read(found, MAX_ICON))
        return drawing.replace(b"currentColor", colours[b"ink"])

    def icon_file(self, game: str, name: str) -> str | None:
        """The file of an icon: the game's own before the shared one."""
        for folder in (f"layouts/{game}/icons", "layouts/_base/icons"):
            if self.shelf.find(f"{folder}/{name}.svg") is not None:
                return f"{folder}/{name}.svg"
        return None

    def css(self, name: str) -> str:
        """The text of a style sheet below `layouts/`. Raises FileProblem."""
        try:
            return self.shelf.read(f"layouts/{name}", MAX_STYLE).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise FileProblem(f"`layouts/{name}` is not UTF-8 text") from None

    def digest(self, url: str) -> str:
        """A hash of what stands behind an address; of the problem when nothing does."""
        try:
            data, _ = self.read(url)
        except FileProblem as problem:
            data = str(problem).encode()
        return _of_font(data) if url.startswith(f"{BASE}fonts/") else hashlib.sha256(data).hexdigest()


# The fonts of a project are a few, and large.
@lru_cache(maxsize=64)
def _of_font(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
