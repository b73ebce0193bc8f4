"""What one translation becomes when somebody types it, says that it is right, or doubts it."""

from __future__ import annotations

from typing import Literal

from msgspec import structs

from cardgen.diagnostics import Span
from cardgen.i18n.catalog import Entry
from cardgen.i18n.states import normal, state_of
from cardgen.model.game import Source

# draft: it is being written. accepted: somebody read it beside the source as it is now. doubted: it needs work.
Verdict = Literal["draft", "accepted", "doubted"]


def revised(source: Source, old: Entry | None, text: str, verdict: Verdict) -> Entry:
    """The entry that holds `text` from now on; a translator's comments stay.

    A draft finishes nothing: what was missing is unreviewed by it, what was stale stays stale, beside the source it
    was made from, until it is accepted. What was done stays done.
    """
    now, text = normal(source.text), normal(text)
    state = state_of(source, old)
    if old is None:
        old = Entry(now, "", False, Span(""), Span(""))
    if not text.strip():
        return structs.replace(old, source=now, target="", fuzzy=False, previous="")
    if verdict == "accepted":
        return structs.replace(old, source=now, target=text, fuzzy=False, previous="")
    if state == "stale":
        return structs.replace(old, target=text)
    fuzzy = verdict == "doubted" or (state == "missing" or old.fuzzy)
    return structs.replace(old, source=now, target=text, fuzzy=fuzzy, previous="")
