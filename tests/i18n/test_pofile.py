"""PO files: what other tools write is read, and whatever is wrong is told with its line."""

from __future__ import annotations

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.i18n.catalog import read_catalog
from cardgen.i18n.pofile import parse_po

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff\ufffe\uffff") | st.sampled_from('\n\t"\\'), max_size=60)  # fmt: skip
HEADER = 'msgid ""\nmsgstr "Language: es\\n"\n\n'
ENTRY = 'msgctxt "a"\nmsgid "b"\nmsgstr "c"\n'


def parse(text: str) -> tuple[list[tuple[str | None, str, str, bool]], list[str]]:
    report = Report()
    items = parse_po(text, "f", report)
    found = [(item.context, item.texts["msgid"], item.texts["msgstr"], item.fuzzy) for item in items]
    return found, [f"{item.span} {item.message}" for item in report]


@given(
    st.lists(st.tuples(TEXT.filter(bool), TEXT.filter(bool), TEXT, st.booleans(), TEXT), max_size=6),
    st.sampled_from([0, 20, 78]),
)
def test_what_polib_writes_is_read(entries: list[tuple[str, str, str, bool, str]], width: int) -> None:
    file = polib.POFile(wrapwidth=width)
    file.metadata = {"Language": "es"}
    for context, source, target, fuzzy, comment in entries:
        flags = ["fuzzy"] if fuzzy else ["python-format"]
        file.append(
            polib.POEntry(msgctxt=context, msgid=source, msgstr=target, flags=flags, comment=comment.replace("\n", " "))
        )
    found, problems = parse(str(file))
    assert problems == []
    assert found[0][0] is None
    assert found[1:] == [(context, source, target, fuzzy) for context, source, target, fuzzy, _ in entries]


@given(st.text())
def test_any_text_is_read_or_told(text: str) -> None:
    report = Report()
    items = parse_po(text, "f", report)
    assert (
        items or len(report) or not any(line.strip() and not line.strip().startswith("#") for line in text.split("\n"))
    )
    assert all(item.span is not None and item.span.line for item in report)


@given(st.integers(0, 200), st.sampled_from(['"', "\\", "msgid", "\n", "x", "#", "msgstr[0]", ""]))
def test_a_broken_place_breaks_one_entry(at: int, what: str) -> None:
    text = HEADER + "\n".join(f'msgctxt "c{n}"\nmsgid "s{n}"\nmsgstr "t{n}"\n' for n in range(5))
    at = min(at + len(HEADER), len(text))
    found, _ = parse(text[:at] + what + text[at + 1 :])
    whole = {(f"c{n}", f"s{n}", f"t{n}", False) for n in range(5)}
    assert len(whole & set(found)) >= 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('msgctxt "a"\nmsgid "b\nmsgstr "c"\n', "f:2:7 not a PO file: a quote is opened here and not closed on its line"),
        ('msgctxt "a"\nmsgid "b"\nmsgstr "c" d\n', "f:3:11 not a PO file: found more behind the closing quote"),
        ('msgctxt "a"\nmsgid "b"\n  msgstr "\\q"\n', "f:3:11 not a PO file: unknown escape `\\q`"),
        ('msgctxt "a"\nmsgid "b"\n', "f:1:1 not a PO file: the entry has no `msgstr`"),
        ('msgctxt "a"\n', "f:1:1 not a PO file: the entry has no `msgid`"),
        ('msgctxt "a"\nmsgstr "b"\n', "f:2:1 not a PO file: `msgstr` without a `msgid` above it"),
        ('"b"\n', "f:1:1 not a PO file: a text in quotes that belongs to nothing"),
        ("hello\n", "f:1:1 not a PO file: expected `msgctxt`, `msgid`, `msgstr` or a text in quotes"),
        ("msgidx \"a\"\n", "f:1:1 not a PO file: expected `msgctxt`, `msgid`, `msgstr` or a text in quotes"),
        ("msgid a\n", "f:1:7 not a PO file: expected a text in quotes"),
        ("msgid\n", "f:1:6 not a PO file: expected a text in quotes"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', "f:3:1 not a PO file: a second `msgstr` in one entry"),
        ('msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\n', "f:2:1 plural forms are not used here"),
    ],
)  # fmt: skip
def test_problems(text: str, problem: str) -> None:
    before, after = 'msgctxt "x"\nmsgid "y"\nmsgstr "z"\n\n', '\nmsgctxt "u"\nmsgid "v"\nmsgstr "w"\n'
    assert parse(text)[1] == [problem]
    # What stands before and behind it is read all the same.
    found, problems = parse(before + text + after)
    assert len(problems) == 1
    assert {("x", "y", "z", False), ("u", "v", "w", False)} <= set(found)


def test_comments_obsolete_entries_and_old_sources_say_nothing() -> None:
    text = f'# c\n#. d\n#: e:1\n#| msgid "old"\n#, fuzzy, python-format\n{ENTRY}\n#~ msgctxt "o"\n#~ msgid "o"\n#~ msgstr "o"\n'
    assert parse(text) == ([("a", "b", "c", True)], [])


def test_a_flag_belongs_to_the_entry_below_it() -> None:
    assert [item[3] for item in parse(f'{ENTRY}#, fuzzy\nmsgctxt "d"\nmsgid "e"\nmsgstr "f"\n{ENTRY}')[0]] == [
        False,
        True,
        False,
    ]


def test_texts_go_on_over_lines_and_lines_may_end_otherwise() -> None:
    text = 'msgctxt "a"\r\nmsgid ""\r\n"b\\n"\r\n  "c"\r\nmsgstr "d"\r\n'
    assert parse(text) == ([("a", "b\nc", "d", False)], [])


def test_a_file_that_is_something_else_is_told_about_a_few_times() -> None:
    report = Report()
    parse_po("\n".join(f'msgid "a"\nx{n}\n\nmsgid_plural' for n in range(100)), "f", report)
    assert 1 <= len(report) <= 20


def catalog(text: str, lang: str = "es") -> tuple[dict[str, str], list[str]]:
    report = Report()
    read = read_catalog(text.encode(), lang, "f", report)
    entries = {} if read is None else {name: entry.target for name, entry in read.entries.items()}
    return entries, [f"{item.span} {item.code}" for item in report]


def test_a_catalog_is_found_by_context() -> None:
    assert catalog(HEADER + ENTRY) == ({"a": "c"}, [])
    assert catalog(HEADER + ENTRY + "\n" + ENTRY) == ({"a": "c"}, ["f:8:1 CG205"])
    assert catalog(HEADER + 'msgid "b"\nmsgstr "c"\n') == ({}, ["f:4:1 CG210"])
    assert catalog("") == ({}, ["f:1:1 CG009"])
    assert catalog("# nothing\n") == ({}, [])


def test_a_header_names_the_language() -> None:
    assert catalog(HEADER, "de")[1] == ["f:2:1 CG207"]
    assert catalog(HEADER.replace("es", "es_ES"), "es")[1] == []
    assert catalog(HEADER.replace("es", "pt_BR"), "pt-BR")[1] == []
    assert catalog('msgid ""\nmsgstr "no header at all"\n')[1] == []


def test_texts_are_composed() -> None:
    entries, _ = catalog('msgctxt "a"\nmsgid "b"\nmsgstr "n\u0303"\n')
    assert entries == {"a": "\u00f1"}
