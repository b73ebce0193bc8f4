"""A game in another language, and what its catalog lacks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.i18n.around import ROOM, around
from cardgen.i18n.catalog import Catalog, Entry
from cardgen.i18n.states import normal, states_of
from cardgen.model.booklet import Booklet
from cardgen.model.card import Card
from cardgen.model.component import with_words
from cardgen.model.game import Field, Game, KeywordUse, Source
from cardgen.model.odds import Situation
from cardgen.model.translation import Policy, State
from cardgen.model.wording import worded
from cardgen.text.markup import tokens_of

_DEFAULT = Policy()
_FILLED = re.compile(r"\{[a-z_][a-z0-9_.]*\}")


# What stands before a text that is not done, where the project wants to see it on paper.
MARK = "‹?› "


class Usable(Struct, frozen=True):
    """The texts to print in place of the source, by msgctxt, and whether the policy refuses to print them."""

    texts: dict[str, str]
    refused: bool


def usable(game: Game, catalog: Catalog, report: Report, policy: Policy = _DEFAULT) -> Usable:
    """The texts to print in place of the source, as the policy has it.

    What is not done, unknown contexts and broken tokens are reported. A translation that the policy refuses is among
    the texts: nobody prints it, and whatever else is wrong with it can be told.
    """
    texts: dict[str, str] = {}
    by_state: dict[State, list[str]] = {}
    for item in states_of(game, catalog, catalog.lang):
        context, source, entry = item.context, item.source, item.entry
        by_state.setdefault(item.state, []).append(context)
        action = policy.action(item.state)
        if entry is None or not entry.target.strip():
            if action == "mark" and item.state == "missing":
                texts[context] = marked(source.text)
            continue
        if item.state == "stale":
            report.add("CG203", entry.place, _changed(source, entry), lang=catalog.lang, context=context)
        if action != "source" and sound(context, source, entry.target, entry.span, report):
            texts[context] = marked(entry.target) if action == "mark" else entry.target
    for context, entry in catalog.entries.items():
        if context not in game.strings and not game.partial:
            report.add("CG204", entry.place, did_you_mean(context, game.strings), context=context)
    # What could not be read is not missing.
    if not catalog.partial:
        _tell(game, catalog, by_state, report)
    refused = {state: found for state, found in by_state.items() if policy.action(state) == "refuse"}
    for state, found in refused.items():
        place = Span(catalog.file, 1, 1)
        report.add("CG221", place, count=len(found), state=state, first=_first(found), lang=catalog.lang)
    return Usable(texts, bool(refused))


def marked(text: str) -> str:
    """A text with the mark before its first word: in a list it stands in the first item, which stays one."""
    return re.sub(r"\A(\s*(?:- )?\s*)", rf"\g<1>{MARK}", text)


def _tell(game: Game, catalog: Catalog, by_state: Mapping[State, list[str]], report: Report) -> None:
    codes: dict[State, str] = {"missing": "CG202", "unreviewed": "CG212", "same": "CG220"}
    for state, code in codes.items():
        found = by_state.get(state, [])
        if found:
            place, total = Span(catalog.file, 1, 1), len(game.strings)
            report.add(code, place, count=len(found), total=total, lang=catalog.lang, first=_first(found))


def _first(contexts: Sequence[str]) -> str:
    return ", ".join(contexts[:3]) + (", …" if len(contexts) > 3 else "")


def sound(context: str, source: Source, target: str, span: Span, report: Report) -> bool:
    """Whether a translation can be printed: icons, emphasis and what is filled in are kept, a line stays a line."""
    expected, found = (_tokens(text, source.rich) for text in (source.text, target))
    if expected != found:
        wanted, stated = (" ".join(f"`{token}`" for token in tokens) or "none" for tokens in (expected, found))
        report.add("CG206", span, context=context, expected=wanted, found=stated)
        return False
    if source.rich:
        return True
    if "\n" in target.strip() and "\n" not in source.text:
        report.add("CG208", span, context=context)
        return False
    return True


def _tokens(text: str, rich: bool) -> list[str]:
    """What a translation keeps: of inline markup icons and emphasis, of any text the names in braces."""
    return sorted([*_FILLED.findall(text), *(tokens_of(text) if rich else ())])


def _changed(source: Source, entry: Entry) -> str:
    """What the source is now; of a long one, what was changed in it."""
    now = normal(source.text)
    was = entry.previous if entry.source == now and entry.previous else entry.source
    before, after = around(was, now)
    if len(now) <= ROOM:
        return f"the source is now `{after}`; translate the whole text and put the source in msgid"
    return f"in the source `{before}` is now `{after}`; translate the whole text and put the source in msgid"


def translate(game: Game, lang: str, texts: Mapping[str, str]) -> Game:
    """The game with every text of `texts` in place of its source."""

    def say(context: str, text: str) -> str:
        return texts.get(context, text)

    keywords = {
        id: structs.replace(
            word, title=say(f"keywords/{id}.title", word.title), text=say(f"keywords/{id}.text", word.text)
        )
        for id, word in game.keywords.items()
    }
    dice = {id: structs.replace(die, title=say(f"dice/{id}.title", die.title)) for id, die in game.dice.items()}
    tracks = {
        id: structs.replace(
            track,
            title=say(f"tracks/{id}.title", track.title),
            bands=tuple(structs.replace(band, title=say(f"tracks/{id}.{band.id}", band.title)) for band in track.bands),
        )
        for id, track in game.tracks.items()
    }
    tables = {
        id: structs.replace(
            table,
            title=say(f"tables/{id}.title", table.title),
            columns=tuple(say(f"tables/{id}.columns.{n}", cell) for n, cell in enumerate(table.columns)),
            rows=tuple(
                tuple(say(f"tables/{id}.rows.{r}.{c}", cell) for c, cell in enumerate(row))
                for r, row in enumerate(table.rows)
            ),
        )
        for id, table in game.tables.items()
    }
    kinds, groups = worded(game.kinds, game.bands, lambda context, text, _: say(context, text))
    kinds = {id: structs.replace(kind, title=say(f"kinds/{id}.title", kind.title)) for id, kind in kinds.items()}
    groups = {
        id: structs.replace(
            group, title=say(f"bands/{id}.title", group.title), unit=say(f"bands/{id}.unit", group.unit)
        )
        for id, group in groups.items()
    }
    prints = {
        id: structs.replace(
            item, title=say(f"prints/{id}.title", item.title), changes=say(f"prints/{id}.changes", item.changes)
        )
        for id, item in game.prints.items()
    }
    components = {
        id: structs.replace(
            item,
            title=say(f"components/{id}.title", item.title),
            options=with_words(item.options, texts, f"components/{id}"),
        )
        for id, item in game.components.items()
    }
    odds = {id: _situation(item, texts) for id, item in game.odds.items()}
    packs = {id: structs.replace(item, title=say(f"packs/{id}.title", item.title)) for id, item in game.packs.items()}
    world = _World(texts, dice, keywords)
    cards = {id: _card(card, game.kinds[card.kind].fields, world) for id, card in game.cards.items()}
    return structs.replace(
        game,
        lang=lang,
        title=say("game/title", game.title),
        subtitle=say("game/subtitle", game.subtitle),
        credits=say("game/credits", game.credits),
        labels={id: say(f"labels/{id}", text) for id, text in game.labels.items()},
        dice=dice,
        keywords=keywords,
        tracks=tracks,
        tables=tables,
        kinds=kinds,
        prints=prints,
        cards=cards,
        kept={version: _kept(older, game, world) for version, older in game.kept.items()},
        bands=groups,
        components=components,
        odds=odds,
        packs=packs,
        booklets={id: _booklet(item, texts) for id, item in game.booklets.items()},
        decks={
            id: structs.replace(deck, title=say(f"decks/{id}.title", deck.title)) for id, deck in game.decks.items()
        },
        words=texts,
    )


class _World(Struct, frozen=True):
    texts: Mapping[str, str]
    dice: Mapping[str, Any]
    keywords: Mapping[str, Any]


def _booklet(item: Booklet, texts: Mapping[str, str]) -> Booklet:
    blocks = tuple(
        structs.replace(block, text=texts.get(block.context, block.text)) if block.text else block
        for block in item.blocks
    )
    title = next(block.text for block in blocks if block.kind == "heading" and block.level == 1)
    return structs.replace(item, title=title, blocks=blocks)


def _situation(item: Situation, texts: Mapping[str, str]) -> Situation:
    path = f"odds/{item.id}"
    results = {
        id: structs.replace(
            result,
            title=texts.get(f"{path}.{id}.title", result.title),
            values={value: texts.get(f"{path}.{id}.{value}", title) for value, title in result.values.items()},
        )
        for id, result in item.results.items()
    }
    given = {
        id: structs.replace(told, title=texts.get(f"{path}.given.{id}", told.title)) for id, told in item.given.items()
    }
    title, about = texts.get(f"{path}.title", item.title), texts.get(f"{path}.about", item.about)
    return structs.replace(item, title=title, about=about, given=given, results=results)


def _kept(older: Mapping[str, Card], game: Game, world: _World) -> dict[str, Card]:
    """Cards of an older catalogue: what they say as the one now does is said in its words, the rest in the source's."""
    found = {}
    for id, card in older.items():
        now, fields = game.cards.get(id), game.kinds[card.kind].fields
        same = {name for name in fields if now is not None and now.values.get(name) == card.values[name]}
        texts = {
            context: text
            for context, text in world.texts.items()
            if context.startswith(f"{id}/") and re.split(r"[/.]", context)[1] in same
        }
        found[id] = _card(card, fields, structs.replace(world, texts=texts))
    return found


def _card(card: Card, fields: Mapping[str, Field], world: _World) -> Card:
    values = dict(card.values)
    for name, field in fields.items():
        values[name] = _value(values[name], field, f"{card.id}/{name}", world)
    return structs.replace(card, values=values)


def _value(value: Any, field: Field, context: str, world: _World) -> Any:
    if value is None:
        return None
    match field.type:
        case "text" | "rich":
            return world.texts.get(context, value)
        case "die":
            return world.dice[value.id]
        case "keyword":
            parameter = world.texts.get(context, value.value) if isinstance(value.value, str) else value.value
            return KeywordUse(world.keywords[value.id], parameter)
        case "list":
            assert field.of is not None
            return tuple(_value(item, field.of, f"{context}.{n}", world) for n, item in enumerate(value))
        case "bands":
            assert field.of is not None
            return {band: _value(item, field.of, f"{context}.{band}", world) for band, item in value.items()}
        case "record":
            return {name: _value(item, field.fields[name], f"{context}.{name}", world) for name, item in value.items()}
        case _:
            return value
