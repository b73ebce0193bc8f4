"""Inline markup: `**bold**`, `*italic*`, `[icon]`, line breaks and lists, as HTML and as tokens.

A backslash takes the meaning off the character behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, NoReturn

from markupsafe import Markup, escape

_ICON = re.compile(r"\[[a-z0-9][a-z0-9_-]*\]")
_TOKEN = re.compile(r"\\(?P<char>[\\\[\]*])|\[(?P<icon>[a-z0-9][a-z0-9_-]*)\]|(?P<bold>\*\*)|(?P<italic>\*)")
# The same without names, for splitting: literals at even places, tokens between them.
_SPLIT = re.compile(r"(\\[\\\[\]*]|\[[a-z0-9][a-z0-9_-]*\]|\*\*|\*)")
_TAGS = {"**": "b", "*": "i"}

Icon = Callable[[str], str]


class MarkupProblem(ValueError):
    """Markup that is opened and not closed, or closed in the wrong order."""

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem)
        self.hint = hint


def icons_of(text: str) -> list[str]:
    """The names in square brackets, in order, as often as they stand."""
    if "\\" in text:
        return [match["icon"] for match in _TOKEN.finditer(text) if match["icon"]]
    return [found[1:-1] for found in _ICON.findall(text)]


def tokens_of(text: str) -> list[str]:
    """Icons and emphasis marks, sorted: what a translation must keep."""
    return sorted(match[0] for match in _TOKEN.finditer(text) if not match["char"])


def plain(text: str, icon: str = "") -> str:
    """The text as it is read aloud: no marks, icons left out, or `icon` in their place."""
    if "\\" in text:
        return _TOKEN.sub(lambda match: match["char"] or (icon if match["icon"] else ""), text)
    # Without backslashes every token means what it says: the same, several times as fast.
    text = text.replace("*", "")
    return _ICON.sub(icon, text) if "[" in text else text


def pieces_of(text: str) -> Iterator[tuple[Literal["words", "icon", "mark"], str]]:
    """A rich text in pieces: words without backslashes, icons by their names, marks of emphasis."""
    end = 0
    for match in _TOKEN.finditer(text):
        if match.start() > end:
            yield "words", text[end : match.start()]
        end = match.end()
        if match["icon"]:
            yield "icon", match["icon"]
        elif match["char"]:
            yield "words", match["char"]
        else:
            yield "mark", match[0]
    if end < len(text):
        yield "words", text[end:]


def in_words(text: str) -> str:
    """A rich text on one line for places that show no pictures: icons by their names in brackets, `•` before items."""
    text = _TOKEN.sub(lambda match: match["char"] or (f"[{match['icon']}]" if match["icon"] else ""), text)
    lines = [line.strip() for line in text.split("\n")]
    return " ".join(f"• {line[2:]}" if line.startswith("- ") else line for line in lines if line)


def to_html(text: str, icon: Icon) -> Markup:
    """HTML of a rich text; `icon` gives the markup of an icon by its name.

    Raises MarkupProblem for emphasis that is not closed and for brackets that hold no icon's name.
    """
    blocks: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text.strip()):
        items: list[str] = []
        lines: list[str] = []
        for line in block.split("\n"):
            line = line.strip()
            if line.startswith("- "):
                items.append(line[2:])
            elif items:
                items[-1] += " " + line
            elif line:
                lines.append(line)
        if lines:
            body = _inline("\n".join(lines), icon).replace("\n", "<br>")
            blocks.append(f"<p>{body}</p>")
        if items:
            blocks.append("<ul>" + "".join(f"<li>{_inline(item, icon)}</li>" for item in items) + "</ul>")
    return Markup("".join(blocks))


def to_inline_html(text: str, icon: Icon) -> Markup:
    """As `to_html` for a text that must stay on its line: no paragraphs, no lists."""
    return Markup(_inline(text.strip().replace("\n", " "), icon))


def _inline(text: str, icon: Icon) -> str:
    # Escaping first is the same as escaping each literal: no entity holds what tokens are made of.
    parts = _SPLIT.split(str(escape(text)))
    opened: list[str] = []
    for at in range(1, len(parts), 2):
        if "[" in parts[at - 1]:
            _refuse(parts[at - 1])
        token = parts[at]
        if token[0] == "\\":
            parts[at] = token[1]
        elif token[0] == "[":
            parts[at] = icon(token[1:-1])
            behind = parts[at + 1]
            if behind[:1] == " " and behind[1:2].isalnum():
                # An icon and the word it stands for stay on one line.
                parts[at + 1] = f"\u00a0{behind[1:]}"
        elif token not in opened:
            opened.append(token)
            parts[at] = f"<{_TAGS[token]}>"
        elif opened[-1] == token:
            opened.pop()
            parts[at] = f"</{_TAGS[token]}>"
        else:
            raise MarkupProblem(f"`{token}` closes before the emphasis inside it")
    if opened:
        raise MarkupProblem(f"`{opened[-1]}` is opened and not closed", "an asterisk by itself is written `\\*`")
    if "[" in parts[-1]:
        _refuse(parts[-1])
    return "".join(parts)


def _refuse(escaped: str) -> NoReturn:
    """Complain about a literal with a bracket that opens no icon."""
    text = Markup(escaped).unescape()
    bracket = text.find("[")
    end = text.find("]", bracket)
    found = text[bracket : end + 1] if 0 <= end < bracket + 40 else text[bracket : bracket + 12]
    hint = "names are in lower-case letters; a bracket by itself is written `\\[`"
    raise MarkupProblem(f"`{found}` is not the name of an icon in brackets", hint)
