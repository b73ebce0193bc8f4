"""The post that announces a release, ready to be pasted into a forum: Markdown and BBCode."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from cardgen.model.game import Game
from cardgen.model.sheet import SheetWords
from cardgen.pipeline.versions.diff import CardChange
from cardgen.text.markup import in_words

# More than so many lines nobody reads in a post; the manifest has them all.
MOST = 60


class Post(Struct, frozen=True):
    """What a post tells. `files`: title, version, file name, pages; `texts`: how many of the game's own changed."""

    game: Game
    words: SheetWords
    files: tuple[tuple[str, str, str, int], ...]
    since: str | None
    changed: tuple[CardChange, ...]
    texts: int
    lacking: tuple[str, ...]


class _Marks(Struct, frozen=True):
    """How a kind of forum writes headings, lists and emphasis."""

    heading: Callable[[str, int], str]
    items: Callable[[list[str]], str]
    bold: Callable[[str], str]
    escape: Callable[[str], str]


def as_markdown(post: Post) -> str:
    """The post in Markdown."""
    return _written(
        post,
        _Marks(
            lambda text, level: f"{'#' * level} {text}",
            lambda lines: "\n".join(f"- {line}" for line in lines),
            lambda text: f"**{text}**",
            lambda text: re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", text),
        ),
    )


def as_bbcode(post: Post) -> str:
    """The post in BBCode."""
    return _written(
        post,
        _Marks(
            lambda text, level: f"[size={200 if level == 1 else 150}][b]{text}[/b][/size]",
            lambda lines: "[list]\n" + "\n".join(f"[*]{line}" for line in lines) + "\n[/list]",
            lambda text: f"[b]{text}[/b]",
            lambda text: text.replace("[", "(").replace("]", ")"),
        ),
    )


def _written(post: Post, marks: _Marks) -> str:
    return "\n\n".join(_blocks(post, marks)) + "\n"


def _blocks(post: Post, marks: _Marks) -> Iterator[str]:
    game, words, say = post.game, post.words, marks.escape
    yield marks.heading(say(f"{game.title} {game.version}"), 1)
    if game.subtitle:
        yield say(game.subtitle)
    yield marks.heading(say(words.post_files), 2)
    lines = []
    for title, version, name, pages in post.files:
        count = words.post_pages.replace("{count}", str(pages))
        lines.append(f"{marks.bold(say(title))} {say(version)}: {say(name)} ({say(count)})")
    yield marks.items(lines)
    if post.since is None:
        yield marks.heading(say(words.post_first), 2)
    else:
        yield marks.heading(say(words.post_changes.replace("{version}", post.since)), 2)
        lines = [_change(card, words, marks) for card in post.changed[:MOST]]
        if len(post.changed) > MOST:
            lines.append(f"+ {len(post.changed) - MOST}")
        yield marks.items(lines) if lines else say(words.post_none)
    corrected = [card for card in game.cards.values() if card.errata or card.revision]
    if corrected:
        yield marks.heading(say(words.post_errata), 2)
        yield marks.items(
            [
                say(" ".join(filter(None, (str(card.values.get("name") or card.id), card.revision, card.errata))))
                for card in corrected[:MOST]
            ]
        )
    if post.lacking:
        yield marks.heading(f"{say(words.post_lacking)}: {len(post.lacking)}", 2)
        yield marks.items([say(context) for context in post.lacking[:MOST]])
    yield marks.heading(say(words.post_credits), 2)
    credits = [game.credits, game.licence]
    if game.translators:
        credits.append(words.translated.replace("{names}", game.translators))
    if game.report_url.startswith("http"):
        address = game.report_url.partition("{")[0].rstrip("?&=/")
        credits.append(words.report.replace("{address}", address))
    yield marks.items([say(line) for line in credits if line])


def _change(card: CardChange, words: SheetWords, marks: _Marks) -> str:
    name = marks.bold(marks.escape(card.title))
    if card.state != "changed":
        state = {"added": words.post_added, "removed": words.post_removed, "redrawn": words.post_redrawn}[card.state]
        return f"{name}: {marks.escape(state)}"
    told = [
        f"{change.field}: {_short(change.before)} → {_short(change.after)}" if change.before else _short(change.after)
        for change in card.changes
    ]
    return f"{name}: {marks.escape('; '.join(told))}"


def _short(text: str) -> str:
    text = in_words(text)
    return text if len(text) <= 120 else text[:117] + "…"
