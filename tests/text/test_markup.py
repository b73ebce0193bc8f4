"""Inline markup: what is read aloud, what must be kept, and HTML that is whole whatever the text."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cardgen.text.markup import MarkupProblem, icons_of, in_words, plain, to_html, to_inline_html, tokens_of

PLAIN = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=40)
MARKED = st.lists(st.sampled_from(["**", "*", "[star]", "[", "]", "\\", "\\*", "\\[", "a", "<b>", "&", " ", "\n", "\n\n", "- "])).map("".join)  # fmt: skip


def icon(name: str) -> str:
    return f'<img alt="{name}">'


def escaped(text: str) -> str:
    """The text written so that nothing in it means anything."""
    return re.sub(r"([\\\[\]*])", r"\\\1", text)


class Balanced(HTMLParser):
    """Follows tags; fails when one closes that is not the last that was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.text: list[str] = []
        self.icons: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.icons.append(str(dict(attrs)["alt"]))
        elif tag != "br":
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parsed(source: str) -> Balanced:
    parser = Balanced()
    parser.feed(source)
    parser.close()
    assert parser.opened == []
    return parser


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", ""),
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("**a** *b*", "<p><b>a</b> <i>b</i></p>"),
        ("**a *b* c**", "<p><b>a <i>b</i> c</b></p>"),
        ("*a **b** c*", "<p><i>a <b>b</b> c</i></p>"),
        ("one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"),
        ("- one\n- two\n  more", "<ul><li>one</li><li>two more</li></ul>"),
        ("First:\n- one", "<p>First:</p><ul><li>one</li></ul>"),
        (r"\[star] \*x\* \\", r"<p>[star] *x* \</p>"),
        ("a ]", "<p>a ]</p>"),
        ("[star]", '<p><img alt="star"></p>'),
        ("[star] word", '<p><img alt="star">\u00a0word</p>'),
        ("[star] [star].", '<p><img alt="star"> <img alt="star">.</p>'),
    ],
)
def test_html(text: str, result: str) -> None:
    assert to_html(text, icon) == result


def test_inline_html_has_no_blocks() -> None:
    assert to_inline_html(" a\n**b** ", icon) == "a <b>b</b>"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("**a", r"`\*\*` is opened and not closed"),
        ("a*", r"`\*` is opened and not closed"),
        ("**a *b** c*", r"`\*\*` closes before the emphasis inside it"),
        ("**a\n\nb**", "not closed"),
        ("[Star]", r"`\[Star\]` is not the name of an icon"),
        ("[ star ]", "is not the name of an icon"),
        ("a [", r"`\[` is not the name of an icon"),
        ("[" + "x" * 100, "is not the name of an icon"),
    ],
)
def test_problems(text: str, problem: str) -> None:
    with pytest.raises(MarkupProblem, match=problem):
        to_html(text, icon)


@given(PLAIN)
def test_a_text_without_meaning_is_printed_as_it_is(text: str) -> None:
    assume("\u00a0" not in text)
    assert plain(escaped(text)) == text
    assert tokens_of(escaped(text)) == icons_of(escaped(text)) == []
    assert html.unescape(to_inline_html(escaped(text), icon)) == text.strip()


@given(MARKED)
def test_html_is_whole_or_there_is_a_problem(text: str) -> None:
    for make in (to_html, to_inline_html):
        try:
            result = parsed(make(text, icon))
        except MarkupProblem:
            continue
        assert sorted(result.icons) == sorted(icons_of(text))


@given(MARKED, MARKED)
def test_tokens_and_reading_aloud_add_up(one: str, other: str) -> None:
    assume(not one.endswith(("\\", "*", "[")) and not other.startswith("*"))
    both = f"{one} {other}"
    assert tokens_of(both) == sorted(tokens_of(one) + tokens_of(other))
    assert plain(both) == f"{plain(one)} {plain(other)}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Pay [coin], **now**.", "Pay [coin], now."),
        ("Choose:\n- Pay [coin]\n- Lose 1", "Choose: • Pay [coin] • Lose 1"),
        ("One\n\nTwo", "One Two"),
        ("\\[not] \\*this\\*", "[not] *this*"),
        ("2 - 1", "2 - 1"),
    ],
)
def test_in_words_nothing_is_lost(text: str, words: str) -> None:
    assert in_words(text) == words


def test_tokens_are_what_a_translation_must_keep() -> None:
    assert tokens_of("**a** [b] *c* [b] \\* \\[d]") == ["*", "*", "**", "**", "[b]", "[b]"]
    assert icons_of("[b] [a] [b]") == ["b", "a", "b"]
    assert plain("**a** [b]c\\*") == "a c*"
