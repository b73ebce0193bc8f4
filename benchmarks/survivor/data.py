"""The survivor job as data: N distinct cards with a title, five numbers, a portrait and about 400 letters of rules.

The same seed gives the same cards, and the first cards of a large set are those of a small one.
"""

from __future__ import annotations

import random
from pathlib import Path

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFilter

SEED = 20240607
PORTRAITS = 10
STATS = ("FUE", "DES", "INT", "VOL", "SUE")
FIRST = [
    "Álvaro",
    "Íñigo",
    "Begoña",
    "Úrsula",
    "Núria",
    "Óscar",
    "Martín",
    "Sofía",
    "Iñaki",
    "Raúl",
    "Inés",
    "Tomás",
    "Lucía",
    "Andrés",
    "Zoé",
    "Simón",
    "Noé",
]
LAST = [
    "Peña",
    "Núñez",
    "Güell",
    "Ibáñez",
    "Cañas",
    "Muñoz",
    "Vélez",
    "Rincón",
    "Sáez",
    "Ruíz",
    "Gómez",
    "Díaz",
    "Yáñez",
    "Páez",
    "Ortíz",
    "León",
    "Ávila",
    "Solís",
]
TYPES = (
    "Superviviente · Médico",
    "Superviviente · Explorador",
    "Líder · Ingeniería",
    "Aliado · Vigía nocturno",
    "Refugiado · Artesanía",
    "Aliado · Contrabandista",
)
COLOURS = ("#9b2226", "#1d4e89", "#2d6a4f", "#b5651d", "#5a3d7a")
ICONS = {
    "espada": '<path fill="#333" d="M18 2h4v4L11 17l3 3-2 2-3.500-3.500L4 23l-3-3 4.500-4.500L2 12l2-2 3 3Z"/>',
    "escudo": '<path fill="#1d4e89" d="M12 1l9 3v8c0 5-4 9-9 11-5-2-9-6-9-11V4Z"/>',
    "corazon": '<path fill="#c1121f" d="M12 22C4 15 1 12 1 7.500 1 4 4 2 6.500 2S11 3.500 12 5.500C13 3.500 15 2 17.500 2'
    '  20 2 23 4 23 7.500 23 12 20 15 12 22Z"/>',
    "rayo": '<path fill="#e09f00" d="M14 1 4 14h7L9 23 20 9h-7Z"/>',
    "llave": '<path fill="#5a3d7a" d="M7 7a5 5 0 1 0 4.900 6H15v3h3v-3h4v-3H11.900A5 5 0 0 0 7 7Z"/>',
}
SENTENCES = (
    "Al empezar la ronda, **{name}** puede descartar [{icon}] para mover **{n} casillas** sin hacer ruido alguno.",
    "Cuando un compañero de una zona contigua sufra daño, gana **+{n} {stat}** y repón [{icon}] de la reserva común.",
    "Si la infección supera {n}, suma [{icon}] a tu próxima acción de **búsqueda** y baraja el mazo de crónica.",
    "Una vez por misión, ignora un **acontecimiento** que muestre [{icon}]; después **{name}** queda exhausto.",
    "Mientras siga en vanguardia, cada zombi corrupto pierde **{n} de resistencia** por cada [{icon}] que enseñes.",
    "Tras una negociación, tú y otro jugador podéis cambiar **hasta {n} objetos** si pagáis [{icon}] entre los dos.",
)
FILLERS = (
    "No se acumula con otras órdenes.",
    "Elige antes de lanzar los dados.",
    "Vuelve a la mano al caer la noche.",
    "Solo en exteriores.",
    "El efecto dura hasta el próximo amanecer.",
    "Según la versión, añade también un señuelo.",
    "Jamás más de una vez por turno.",
)


class Survivor(Struct, frozen=True):
    """One card of the job."""

    number: int
    title: str
    type: str
    colour: str
    stats: tuple[int, ...]
    rules: str
    portrait: str
    points: int


def survivors(count: int) -> list[Survivor]:
    """The first `count` cards."""
    rng = random.Random(SEED)
    return [_survivor(rng, number) for number in range(1, count + 1)]


def _survivor(rng: random.Random, number: int) -> Survivor:
    first = FIRST[number % len(FIRST)]
    title = f"{first} {LAST[(number * 7 + number // len(FIRST)) % len(LAST)]}"
    sentences = [
        sentence.format(name=first, n=rng.randint(2, 6), stat=rng.choice(STATS), icon=icon)
        for sentence, icon in zip(rng.sample(SENTENCES, 3), rng.sample(list(ICONS), 3), strict=True)
    ]
    for filler in rng.sample(FILLERS, len(FILLERS)):
        if len(" ".join(sentences)) >= 410:
            break
        sentences.append(filler)
    return Survivor(
        number,
        title,
        rng.choice(TYPES),
        rng.choice(COLOURS),
        tuple(rng.randint(1, 9) for _ in STATS),
        " ".join(sentences),
        f"p{number % PORTRAITS}.jpg",
        rng.randrange(20, 200, 5),
    )


def write_pictures(folder: Path) -> None:
    """Ten portraits of 600 x 400 pixels with film grain, so that the JPEGs weigh what photographs weigh."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(PORTRAITS):
        file = folder / f"p{number}.jpg"
        if file.exists():
            continue
        rng = random.Random(SEED * 31 + number)
        image = Image.effect_noise((600, 400), 28).convert("RGB")
        draw = ImageDraw.Draw(image)
        for _ in range(60):
            x, y, r = rng.randrange(600), rng.randrange(400), rng.randrange(8, 70)
            draw.ellipse([x - r, y - r * 0.7, x + r, y + r * 0.7], fill=tuple(rng.randrange(256) for _ in range(3)))
        draw.ellipse([210, 60, 390, 290], fill=tuple(rng.randrange(140, 235) for _ in range(3)), outline=(30, 20, 10))
        grain = Image.effect_noise((600, 400), 40).convert("RGB")
        Image.blend(image, grain, 0.15).filter(ImageFilter.SMOOTH).save(file, quality=85)
