"""The pictures of a build: each is looked at once, hashed for the keys of faces, and reported where it is used."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import FileProblem
from cardgen.faces.assets import BASE, Assets, climbs_out, named_in_css, picture_name, written_for, written_in
from cardgen.faces.findings import REFUSED_HINT
from cardgen.faces.images import NOTES, look, placeholder
from cardgen.faces.places import Places
from cardgen.model.card import Card
from cardgen.model.game import Field, Game
from cardgen.text.settled import Question

if TYPE_CHECKING:
    from cardgen.model.component import Component


_PLACES = "put it below `layouts/` or into `cards/<game>/art/` and name it from there"
# Whether a picture can be drawn, and there is nothing to say of it.
_PICTURE = Question("picture")


class _Bad(Struct, frozen=True):
    """A picture that is replaced by the placeholder, and why.

    `file` is the file at fault; None when there is none of the name (`absent`) or it may not be looked up.
    """

    name: str
    file: str | None
    absent: bool
    problem: str


class Pictures:
    """Looks at each picture once. What is wrong with it is reported for every card and layout that uses it."""

    def __init__(self, assets: Assets, roles: Collection[str], report: Report) -> None:
        self.assets = assets
        self.roles = roles
        self.report = report
        self._digests: dict[str, str] = {}
        self._bad: dict[str, _Bad] = {}

    def digests(self, urls: Iterable[str]) -> list[str]:
        """A hash for each address: of the file, or of the placeholder and the problem."""
        return [self._digests.get(url) or self._digest(url) for url in urls]

    def are_sound(self, urls: Iterable[str]) -> bool:
        """Whether there is nothing to say of what these addresses lead to; `digests` has seen them all."""
        return not self._bad or self._bad.keys().isdisjoint(urls)

    def report_face(
        self,
        urls: Iterable[str],
        html: str,
        layout: str,
        asked: Mapping[str, Span],
        game: Game,
        card: Card | None,
        component: Component | None = None,
    ) -> None:
        """Report the pictures that cannot be drawn among those a face uses; `digests` has seen them all.

        `asked` says where the layout asked for an address that leads nowhere.
        """
        if self._bad:
            for url in urls:
                if url in self._bad:
                    written = written_in(html, url)
                    span = asked.get(url) or Places(self.assets).words(layout, (), [written])
                    if climbs_out(written):
                        self.report.add("CG325", span, REFUSED_HINT, address=written)
                    else:
                        self._report(url, span, f"layout `{layout}`", game, card, component)

    def report_style(self, name: str, text: str) -> None:
        """The same for a style sheet below `layouts/`: each address where it is first written, used or not."""
        told = set[str]()
        for url, written, at in named_in_css(name, text):
            if url not in self._bad or written in told:
                continue
            told.add(written)
            span = Span(f"layouts/{name}", text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
            if climbs_out(written, name):
                self.report.add("CG325", span, REFUSED_HINT, address=written)
            else:
                self._report(url, span, f"style sheet `{name}`", sheet=name)

    def _digest(self, url: str) -> str:
        name = picture_name(url)
        if name is None:
            digest = self.assets.digest(url)
        else:
            try:
                digest = self._look(url)
            except FileProblem as error:
                self._bad[url] = self._fault(url, name, str(error))
                digest = hashlib.sha256(placeholder(self.assets) + str(error).encode()).hexdigest()
        self._digests[url] = digest
        return digest

    def _fault(self, url: str, name: str, problem: str) -> _Bad:
        try:
            file = self.assets.file(url)
        except FileProblem:
            return _Bad(name, None, False, problem)
        return _Bad(name, file, file is None, problem)

    def _look(self, url: str) -> str:
        """The sha256 of a picture that can be drawn. Raises FileProblem."""
        data, _ = self.assets.read(url)
        digest = hashlib.sha256(data).digest()
        if _PICTURE.is_settled(digest):
            return digest.hex()
        picture = look(data)
        if picture.is_sized and not picture.notes and not picture.fonts:
            _PICTURE.settle(digest)
        file = self.assets.file(url) or ""
        for note in picture.notes:
            self.report.add("CG317", Span(file), name=file.rpartition("/")[2], what=NOTES[note])
        if not picture.is_sized:
            hint = 'write `viewBox="0 0 WIDTH HEIGHT"` into its `svg` element, with the size that it was drawn at'
            self.report.add("CG326", Span(file), hint, name=file.rpartition("/")[2])
        unknown = sorted(picture.fonts.difference(self.roles))
        if unknown and file and self.roles:  # what is drawn here sets its letters in whatever role has them
            hint = (
                f"name one of the roles of fonts.yaml ({', '.join(sorted(self.roles))}), or convert the text to paths"
            )
            fonts = ", ".join(f"`{font}`" for font in unknown)
            self.report.add("CG316", Span(file), hint, name=file.rpartition("/")[2], fonts=fonts)
        return digest.hex()

    def _report(
        self,
        url: str,
        span: Span,
        owner: str,
        game: Game | None = None,
        card: Card | None = None,
        component: Component | None = None,
        sheet: str = "",
    ) -> None:
        bad = self._bad[url]
        is_icon = url.startswith((f"{BASE}icon/", f"{BASE}die/"))
        if component is not None:
            from cardgen.model.component import path_of

            if path := path_of(component.options, bad.name):
                span, owner = component.place(path), f"component `{component.id}`"
        if card is not None and game is not None and not is_icon:
            for path in _paths(card.values, game.kinds[card.kind].fields, bad.name):
                span, owner = card.place(path), f"card `{card.id}`"
                break
        if not bad.absent:
            # The fault is in the file, whoever uses it.
            self.report.add("CG312", Span(bad.file) if bad.file else span, name=bad.name, problem=bad.problem)
            return
        if url.startswith(f"{BASE}art/") or is_icon:
            hint = did_you_mean(bad.name, self.assets.siblings(url))
        else:
            known = [written_for(file, sheet) for file in self.assets.instead_of(url)]
            hint = did_you_mean(written_for(bad.name, sheet), known) or _PLACES
        if not is_icon:
            self.report.add("CG307", span, hint, name=bad.name, owner=owner)
        elif game is not None and not any(f"[{bad.name}]" in text.text for text in game.strings.values()):
            # Icons that a text names are reported with the text.
            self.report.add("CG306", span, hint, context=owner, lang=game.lang, name=bad.name)


def _paths(values: object, fields: Mapping[str, Field], wanted: str, path: str = "") -> Iterator[str]:
    """The paths of the pictures among a card's values that are `wanted`."""
    if isinstance(values, Mapping):
        for name, field in fields.items():
            yield from _path(values.get(name), field, wanted, f"{path}{name}")


def _path(value: object, field: Field, wanted: str, path: str) -> Iterator[str]:
    if field.type == "image" and value == wanted:
        yield path
    elif field.type == "record":
        yield from _paths(value, field.fields, wanted, f"{path}.")
    elif field.of is not None and isinstance(value, (Mapping, list, tuple)):
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _path(item, field.of, wanted, f"{path}.{key}")
