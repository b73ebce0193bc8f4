"""Whose card a printed code is, when it was printed, and whether it is still the one to play with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from cardgen.diagnostics import Report, nearest
from cardgen.model.face import Side
from cardgen.model.ledger import CODE_LENGTH, Ledger, PrintedItem, Sighting, Snapshot
from cardgen.model.project import Project
from cardgen.pipeline.ledger.held import beside
from cardgen.pipeline.ledger.snapshots import Snapshots
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import choose

# Among so many cards a list helps; more would hide the message.
MOST_SHOWN = 8
_SIDES: tuple[Side, ...] = ("front", "back")


class _Seen(Struct, frozen=True):
    """A face of a snapshot; `printing` is empty for what would be printed now."""

    printing: str
    snapshot: Snapshot
    label: str
    item: PrintedItem
    side: Side
    at: int
    id: str

    @property
    def where(self) -> tuple[str, str, Side]:
        """The print in its language, the card and the side."""
        return self.snapshot.name, self.label, self.side


def identify(project: Project, ledger: Ledger, code: str, options: Options, report: Report) -> list[Sighting]:
    """Every card that has a face of this code (as `read_code` gives it); none after reporting why it cannot be told."""
    printed = [
        face
        for printing in ledger.printings
        for snapshot in printing.snapshots.values()
        for face in _faces(printing.id, snapshot)
    ]
    # Whatever else is wrong with texts and translations is for `check` to say.
    own = Report(list(report.items))
    now = [held.now for held in beside(project, ledger.latest().values(), options, own)]
    current = [face for snapshot in now for face in _faces("", snapshot)]
    if not any(face.id.startswith(code) for face in (*printed, *current)):
        # Nothing that was printed: perhaps something of which nobody noted that it was.
        known = {snapshot.name for snapshot in now}
        maker = Snapshots(project)
        products = make_products(project, choose(project, (), (), report), options, own)
        more = [maker.of(product, options) for product in products if product.name not in known]
        current += [face for snapshot in more for face in _faces("", snapshot)]
    found = [face for face in (*printed, *current) if face.id.startswith(code)]
    ids = sorted({face.id for face in found})
    if len(ids) == 1:
        return list(_sightings(found, current))
    if not ids:
        codes = {face.id[:CODE_LENGTH]: face for face in (*current, *printed)}
        guess = nearest(code[:CODE_LENGTH], codes)
        hint = f"the nearest is `{guess}`, {_named(codes[guess])}" if guess else ""
        report.add("CG422", None, hint, wanted=code)
        return []
    names = list(dict.fromkeys(f"{face.id[:CODE_LENGTH]} {_named(face)}" for face in found))
    shown = "; ".join(names[:MOST_SHOWN]) + ("; …" if len(names) > MOST_SHOWN else "")
    hint = "type all of the code" if len(code) < CODE_LENGTH else "the title on the card tells which"
    report.add("CG423", None, hint, wanted=code, count=len(ids), cards=shown)
    return []


def _faces(printing: str, snapshot: Snapshot) -> Iterator[_Seen]:
    for label, item in snapshot.items.items():
        for side in _SIDES:
            for at, id in enumerate(item.front if side == "front" else item.back):
                yield _Seen(printing, snapshot, label, item, side, at, id)


def _named(face: _Seen) -> str:
    return f"{face.item.title} ({face.snapshot.name}, {face.side})"


def _sightings(found: Iterable[_Seen], current: Iterable[_Seen]) -> Iterator[Sighting]:
    by_place: dict[tuple[str, str, Side], list[_Seen]] = {}
    for face in found:
        by_place.setdefault(face.where, []).append(face)
    now: dict[tuple[str, str, Side], list[_Seen]] = {}
    for face in current:
        now.setdefault(face.where, []).append(face)
    for where, faces in by_place.items():
        last, there = faces[-1], now.get(where, [])
        same = next((face for face in there if face.id == last.id), None)
        instead = same or next((face for face in there if face.at == last.at), None)
        printings = tuple(dict.fromkeys(face.printing for face in faces if face.printing))
        snapshot, printed = last.snapshot, [face.item for face in faces if face.printing]
        yield Sighting(
            id=last.id,
            game=snapshot.game,
            lang=snapshot.lang,
            print=snapshot.print,
            label=last.label,
            title=last.item.title,
            side=last.side,
            printings=printings,
            current=same is not None,
            now=instead.id[:CODE_LENGTH] if instead is not None else "",
            gone=instead is None,
            other_side_changed=same is not None and bool(printed) and _rest(printed[-1]) != _rest(same.item),
        )


def _rest(item: PrintedItem) -> tuple[object, ...]:
    return item.front, item.back, item.shape
