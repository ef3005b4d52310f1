"""The contents of a player's archive: a file for each match, a table of all matches, their marks, and a readme."""

from __future__ import annotations

import csv
import io
import json
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from accounts.web.csv_escape import escape_cell
from backgammon.languages import first_supported
from games import formats, labels
from games.formats import FormatError
from games.models import ArchiveExport, Match, MatchMark, MatchTag
from games.selectors import match_files
from games.selectors.matches import with_seats
from games.services.exports import matches_of

FOLDER = "matches/"
SLICE_SECONDS = 1.0
ZipTime = tuple[int, int, int, int, int, int]
EARLIEST: ZipTime = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip archive can store."""
COLUMNS = (
    *("file", "match", "started", "ended", "game", "length", "clock", "rated", "white", "black", "white_points"),
    *("black_points", "winner", "ended_by", "part_of", "source"),
)


@dataclass(frozen=True, slots=True)
class ArchivePart:
    """A partly written archive: its bytes, how many matches are in it, and whether it is complete."""

    body: bytes
    done: int
    finished: bool


def write_archive(user: User, body: bytes = b"", *, seconds: float = SLICE_SECONDS) -> ArchivePart:
    """Add matches of `user` to the archive `body`, for about so many seconds.

    The whole archive of any user is `write_archive(user, seconds=math.inf).body`.
    """
    end = time.monotonic() + seconds
    file = io.BytesIO(body)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        names = {_match_id(name): name for name in archive.namelist() if name.startswith(FOLDER)}
        missing = [pk for pk in matches_of(user).values_list("pk", flat=True) if pk not in names]
        for done, match_id in enumerate(missing):
            if done and time.monotonic() > end:
                return _unfinished(file, archive, len(names))
            match = exported_matches().get(pk=match_id)
            name, text = match_file(match)
            _add_file(archive, FOLDER + name, text, zip_timestamp(match.ended_at))
            names[match_id] = FOLDER + name
        for name, text in _summary_files(user, names):
            _add_file(archive, name, text)
    return ArchivePart(file.getvalue(), len(names), finished=True)


def _unfinished(file: io.BytesIO, archive: zipfile.ZipFile, done: int) -> ArchivePart:
    archive.close()  # writes the directory of the file, without which it is no valid zip
    return ArchivePart(file.getvalue(), done, finished=False)


def latest_exports(user: User) -> tuple[ArchiveExport | None, ArchiveExport | None]:
    """The archive of `user` that can be downloaded, and the last requested one; without bodies."""
    rows = list(ArchiveExport.objects.filter(user=user).defer("body").order_by("-asked_at")[:5])
    ready = next((row for row in rows if row.status == ArchiveExport.Status.READY), None)
    return ready, rows[0] if rows else None


def ready_export(user: User, export_id: int) -> ArchiveExport | None:
    """An archive of `user` that can be downloaded, with its body."""
    return ArchiveExport.objects.filter(user=user, pk=export_id, status=ArchiveExport.Status.READY).first()


def exported_matches() -> QuerySet[Match]:
    """All matches with the columns that an archive needs."""
    return with_seats(Match.objects.defer("snapshot", "clock"))


def _add_file(archive: zipfile.ZipFile, name: str, text: str, at: ZipTime = EARLIEST) -> None:
    entry = zipfile.ZipInfo(name, at)
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, text, zipfile.ZIP_DEFLATED)


def match_file(match: Match) -> tuple[str, str]:
    """The file name and the text of a match, in the first format that can hold it; our JSON holds everything.

    An over-the-board match is only a line with its result.
    """
    if match.over_the_board:
        score = ", ".join(f"{seat.name} {labels.points(seat.points)}" for seat in match.seats.all())
        where = _("Played over the board")
        return f"{_stem(match)}.txt", f"{score}. {where}\n"
    record = match_files.record_of(match)
    for kind in match_files.available_formats(match):
        try:
            text = formats.write(record, kind)
        except FormatError:  # this format cannot hold this match
            continue
        return f"{_stem(match)}.{kind}", text
    raise RuntimeError(f"no format holds {match.pk}")


def _stem(match: Match) -> str:
    names = "-".join(slugify(seat.name, allow_unicode=True)[:24] or "x" for seat in match.seats.all())
    day = match.ended_at.strftime("%Y-%m-%d") if match.ended_at else ""
    return f"{day}_{names}_{match.pk}"


def _match_id(name: str) -> str:
    return name.rpartition("_")[2].partition(".")[0]


def zip_timestamp(moment: datetime | None) -> ZipTime:
    """The time of a file in a zip archive, at the earliest 1980."""
    if moment is None or moment.year < EARLIEST[0]:
        return EARLIEST
    return moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second


def _summary_files(user: User, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The table, the marks and the readme, in the player's language."""
    with override(first_supported(user.language)):
        yield "matches.csv", _table(names)
        yield "marks.json", json.dumps(user_marks(user), ensure_ascii=False, indent=1) + "\n"
        yield _("README.txt"), _readme(user, len(names))


def _table(names: dict[str, str]) -> str:
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    ids = list(names)
    for start in range(0, len(ids), 500):
        matches = exported_matches().filter(pk__in=ids[start : start + 500]).in_bulk()
        for pk in ids[start : start + 500]:
            if pk in matches:
                rows.writerow(map(escape_cell, _table_row(matches[pk], names[pk])))
    return text.getvalue()


def _table_row(match: Match, name: str) -> list[Any]:
    white, black = match.seats.all()
    return [
        *(name, match.pk, _iso(match.started_at), _iso(match.ended_at), labels.variant(match.variant), match.length),
        *(match.clock_preset, "yes" if match.rated else "no", white.name, black.name, white.points, black.points),
        *(match.winner, match.ended_by, match.title, match.source),
    ]


def _iso(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""


def user_marks(user: User) -> list[dict[str, Any]]:
    """The marks of a player as JSON, match by match."""
    found: dict[str, dict[str, Any]] = {}
    for mark in MatchMark.objects.filter(user=user).order_by("match"):
        found[mark.match_id] = {"match": mark.match_id, "favourite": mark.favourite, "note": mark.note, "tags": []}
    for tag in MatchTag.objects.filter(user=user).order_by("match", "key"):
        empty = {"match": tag.match_id, "favourite": False, "note": "", "tags": []}
        found.setdefault(tag.match_id, empty)["tags"].append(tag.name)
    return list(found.values())


def _readme(user: User, count: int) -> str:
    paragraphs = [
        _("%(name)s's matches on Tablero: %(count)s.") % {"name": user.username, "count": count},
        _(
            "The matches/ folder has one file per match: .mat for backgammon, which most backgammon "
            "software can open, .pdn for draughts, and .json, which Tablero can import again, for "
            "everything else."
        ),
        _("matches.csv is a table of all your matches. Times are in UTC."),
        _("marks.json has your favourites, notes and tags."),
    ]
    return "\n\n".join(paragraphs) + "\n"
