"""One translation is changed in a PO file, and every other line stays as it was."""

from __future__ import annotations

import difflib
import unicodedata

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.i18n.catalog import read_catalog
from cardgen.i18n.poedit import edit_po

FILE = """\
# The set.
msgid ""
msgstr ""
"Language: es\\n"

# A translator's remark.
#. Card: Axe: name
#: somewhere:12
#, fuzzy, max-length:40
#| msgid "Ax"
msgctxt "axe/name"
msgid "Axe"
msgstr "Hachuela"

#. Card: Axe: rules
msgctxt "axe/rules"
msgid ""
"A long text that some program "
"has broken."
msgstr ""
"Un texto largo que algún "
"programa ha partido."

msgctxt "rope/name"
msgid "Rope"
msgstr ""

#~ msgctxt "gone/name"
#~ msgid "Gone"
#~ msgstr "Ido"
"""


def entry(context: str, source: str, target: str, fuzzy: bool = False, previous: str = "") -> polib.POEntry:
    made = polib.POEntry(msgctxt=context, msgid=source, msgstr=target, previous_msgid=previous or None)
    if fuzzy:
        made.flags.append("fuzzy")
    return made


def changes(after: str, before: str = FILE) -> list[str]:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line[0] in "+-"]


def test_only_its_lines_change() -> None:
    after = edit_po(FILE, entry("rope/name", "Rope", "Cuerda"), [])
    assert changes(after) == ['- msgstr ""', '+ msgstr "Cuerda"']


def test_comments_and_other_flags_stay_when_the_mark_goes() -> None:
    after = edit_po(FILE, entry("axe/name", "Axe", "Hacha"), [])
    assert sorted(changes(after)) == [
        "+ #, max-length:40",
        '+ msgstr "Hacha"',
        "- #, fuzzy, max-length:40",
        '- #| msgid "Ax"',
        '- msgstr "Hachuela"',
    ]


def test_what_says_the_same_keeps_its_line_breaks() -> None:
    made = entry("axe/rules", "A long text that some program has broken.", "Corto.", fuzzy=True)
    assert sorted(changes(edit_po(FILE, made, []))) == [
        "+ #, fuzzy",
        '+ msgstr "Corto."',
        '- "Un texto largo que algún "',
        '- "programa ha partido."',
        '- msgstr ""',
    ]


@pytest.mark.parametrize(
    ("before", "follows"), [(["axe/name"], "axe/name"), ([], "rope/name"), (["axe/rules", "no/such"], "axe/rules")]
)
def test_a_new_entry_stands_behind_the_one_before_it(before: list[str], follows: str) -> None:
    after = edit_po(FILE, entry("axe/flavour", "Sharp.", "Afilada."), before)
    contexts = [line for line in after.splitlines() if line.startswith("msgctxt")]
    assert contexts[contexts.index(f'msgctxt "{follows}"') + 1] == 'msgctxt "axe/flavour"'
    assert [line for line in changes(after) if line[0] == "-"] == []
    assert after.endswith(FILE[FILE.index("#~") :])


def test_windows_line_ends_stay() -> None:
    after = edit_po(FILE.replace("\n", "\r\n"), entry("rope/name", "Rope", "Cuerda"), [])
    assert after == edit_po(FILE, entry("rope/name", "Rope", "Cuerda"), []).replace("\n", "\r\n")


def test_a_file_that_cannot_be_read_whole_is_left_alone() -> None:
    with pytest.raises(ValueError):
        edit_po(FILE.replace('msgstr "Hachuela"', "msgstr Hachuela"), entry("rope/name", "Rope", "Cuerda"), [])


TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), include_characters='\n\t"\\'), max_size=200)


@given(st.sampled_from(["axe/name", "axe/rules", "rope/name", "new/name"]), TEXT, TEXT, st.booleans(), TEXT)
def test_what_was_written_is_read_and_the_rest_is_as_it_was(
    context: str, source: str, target: str, fuzzy: bool, previous: str
) -> None:
    def read(text: str) -> dict[str, tuple[str, str, bool, str]]:
        report = Report()
        catalog = read_catalog(text.encode(), "es", "es.po", report)
        assert catalog is not None and not report.items
        return {id: (one.source, one.target, one.fuzzy, one.previous) for id, one in catalog.entries.items()}

    after = read(edit_po(FILE, entry(context, source, target, fuzzy, previous), ["axe/name"]))
    nfc = [unicodedata.normalize("NFC", text) for text in (source, target, previous)]
    assert after.pop(context) == (nfc[0], nfc[1], fuzzy, nfc[2])
    before = read(FILE)
    before.pop(context, None)
    assert after == before
