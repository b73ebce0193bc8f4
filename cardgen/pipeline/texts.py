"""Checks of texts that need no drawing: icons, inline markup, and a glyph for every character."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import FileProblem
from cardgen.files import MAX_FONT, Shelf
from cardgen.i18n.catalog import Catalog
from cardgen.load.project import icon_names
from cardgen.model.band import Band
from cardgen.model.font import FontRole
from cardgen.model.game import Game
from cardgen.text.cmaps import characters_of, lacking, show
from cardgen.text.markup import MarkupProblem, icons_of, plain, to_html
from cardgen.text.settled import Question

# Roles that texts may be set in: names and labels in both, rules in `text` alone.
PROSE_ROLE, DISPLAY_ROLE = "text", "display"


# From so many texts on, most of all, a font is told about once for the language.
MANY = 5


class _Undrawn(Struct, frozen=True):
    """Characters of a text that the fonts of some roles lack."""

    context: str
    span: Span | None
    points: frozenset[int]
    roles: tuple[str, ...]


def role_characters(shelf: Shelf, roles: Mapping[str, FontRole], report: Report) -> dict[str, frozenset[int]]:
    """For each role the characters that every one of its faces, or a fallback, can draw."""
    own: dict[str, frozenset[int]] = {}
    for role in roles.values():
        sets = []
        for face in role.faces:
            try:
                sets.append(characters_of(shelf.read(f"fonts/{face.file}", MAX_FONT)))
            except FileProblem as error:
                report.add("CG313", Span("fonts/fonts.yaml"), name=face.file, problem=str(error))
        own[role.id] = _shared(tuple(sets))
    # A role that has no face is told about with its font.
    sound = [role for role in roles.values() if role.faces]
    return {role.id: _together((own[role.id], *(own[name] for name in role.fallback if name in own))) for role in sound}


def check_texts(
    game: Game,
    texts: Mapping[str, str],
    catalog: Catalog | None,
    shelf: Shelf,
    characters: Mapping[str, frozenset[int]],
    report: Report,
) -> None:
    """Check every text of a game in one language; `texts` are its translations, absent ones are the source's."""
    undrawn: list[_Undrawn] = []
    # A die has a badge whether it has a drawing or not.
    icons = _only(frozenset((*icon_names(shelf, game.id), *game.dice)))
    prose, display = (characters.get(role) for role in (PROSE_ROLE, DISPLAY_ROLE))
    for context, source in game.strings.items():
        text = texts.get(context, source.text)
        if _is_sound(text, source.rich, icons, prose, display):
            continue
        span = source.span
        # What is marked as missing has no place but its source's.
        if context in texts and catalog is not None and context in catalog.entries:
            span = catalog.entries[context].span
        if source.rich:
            for name in sorted(set(icons_of(text)) - icons):
                hint = did_you_mean(name, icons)
                report.add("CG306", span, hint, context=f"`{context}`", lang=game.lang, name=name)
            try:
                to_html(text, _no_icon)
            except MarkupProblem as error:
                report.add("CG310", span, error.hint, context=context, lang=game.lang, problem=str(error))
        drawn = plain(text) if source.rich else text
        roles: dict[frozenset[int], list[str]] = {}
        for role in (PROSE_ROLE,) if source.rich else (PROSE_ROLE, DISPLAY_ROLE):
            if role in characters and (missing := lacking(drawn, characters[role])):
                roles.setdefault(frozenset(missing), []).append(role)
        undrawn += [_Undrawn(context, span, points, tuple(names)) for points, names in roles.items()]
    _tell_undrawn(game, undrawn, catalog, report)


def check_band_texts(
    bands: Iterable[Band], lang: str, characters: Mapping[str, frozenset[int]], report: Report
) -> None:
    """Report what bands say in letters that a font lacks, where it is written: their names stand on sheets and cards."""
    for band in bands:
        for path, (text, span) in band.texts.items():
            lacks = {role: lacking(text, characters[role]) for role in (PROSE_ROLE, DISPLAY_ROLE) if role in characters}
            points = frozenset().union(*lacks.values())
            if points:
                roles = tuple(role for role, missing in lacks.items() if missing)
                _tell(_Undrawn(f"{band.id}/{path}", span, points, roles), lang, report)


def _tell_undrawn(game: Game, undrawn: Sequence[_Undrawn], catalog: Catalog | None, report: Report) -> None:
    """Text by text; but where a font lacks the letters of a language, most texts would be told for one reason."""
    count = len({item.context for item in undrawn})
    if catalog is not None and count >= MANY and count * 2 > len(game.strings):
        points = frozenset().union(*(item.points for item in undrawn))
        names = sorted({name for item in undrawn for name in item.roles})
        hint = (
            f"give {' and '.join(f'`{name}`' for name in names)} files for it in fonts/fonts.yaml: `languages: {{{game.lang}: {{faces: "
            "[{file: …}]}}`; see docs/translating.md, A new language"
        )
        about = {"role": " and ".join(names), "texts": count, "count": len(points), "chars": show(points)}
        place = Span(catalog.file, 1, 1)
        report.add("CG242", place, hint, lang=game.lang, missing="".join(map(chr, sorted(points))), **about)
        return
    for item in undrawn:
        _tell(item, game.lang, report)


def _tell(item: _Undrawn, lang: str, report: Report) -> None:
    hint = (
        "make a role of a font that has it in fonts/fonts.yaml, and name that role in `fallback` of "
        f"{' and '.join(f'`{name}`' for name in item.roles)}"
    )
    about = {"role": " and ".join(item.roles), "chars": show(item.points), "context": item.context}
    missing = "".join(map(chr, sorted(item.points)))
    report.add("CG308", item.span, hint, missing=missing, lang=lang, **about)


# What was seen of a text is looked up by these sets: two that are equal would be compared whole, thousands of
# characters for each text, and one with itself is not. So what is made of the same sets is the same one.
@lru_cache(maxsize=100)
def _shared(sets: tuple[frozenset[int], ...]) -> frozenset[int]:
    return frozenset.intersection(*sets) if sets else frozenset()


@lru_cache(maxsize=100)
def _together(sets: tuple[frozenset[int], ...]) -> frozenset[int]:
    return sets[0].union(*sets[1:])


@lru_cache(maxsize=100)
def _only(names: frozenset[str]) -> frozenset[str]:
    return names


# Most texts are sound, and many stand on several cards, or are looked at again by a process that stays.
@lru_cache(maxsize=20_000)
def _is_sound(
    text: str, rich: bool, icons: frozenset[str], prose: frozenset[int] | None, display: frozenset[int] | None
) -> bool:
    """Whether there is nothing to say of a text: its icons, its markup, its characters in the roles it may be set in."""
    question, subject = _question(rich, icons, prose, display), text.encode("utf-8", "surrogatepass")
    if question.is_settled(subject):
        return True
    drawn = text
    if rich:
        try:
            to_html(text, _no_icon)
        except MarkupProblem:
            return False
        drawn = plain(text)
    roles = (prose,) if rich else (prose, display)
    sound = icons.issuperset(icons_of(text) if rich else ()) and not any(
        role is not None and lacking(drawn, role) for role in roles
    )
    if sound:
        question.settle(subject)
    return sound


@lru_cache(maxsize=100)
def _question(
    rich: bool, icons: frozenset[str], prose: frozenset[int] | None, display: frozenset[int] | None
) -> Question:
    roles = [sorted(role) if role is not None else None for role in (prose, display)]
    return Question("text", rich, sorted(icons), roles)


def _no_icon(name: str) -> str:
    return ""
