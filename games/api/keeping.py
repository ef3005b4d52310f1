"""What a player keeps: marks on matches, matches out of files, and the archive of all of them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.parsers import JsonParser
from accounts.api.views import ApiView, who
from games import formats, services, words
from games.api.common import cannot
from games.api.rows import MarkSerializer
from games.errors import Refused
from games.formats import FormatError
from games.formats.text import MOST_BYTES
from games.models import ArchiveExport, Match
from games.selectors import exports, history, lists
from games.services.history import LONGEST_NOTE, LONGEST_TAG, MOST_TAGS

MOST_FAULTS = 30


class MarkBody(bodies.Body):
    """What to keep about a match; what is not said stays as it is."""

    favourite = serializers.BooleanField(required=False)
    note = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_NOTE)
    tags = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_TAG), required=False, max_length=MOST_TAGS
    )


class Mark(ApiView):
    """What one keeps about a match: a star, a note, tags. Nobody else sees it."""

    access: ClassVar = {"GET": access.player("read"), "PATCH": access.player("play", "write")}

    @extend_schema(responses={200: MarkSerializer, **cannot()}, operation_id="match_mark", tags=["me"])
    def get(self, request: Request, match_id: str) -> Response:
        """What I keep about a match that I played or brought in."""
        match = lists.match_seen(match_id=match_id, user=who(request))
        if not history.may_mark(match, who(request)):
            raise Refused("not_yours" if match.status == Match.Status.OVER else "not_over")
        return _mark(request, match_id)

    @extend_schema(request=MarkBody, responses={200: MarkSerializer}, operation_id="match_mark_change", tags=["me"])
    def patch(self, request: Request, match_id: str) -> Response:
        """Keep something about a match: what is said is set, the rest stays."""
        services.match_mark(match_id=match_id, user=who(request), **bodies.body_of(MarkBody, request))
        return _mark(request, match_id)


def _mark(request: Request, match_id: str) -> Response:
    return Response(MarkSerializer(history.marks_of(who(request), [match_id])[match_id]).data)


# Matches out of files


class ImportBody(bodies.Body):
    """The text of a match of another program."""

    text = serializers.CharField(max_length=MOST_BYTES, trim_whitespace=False)


class ImportFile(bodies.Body):
    """The file of a match of another program, as a form sends it."""

    file = serializers.FileField(help_text=f"At most {MOST_BYTES} bytes.")


class FaultSerializer(serializers.Serializer[Any]):
    """What is wrong with a play of a file, or was only noted."""

    game = serializers.IntegerField()
    move = serializers.IntegerField()
    play = serializers.CharField(source="text", allow_blank=True)
    code = serializers.CharField()
    ruling = serializers.CharField(allow_blank=True)
    reason = serializers.SerializerMethodField()

    def get_reason(self, fault: Any) -> str:
        return words.sentence(fault.code, fault.params)


class ImportedSerializer(serializers.Serializer[Any]):
    """The match that is now in one's archive, and what was noted while it was read."""

    id = serializers.CharField()
    warnings = FaultSerializer(many=True)


class UnreadSerializer(serializers.Serializer[Any]):
    """Why a match was not taken in: nothing of it was."""

    code = serializers.CharField()
    ruling = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    faults = FaultSerializer(many=True, required=False)


class Import(ApiView):
    """Bring in a match of another program (.mat, .sgf, .pdn, our .json): all of it, or a report of what is wrong."""

    access: ClassVar = {"POST": access.member("analysis", "import")}
    parser_classes = (JsonParser, MultiPartParser)

    @extend_schema(
        request={"application/json": ImportBody, "multipart/form-data": ImportFile},
        responses={200: ImportedSerializer, 409: UnreadSerializer},
        operation_id="match_import",
        tags=["matches"],
    )
    def post(self, request: Request) -> Response:
        data, name = self._given(request)
        try:
            reading = formats.read(data, name)
            if reading.record is None:
                return _unread("bad_match", words.sentence(reading.faults[0].code, reading.faults[0].params), reading)
            match = services.match_import(creator=who(request), record=reading.record, source=reading.format, data=data)
        except FormatError as error:
            return _unread(error.code, words.sentence(error.code, error.params))
        return Response(ImportedSerializer({"id": match.pk, "warnings": reading.warnings[:MOST_FAULTS]}).data)

    def _given(self, request: Request) -> tuple[bytes, str]:
        """The bytes and the name of the file; of one that is too large only as much as proves it."""
        if request.content_type.startswith("multipart/"):
            file = bodies.body_of(ImportFile, request)["file"]
            return file.read(MOST_BYTES + 1), file.name or ""
        return bodies.body_of(ImportBody, request)["text"].encode("utf-8", "replace"), ""


def _unread(code: str, text: str, reading: Any = None) -> Response:
    faults = FaultSerializer(reading.faults[:MOST_FAULTS], many=True).data if reading else []
    return Response({"code": code, "ruling": "", "text": text, "faults": faults}, status=409)


# The archive


class ExportSerializer(serializers.Serializer[Any]):
    """An archive that was asked for: `done` of `total` matches are in it; `url` once it can be fetched."""

    status = serializers.ChoiceField(choices=ArchiveExport.Status.choices)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    asked_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, export: ArchiveExport) -> str | None:
        ready = export.status == ArchiveExport.Status.READY
        return reverse("archive-file", args=[export.pk]) if ready else None


class ArchiveSerializer(serializers.Serializer[Any]):
    """The archive that can be fetched, and what became of the last one that was asked for."""

    ready = ExportSerializer(allow_null=True)
    last = ExportSerializer(allow_null=True)


class Archive(ApiView):
    """One's whole archive as a file."""

    access: ClassVar = {"GET": access.player("read"), "POST": access.player("play", "import")}

    @extend_schema(responses={200: ArchiveSerializer}, operation_id="archive", tags=["me"])
    def get(self, request: Request) -> Response:
        """How far one's archive is, and where it is fetched."""
        return _archive(request)

    @extend_schema(request=None, responses={202: ArchiveSerializer}, operation_id="archive_ask", tags=["me"])
    def post(self, request: Request) -> Response:
        """Ask for one's archive; a worker writes it."""
        services.archive_ask(user=who(request))
        return _archive(request, 202)


def _archive(request: Request, status: int = 200) -> Response:
    ready, last = exports.latest(who(request))
    return Response(ArchiveSerializer({"ready": ready, "last": last}).data, status=status)
