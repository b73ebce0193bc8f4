"""`cardgen export`: faces and cuts for screens, print services, tabletop programs and cutting machines."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cardgen.cli.common import Common, Within, common_options, own_project, relative, unknown, working
from cardgen.cli.show import counted, show, show_json, summary
from cardgen.diagnostics import Report
from cardgen.errors import UsageError


class _Exports(click.Group):
    """The commands written here, and one for every export profile of the project."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command; a profile's is made when it is called, since only the project knows which there are."""
        found = super().get_command(ctx, name)
        return found or _profile_command(name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, with the profiles of the project here."""
        return sorted({*super().list_commands(ctx), *_profiles_here()})


def _profiles_here() -> list[str]:
    from cardgen.files import find_project, open_shelf, shipped_root

    names = open_shelf(find_project(Path.cwd()) or shipped_root()).names("layouts/_exports", ".yaml")
    return [Path(name).stem for name in names]


def _ink(function: Callable[..., Any]) -> Callable[..., Any]:
    low = click.option("--low-ink", is_flag=True, help="Leave out background art and large fills.")
    return click.option("--no-backgrounds", is_flag=True, help="Leave out background art.")(low(function))


@click.group("export", cls=_Exports)
def export_group() -> None:
    """Write faces and cuts in other formats: a command for each profile of layouts/_exports, and two more."""


@export_group.command("png")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@click.option("--dpi", type=Within(10, 1200), default=300, show_default=True, help="Resolution.")
@click.option("--bleed", is_flag=True, help="Keep what lies beyond the cut.")
@_ink
@common_options
def png_command(targets: tuple[str, ...], dpi: float, bleed: bool, common: Common, **ink: Any) -> None:
    """Write one PNG a face, cut to its trim, drawn by the same PDF that is printed."""
    report = Report()
    own_project(common, targets)
    paths: list[Path] = []
    with working(common) as workers:
        from cardgen.exports.png import export_png
        from cardgen.load.project import load_project
        from cardgen.pipeline.products import Options, make_products
        from cardgen.pipeline.targets import choose

        project = load_project(common.project, report)
        if project is not None:
            chosen = choose(project, targets, common.languages, report)
            products = make_products(project, chosen, Options(**ink), report)
            variant = "-lowink" if ink["low_ink"] else "-nobg" if ink["no_backgrounds"] else ""
            paths = list(export_png(project, products, common.output, dpi, bleed, workers, report, variant))
    _end(common, report, paths, "picture")


@export_group.command("cut")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@click.option("--as", "picture", type=click.Choice(["svg", "dxf"]), default="svg", show_default=True, help="Format.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="Paper of the build.  [default: the project's]")
@click.option("--sheet", metavar="NAME", help="Sheet of the build, instead of the prints' own (layouts/_sheets).")
@click.option(
    "--backs", type=click.Choice(["duplex", "gutterfold", "separate", "none"]), help="How the build prints backs."
)
@common_options
def cut_command(targets: tuple[str, ...], picture: Any, common: Common, **choices: Any) -> None:
    """Write the lines of every sheet that a machine cuts and folds, as they lie in the PDF of `cardgen build`.

    Options that move pieces (--paper, --sheet, --backs) must be those of the build.
    """
    report = Report()
    own_project(common, targets)
    paths: list[Path] = []
    with working(common) as workers:
        from cardgen.exports.cut.export import export_cut
        from cardgen.load.project import load_project
        from cardgen.pipeline.products import Options
        from cardgen.pipeline.targets import choose

        project = load_project(common.project, report)
        if project is not None:
            options = Options(**choices)
            if options.sheet is not None and options.sheet not in project.sheets:
                raise UsageError(unknown("sheet", options.sheet, project.sheets))
            chosen = choose(project, targets, common.languages, report)
            paths = list(export_cut(project, chosen, common.output, options, picture, workers, report))
    _end(common, report, paths, "file")


def _profile_command(name: str) -> click.Command:
    """`cardgen export NAME`, NAME being a profile."""

    @click.command(
        name, help=f"Write what the profile `{name}` of layouts/_exports says. TARGET is a game or game/print."
    )
    @click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
    @click.option("--as", "picture", type=click.Choice(["png", "jpg"]), help="Pictures.  [default: the profile's]")
    @click.option("--base-url", metavar="URL", default="", help="Where a grid's pictures will lie on the web.")
    @_ink
    @common_options
    def command(targets: tuple[str, ...], common: Common, **wanted: Any) -> None:
        _export(name, targets, common, wanted)

    return command


def _export(name: str, targets: tuple[str, ...], common: Common, wanted: dict[str, Any]) -> None:
    report = Report()
    paths: list[Path] = []
    profile = None
    with working(common) as workers:
        from cardgen.exports.profile import Wanted, export
        from cardgen.load.exports import read_exports
        from cardgen.load.project import load_project
        from cardgen.pipeline.targets import choose

        project = load_project(common.project, report)
        if project is not None:
            profiles = read_exports(project.shelf, project.trims, report)
            profile = profiles.sound.get(name)
            # One that cannot be used was reported where it was read.
            if profile is None and profiles.lost is not None and name not in profiles.lost:
                raise UsageError(unknown("export profile", name, [*profiles.sound, *export_group.commands]))
        if project is not None and profile is not None:
            own_project(common, targets)
            _check_wanted(profile.kind, profile.formats, wanted)
            chosen = choose(project, targets, common.languages, report)
            paths = list(export(project, profile, chosen, common.output, Wanted(**wanted), workers, report))
    note = profile.note if profile is not None and paths else ""
    _end(common, report, paths, "file", note)


def _check_wanted(kind: str, formats: tuple[str, ...], wanted: dict[str, Any]) -> None:
    """Options that the profile has no use for. Raises UsageError."""
    if wanted["picture"] is not None and (kind == "pdf" or wanted["picture"] not in formats):
        taken = "PDF" if kind == "pdf" else " or ".join(formats)
        raise UsageError(f"`--as {wanted['picture']}`: the profile takes {taken}")
    url = wanted["base_url"]
    if url and kind != "grid":
        raise UsageError("`--base-url` is for grids: nothing else of this profile names its pictures")
    if url and re.fullmatch(r"(https?|file)://[^\s\"<>\\]+", url) is None:
        raise UsageError(f"`--base-url {url}`: expected an address such as `https://example.org/cards`")


def _end(common: Common, report: Report, paths: list[Path], what: str, note: str = "") -> None:
    """Tell what was written and what was wrong, and end."""
    if common.format == "json":
        more = {"note": note} if note else {}
        show_json(report, files=[relative(path) for path in paths], **more)
    else:
        show(report, common.format)
        folders = sorted({relative(path.parent) for path in paths})
        where = f" in {', '.join(folders)}" if folders else ""
        if note:
            click.echo(f"note: {note}")
        click.echo(f"{counted(len(paths), what)}{where}, {summary(report)}")
    sys.exit(1 if report.has_errors(common.strict) else 0)
