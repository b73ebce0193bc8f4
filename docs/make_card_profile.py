"""Writes docs/card-profile.md from the table in cardgen/faces/profile.py; --check only compares."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from cardgen.faces import profile
from cardgen.faces.profile import Property

TARGET = Path(__file__).with_name("card-profile.md")

HEAD = """\
# The card profile

<!-- Made by docs/make_card_profile.py from cardgen/faces/profile.py; edit there. -->

The part of HTML and CSS that the shipped card layouts keep to. A layout that keeps to it looks the same in every engine
that knows the profile, and is drawn fast: by cardgen's own engine, `card`, which needs nothing from the system. It says
so at its top,

    {% set profile = "card" %}

and is then held to it: `cardgen check` and `cardgen build` report everything outside with file, line and column (CG305),
in the layout, in what it includes or imports, and in its style sheets. A layout that does not state a profile may use
all that its engine knows; one that states the profile and `{% set engine = "weasyprint" %}` is drawn by WeasyPrint all
the same. The two engines break lines and place boxes alike, but for one thing: where nothing but the space at the end of
a text is too much for a line, before an icon or a bold word, WeasyPrint breaks that text after its first word, and the
engine `card` where it has to.

What is checked is written in the layout, not computed: a Jinja expression in a `style` attribute counts as a value of
the right kind (`left: {{ x }}mm`), and may not stand for a property's name or for a whole declaration. The order of
values in a shorthand is the engine's to judge (CG314).
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD, "## Properties", ""]
    parts += [
        f"A property takes one of its values; a number says how many it takes. Units are {_join(profile.UNITS)}, and `%`.",
        f"Every property takes {_join(profile.EVERYWHERE)} too. Custom properties (`--name: …`) hold values of any property.",
        "`!important`, prefixes (`-webkit-…`), at-rules and rules inside rules are outside of the profile.",
        "",
    ]
    groups: dict[str, dict[str, Property]] = {}
    for name, known in profile.PROPERTIES.items():
        groups.setdefault(known.group, {})[name] = known
    for group, properties in groups.items():
        parts += [f"### {group}", "", "| property | values | note |", "|---|---|---|"]
        alike: dict[Property, list[str]] = {}
        for name, known in properties.items():
            alike.setdefault(known, []).append(name)
        parts += [f"| {_join(names)} | {_values(known)} | {known.note} |" for known, names in alike.items()]
        parts.append("")
    parts += ["### Kinds of values", "", *_table(("kind", "is"), profile.KINDS.items()), ""]
    functions = ((f"`{name}(…)`", about) for name, about in profile.FUNCTIONS.items())
    parts += ["### Functions", "", *_table(("function", "where"), functions), ""]
    parts += ["## Selectors", "", *_table(("written", "selects"), profile.SELECTORS.items()), ""]
    parts += ["## Elements", "", _join(sorted(profile.ELEMENTS)), ""]
    parts += [
        "What is opened is closed, in the same branch of an `if`, the same body of a loop or macro, that opens it;",
        f"{_join(sorted(profile.VOID & profile.ELEMENTS))} have no end. Inside of `svg`: {_join(sorted(profile.SVG_ELEMENTS))}.",
        "",
        f"Attributes: {_join(sorted(profile.ATTRIBUTES))}, and those that begin with {_join(profile.ATTRIBUTE_PREFIXES)}.",
        "What `include`, `import`, `from` and `extends` name is named, not computed.",
        "",
        "## What to use instead",
        "",
    ]
    parts += _instead("property", profile.INSTEAD, "`{}`")
    parts += _instead("value", profile.INSTEAD_VALUES, "`{}`")
    parts += _instead("function", profile.INSTEAD_FUNCTIONS, "`{}(…)`")
    parts += _instead("at-rule", profile.INSTEAD_AT_RULES, "`@{}`")
    parts += _instead("element", profile.INSTEAD_ELEMENTS, "`<{}>`")
    return "\n".join(parts).rstrip("\n") + "\n"


def _join(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _values(known: Property) -> str:
    values = ", ".join(part for part in (", ".join(known.kinds), _join(known.words)) if part)
    signs = f", with {_join(known.signs)} between" if known.signs else ""
    return values + (f"; up to {known.most}{signs}" if known.most > 1 else "")


def _table(head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> list[str]:
    return [f"| {head[0]} | {head[1]} |", "|---|---|", *(f"| {left} | {right} |" for left, right in rows)]


def _instead(what: str, table: Mapping[str, str], pattern: str) -> list[str]:
    hints: dict[str, list[str]] = {}
    for name, hint in table.items():
        hints.setdefault(hint, []).append(pattern.format(name))
    return [*_table((what, "instead"), ((", ".join(names), hint) for hint, names in hints.items())), ""]


if __name__ == "__main__":
    if "--check" in sys.argv:
        current = TARGET.read_text("utf-8") if TARGET.is_file() else ""
        if current != page():
            sys.exit(f"{TARGET.name} is not current: python docs/{Path(__file__).name}")
    else:
        TARGET.write_text(page(), "utf-8")
