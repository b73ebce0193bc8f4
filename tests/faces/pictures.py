"""Pictures of every kind for tests, made here so that each is exactly what it is called."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping

from PIL import Image

RED, BLUE = (255, 0, 0), (0, 128, 255)


def halves(mode: str = "RGB", width: int = 400, height: int = 200) -> Image.Image:
    """Left half red, right half blue."""
    image = Image.new("RGB", (width, height), RED)
    image.paste(BLUE, (width // 2, 0, width, height))
    return image if mode == "RGB" else image.convert(mode)


def encode(image: Image.Image, format: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


def turned(turn: int, format: str, **options: object) -> bytes:
    """Red left, blue right when it is turned as its EXIF orientation says."""
    back = {1: None, 2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}[turn]
    image = halves()
    if back is not None:
        image = image.transpose(Image.Transpose(back))
    exif = Image.Exif()
    exif[0x0112] = turn
    return encode(image, format, exif=exif, **options)


def grey16() -> bytes:
    """Left half light, right half dark, in 16 bits."""
    row = struct.pack("<H", 60_000) * 200 + struct.pack("<H", 20_000) * 200
    return encode(Image.frombytes("I;16", (400, 200), row * 200), "PNG")


def clear() -> Image.Image:
    image = halves("RGBA")
    image.putalpha(128)
    return image


def sound() -> Mapping[str, bytes]:
    """Every kind that is drawn: red or dark on the left, blue or light on the right."""
    other = Image.new("RGB", (400, 200), "lime")
    moving = {"save_all": True, "append_images": [other]}
    return {
        "rgb.png": encode(halves(), "PNG"),
        "palette.png": encode(halves("P"), "PNG"),
        "grey.png": encode(halves("L"), "PNG"),
        "greya.png": encode(halves("LA"), "PNG"),
        "alpha.png": encode(clear(), "PNG"),
        "grey16.png": grey16(),
        "rgb.jpg": encode(halves(), "JPEG"),
        "progressive.jpg": encode(halves(), "JPEG", progressive=True),
        "grey.jpg": encode(halves("L"), "JPEG"),
        "cmyk.jpg": encode(halves("CMYK"), "JPEG"),
        "rgb.webp": encode(halves(), "WEBP"),
        "alpha.webp": encode(clear(), "WEBP", lossless=True),
        "moving.webp": encode(halves(), "WEBP", **moving),
        "moving.gif": encode(halves(), "GIF", **moving),
        "moving.png": encode(halves(), "PNG", **moving),
        "turned.jpg": turned(6, "JPEG"),
        "turned.png": turned(8, "PNG"),
        "turned.webp": turned(3, "WEBP"),
        "mirrored.jpg": turned(5, "JPEG"),
        "drawing.svg": svg(f'<rect width="20" height="20" fill="rgb{RED}"/>'
                           f'<rect x="20" width="20" height="20" fill="rgb{BLUE}"/>'),
    }  # fmt: skip


def svg(inside: str, head: str = "", attributes: str = "") -> bytes:
    return (
        f'{head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 40 20" {attributes}>{inside}</svg>'
    ).encode()
