"""Inline markup: `**bold**`, `*italic*`, `[icon]`, line breaks and lists, as HTML and as tokens.

A backslash takes the meaning off the character behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup, escape

_TOKEN = re.compile(r"\\(?P<char>[\\\[\]*])|\[(?P<icon>[a-z0-9][a-z0-9_-]*)\]|(?P<bold>\*\*)|(?P<italic>\*)")

Icon = Callable[[str], str]


class MarkupProblem(ValueError):
    """Markup that is opened and not closed, or closed in the wrong order."""

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem)
        self.hint = hint


def icons_of(text: str) -> list[str]:
    """The names in square brackets, in order, as often as they stand."""
    return [match["icon"] for match in _TOKEN.finditer(text) if match["icon"]]


def tokens_of(text: str) -> list[str]:
    """Icons and emphasis marks, sorted: what a translation must keep."""
    return sorted(match[0] for match in _TOKEN.finditer(text) if not match["char"])


def plain(text: str, icon: str = "") -> str:
    """The text as it is read aloud: no marks, icons left out, or `icon` in their place."""
    return _TOKEN.sub(lambda match: match["char"] or (icon if match["icon"] else ""), text)


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
    parts: list[str] = []
    opened: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text):
        parts.append(_literal(text[end : match.start()]))
        end = match.end()
        if match["char"]:
            parts.append(str(escape(match["char"])))
        elif match["icon"]:
            parts.append(icon(match["icon"]))
            if text[end : end + 1] == " " and text[end + 1 : end + 2].isalnum():
                # An icon and the word it stands for stay on one line.
                parts.append("\u00a0")
                end += 1
        else:
            tag = "b" if match["bold"] else "i"
            if tag not in opened:
                opened.append(tag)
                parts.append(f"<{tag}>")
            elif opened[-1] == tag:
                opened.pop()
                parts.append(f"</{tag}>")
            else:
                raise MarkupProblem(f"`{match[0]}` closes before the emphasis inside it")
    if opened:
        raise MarkupProblem(
            f"`{'**' if opened[-1] == 'b' else '*'}` is opened and not closed", "an asterisk by itself is written `\\*`"
        )
    parts.append(_literal(text[end:]))
    return "".join(parts)


def _literal(text: str) -> str:
    bracket = text.find("[")
    if bracket >= 0:
        end = text.find("]", bracket)
        found = text[bracket : end + 1] if 0 <= end < bracket + 40 else text[bracket : bracket + 12]
        hint = "names are in lower-case letters; a bracket by itself is written `\\[`"
        raise MarkupProblem(f"`{found}` is not the name of an icon in brackets", hint)
    return str(escape(text))
