"""The receipts of a tournament, for its directors."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user
from tournaments.selectors.receipts import receipts


class ReceiptSerializer(serializers.Serializer[Any]):
    """An entrant and their fee: who took it and when, or null: to pay, or recorded by nobody any more."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    paid = serializers.BooleanField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)


class ReceiptsSerializer(serializers.Serializer[Any]):
    """The receipts, first those who have to pay. Amounts are formatted text."""

    fee = serializers.CharField(allow_blank=True)
    collected = serializers.CharField()
    outstanding = serializers.CharField()
    rows = ReceiptSerializer(many=True)


class Receipts(ApiView):
    """Who has paid the entry fee, who took it and when, and who has to pay."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=ReceiptsSerializer, operation_id="desk_receipts", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        return Response(ReceiptsSerializer(receipts(tournament_id=tournament_id, user=current_user(request))).data)
