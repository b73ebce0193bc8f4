"""The words that sheets speak in a language, as an entry of layouts/_words.yaml to be filled in."""

from __future__ import annotations

import yaml
from msgspec import structs

from cardgen.load.shared import lacking_words
from cardgen.model.project import Project
from cardgen.model.sheet import SheetWords


def words_entry(project: Project, lang: str) -> tuple[str, tuple[str, ...]]:
    """The whole entry of a language, and the names of the words that it lacks, which stand in it in English."""
    words = structs.asdict(project.words.get(lang, SheetWords()))
    lacks = lacking_words(project.shelf, lang)
    missing = {name: words[name] for name in words if name in lacks}
    had = {name: words[name] for name in words if name not in lacks}
    lines = [f"{lang}:\n"]
    if had:
        lines.append(_block(had))
    if missing:
        lines += ["  # still English:\n", _block(missing)]
    return "".join(lines), lacks


def _block(words: dict[str, str]) -> str:
    text = yaml.safe_dump(words, allow_unicode=True, sort_keys=False, width=110)
    return "".join(f"  {line}\n" for line in text.splitlines())
