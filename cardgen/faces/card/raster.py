"""Raster pictures as image objects of a PDF: photographs as they are, everything else as bare pixels."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from io import BytesIO

from PIL import Image

from cardgen.errors import PictureProblem
from cardgen.faces.images import look
from cardgen.model.painted import Blob, Part

_SPACES = {"L": b"/DeviceGray", "RGB": b"/DeviceRGB", "CMYK": b"/DeviceCMYK"}
# By the kind of colour that a PNG states.
_PNG_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_COLOURS = {"L": 1, "RGB": 3, "CMYK": 4}


# Bytes up to which what is made of a picture is kept in a process.
_LARGE = 1_000_000
ImageParts = tuple[Part, Part | None, tuple[int, int]]


def image_parts(blob: Blob) -> ImageParts:
    """The image object of a picture that `serve` has passed, that of its transparency, and its size in pixels.

    Raises PictureProblem when it cannot be decoded.
    """
    return _made(blob) if len(blob.data) > _LARGE else _made_once(blob)


@lru_cache(maxsize=64)
def _made_once(blob: Blob) -> ImageParts:
    return _made(blob)


def _made(blob: Blob) -> ImageParts:
    if look(blob.data).mime == "image/jpeg":
        return _photograph(blob)
    try:
        return _decoded(blob)
    except PictureProblem:
        raise
    except Exception as error:
        # Decoders meet hostile bytes with errors of every kind.
        raise PictureProblem(f"the file is broken or cut off ({type(error).__name__})") from None


def _decoded(blob: Blob) -> ImageParts:
    with Image.open(BytesIO(blob.data)) as image:
        plain = _plain_png(image, blob)
        if plain is not None:
            return plain, None, image.size
        whole = image.convert("RGBA") if "transparency" in image.info else image
        if whole.mode in ("RGBA", "LA"):
            mask = _pixels(whole.getchannel("A"), "")
            return _pixels(whole.convert(whole.mode[:-1]), mask.name), mask, image.size
        return _pixels(whole if whole.mode in _SPACES else whole.convert("RGB"), ""), None, image.size


def _photograph(blob: Blob) -> ImageParts:
    with Image.open(BytesIO(blob.data)) as image:
        # Pictures of Adobe's programs say with a mark that their four inks are stored as negatives.
        is_negative = image.mode == "CMYK" and "APP14" in getattr(image, "app", {})
        decode = b"/Decode[1 0 1 0 1 0 1 0]" if is_negative else b""
        return _part(blob, image.size, image.mode, b"/Filter/DCTDecode" + decode, ""), None, image.size


def _plain_png(image: Image.Image, blob: Blob) -> Part | None:
    """A PNG whose compressed pixels a PDF takes as they are; None when there is more to it.

    Raises PictureProblem when its pixels are broken: whether Pillow minds is up to whoever else uses it.
    """
    if image.format != "PNG":
        return None
    depth, kind, _, _, interlaced = struct.unpack_from(">5B", blob.data, 24)
    palette, pixels = _png_chunks(blob.data)
    row = 1 + (image.width * _PNG_CHANNELS[kind] * depth + 7) // 8
    if not _holds(pixels, 1 if interlaced else row * image.height):
        raise PictureProblem("the file is broken inside; export it again")
    if interlaced or depth > 8 or "transparency" in image.info or kind not in (0, 2, 3):
        return None
    parms = f"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors {_PNG_CHANNELS[kind]}/Columns {image.width}"
    parms += f"/BitsPerComponent {depth}>>"
    space = _SPACES["RGB" if kind == 2 else "L"]
    if kind == 3:
        space = f"[/Indexed/DeviceRGB {len(palette) // 3 - 1}<{palette.hex()}>]".encode("ascii")
    return _part(Blob(pixels), image.size, space, parms.encode("ascii"), "", depth)


def _png_chunks(data: bytes) -> tuple[bytes, bytes]:
    """The palette and the compressed pixels of a PNG."""
    palette, pixels, at = b"", [], 8
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        if name == b"IDAT":
            pixels.append(data[at + 8 : at + 8 + length])
        elif name == b"PLTE":
            palette = data[at + 8 : at + 8 + length]
        at += 12 + length
    return palette, b"".join(pixels)


def _holds(compressed: bytes, count: int) -> bool:
    """Whether compressed pixels are sound and as many bytes as the picture needs, told without keeping them."""
    reader, found = zlib.decompressobj(), 0
    try:
        while not reader.eof:
            piece = reader.decompress(compressed, 1 << 20)
            compressed = reader.unconsumed_tail
            found += len(piece)
            if not piece and not compressed:
                break
    except zlib.error:
        return False
    return reader.eof and found >= count


def _pixels(image: Image.Image, mask: str) -> Part:
    """The pixels of a picture, compressed: each row as its difference to the one above, as PNG would often do."""
    colours, width = _COLOURS[image.mode], image.width
    parms = f"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors {colours}/Columns {width}>>"
    data = image.tobytes()
    row = width * colours
    if colours == 1:
        rows = b"".join(b"\0" + data[at : at + row] for at in range(0, len(data), row))
    else:
        rows = _filtered(data, row)
    return _part(Blob(zlib.compress(rows, 6)), image.size, image.mode, parms.encode("ascii"), mask)


def _filtered(data: bytes, row: int) -> bytes:
    from PIL import ImageChops

    # "Up" of PNG: a picture minus itself moved down by a row, modulo 256.
    height = len(data) // row
    flat = Image.frombytes("L", (row, height), data)
    above = Image.new("L", (row, height))
    above.paste(flat, (0, 1))
    rows = ImageChops.subtract_modulo(flat, above).tobytes()
    return b"".join(b"\2" + rows[at : at + row] for at in range(0, len(rows), row))


def _part(blob: Blob, size: tuple[int, int], space: str | bytes, filter: bytes, mask: str, depth: int = 8) -> Part:
    entries = b"/Type/XObject/Subtype/Image/Width %d/Height %d" % size
    entries += b"/ColorSpace" + (space if isinstance(space, bytes) else _SPACES[space])
    entries += b"/BitsPerComponent %d/Interpolate true" % depth + filter
    return Part(
        "XObject",
        f"I{Blob(entries + mask.encode('ascii') + bytes.fromhex(blob.digest)).digest[:16]}",
        entries,
        blob,
        mask=mask,
    )
