"""The strict PO reader reads whatever polib writes, as polib reads it."""

from __future__ import annotations

import polib
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.i18n.pofile import parse_po

TEXT = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), include_characters='\n\t"\\'), min_size=1, max_size=60
)
ENTRY = st.tuples(TEXT, TEXT, TEXT, st.booleans())


@given(st.lists(ENTRY, max_size=6, unique_by=lambda entry: entry[0]), st.sampled_from([0, 20, 78]))
def test_what_polib_writes_is_read_as_it_was_meant(entries: list[tuple[str, str, str, bool]], width: int) -> None:
    catalog = polib.POFile(wrapwidth=width)
    catalog.metadata = {"Language": "es"}
    for context, source, target, fuzzy in entries:
        flags = ["fuzzy"] if fuzzy else []
        catalog.append(polib.POEntry(msgctxt=context, msgid=source, msgstr=target, flags=flags))
    report = Report()
    found = parse_po(str(catalog), "es.po", report)
    assert not report.items, [item.message for item in report]
    read = [
        (item.texts["msgctxt"], item.texts["msgid"], item.texts["msgstr"], item.fuzzy)
        for item in found
        if item.context is not None
    ]
    assert read == entries
