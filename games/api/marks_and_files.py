"""Marks on matches, the import of match files, and the archive of all matches."""

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
from accounts.api.views import ApiView, current_user
from games import formats, labels, services
from games.api.fields import conflict_response
from games.api.match_serializers import MarkSerializer
from games.errors import Refused
from games.formats import FormatError
from games.formats.decoding import MOST_BYTES, MOST_TEXT
from games.models import ArchiveExport, Match
from games.selectors import exports, history
from games.selectors.matches import visible_match
from games.services.marks import MAX_NOTE_LENGTH, MAX_TAG_LENGTH, MAX_TAGS

MOST_FAULTS = 30


class MarkBody(bodies.Body):
    """The marks to change; omitted fields stay as they are."""

    favourite = serializers.BooleanField(required=False)
    note = serializers.CharField(required=False, allow_blank=True, max_length=MAX_NOTE_LENGTH)
    tags = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TAG_LENGTH), required=False, max_length=MAX_TAGS
    )


class Mark(ApiView):
    """Your marks on a match: a star, a note, tags. They are private."""

    access: ClassVar = {"GET": access.player("read"), "PATCH": access.player("play", "write")}

    @extend_schema(responses={200: MarkSerializer, **conflict_response()}, operation_id="match_mark", tags=["me"])
    def get(self, request: Request, match_id: str) -> Response:
        """Your marks on a match that you played or imported."""
        match = visible_match(match_id=match_id, user=current_user(request))
        if not history.may_mark(match, current_user(request)):
            raise Refused("not_yours" if match.status == Match.Status.OVER else "not_over")
        return _mark_response(request, match_id)

    @extend_schema(request=MarkBody, responses={200: MarkSerializer}, operation_id="match_mark_change", tags=["me"])
    def patch(self, request: Request, match_id: str) -> Response:
        """Change your marks on a match: given fields are set, the rest stays."""
        services.match_mark(match_id=match_id, user=current_user(request), **bodies.body_of(MarkBody, request))
        return _mark_response(request, match_id)


def _mark_response(request: Request, match_id: str) -> Response:
    return Response(MarkSerializer(history.marks_of(current_user(request), [match_id])[match_id]).data)


# Imports


class ImportBody(bodies.Body):
    """A match file of another program as text. A longer one is uploaded."""

    text = serializers.CharField(max_length=MOST_TEXT, trim_whitespace=False)


class ImportFile(bodies.Body):
    """A match file of another program as an upload."""

    file = serializers.FileField(help_text=f"At most {MOST_BYTES} bytes of SGF, {MOST_TEXT} of other formats.")


class FaultSerializer(serializers.Serializer[Any]):
    """A fault or a warning about a play of a file."""

    game = serializers.IntegerField()
    move = serializers.IntegerField()
    play = serializers.CharField(source="text", allow_blank=True)
    code = serializers.CharField()
    ruling = serializers.CharField(allow_blank=True)
    reason = serializers.SerializerMethodField()

    def get_reason(self, fault: Any) -> str:
        return labels.sentence(fault.code, fault.params)


class ImportedSerializer(serializers.Serializer[Any]):
    """The imported match, and the warnings while it was read."""

    id = serializers.CharField()
    warnings = FaultSerializer(many=True)


class ImportRefusedSerializer(serializers.Serializer[Any]):
    """Why a file was not imported; nothing of it was saved."""

    code = serializers.CharField()
    ruling = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    faults = FaultSerializer(many=True, required=False)


class Import(ApiView):
    """Import a match file (.mat, .sgf, .pdn or our .json): the whole match, or a report of its faults."""

    access: ClassVar = {"POST": access.member("analysis", "import")}
    parser_classes = (JsonParser, MultiPartParser)

    @extend_schema(
        request={"application/json": ImportBody, "multipart/form-data": ImportFile},
        responses={200: ImportedSerializer, 409: ImportRefusedSerializer},
        operation_id="match_import",
        tags=["matches"],
    )
    def post(self, request: Request) -> Response:
        data, name = self._upload(request)
        try:
            reading = formats.read(data, name)
            if reading.record is None:
                return _import_refused(
                    "bad_match", labels.sentence(reading.faults[0].code, reading.faults[0].params), reading
                )
            match = services.match_import(
                creator=current_user(request), record=reading.record, source=reading.format, data=data
            )
        except FormatError as error:
            return _import_refused(error.code, labels.sentence(error.code, error.params))
        return Response(ImportedSerializer({"id": match.pk, "warnings": reading.warnings[:MOST_FAULTS]}).data)

    def _upload(self, request: Request) -> tuple[bytes, str]:
        """The bytes and the name of the file; of a file that is too large only one byte more than allowed."""
        if request.content_type.startswith("multipart/"):
            file = bodies.body_of(ImportFile, request)["file"]
            return file.read(MOST_BYTES + 1), file.name or ""
        return bodies.body_of(ImportBody, request)["text"].encode("utf-8", "replace"), ""


def _import_refused(code: str, text: str, reading: Any = None) -> Response:
    faults = FaultSerializer(reading.faults[:MOST_FAULTS], many=True).data if reading else []
    return Response({"code": code, "ruling": "", "text": text, "faults": faults}, status=409)


# The archive


class ExportSerializer(serializers.Serializer[Any]):
    """A requested archive: `done` of `total` matches are in it; `url` once it can be downloaded."""

    status = serializers.ChoiceField(choices=ArchiveExport.Status.choices)
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    asked_at = serializers.DateTimeField()
    url = serializers.SerializerMethodField()

    def get_url(self, export: ArchiveExport) -> str | None:
        ready = export.status == ArchiveExport.Status.READY
        return reverse("archive-file", args=[export.pk]) if ready else None


class ArchiveSerializer(serializers.Serializer[Any]):
    """The archive that can be downloaded, and the last requested one."""

    ready = ExportSerializer(allow_null=True)
    last = ExportSerializer(allow_null=True)


class Archive(ApiView):
    """Your archive of all matches as a file."""

    access: ClassVar = {"GET": access.player("read"), "POST": access.player("play", "import")}

    @extend_schema(responses={200: ArchiveSerializer}, operation_id="archive", tags=["me"])
    def get(self, request: Request) -> Response:
        """The progress of your archive, and its URL."""
        return _archive_response(request)

    @extend_schema(request=None, responses={202: ArchiveSerializer}, operation_id="archive_ask", tags=["me"])
    def post(self, request: Request) -> Response:
        """Request your archive; a worker writes it."""
        services.archive_request(user=current_user(request))
        return _archive_response(request, 202)


def _archive_response(request: Request, status: int = 200) -> Response:
    ready, last = exports.latest_exports(current_user(request))
    return Response(ArchiveSerializer({"ready": ready, "last": last}).data, status=status)
