"""Which rules of the style sheets hold for which element: worked out once for all elements of the same path.

The path is what selectors of the profile can ask for: names, classes, first or last child, from the root down. Faces of
one layout have nearly the same tree, so that styles are computed for the first of them and looked up for the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

import cssselect2
import tinycss2
from msgspec import Struct, structs

from cardgen.faces.assets import BASE
from cardgen.faces.card.fonts import FontSet
from cardgen.faces.card.properties import expand
from cardgen.faces.card.style import Style, anonymous, computed
from cardgen.text.direction import is_rtl

# What the reference engine gives the elements of the profile before any style sheet does.
UA_CSS = """
article, div, h1, h2, h3, h4, html, body, ol, p, section, ul { display: block }
li { display: list-item }
table { display: table; box-sizing: border-box; border-spacing: 1.5pt; text-indent: 0; border-color: gray }
thead { display: table-header-group }
tbody { display: table-row-group }
tr { display: table-row }
td, th { display: table-cell; padding: 0.75pt; border-color: gray }
thead, tbody { vertical-align: middle; border-color: inherit }
tr { border-color: inherit }
tr, td, th { vertical-align: inherit }
ol, p, ul { margin-top: 1em; margin-bottom: 1em }
ol ol, ol ul, ul ol, ul ul { margin-top: 0; margin-bottom: 0 }
ol, ul { padding-left: 30pt }
ol { list-style-type: decimal }
ul { list-style-type: disc }
ol ul, ul ul { list-style-type: circle }
ol ol ul, ol ul ul, ul ol ul, ul ul ul { list-style-type: square }
h1 { margin-top: .67em; margin-bottom: .67em; font-size: 2em; font-weight: bold }
h2 { margin-top: .83em; margin-bottom: .83em; font-size: 1.5em; font-weight: bold }
h3 { margin-top: 1em; margin-bottom: 1em; font-size: 1.17em; font-weight: bold }
h4 { margin-top: 1.33em; margin-bottom: 1.33em; font-size: 1em; font-weight: bold }
h1, h2, h3, h4 { hyphens: manual }
em, i { font-style: italic }
b, strong, th { font-weight: bold }
img, svg { overflow: hidden }
"""
_MOST_NODES = 20_000
_VARIABLE = re.compile(r"--[\w-]+")
_MAX_VARIABLE = 20


class Declaration(Struct, frozen=True):
    """One declaration: a property's values, or, where custom properties are in it, its tokens."""

    name: str
    tokens: tuple[Any, ...]
    values: Mapping[str, Any] | None
    base_url: str
    important: bool


def declarations(text: str | list[Any], base_url: str, problems: dict[str, None]) -> tuple[Declaration, ...]:
    """The declarations of a rule or of a `style` attribute; what cannot be read is put to the problems."""
    found = []
    for item in tinycss2.parse_blocks_contents(text, skip_comments=True, skip_whitespace=True):
        if item.type != "declaration":
            problems[f"a style sheet cannot be read: {getattr(item, 'message', item.type)}"] = None
            continue
        is_custom = item.name.startswith("--")
        name = item.name if is_custom else item.lower_name
        try:
            values = None if is_custom or _uses_variables(item.value) else expand(name, item.value, base_url)
        except ValueError as error:
            problems[f"`{name}: {tinycss2.serialize(item.value).strip()}` is not drawn: {error}"] = None
            continue
        found.append(Declaration(name, tuple(item.value), values, base_url, item.important))
    return tuple(found)


def _uses_variables(tokens: Iterable[Any]) -> bool:
    for token in tokens:
        if token.type == "function":
            if token.lower_name == "var" or _uses_variables(token.arguments):
                return True
        elif token.type == "() block" and _uses_variables(token.content):
            return True
    return False


class Path:
    """The elements of one path: the declarations that hold for them and for their `::before` and `::after`."""

    __slots__ = ("after", "before", "chain", "children", "own")

    def __init__(self, chain: tuple[_Step, ...], rules: Mapping[str | None, tuple[Declaration, ...]]) -> None:
        self.chain = chain
        self.children: dict[_Step, Path] = {}
        self.own = rules.get(None, ())
        self.before = rules.get("before", ())
        self.after = rules.get("after", ())


class _Step(Struct, frozen=True):
    """What selectors can ask of one element."""

    tag: str
    classes: str | None
    is_first: bool
    is_last: bool
    layer: str | None
    ink: str | None


class Node:
    """Elements of one path with the same `style` attribute and language: their style, and that of what they hold."""

    __slots__ = ("after", "anonymous", "before", "children", "custom", "leaves", "path", "style")

    def __init__(self, path: Path, style: Style, custom: Mapping[str, tuple[Any, ...]]) -> None:
        self.path, self.style, self.custom = path, style, custom
        self.children: dict[tuple[Any, ...], Node] = {}
        # What was made of elements of this node that hold a text or nothing, by what they hold: kept by whoever makes it.
        self.leaves: dict[tuple[object, ...], Any] = {}
        self.anonymous: dict[str, Style] = {}
        self.before: Style | None = None
        self.after: Style | None = None

    def nameless(self, display: str) -> Style:
        """The style of a box inside that no element stands for."""
        found = self.anonymous.get(display)
        if found is None:
            found = self.anonymous[display] = anonymous(self.style, display)
        return found


class Cascade:
    """The style sheets of a layout, and the styles that were found by them.

    `sheets` are (text, address), in order; `problems` takes what in them cannot be followed.
    """

    def __init__(self, sheets: Iterable[tuple[str, str]], fonts: FontSet, lang: str) -> None:
        self.fonts, self.lang = fonts, lang
        self.problems: dict[str, None] = {}
        self._matcher = cssselect2.Matcher()
        for text, base_url in ((UA_CSS, ""), *sheets):
            self._read(text, base_url, is_own=not base_url)
        self._count = 0
        self.root = self._begin()

    def add(self, text: str, base_url: str) -> None:
        """Add a style sheet; what was found by the others is forgotten."""
        self._read(text, base_url, is_own=False)
        self._count, self.root = 0, self._begin()

    def _read(self, text: str, base_url: str, is_own: bool) -> None:
        for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
            if rule.type != "qualified-rule":
                place = f"{rule.source_line}:{rule.source_column}"
                self.problems[f"Parse error at {place}: {getattr(rule, 'message', rule.type)}"] = None
                continue
            found = declarations(rule.content, base_url, self.problems)
            try:
                selectors = cssselect2.compile_selector_list(rule.prelude)
            except cssselect2.SelectorError as error:
                self.problems[f"`{tinycss2.serialize(rule.prelude).strip()}` selects nothing: {error}"] = None
                continue
            for selector in selectors:
                # What the engine begins with gives way to any rule of a style sheet.
                selector.specificity = (-1, 0, 0) if is_own else selector.specificity
                self._matcher.add_selector(selector, found)

    def _begin(self) -> Node:
        """The page's element, which no face holds: faces are children of its body."""
        html = _Step("html", None, True, True, None, None)
        body = _Step("body", None, False, True, None, None)
        path = Path((html,), self._match((html,)))
        style, custom = self._style(path.own, (), None, self.lang)
        style = structs.replace(style, is_rtl=is_rtl(self.lang))
        return self.child(Node(path, style, custom), body.tag, None, None, None, False, True, None, None)

    def child(
        self,
        parent: Node,
        tag: str,
        classes: str | None,
        inline: str | None,
        lang: str | None,
        is_first: bool,
        is_last: bool,
        layer: str | None,
        ink: str | None,
    ) -> Node:
        """The node of an element below a node; `inline` is its `style` attribute."""
        key = (tag, classes, inline, lang, is_first, is_last, layer, ink)
        found = parent.children.get(key)
        if found is None:
            found = parent.children[key] = self._child(
                parent, _Step(tag, classes, is_first, is_last, layer, ink), inline, lang
            )
        return found

    def _child(self, parent: Node, step: _Step, inline: str | None, lang: str | None) -> Node:
        self._count += 1
        if self._count > _MOST_NODES:
            # Styles that are computed anew for every face would fill the memory.
            self._count = 0
            self.root.children.clear()
        path = parent.path.children.get(step)
        if path is None:
            chain = (*parent.path.chain, step)
            path = parent.path.children[step] = Path(chain, self._match(chain))
        own = _inline(inline) if inline else ((), ())
        self.problems |= dict.fromkeys(own[1])
        style, custom = self._style(path.own, own[0], parent, lang)
        node = Node(path, style, custom)
        for name in ("before", "after"):
            rules = getattr(path, name)
            if rules:
                style, _ = self._style(rules, (), node, None)
                setattr(node, name, style if style.content is not None and style.display != "none" else None)
        return node

    def marker(self, node: Node, is_outside: bool) -> Style:
        """The style of a list item's sign: figures of one width, spaces as they are."""
        name = "marker outside" if is_outside else "marker"
        found = node.anonymous.get(name)
        if found is None:
            features = dict(node.style.font_feature_settings) | {"tnum": 1}
            own: dict[str, Any] = {
                "font_feature_settings": tuple(features.items()),
                "white_space": "pre-wrap",
                "display": "block" if is_outside else "inline",
                "position": "absolute" if is_outside else "static",
            }
            found = node.anonymous[name] = computed(own, node.style, self.fonts)
        return found

    def _match(self, chain: tuple[_Step, ...]) -> dict[str | None, tuple[Declaration, ...]]:
        """The declarations of all rules that select the last element of a path, by pseudo-element, weakest first."""
        found: dict[str | None, list[Declaration]] = {}
        ranked = sorted(self._matcher.match(_wrapped(chain)), key=lambda match: (match[0], match[1]))
        for _, _, pseudo, rules in ranked:
            found.setdefault(pseudo, []).extend(rules)
        return {pseudo: tuple(rules) for pseudo, rules in found.items()}

    def _style(
        self, rules: Iterable[Declaration], inline: Iterable[Declaration], parent: Node | None, lang: str | None
    ) -> tuple[Style, Mapping[str, tuple[Any, ...]]]:
        ranked = sorted((*rules, *inline), key=lambda declaration: declaration.important)
        custom: Mapping[str, tuple[Any, ...]] = parent.custom if parent is not None else {}
        own = {rule.name: rule.tokens for rule in ranked if rule.name.startswith("--")}
        if own:
            custom = {
                **custom,
                **{name: self._resolved(name, tokens, {**custom, **own}) for name, tokens in own.items()},
            }
        specified: dict[str, Any] = {}
        for rule in ranked:
            if rule.name.startswith("--"):
                continue
            if rule.values is not None:
                specified.update(rule.values)
                continue
            try:
                tokens = substituted(list(rule.tokens), custom)
                specified.update(expand(rule.name, tokens, rule.base_url))
            except ValueError as error:
                text = tinycss2.serialize(rule.tokens).strip()
                self.problems[f"`{rule.name}: {text}` is not drawn: {error}"] = None
        style = computed(specified, parent.style if parent is not None else None, self.fonts, parent is None, lang)
        return style, custom

    def _resolved(self, name: str, tokens: tuple[Any, ...], custom: Mapping[str, tuple[Any, ...]]) -> tuple[Any, ...]:
        try:
            return tuple(substituted(list(tokens), custom, (name,)))
        except ValueError as error:
            self.problems[f"`{name}` is not drawn: {error}"] = None
            return ()


def substituted(tokens: list[Any], custom: Mapping[str, tuple[Any, ...]], within: tuple[str, ...] = ()) -> list[Any]:
    """The tokens with `var(…)` replaced by what it stands for. Raises ValueError when that is nothing."""
    found: list[Any] = []
    for token in tokens:
        if token.type == "function" and token.lower_name == "var":
            found += _variable(token, custom, within)
        elif token.type == "function" and _uses_variables([token]):
            inner = substituted(token.arguments, custom, within)
            found.append(tinycss2.ast.FunctionBlock(token.source_line, token.source_column, token.name, inner))
        elif token.type == "() block" and _uses_variables([token]):
            inner = substituted(token.content, custom, within)
            found.append(tinycss2.ast.ParenthesesBlock(token.source_line, token.source_column, inner))
        else:
            found.append(token)
    return found


def _variable(token: Any, custom: Mapping[str, tuple[Any, ...]], within: tuple[str, ...]) -> list[Any]:
    arguments = [part for part in token.arguments if part.type != "comment"]
    at = next((index for index, part in enumerate(arguments) if part.type == "literal" and part.value == ","), None)
    name = tinycss2.serialize(arguments if at is None else arguments[:at]).strip()
    if not _VARIABLE.fullmatch(name):
        raise ValueError(f"`{token.serialize()}` names no custom property")
    if name in within or len(within) > _MAX_VARIABLE:
        raise ValueError(f"`{name}` refers to itself")
    if custom.get(name):
        return substituted(list(custom[name]), custom, (*within, name))
    if at is None:
        raise ValueError(f"there is no `{name}`")
    return substituted(arguments[at + 1 :], custom, within)


@lru_cache(maxsize=4096)
def _inline(text: str) -> tuple[tuple[Declaration, ...], tuple[str, ...]]:
    problems: dict[str, None] = {}
    return declarations(text, BASE, problems), tuple(problems)


def _wrapped(chain: tuple[_Step, ...]) -> Any:
    """An element at the end of a path, among as many others as its being first or last asks for."""
    top, places = ElementTree.Element(chain[0].tag), []
    element = top
    for step in chain[1:]:
        before, after = ([] if step.is_first else [None]), ([] if step.is_last else [None])
        for sibling in (*before, step, *after):
            child = ElementTree.SubElement(element, step.tag if sibling is step else "x")
            if sibling is step:
                inner = child
        places.append(len(before))
        element = inner
        for name, value in (("class", step.classes), ("data-layer", step.layer), ("data-ink", step.ink)):
            if value is not None:
                element.set(name, value)
    wrapper = cssselect2.ElementWrapper.from_html_root(top)
    for place in places:
        wrapper = _nth(wrapper.iter_children(), place)
    return wrapper


def _nth(items: Iterator[Any], at: int) -> Any:
    return next(item for index, item in enumerate(items) if index == at)
