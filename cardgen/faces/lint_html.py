"""Holds a layout's template to the card profile: its elements, attributes, and that what is opened is closed.

The template is read as it is written, with Jinja's parts masked by as many characters, so that places hold. Each
branch and each body of a loop or macro must close what it opens.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterator

from msgspec import Struct, field

from cardgen.diagnostics import did_you_mean
from cardgen.faces import profile
from cardgen.faces.lint_css import HOLE, Offence, lint_style

# What stands for a Jinja statement in a masked template.
STEP = "\ue001"

_STRINGS = r"""(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^"'])*?"""
_JINJA = re.compile(
    r"(?P<raw>\{%[+-]?\s*raw\s*[+-]?%\}.*?\{%[+-]?\s*endraw\s*[+-]?%\})"
    rf"|(?P<comment>\{{#.*?#\}})|(?P<step>\{{%{_STRINGS}%\}})|(?P<hole>\{{\{{{_STRINGS}\}}\}})",
    re.DOTALL,
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# Bounded, so that a file of nothing but openings costs no more than its length.
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][^\s/<>\ue000\ue001]*)"
    r"(?P<inside>(?:\"[^\"]{0,5000}\"|'[^']{0,5000}'|[^\"'<>]++){0,200}+)>"
)
_OPENING = re.compile(r"<(?=[A-Za-z/!?\ue000\ue001])")
_ATTRIBUTE = re.compile(
    r"(?P<name>[^\s\"'<>/=\ue001]+)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'>]+)))?"
)
# The one expression that may stand for declarations: the engine's own sizes of fitted boxes.
_FIT_STYLE = re.compile(r"\{\{[+-]?\s*fit_style\(")
_IN_BRANCH = " before the end of the branch or body"
_NAMING = {"include", "import", "from", "extends"}
_OPENERS = {"if", "for", "macro", "call", "filter", "with", "autoescape", "block", "trans"}


class _Template(Struct):
    """A template's text, masked, and what is open at the place that has been reached."""

    source: str
    masked: str
    # names of open Jinja blocks, each with how many elements were open when it began
    blocks: list[tuple[str, int]] = field(default_factory=list)
    # open elements: name, offset, whether it is a part of an <svg>
    open: list[tuple[str, int, bool]] = field(default_factory=list)

    def offence(self, offset: int, problem: str, hint: str = "", broken: bool = False) -> Offence:
        line = self.source.count("\n", 0, offset) + 1
        column = offset - (self.source.rfind("\n", 0, offset) + 1) + 1
        return Offence(line, column, problem.replace(HOLE, "…").replace(STEP, "…"), hint, broken)


def lint_template(source: str, roles: Collection[str]) -> Iterator[Offence]:
    """What a template has outside the profile; `roles` are the font families there are."""
    source = source.replace("\r\n", "\n")
    steps: deque[tuple[int, str]] = deque()
    masked = _mask(source, steps)
    comments = list(_COMMENT.finditer(masked))
    masked = _COMMENT.sub(lambda match: _blank(match[0], " "), masked)
    template = _Template(source, masked)
    if comments and not comments[-1][0].endswith("-->"):
        yield template.offence(comments[-1].start(), "`<!--` is never closed with `-->`", broken=True)
    tags = list(_TAG.finditer(masked))
    for tag in tags:
        while steps and steps[0][0] < tag.start():
            yield from _step(template, *steps.popleft())
        yield from _tag(template, tag, roles)
    for step in steps:
        yield from _step(template, *step)
    yield from _close(template, 0)
    rest = _TAG.sub(lambda match: _blank(match[0], " "), masked)
    for match in _OPENING.finditer(rest):
        yield _loose(template, match.start())


def _blank(text: str, char: str) -> str:
    return re.sub(r"[^\n]", char, text)


def _mask(source: str, steps: deque[tuple[int, str]]) -> str:
    def mask(match: re.Match[str]) -> str:
        if match["hole"]:
            return _blank(match[0], HOLE)
        if match["step"]:
            steps.append((match.start(), match[0][2:-2].strip("+-").strip()))
            return _blank(match[0], STEP)
        return _blank(match[0], " ")

    return _JINJA.sub(mask, source)


def _loose(template: _Template, offset: int) -> Offence:
    following = template.masked[offset + 1 : offset + 2]
    if following == HOLE:
        return template.offence(offset, "an element with a computed name", "write the name")
    if following in "!?":
        return template.offence(offset, f"`<{following}`", profile.INSTEAD_ELEMENTS["html"])
    word = template.source[offset : offset + 20].split()[0]
    return template.offence(
        offset, f"`{word}` is never closed with `>`", "write `&lt;` for the sign itself", broken=True
    )


# --- what is open ---------------------------------------------------------------------------------------------------


def _step(template: _Template, offset: int, statement: str) -> Iterator[Offence]:
    """Follow a Jinja statement: branches and bodies are closed in themselves."""
    word = re.match(r"[a-z]*", statement)
    name = word[0] if word else ""
    if name in _OPENERS or (name == "set" and "=" not in statement):
        template.blocks.append((name, len(template.open)))
    elif name in {"elif", "else"} and template.blocks:
        yield from _close(template, template.blocks[-1][1], _IN_BRANCH)
    elif name in _NAMING and statement[len(name) :].lstrip()[:1] not in {'"', "'"}:
        yield template.offence(offset, f"`{name}` with a computed name", "name the file, or choose with `if`")
    elif name.startswith("end") and template.blocks:
        yield from _close(template, template.blocks.pop()[1], _IN_BRANCH)


def _close(template: _Template, depth: int, where: str = "") -> Iterator[Offence]:
    for name, offset, _ in template.open[depth:]:
        yield template.offence(offset, f"`<{name}>` that is not closed", f"write `</{name}>`{where}")
    del template.open[depth:]


def _end_tag(template: _Template, offset: int, name: str) -> Iterator[Offence]:
    floor = template.blocks[-1][1] if template.blocks else 0
    if len(template.open) > floor and template.open[-1][0] == name:
        template.open.pop()
        return
    names = [element[0] for element in template.open]
    if name not in names[floor:]:
        hint = "the element begins outside of this branch or body" if name in names else ""
        yield template.offence(offset, f"`</{name}>` that closes nothing", hint)
        return
    while template.open[-1][0] != name:
        left, where, _ = template.open.pop()
        yield template.offence(where, f"`<{left}>` that is not closed", f"write `</{left}>` before `</{name}>`")
    template.open.pop()


# --- tags -----------------------------------------------------------------------------------------------------------


def _tag(template: _Template, tag: re.Match[str], roles: Collection[str]) -> Iterator[Offence]:
    # Outside of <svg> case does not matter, inside of it `clipPath` is written so.
    name, inside = tag["name"], tag["inside"]
    in_svg = bool(template.open and template.open[-1][2]) or name.lower() == "svg"
    if not in_svg:
        name = name.lower()
    allowed = profile.SVG_ELEMENTS if in_svg else profile.ELEMENTS
    if tag["close"]:
        if name not in profile.VOID:
            yield from _end_tag(template, tag.start(), name)
        return
    if name not in profile.VOID and not (in_svg and inside.rstrip().endswith("/")):
        template.open.append((name, tag.start(), in_svg))
    if name not in allowed:
        hint = profile.INSTEAD_SVG if in_svg else profile.INSTEAD_ELEMENTS.get(name, did_you_mean(name, allowed))
        yield template.offence(tag.start(), f"the element `<{name}>`", hint)
        return
    for attribute in _ATTRIBUTE.finditer(inside):
        offset = tag.start("inside") + attribute.start()
        if HOLE in attribute["name"]:
            yield template.offence(offset, "an attribute with a computed name", "write the name")
        elif attribute["name"].lower() == "style":
            yield from _style(template, tag.start("inside"), attribute, roles)
        elif not in_svg:
            yield from _attribute(template, offset, attribute["name"])


def _attribute(template: _Template, offset: int, name: str) -> Iterator[Offence]:
    lower = name.lower()
    if lower in profile.ATTRIBUTES or lower.startswith(profile.ATTRIBUTE_PREFIXES):
        return
    known = sorted(profile.ATTRIBUTES)
    hint = "write it as a style" if lower in profile.PROPERTIES else did_you_mean(lower, known)
    yield template.offence(offset, f"the attribute `{name}`", hint)


def _style(template: _Template, start: int, attribute: re.Match[str], roles: Collection[str]) -> Iterator[Offence]:
    group = next((name for name in ("double", "single", "bare") if attribute[name] is not None), None)
    if group is None:
        return
    start += attribute.start(group)
    # Statements split a value, or a list of declarations, into alternatives; each is looked at by itself.
    name = ""
    for piece in re.finditer(rf"[^{STEP}]+", attribute[group]):
        text, offset = piece[0], start + piece.start()
        if name and not re.match(rf"\s*(?:;|$|[-\w{HOLE}]+\s*:)", text):
            # An alternative of the value before it: given its property again, it is a declaration.
            shift = len(name) + 1
            yield from _declarations(template, f"{name}:{text}", offset - shift, roles)
        else:
            yield from _declarations(template, text, offset, roles)
        last = text.rstrip().rpartition(";")[2]
        name = last.partition(":")[0].strip() if ":" in last else (name if last.strip() else "")


def _declarations(template: _Template, text: str, offset: int, roles: Collection[str]) -> Iterator[Offence]:
    for part in re.finditer(r"[^;]+", text):
        if part[0].strip() and not part[0].strip(HOLE + " \n\t"):
            # Nothing but an expression.
            where = offset + part.start() + len(part[0]) - len(part[0].lstrip())
            if not _FIT_STYLE.match(template.source, where):
                yield template.offence(where, "a computed declaration", "write the property; its value may be computed")
            text = text[: part.start()] + _blank(part[0], " ") + text[part.end() :]
    for found in lint_style(text, roles):
        yield template.offence(offset + _offset(text, found), found.problem, found.hint, found.broken)


def _offset(text: str, found: Offence) -> int:
    start = 0
    for _ in range(found.line - 1):
        start = text.index("\n", start) + 1
    return start + found.column - 1
