"""Layouters that a process keeps: the jobs to come are of the same few layouts, and most of one face are of the same.

People change their files while a process lives. Whatever a layouter has read from them is compared before it is used
again: style sheets and roles are in the key, fonts are read again, and so are pictures (by `memory`).
"""

from __future__ import annotations

from cardgen.faces.card.layouter import Layouter, sheets_of
from cardgen.faces.card.natural import natural_of
from cardgen.faces.engines import Job

# Each holds some megabytes of boxes at most.
_MOST = 8
_Key = tuple[object, ...]
_KEPT: dict[_Key, Layouter] = {}


def taken(job: Job) -> Layouter:
    """The layouter for a job, for nobody else until it is put back. Raises FileProblem for a style sheet that is not
    there, ValueError for one that cannot be read."""
    natural_of.cache_clear()
    # Taken out: a process may draw two jobs at once.
    found = _KEPT.pop(_key(job), None)
    if found is None or not found.fonts.is_current():
        return Layouter(job)
    found.builder.memory.begin()
    return found


def put_back(job: Job, layouter: Layouter) -> None:
    """Keep a layouter for jobs to come. One that met with problems would tell of them again, whoever has them."""
    if layouter.cascade.problems:
        return
    while len(_KEPT) >= _MOST:
        _KEPT.pop(next(iter(_KEPT)), None)
    _KEPT[_key(job)] = layouter


def _key(job: Job) -> _Key:
    first = job.faces[0]
    return job.assets, first.trim, first.lang, sheets_of(job), repr(sorted(job.fonts.items()))
