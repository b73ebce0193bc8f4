"""The ruler on every sheet: 50 mm and 2 inches, to see at a glance whether the print came out at full size.

Nothing spoils home prints more often than "fit to page"; a card that is 3 % too small shows only when it is sleeved.
"""

from __future__ import annotations

from cardgen.model.drawing import Path, Text
from cardgen.model.sheet import SheetWords
from cardgen.units import MM_PER_INCH

RULER_MM = 50
RULER_INCHES = 2
TICK_WIDTH = 0.15
# Tick lengths for every 10, 5 and 1 mm; and for whole, half and eighth inches.
_LONG, _MIDDLE, _SHORT = 2.0, 1.1, 0.7
NUMERAL_PT = 4.0
_NUMERAL_ASIDE = 0.3
# From a long tick's end to the foot of a numeral beside it: above, the height of a digit of 4 pt, nearly; below, what
# a unit's descender needs.
_FOOT_ABOVE, _FOOT_BELOW = 1.05, 0.3
# Room for the last numeral and its unit right of the scale.
_UNIT_ROOM = 6.0
RULER_LENGTH = RULER_INCHES * MM_PER_INCH + TICK_WIDTH + _UNIT_ROOM
RULER_THICKNESS = 2 * _LONG + TICK_WIDTH


def ruler(words: SheetWords, thickness: float) -> tuple[Path | Text, ...]:
    """A ruler in its own mm, from 0, 0 to the right, centred in `thickness` mm: millimetres above its line, inches
    below. The first ticks' middles are RULER_MM and RULER_INCHES away from the last ones'."""
    left, middle = TICK_WIDTH / 2, thickness / 2
    end = left + max(float(RULER_MM), RULER_INCHES * MM_PER_INCH)
    lines = [((left, middle), (end, middle))]
    for mm in range(RULER_MM + 1):
        x = left + mm
        lines.append(((x, middle), (x, middle - (_LONG if mm % 10 == 0 else _MIDDLE if mm % 5 == 0 else _SHORT))))
    for eighth in range(8 * RULER_INCHES + 1):
        x = left + eighth * MM_PER_INCH / 8
        lines.append(
            ((x, middle), (x, middle + (_LONG if eighth % 8 == 0 else _MIDDLE if eighth % 4 == 0 else _SHORT)))
        )
    texts = [
        *(
            _numeral(left + mm, middle - _LONG + _FOOT_ABOVE, str(mm), words.millimetres, mm == RULER_MM)
            for mm in range(0, RULER_MM + 1, 10)
        ),
        *(
            _numeral(
                left + inch * MM_PER_INCH, middle + _LONG - _FOOT_BELOW, str(inch), words.inches, inch == RULER_INCHES
            )
            for inch in range(RULER_INCHES + 1)
        ),
    ]
    return Path(tuple(lines), width=TICK_WIDTH), *texts


def _numeral(x: float, y: float, digits: str, unit: str, last: bool) -> Text:
    text = f"{digits} {unit}" if last else digits
    return Text(x + _NUMERAL_ASIDE, y, text, NUMERAL_PT, room=_UNIT_ROOM - _NUMERAL_ASIDE if last else 0.0)
