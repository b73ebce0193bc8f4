"""How results and problems are shown: text for people, JSON for programs, annotations for GitHub."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import click

from cardgen.diagnostics import Diagnostic, Report, printable

_COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


def show(report: Report, format: str) -> None:
    """Print every problem in the wanted format, `text` or `github`."""
    (show_github if format == "github" else show_text)(report)


def show_text(report: Report) -> None:
    """Print every problem to stderr: place first, then what is wrong, then a hint."""
    for item in report:
        place = f"{item.span}: " if item.span else ""
        kind = click.style(f"{item.severity}[{item.label}]", fg=_COLOURS[item.severity], bold=True)
        click.echo(f"{place}{kind}: {item.message}", err=True)
        if item.hint:
            click.echo(f"  hint: {printable(item.hint)}", err=True)


def show_github(report: Report) -> None:
    """Print every problem as a GitHub workflow command."""
    kinds = {"error": "error", "warning": "warning", "info": "notice"}
    for item in report:
        span = item.span
        where = (
            f"file={_escape(printable(span.file), True)},line={span.line or 1},col={span.column or 1}," if span else ""
        )
        text = _escape(item.message + (f" ({printable(item.hint)})" if item.hint else ""))
        click.echo(f"::{kinds[item.severity]} {where}title={item.label}::{text}")


def _escape(text: str, property: bool = False) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if property else text


def as_json(item: Diagnostic) -> dict[str, Any]:
    """A problem as JSON."""
    span = item.span
    return {
        "code": item.code,
        "rule": item.arguments.get("rule"),
        "severity": item.severity,
        "message": item.message,
        "hint": printable(item.hint) or None,
        "file": printable(span.file) if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
    }


def show_json(report: Report, **more: Any) -> None:
    """Print one JSON document to stdout: what was made, and the problems."""
    problems = [as_json(item) for item in report]
    click.echo(json.dumps({**more, "problems": problems}, ensure_ascii=False, indent=1))


def counted(count: int, what: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def summary(report: Report) -> str:
    """`2 errors, 1 warning`, or `no problems`."""
    counts = Counter(item.severity for item in report)
    parts = [counted(count, name) for name, count in _ordered(counts)]
    return ", ".join(parts) or "no problems"


def _ordered(counts: Counter[Any]) -> Iterable[tuple[str, int]]:
    return [(name, counts[name]) for name in ("error", "warning", "info") if counts[name]]
