"""Rules in words: for `cardgen explain`, and as pages of documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.model.game import Game
from cardgen.model.rules import Formula, Note, Pack, Rule, Ruling, Setup
from cardgen.text.markup import in_words, plain

BAR = "\\|"


def ids_of(pack: Pack) -> set[str]:
    """Every id that `explain` knows."""
    return {*pack.rules, *pack.notes, *pack.rulings, *pack.formulas, *pack.setup}


def id_called(games: Iterable[Game], wanted: str) -> str:
    """The id that somebody means: as it is written, in another case, or by its title; `wanted` when nothing fits."""
    ids: dict[str, str] = {}
    titles: dict[str, str] = {}
    for game in games:
        for pack in game.packs.values():
            for id in ids_of(pack):
                ids.setdefault(id, id)
            for entry in entries(game, pack):
                titles.setdefault(entry["title"].casefold(), entry["id"])
        for id, word in game.keywords.items():
            ids.setdefault(id, id)
            titles[word.title.casefold()] = id  # what cards print comes before what notes are called
    if wanted in ids:
        return wanted
    folded = {id.casefold(): id for id in sorted(ids, reverse=True)}
    key = wanted.strip().casefold()
    return folded.get(key) or titles.get(key) or wanted


def explain(game: Game, pack: Pack, id: str) -> str | None:
    """What an entry of a pack says, as lines of text; None when there is no such entry."""
    if id in pack.rules:
        lines = _rule(game, pack, pack.rules[id])
    elif id in pack.notes:
        lines = _note(game, pack.notes[id])
    elif id in pack.rulings:
        lines = _ruling(game, pack, pack.rulings[id])
    elif id in pack.formulas:
        lines = _formula(game, pack, pack.formulas[id])
    elif id in pack.setup:
        lines = _setup(game, pack.setup[id])
    else:
        return None
    return "\n".join(lines)


def explain_keyword(game: Game, id: str) -> str:
    """What a keyword says, and every ruling of play that touches it, in full."""
    word = game.keywords[id]
    lines = [f"{id}: {word.title}", f"  {game.title}", f"  {in_words(word.text)}"]
    told: set[str] = set()
    for pack in game.packs.values():
        for note in pack.notes.values():
            if id in note.touches and note.id not in told:
                told.add(note.id)
                lines += ["", *_note(game, note)]
    return "\n".join(lines)


def _say(game: Game, context: str, text: str) -> str:
    return game.words.get(context, text)


def _untranslated(game: Game) -> str:
    """What stands before a text that packs have in their own language only: that language, in any other."""
    return f"({game.source}) " if game.lang not in ("", game.source) else ""


def _rule(game: Game, pack: Pack, rule: Rule) -> Iterator[str]:
    yield f"{rule.id}: {_say(game, f'rules/{rule.id}.title', rule.title)}"
    yield f"  {game.title}, {pack.id}; {rule.scope}; {rule.severity}; source: {rule.source}"
    if rule.about:
        yield f"  {_untranslated(game)}{rule.about}"
    yield f"  says: {_say(game, f'rules/{rule.id}.message', rule.message)}"
    if rule.fix:
        yield f"  mend: {_say(game, f'rules/{rule.id}.fix', rule.fix)}"
    if rule.each:
        yield f"  each: {rule.each}"
    for word in ("when", "unless"):
        if getattr(rule, word):
            yield f"  {word}: {getattr(rule, word)}"
    yield f"  holds: {rule.actual} {rule.op} {rule.limit}".rstrip()
    yield from _depends(game, pack, rule.rulings)
    touching = [note.id for note in pack.notes.values() if rule.id in note.touches]
    if touching:
        yield f"  see also: {', '.join(touching)}"
    yield f"  at {rule.span}"


def _depends(game: Game, pack: Pack, rulings: Iterable[str]) -> Iterator[str]:
    for id in rulings:
        ruling = pack.rulings[id]
        question = _say(game, f"rules/{id}.question", ruling.question)
        yield f"  depends on {id} ({ruling.default} unless a band says else): {question}"


def _note(game: Game, note: Note) -> Iterator[str]:
    yield f"{note.id}: {_say(game, f'notes/{note.id}.title', note.title)}"
    yield f"  {in_words(_say(game, f'notes/{note.id}.question', note.question))}"
    yield f"  {in_words(_say(game, f'notes/{note.id}.answer', note.answer))}"
    yield f"  source: {note.source}"
    if note.touches:
        yield f"  touches: {', '.join(note.touches)}"


def _ruling(game: Game, pack: Pack, ruling: Ruling) -> Iterator[str]:
    yield f"{ruling.id}: {_say(game, f'rules/{ruling.id}.question', ruling.question)}"
    for reading, text in ruling.readings.items():
        mark = " (default)" if reading == ruling.default else ""
        yield f"  {reading}{mark}: {_say(game, f'rules/{ruling.id}.{reading}', text)}"
    users = [rule.id for rule in pack.rules.values() if ruling.id in rule.rulings]
    yield f"  source: {ruling.source}" + (f"; used by {', '.join(users)}" if users else "")


def _formula(game: Game, pack: Pack, formula: Formula) -> Iterator[str]:
    yield f"{formula.id}({', '.join(formula.arguments)}): {_untranslated(game)}{formula.title}"
    yield f"  = {' '.join(formula.value.split())}"
    yield from _depends(game, pack, formula.rulings)
    yield f"  source: {formula.source}"


def _setup(game: Game, line: Setup) -> Iterator[str]:
    yield f"{line.id}: {_say(game, f'setup/{line.id}.title', line.title)}"
    if line.formula:
        given = ", ".join(f"{name} = {' '.join(source.split())}" for name, source in line.arguments.items())
        yield f"  = {line.formula}({given})"
    else:
        yield f"  = {' '.join(line.value.split())}"
    yield f"  source: {line.source}"


def entries(game: Game, pack: Pack) -> list[dict[str, str]]:
    """Every entry of a pack: its id, what it is, its title and source."""
    found = [
        ("rule", rule.id, _say(game, f"rules/{rule.id}.title", rule.title), rule.source) for rule in pack.rules.values()
    ]
    found += [
        ("note", note.id, _say(game, f"notes/{note.id}.title", note.title), note.source) for note in pack.notes.values()
    ]
    found += [
        ("ruling", item.id, _say(game, f"rules/{item.id}.question", item.question), item.source)
        for item in pack.rulings.values()
    ]
    found += [("formula", item.id, item.title, item.source) for item in pack.formulas.values()]
    found += [
        ("set-up", item.id, _say(game, f"setup/{item.id}.title", item.title), item.source)
        for item in pack.setup.values()
    ]
    return [dict(zip(("what", "id", "title", "source"), entry, strict=True)) for entry in found]


def listing(game: Game, pack: Pack) -> str:
    """One line an entry, for a terminal."""
    lines = [f"{game.id} · {pack.id}: {pack.title}"]
    lines += [f"  {item['id']}  {item['title']}  ({item['what']}; {item['source']})" for item in entries(game, pack)]
    return "\n".join(lines)


def page(game: Game, pack: Pack) -> str:
    """A page of docs/rules about a pack, in Markdown."""
    lines = [
        f"# {pack.title}",
        "",
        f"Game `{game.id}`, pack `{pack.id}`. Made from the pack by `docs/make_rules.py`.",
        "",
    ]
    if pack.about:
        lines += [pack.about, ""]
    if pack.documents:
        lines += [*(f"- {name}: {title}" for name, title in pack.documents.items()), ""]
    if pack.rules:
        lines += ["## Rules", "", "| id | title | scope | | source |", "|---|---|---|---|---|"]
        lines += [
            f"| {rule.id} | {rule.title} | {rule.scope} | {rule.severity} | {rule.source} |"
            for rule in pack.rules.values()
        ]
        lines.append("")
        for rule in pack.rules.values():
            lines += [f"### {rule.id}: {rule.title}", ""]
            if rule.about:
                lines += [rule.about, ""]
            lines += [f"> {rule.message}", ""]
            if rule.fix:
                lines += [f"Mend: {rule.fix}", ""]
            lines += [f"`{rule.actual.strip()} {rule.op} {rule.limit.strip()}`".replace(" `", "`"), ""]
    if pack.rulings:
        lines += ["## Rulings", ""]
        for ruling in pack.rulings.values():
            lines += [f"**{ruling.id}** {ruling.question} ({ruling.source})", ""]
            lines += [
                f"- {reading}{' (default)' if reading == ruling.default else ''}: {text}"
                for reading, text in ruling.readings.items()
            ]
            lines.append("")
    if pack.notes:
        lines += ["## Notes", ""]
        for note in pack.notes.values():
            lines += [f"**{note.id}: {note.title}** {plain(note.question)} {plain(note.answer)} ({note.source})", ""]
    if pack.formulas:
        lines += ["## Formulas", "", "| name | arguments | value | source |", "|---|---|---|---|"]
        lines += [
            # A bar inside of a cell would end it.
            f"| {item.id} | {', '.join(item.arguments)} | `{' '.join(item.value.replace('|', BAR).split())}` "
            f"| {item.source} |"
            for item in pack.formulas.values()
        ]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"
