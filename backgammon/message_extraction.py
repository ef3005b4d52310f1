"""Extract the messages to translate with Babel alone, so that no gettext programs are needed.

Templates go through Django's `templatize`, as `makemessages` does it; Python and JavaScript through Babel.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract, extract_python
from django.utils.translation.template import templatize

PYTHON = {
    "_": None,
    "_t": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "_p": ((1, "c"), 2),
    "_n": (1, 2),
}
SCRIPT = {name: spec for name, spec in PYTHON.items() if not name.startswith("_")}
APPS = ("accounts", "analysis", "backgammon", "chat", "eventlog", "games", "ladders", "notifications", "tournaments")
SOURCES = {
    "django": (APPS, ("templates",)),
    "djangojs": (("static/js",), ()),
}


def extract_template(
    fileobj: Any, keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, Any, list[str], str | None]]:
    """Extract the messages of `translate` and `blocktranslate` from a Django template, as a Babel extractor."""
    # In parentheses, because the columns of a template are not valid indentation in Python.
    text = f"({templatize(fileobj.read().decode('utf-8'))})"
    yield from extract_python(io.BytesIO(text.encode("utf-8")), PYTHON, comment_tags, {"encoding": "utf-8"})


def extract_messages(root: Path, domain: str) -> Catalog:
    """Return every message of `domain` in the sources below `root` and its files, as a catalogue without dates."""
    catalog = Catalog(domain=domain)
    code, templates = SOURCES[domain]
    if domain == "djangojs":
        _add_messages(catalog, root, _files(root, code, {".js"}), "javascript", SCRIPT)
    else:
        _add_messages(catalog, root, _files(root, code, {".py"}), "python", PYTHON)
        _add_messages(catalog, root, _files(root, templates, {".html", ".txt"}), extract_template, PYTHON)
    return catalog


def _files(root: Path, folders: tuple[str, ...], endings: set[str]) -> list[Path]:
    paths = (path for folder in folders for path in sorted((root / folder).rglob("*")))
    return [path for path in paths if path.suffix in endings and "migrations" not in path.parts]


def _add_messages(catalog: Catalog, root: Path, paths: list[Path], method: Any, keywords: dict[str, Any]) -> None:
    for path in paths:
        place = [(path.relative_to(root).as_posix(), 0)]
        with path.open("rb") as file:
            for _line, message, _comments, context in extract(method, file, keywords):
                if message:
                    catalog.add(message, locations=place, context=context, flags=_flags(message))


def _flags(message: str | tuple[str, ...]) -> set[str]:
    return {"python-format"} if Message(message).python_format else set()
