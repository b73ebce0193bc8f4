"""Looking again at what was laid out anew tells what looking at the whole face tells."""

from __future__ import annotations

import pytest

from cardgen.faces.card.layouter import Layouter
from cardgen.faces.card.measuring import Measured
from tests.faces.card.shipped import GAMES, jobs_of


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_shipped_faces_whose_texts_were_made_to_fit(game: str) -> None:
    tried = 0
    for job in jobs_of(game, "es", most=25):
        layouter = Layouter(job)
        for face in job.faces:
            root, measured, fits = layouter.fitted(face)
            if not fits:
                continue
            tried += 1
            whole = Measured(root, layouter.trim, face.fits)
            told, all_told = measured.standing, whole.standing
            assert list(told.fits(face, fits)) == list(all_told.fits(face, fits)), face.label
            assert sorted(told.strays(face.key), key=str) == sorted(all_told.strays(face.key), key=str), face.label
            assert measured.holders == whole.holders, face.label
    assert tried
