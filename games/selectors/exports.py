"""What goes into a player's archive: a file for each match, a table of all, his marks, and a page about it."""

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

from django.conf import settings
from django.db.models import Prefetch
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.cells import cell
from accounts.models import User
from games import formats, words
from games.formats import FormatError
from games.models import ArchiveExport, Match, MatchMark, MatchTag, Seat
from games.selectors import archive
from games.services.exports import matches_of

FOLDER = "matches/"
SLICE = 1.0
COLUMNS = (
    *("file", "match", "started", "ended", "game", "length", "clock", "rated", "white", "black", "white_points"),
    *("black_points", "winner", "ended_by", "part_of", "source"),
)


@dataclass(frozen=True, slots=True)
class Slice:
    """An archive after some more work: its bytes, how many matches are in it, and whether that is all."""

    body: bytes
    done: int
    finished: bool


def written(user: User, body: bytes = b"", *, seconds: float = SLICE) -> Slice:
    """The archive of `user` with more matches than `body` holds, after about so many seconds of work.

    The whole archive of any user is `written(user, seconds=math.inf).body`.
    """
    end = time.monotonic() + seconds
    file = io.BytesIO(body)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as made:
        names = {_match_id(name): name for name in made.namelist() if name.startswith(FOLDER)}
        missing = [pk for pk in matches_of(user).values_list("pk", flat=True) if pk not in names]
        for done, match_id in enumerate(missing):
            if done and time.monotonic() > end:
                return _cut(file, made, len(names))
            match = with_seats().get(pk=match_id)
            name, text = file_of(match)
            _put(made, FOLDER + name, text, stamp(match.ended_at))
            names[match_id] = FOLDER + name
        for name, text in _about(user, names):
            _put(made, name, text)
    return Slice(file.getvalue(), len(names), finished=True)


def _cut(file: io.BytesIO, made: zipfile.ZipFile, done: int) -> Slice:
    made.close()  # writes the directory of the file: only then are its bytes a zip
    return Slice(file.getvalue(), done, finished=False)


def latest(user: User) -> tuple[ArchiveExport | None, ArchiveExport | None]:
    """The archive of `user` that can be fetched, and what became of the last one that he asked for; without bodies."""
    rows = list(ArchiveExport.objects.filter(user=user).defer("body").order_by("-asked_at")[:5])
    ready = next((row for row in rows if row.status == ArchiveExport.Status.READY), None)
    return ready, rows[0] if rows else None


def ready(user: User, export_id: int) -> ArchiveExport | None:
    """An archive of `user` that can be fetched, with its body."""
    return ArchiveExport.objects.filter(user=user, pk=export_id, status=ArchiveExport.Status.READY).first()


def with_seats() -> Any:
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("-side"))
    return Match.objects.defer("snapshot", "clock").prefetch_related(seats)


def _put(made: zipfile.ZipFile, name: str, text: str, at: tuple[int, ...] = (1980, 1, 1, 0, 0, 0)) -> None:
    entry = zipfile.ZipInfo(name, at)  # type: ignore[arg-type]
    entry.external_attr = 0o644 << 16
    made.writestr(entry, text, zipfile.ZIP_DEFLATED)


def file_of(match: Match) -> tuple[str, str]:
    """The name and the text of a match, in the first format that holds it; our JSON holds everything.

    Of a match over the board there is only a line that says how it ended.
    """
    if match.on_board:
        score = ", ".join(f"{seat.name} {words.points(seat.points)}" for seat in match.seats.all())
        return f"{_stem(match)}.txt", f"{score}. {_('Played over the board')}\n"
    record = archive.record_of(match)
    for kind in archive.kinds(match):
        try:
            text = formats.write(record, kind)
        except FormatError:  # this format turned out not to hold what happened
            continue
        return f"{_stem(match)}.{kind}", text
    raise RuntimeError(f"no format holds {match.pk}")


def _stem(match: Match) -> str:
    names = "-".join(slugify(seat.name, allow_unicode=True)[:24] or "x" for seat in match.seats.all())
    day = match.ended_at.strftime("%Y-%m-%d") if match.ended_at else ""
    return f"{day}_{names}_{match.pk}"


def _match_id(name: str) -> str:
    return name.rpartition("_")[2].partition(".")[0]


def stamp(moment: datetime | None) -> tuple[int, ...]:
    """The time of a file in a zip, which knows none before 1980."""
    return (1980, 1, 1, 0, 0, 0) if moment is None or moment.year < 1980 else moment.timetuple()[:6]


def _about(user: User, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The table, the marks and the page that explains both, in the player's language."""
    with override(user.language or settings.LANGUAGE_CODE):
        yield "matches.csv", _table(names)
        yield "marks.json", json.dumps(marks(user), ensure_ascii=False, indent=1) + "\n"
        yield _("README.txt"), _readme(user, len(names))


def _table(names: dict[str, str]) -> str:
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    ids = list(names)
    for start in range(0, len(ids), 500):
        some = with_seats().filter(pk__in=ids[start : start + 500]).in_bulk()
        for pk in ids[start : start + 500]:
            if pk in some:
                rows.writerow(map(cell, _line(some[pk], names[pk])))
    return text.getvalue()


def _line(match: Match, name: str) -> list[Any]:
    white, black = match.seats.all()
    return [
        *(name, match.pk, _iso(match.started_at), _iso(match.ended_at), words.variant(match.variant), match.length),
        *(match.clock_preset, "yes" if match.rated else "no", white.name, black.name, white.points, black.points),
        *(match.winner, match.ended_by, match.title, match.source),
    ]


def _iso(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""


def marks(user: User) -> list[dict[str, Any]]:
    """The marks of a player as plain values, match by match."""
    found: dict[str, dict[str, Any]] = {}
    for mark in MatchMark.objects.filter(user=user).order_by("match"):
        found[mark.match_id] = {"match": mark.match_id, "favourite": mark.favourite, "note": mark.note, "tags": []}
    for tag in MatchTag.objects.filter(user=user).order_by("match", "key"):
        empty = {"match": tag.match_id, "favourite": False, "note": "", "tags": []}
        found.setdefault(tag.match_id, empty)["tags"].append(tag.name)
    return list(found.values())


def _readme(user: User, count: int) -> str:
    said = [
        _("The matches of %(name)s on Tablero: %(count)s.") % {"name": user.username, "count": count},
        _(
            "matches/ has a file for each. Backgammon is .mat, which most programs read; draughts is .pdn; what "
            "neither can hold is .json, which Tablero reads again."
        ),
        _("matches.csv is a table of all of them. Times are in UTC."),
        _("marks.json has your favourites, notes and tags."),
    ]
    return "\n\n".join(said) + "\n"
