"""Pictures of one's own: taken in, turned upright, cropped, and stored in the project."""

from __future__ import annotations

import hashlib
import io
from pathlib import PurePosixPath

from msgspec import Struct
from PIL import Image, ImageOps

from cardgen.errors import FileProblem
from cardgen.files import MAX_IMAGE, Shelf, own_path, write_atomic
from cardgen.studio.documents import slug

# Bounds, stated in docs/studio.md.
MAX_PIXELS = 50_000_000
# At 300 dots to the inch this covers a page of A4; cards need far less.
MOST_SIDE = 3600
LEAST_SIDE = 16
FORMATS = ("JPEG", "PNG", "WEBP")
SUFFIXES = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif")
FOLDER = "photos"


class Crop(Struct, frozen=True):
    """The part of an upright picture to keep: left, top, width and height, as fractions of it."""

    left: float = 0.0
    top: float = 0.0
    width: float = 1.0
    height: float = 1.0


def picture_names(shelf: Shelf, game: str) -> list[str]:
    """The pictures that cards of a game can name."""
    start = f"cards/{game}/art"
    return [name.removeprefix(f"{start}/") for name in shelf.names(start, "") if name.lower().endswith(SUFFIXES)]


def store(shelf: Shelf, game: str, name: str, data: bytes, crop: Crop) -> str:
    """Store a picture below `cards/<game>/art/photos` and give the name that cards call it by.

    It is written anew: upright, cropped, at most MOST_SIDE pixels long, without whatever a camera wrote about place and
    time. Nothing is ever replaced: the name carries a mark of the contents. Raises FileProblem.
    """
    picture = _opened(data)
    width, height = picture.size
    left, top = (min(max(0.0, value), 1.0) for value in (crop.left, crop.top))
    right, bottom = min(1.0, left + max(0.0, crop.width)), min(1.0, top + max(0.0, crop.height))
    box = (round(left * width), round(top * height), round(right * width), round(bottom * height))
    if box[2] - box[0] < LEAST_SIDE or box[3] - box[1] < LEAST_SIDE:
        raise FileProblem(f"what is left of the picture is smaller than {LEAST_SIDE} pixels; crop less")
    picture = picture.crop(box)
    picture.thumbnail((MOST_SIDE, MOST_SIDE), Image.Resampling.LANCZOS)
    target = io.BytesIO()
    see_through = picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info
    if see_through:
        picture.convert("RGBA").save(target, "PNG", optimize=True)
    else:
        picture.convert("RGB").save(target, "JPEG", quality=90, optimize=True)
    made = target.getvalue()
    stem = slug(PurePosixPath(name.replace("\\", "/")).stem)[:40] or "picture"
    mark = hashlib.sha256(made).hexdigest()[:8]
    file = f"{FOLDER}/{stem}-{mark}.{'png' if see_through else 'jpg'}"
    path = own_path(shelf, f"cards/{game}/art/{file}")
    if not path.exists():
        write_atomic(path, made)
    return file


def _opened(data: bytes) -> Image.Image:
    """The picture, turned upright. Raises FileProblem for what is none, or too large."""
    if not data:
        raise FileProblem("the file is empty")
    many = f"the picture has more than {MAX_PIXELS // 1_000_000} million pixels"
    try:
        picture = Image.open(io.BytesIO(data), formats=FORMATS)
        if picture.width * picture.height > MAX_PIXELS:
            raise FileProblem(many)
        picture.load()
        upright: Image.Image = ImageOps.exif_transpose(picture)
    except FileProblem:
        raise
    except Image.DecompressionBombError:
        raise FileProblem(many) from None
    except (OSError, SyntaxError, ValueError):
        raise FileProblem("this is no picture that can be used; JPEG, PNG and WebP can") from None
    return upright


def read_picture(shelf: Shelf, game: str, file: str) -> bytes:
    """A picture of a game. Raises FileProblem."""
    if not file.lower().endswith(SUFFIXES):
        raise FileProblem(f"`{file}` is no picture")
    return shelf.read(f"cards/{game}/art/{file}", MAX_IMAGE)
