"""Write everything that the site keeps about a person into one zip file, a slice of work at a time."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from accounts.privacy import registry as data_registry
from accounts.privacy.registry import FileTime
from backgammon.languages import first_supported

SLICE_SECONDS = 1.0
FOLDER = "data/"
EPOCH: FileTime = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive after a slice of work: its bytes, how many files are in it, and whether it is complete."""

    body: bytes
    done: int
    finished: bool


def write_archive(user: User, body: bytes = b"", *, seconds: float = SLICE_SECONDS) -> Archive:
    """The archive of `user` with more files than `body` holds, after about so many seconds of work.

    All of it is `write_archive(user, seconds=math.inf).body`.
    """
    end = time.monotonic() + seconds
    file = io.BytesIO(body)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        present = frozenset(archive.namelist())
        for _name in _write_missing(user, archive, present):
            if time.monotonic() > end:
                archive.close()  # writes the directory of the file: only then are its bytes a zip
                return Archive(file.getvalue(), len(archive.namelist()), finished=False)
    return Archive(file.getvalue(), len(archive.namelist()), finished=True)


def file_count(user: User) -> int:
    """About how many files the archive will have."""
    tables = sum(table.exported for table in data_registry.tables())
    return tables + sum(count(user) for count, _write in data_registry.export_files()) + 1


def _write_missing(user: User, archive: zipfile.ZipFile, present: frozenset[str]) -> Iterator[str]:
    """Write the files that are not `present` yet, one at a time; the README comes last."""
    for table in data_registry.tables():
        name = f"{FOLDER}{table.model}.json"
        if table.exported and name not in present:
            _write_rows(archive, name, table, user)
            yield name
    for _count, write in data_registry.export_files():
        for name, text, at in write(user, present):
            archive.writestr(_entry(name, at), text)
            yield name
    with override(first_supported(user.language)):
        archive.writestr(_entry(_("README.txt")), _readme(user))


def _write_rows(archive: zipfile.ZipFile, name: str, table: data_registry.Table, user: User) -> None:
    """Write the rows of a table as a JSON list, one row a line, with one row in memory at a time."""
    with archive.open(_entry(name), "w") as file:
        separator = b"[\n"
        for row in table.export(user):
            file.write(separator + json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False).encode())
            separator = b",\n"
        file.write(b"\n]\n" if separator == b",\n" else b"[]\n")


def _entry(name: str, at: FileTime = EPOCH) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, at)
    entry.external_attr = 0o644 << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _readme(user: User) -> str:
    paragraphs = [
        _("Everything Tablero stores about %(name)s.") % {"name": user.username},
        _("data/ has one file per database table, with your rows as JSON. Times are in UTC."),
        _(
            "matches/ has one file per finished match: .mat for backgammon, which most backgammon "
            "software reads; .pdn for draughts; and .json for the rest, which Tablero can import "
            "again."
        ),
        _("Not included: your password (only a hash of it is stored), other secrets, and other people's private data."),
    ]
    return "\n\n".join(paragraphs) + "\n"
