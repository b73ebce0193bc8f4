"""Writing over a file that somebody broke, when whoever edits it decides so; what was there is kept beside it."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.errors import FileProblem
from cardgen.load.trees import Tree
from cardgen.studio.broken import Broken
from cardgen.studio.documents import Document, tree_in, write_over
from cardgen.studio.merge import merge
from cardgen.studio.workshop import Saved, Workshop


def save_over(workshop: Workshop, document: Document, base: Mapping[str, Tree], mine: Mapping[str, Tree]) -> Saved:
    """Write what `mine` changed since `base` in place of a broken file.

    What else the file said when it was read last stays; where both differ, `mine` holds. A file that was mended
    meanwhile is saved to as any.
    """
    with workshop.lock:
        try:
            workshop.tree(document)
        except Broken as error:
            breakage = workshop.good.breakage(error)
        except FileProblem as error:
            return Saved(mine, base, False, problem=str(error))
        else:
            return workshop.save(document, base, mine)
        good = workshop.good.of(document.file)
        if good is None:
            return Saved(mine, base, False, broken=breakage)
        before = tree_in(good, document.file, document.key) or {}
        asked = merge(base, mine, before, {}).conflicts
        merged = merge(base, mine, before, {item.path: "mine" for item in asked})
        errors = workshop.check(document, merged.tree)
        if errors:
            return Saved(merged.tree, base, False, merged.taken, (), errors, broken=breakage)
        try:
            aside = write_over(workshop.project.shelf, document, good, merged.tree)
        except FileProblem as error:
            return Saved(mine, base, False, problem=str(error), broken=breakage)
        workshop.histories.add(document.url, before, merged.tree)
        # Other cards of the file were gone as long as it was broken.
        workshop.reload()
    workshop.hub.tell("studio-reloaded", {"generation": workshop.generation})
    return Saved(merged.tree, merged.tree, True, merged.taken, aside=aside)
