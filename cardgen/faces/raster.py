"""Looks at raster pictures and converts the few that an engine cannot draw as they are.

A picture is read from its header and structure; it is decoded only to be converted.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from PIL import Image, JpegImagePlugin, UnidentifiedImageError

from cardgen.errors import PictureProblem
from cardgen.faces.images import MAX_PIXELS, Note, Picture

_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_JPEG_QUALITY = 95

# Pillow's own alarm is at 89 megapixels. Ours are counted here, before anything is decoded.
Image.MAX_IMAGE_PIXELS = MAX_PIXELS

# What files that are no pictures of ours begin with.
_OTHERS = (
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"BM", "BMP"),
    (b"8BPS", "PSD"),
    (b"%PDF", "PDF"),
    (b"\0\0\1\0", "ICO"),
    (b"PK\3\4", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"gimp xcf", "XCF"),
    (b"version https://git-lfs", "Git LFS pointer"),
)

_TRANSPOSE = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def look_raster(data: bytes) -> Picture:
    """What kind of raster picture this is. Raises PictureProblem when it is none that can be drawn."""
    with _opened(data) as image:
        size, format, mode = image.size, image.format or "", image.mode
        if size[0] * size[1] > MAX_PIXELS:
            raise _too_large(size)
        if not _is_whole(data, format):
            raise PictureProblem("the file is cut off; copy or export it again")
        if format == "WEBP":
            image.load()  # has no checksums; what is broken inside would be found while it is drawn
        notes: list[Note] = []
        if mode == "CMYK":
            notes.append("cmyk")
        if mode.startswith("I"):
            notes.append("deep")
            if "transparency" in image.info:
                raise PictureProblem("16-bit grey with a transparent colour; save it with 8 bits")
        if _turn(image) != 1:
            notes.append("turned")
            if _turn(image) >= 5:
                size = size[1], size[0]
        if format != "MPO" and getattr(image, "is_animated", False):
            notes.append("animated")
    return Picture(format, *size, tuple(notes))


def convert_raster(data: bytes, picture: Picture) -> tuple[bytes, str]:
    """An upright picture with 8 bits a channel: its bytes and MIME type. Raises PictureProblem."""
    with _opened(data) as image:
        turn, out, stream = _turn(image), image, BytesIO()
        if "deep" in picture.notes:
            out = out.point(lambda value: value * (1 / 257) + 0.5).convert("L")
        if "turned" in picture.notes:
            out = out.transpose(_TRANSPOSE[turn])
        icc = image.info.get("icc_profile")
        if isinstance(image, JpegImagePlugin.JpegImageFile):
            sampling = JpegImagePlugin.get_sampling(image)
            out.save(stream, "JPEG", quality=_JPEG_QUALITY, subsampling=sampling, icc_profile=icc)
            return stream.getvalue(), "image/jpeg"
        # The engine compresses it again, and better.
        out.save(stream, "PNG", compress_level=1, icc_profile=icc)
        return stream.getvalue(), "image/png"


@contextmanager
def _opened(data: bytes) -> Iterator[Image.Image]:
    """The picture with its header read. Whatever Pillow raises inside becomes a PictureProblem."""
    try:
        with warnings.catch_warnings():
            # Pillow warns of sizes (counted by the caller) and of broken metadata (not needed).
            warnings.simplefilter("ignore")
            with Image.open(BytesIO(data), formats=_FORMATS) as image:
                yield image
    except PictureProblem:
        raise
    except Image.DecompressionBombError:
        limit = MAX_PIXELS // 1_000_000
        raise PictureProblem(f"it has more than {2 * limit} megapixels; at most {limit} are read") from None
    except UnidentifiedImageError:
        known = next((name for start, name in _OTHERS if data.startswith(start)), None)
        if data[4:8] == b"ftyp":
            known = "AVIF or HEIC"
        what = f"it is {known}" if known else "it is none, or a broken one"
        raise PictureProblem(f"{what}; pictures are PNG, JPEG, WebP, GIF or SVG") from None
    except Exception as error:
        # Decoders meet hostile bytes with errors of every kind.
        raise PictureProblem(f"the file is broken or cut off ({type(error).__name__})") from None


def _too_large(size: tuple[int, int]) -> PictureProblem:
    pixels = size[0] * size[1] / 1_000_000
    return PictureProblem(
        f"it has {size[0]} x {size[1]} pixels, {pixels:.0f} megapixels; at most {MAX_PIXELS // 1_000_000} are read"
    )


def _turn(image: Image.Image) -> int:
    """The EXIF orientation, 1 (upright) to 8."""
    if "exif" not in image.info:
        return 1  # asking further would decode the whole picture
    try:
        turn = image.getexif().get(0x0112, 1)
    except Exception:
        return 1  # metadata that cannot be read says nothing
    return turn if turn in _TRANSPOSE else 1


def _is_whole(data: bytes, format: str) -> bool:
    """Whether the file goes on to its end: seen from its structure, which costs a thousandth of decoding it."""
    try:
        match format:
            case "PNG":
                return _png_is_whole(data)
            case "GIF":
                return _gif_is_whole(data)
            case "WEBP":
                return len(data) >= int.from_bytes(data[4:8], "little") + 8
        return _jpeg_is_whole(data)
    except (IndexError, struct.error):
        return False


def _png_is_whole(data: bytes) -> bool:
    at = 8
    while True:
        length, kind = struct.unpack_from(">I4s", data, at)
        (checksum,) = struct.unpack_from(">I", data, at + 8 + length)
        # What is not needed to draw it (lower case) may be broken.
        if kind[0] < 97 and checksum != zlib.crc32(memoryview(data)[at + 4 : at + 8 + length]):
            return False
        if kind == b"IEND":
            return True
        at += 12 + length


def _jpeg_is_whole(data: bytes) -> bool:
    *_, (_, start, _) = _segments(data)
    return data.find(b"\xff\xd9", start) >= 0


def without_exif(data: bytes) -> bytes:
    """A JPEG file without EXIF and XMP; all that is drawn is kept as it is.

    Where and when a photograph was taken has no place in a file for others, and an engine that finds EXIF decodes the
    picture to see whether it must be turned.
    """
    parts, at = [], 0
    for marker, start, end in _segments(data):
        if marker == 0xE1:
            parts.append(data[at:start])
            at = end
    return b"".join([*parts, data[at:]]) if at else data


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """The segments of a JPEG up to the first scan: marker, start, end. Raises IndexError when there is no scan."""
    at, marker = 2, 0
    while marker != 0xDA:
        while data[at] != 0xFF or data[at + 1] in (0x00, 0xFF):
            at += 1
        marker = data[at + 1]
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        yield marker, at, end
        at = end


def _gif_is_whole(data: bytes) -> bool:
    """The first picture is all that is printed."""
    at = 13 + _gif_colours(data[10])
    while data[at] == 0x21:  # extensions
        at = _gif_skip(data, at + 2)
    if data[at] != 0x2C:
        return False
    _gif_skip(data, at + 11 + _gif_colours(data[at + 9]))
    return True


def _gif_colours(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _gif_skip(data: bytes, at: int) -> int:
    while data[at]:
        at += 1 + data[at]
    return at + 1
