"""Holds the layouts that state a profile to it: each template and style sheet is read once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import TYPE_CHECKING

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets
from cardgen.faces.layouts import Layout, Layouts

if TYPE_CHECKING:
    from cardgen.faces.lint_css import Offence

# A file that is wrong from end to end says so often enough.
MOST_OFFENCES = 100


class Linter:
    """Lints layouts; what several of them share (macros, the base style sheet) is looked at and reported once."""

    def __init__(self, layouts: Layouts, assets: Assets, roles: Collection[str], report: Report) -> None:
        self.layouts = layouts
        self.assets = assets
        self.roles = roles
        self.report = report
        self._seen: set[str] = set()

    def lint(self, layout: Layout) -> None:
        """Report what a layout that states a profile has outside of it."""
        if not layout.profile:
            return
        from cardgen.faces.lint_css import lint_sheet
        from cardgen.faces.lint_html import lint_template
        from cardgen.faces.profile import PROFILES

        if layout.profile not in PROFILES:
            span = Span(f"layouts/{layout.name}.html.j2", 1, 1)
            self.report.add("CG104", span, did_you_mean(layout.profile, PROFILES), what="profile", name=layout.profile)
            return
        for file, source in self.layouts.templates(layout):
            if self._is_new(file):
                self._report(file, lint_template(source, self.roles))
        for name in layout.css:
            file = f"layouts/{name}"
            if not self._is_new(file):
                continue
            try:
                text = self.assets.css(name)
            except FileProblem:
                continue  # making the face reports it
            self._report(file, lint_sheet(text, self.roles))

    def _is_new(self, file: str) -> bool:
        new = file not in self._seen
        self._seen.add(file)
        return new

    def _report(self, file: str, offences: Iterable[Offence]) -> None:
        unreadable = "CG311" if file.endswith(".css") else "CG301"
        try:
            for found in islice(offences, MOST_OFFENCES):
                span = Span(file, found.line, found.column)
                self.report.add(unreadable if found.broken else "CG305", span, found.hint, problem=found.problem)
        except RecursionError:
            self.report.add(unreadable, Span(file), problem="brackets are nested too deeply")
