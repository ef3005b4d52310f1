"""`manage.py messages`: update, compile and check the message catalogues.

A reviewed language must be complete. A machine-assisted one may lack messages, because who changes an English text
cannot write them all; what it lacks is counted, and everything else is an error there too.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from backgammon.languages import TRANSLATIONS, is_reviewed
from backgammon.message_extraction import SOURCES, extract_messages

PLACEHOLDERS = re.compile(r"%(?:\((\w+)\))?[#0\- +]*\d*(?:\.\d+)?([sdf])")


class Undated(Catalog):
    """A catalogue whose header has no dates or versions, so that it changes only with its messages."""

    header_comment = "# Made by `manage.py messages`; only the msgstr lines are written by hand."  # type: ignore[assignment]

    @property
    def mime_headers(self) -> list[tuple[str, str]]:  # type: ignore[override]
        return [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Language", str(self.locale)),
            ("Plural-Forms", f"{self.plural_forms}\n"),
        ]


class Command(BaseCommand):
    help = "Extract translatable strings into locale/*/LC_MESSAGES and compile them. --check changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="fail unless every catalogue is right and compiled")

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        errors = []
        for domain in SOURCES:
            sources = extract_messages(Path(settings.BASE_DIR), domain)
            for language in TRANSLATIONS:
                path = Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / f"{domain}.po"
                old = load(path, language)
                new = updated(old, sources, language)
                missing = sum(1 for message in new if message.id and not translated(message))
                if check:
                    found = check_catalog(path, old, new, may_lack=not is_reviewed(language))
                    errors += [f"{language}/{domain}: {error}" for error in found]
                else:
                    for compiled, content in compilations(path, new).items():
                        compiled.parent.mkdir(parents=True, exist_ok=True)
                        compiled.write_bytes(content)
                if missing or not check:
                    self.stdout.write(f"{language}/{domain}: {len(new)} messages, {missing} to translate")
        if errors:
            raise CommandError("\n".join([*errors, "Run `manage.py messages`, translate, and run it again."]))


def load(path: Path, language: str) -> Catalog:
    """Load the catalogue at `path`, or an empty one."""
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated(old: Catalog, sources: Catalog, language: str) -> Catalog:
    """Return the messages of the sources with the translations in `old`, in a fixed order, and no others."""
    new = Undated(locale=language, fuzzy=False)
    for message in sorted((m for m in sources if m.id), key=_order):
        known = old.get(message.id, message.context)
        string = known.string if known is not None and _same_shape(known, message) else None
        flags = set(message.flags) | ({"fuzzy"} if known is not None and known.fuzzy else set())
        new.add(message.id, string, message.locations, flags=flags, context=message.context)
    return new


def check_catalog(path: Path, old: Catalog, new: Catalog, *, may_lack: bool) -> list[str]:
    """Return how the files differ from what they should be, one sentence each; some may lack translations."""
    errors = []
    present = {_order(m) for m in old if m.id}
    expected = {_order(m) for m in new if m.id}
    errors += [f"not in the catalogue: {key[0]!r}" for key in sorted(expected - present)]
    errors += [f"no longer in the sources: {key[0]!r}" for key in sorted(present - expected)]
    for message in new:
        if message.id and (translated(message) or not may_lack):
            errors += message_errors(message)
    for compiled, content in compilations(path, new).items():
        if not compiled.exists() or compiled.read_bytes() != content:
            errors.append(f"{compiled.name} is not as the command writes it")
    return errors


def compilations(path: Path, catalog: Catalog) -> dict[Path, bytes]:
    """Return the files of the catalogue at `path` with their content: .po, .mo, and a script for texts of scripts."""
    files = {path: po_text(catalog).encode(), path.with_suffix(".mo"): mo_bytes(catalog)}
    if path.stem == "djangojs":
        files[path.parents[2] / "js" / f"{catalog.locale}.js"] = script_text(catalog).encode()
    return files


def translated(message: Message) -> bool:
    """Whether every form of the message has a translation that is not fuzzy."""
    strings = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    return all(strings) and not message.fuzzy


def message_errors(message: Message) -> list[str]:
    """Return whether a message is untranslated, fuzzy, or has other placeholders than its source."""
    ids = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
    if message.fuzzy:
        return [f"fuzzy: {ids[0]!r}"]
    if not translated(message):
        return [f"untranslated: {ids[0]!r}"]
    strings = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    allowed = [placeholders(text) for text in ids]
    wrong = [text for text in strings if placeholders(text or "") not in allowed]
    return [f"other placeholders: {ids[0]!r} -> {text!r}" for text in wrong]


def placeholders(text: str) -> list[str]:
    """Return the placeholders of a message, sorted: ``%(name)s`` and ``%s``."""
    return sorted(f"{name}{kind}" for name, kind in PLACEHOLDERS.findall(text.replace("%%", "")))


def po_text(catalog: Catalog) -> str:
    """Return the .po file, with the files of each message for translators, but no lines or dates: they change often."""
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=120, include_lineno=False)
    return buffer.getvalue().decode("utf-8")


def mo_bytes(catalog: Catalog) -> bytes:
    """Return the .mo file: the same messages give the same bytes."""
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def script_text(catalog: Catalog) -> str:
    """Return the script that pages load before all modules; static/js/i18n.js reads what it defines."""
    texts = (
        f"{json.dumps(_order(message)[0], ensure_ascii=False)}: {json.dumps(message.string, ensure_ascii=False)},\n"
        for message in catalog
        if message.id and translated(message)
    )
    plural = f"(n) => Number({catalog.plural_expr})"
    head = "// Made by `manage.py messages`.\nglobalThis.messages = {"
    return f"{head}\nplural: {plural},\ntexts: {{\n{''.join(texts)}}},\n}};\n"


def _order(message: Message) -> tuple[str, str]:
    text = message.id[0] if isinstance(message.id, (tuple, list)) else message.id
    return str(text), message.context or ""


def _same_shape(message: Message, other: Message) -> bool:
    return isinstance(message.id, (tuple, list)) == isinstance(other.id, (tuple, list))
