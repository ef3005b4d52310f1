"""The records of a weekend (side pools, auctions, consolation shares), and the prizes of all its tournaments."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import valid_pk
from accounts.api.views import ApiView, current_user, viewer
from games.api.fields import integer
from tournaments.api.serializers import PrizesSerializer
from tournaments.api.weekend_fields import entry_field, weekend_at_desk
from tournaments.api.weekends import DESK, TAGS
from tournaments.models import Weekend
from tournaments.prizes import MOST_CENTS
from tournaments.selectors.weekends import lookups, prizes, records
from tournaments.services.weekend_records import weekend_record_remove, weekend_record_set
from tournaments.weekend_records import LONGEST_CURRENCY, LONGEST_NAME, MOST_PEOPLE, read
from tournaments.weekend_roles import WeekendAct

HUNDREDTHS = "In hundredths of the currency."


def _currency() -> serializers.CharField:
    return serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_CURRENCY)


def _people(about: str) -> serializers.ListField:
    return serializers.ListField(
        child=entry_field(), required=False, default=list, max_length=MOST_PEOPLE, help_text=about
    )


class SidePoolBody(bodies.Body):
    """A side pool over the weekend: its stake, who pays it, and who has won it (they share it equally)."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    stake = integer(HUNDREDTHS, most=MOST_CENTS, required=True)
    currency = _currency()
    people = _people("Entries of those who are in it.")
    winners = _people("Entries of those who have won it.")


class LotBody(bodies.Body):
    """A lot of an auction (Calcutta): a player, who bought them for how much, and the share of the pool they win."""

    player = entry_field("An entry of the player.")
    buyer = serializers.CharField(max_length=LONGEST_NAME)
    price = integer(HUNDREDTHS, most=MOST_CENTS, required=True)
    currency = _currency()
    share = integer("In percent of the pool.", most=100, default=0)


class ConsolationBody(bodies.Body):
    """How much of the prize fund of a tournament goes to its consolation."""

    tournament = serializers.CharField(max_length=16)
    percent = integer("In percent.", most=100, required=True)


class HistoryLineSerializer(serializers.Serializer[Any]):
    """What was recorded, who did it and when; `at` in the time zone of the club, in words."""

    at = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    removed = serializers.BooleanField()


class RecordSerializer(serializers.Serializer[Any]):
    """A record that counts, in words, and what was recorded about it before."""

    ref = serializers.IntegerField(help_text="By which it is corrected or removed.")
    title = serializers.CharField()
    facts = serializers.ListField(child=serializers.CharField())
    history = HistoryLineSerializer(many=True)


class PoolRecordSerializer(RecordSerializer):
    """A side pool."""

    name = serializers.CharField(source="content.name")
    stake = serializers.IntegerField(source="content.stake", help_text=HUNDREDTHS)
    currency = serializers.CharField(source="content.currency", allow_blank=True)
    people = serializers.ListField(child=serializers.IntegerField(), source="content.people")
    winners = serializers.ListField(child=serializers.IntegerField(), source="content.winners")


class LotRecordSerializer(RecordSerializer):
    """A lot of an auction."""

    player = serializers.IntegerField(source="content.player")
    buyer = serializers.CharField(source="content.buyer")
    price = serializers.IntegerField(source="content.price", help_text=HUNDREDTHS)
    currency = serializers.CharField(source="content.currency", allow_blank=True)
    share = serializers.IntegerField(source="content.share", help_text="In percent of the pool.")


class ConsolationRecordSerializer(RecordSerializer):
    """A consolation share."""

    tournament = serializers.CharField(source="content.tournament")
    percent = serializers.IntegerField(source="content.percent")


class RecordsSerializer(serializers.Serializer[Any]):
    """The records of a weekend by kind, and those that were removed. People are entries, by their ids."""

    pools = PoolRecordSerializer(many=True)
    lots = LotRecordSerializer(many=True)
    consolations = ConsolationRecordSerializer(many=True)
    removed = HistoryLineSerializer(many=True)
    auction_total = serializers.CharField(allow_blank=True, help_text="Formatted text.")


def _records(weekend: Weekend, status: int = 200) -> Response:
    return Response(RecordsSerializer(records.records(weekend)).data, status=status)


def _write(request: Request, weekend_id: str, body: type[bodies.Body], kind: str, ref: int | None) -> Weekend:
    """Record what a body says, or correct the record `ref`."""
    data = bodies.body_of(body, request)
    weekend = weekend_at_desk(request, weekend_id, WeekendAct.KEEP_RECORDS)
    content = read(kind, data)
    weekend_record_set(weekend_id=weekend_id, user=current_user(request), content=content, ref=ref)
    return weekend


def _views_of(kind: str, body: type[bodies.Body], title: str) -> tuple[type[ApiView], type[ApiView]]:
    """The views that record something of a kind, and that correct it."""

    class Add(ApiView):
        access: ClassVar = {"POST": DESK}

        @extend_schema(
            request=body,
            responses={201: RecordsSerializer},
            operation_id=f"weekend_{kind}_add",
            tags=TAGS,
            description=f"Record {title}. The site moves no money. The answer has all records of the weekend.",
        )
        def post(self, request: Request, weekend_id: str) -> Response:
            return _records(_write(request, weekend_id, body, kind, None), status=201)

    class Correct(ApiView):
        access: ClassVar = {"PUT": DESK}

        @extend_schema(
            request=body,
            responses=RecordsSerializer,
            operation_id=f"weekend_{kind}_correct",
            tags=TAGS,
            description=f"Correct {title}. What was recorded before stays in its history.",
        )
        def put(self, request: Request, weekend_id: str, ref: int) -> Response:
            return _records(_write(request, weekend_id, body, kind, valid_pk(ref)))

    for view, verb in ((Add, "Record"), (Correct, "Correct")):
        view.__doc__ = f"{verb} {title}."
        view.__name__ = view.__qualname__ = f"Weekend{kind.capitalize()}{verb}"
    return Add, Correct


PoolAdd, PoolCorrect = _views_of("pool", SidePoolBody, "a side pool")
LotAdd, LotCorrect = _views_of("lot", LotBody, "a lot of an auction")
ConsolationAdd, ConsolationCorrect = _views_of("consolation", ConsolationBody, "a consolation share")


class WeekendRecords(ApiView):
    """The records of a weekend with their history, for the directors of its tournaments."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=RecordsSerializer, operation_id="weekend_records", tags=TAGS)
    def get(self, request: Request, weekend_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        return _records(weekend_at_desk(request, weekend_id, WeekendAct.KEEP_RECORDS))


class WeekendRecordRemove(ApiView):
    """Remove a record, which stays in the history."""

    access: ClassVar = {"DELETE": DESK}

    @extend_schema(responses={204: None}, operation_id="weekend_record_remove", tags=TAGS)
    def delete(self, request: Request, weekend_id: str, ref: int) -> Response:
        weekend_at_desk(request, weekend_id, WeekendAct.KEEP_RECORDS)
        weekend_record_remove(weekend_id=weekend_id, user=current_user(request), ref=valid_pk(ref))
        return Response(status=204)


class TournamentPrizesSerializer(PrizesSerializer):
    """The prizes of a tournament of the weekend. Amounts are formatted text."""

    tournament = serializers.CharField()
    total = serializers.CharField(help_text="The prize fund.")
    consolation = serializers.CharField(allow_blank=True, help_text="What of it goes to the consolation.")


class WeekendPrizesSerializer(serializers.Serializer[Any]):
    """The prizes of a weekend, by tournament."""

    tournaments = TournamentPrizesSerializer(many=True)


class WeekendPrizes(ApiView):
    """The prizes of all tournaments of a weekend: to directors all of them, to others those that are shown."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=WeekendPrizesSerializer, operation_id="weekend_prizes", tags=TAGS)
    def get(self, request: Request, weekend_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        seen = lookups.weekend_seen(weekend_id=weekend_id, user=viewer(request))
        found = prizes.weekend_prizes(seen.weekend, everything=WeekendAct.KEEP_RECORDS in seen.may)
        consolations = records.consolation_amounts(records.records(seen.weekend), found)
        return Response(
            {
                "tournaments": [
                    {
                        **PrizesSerializer(each.sheet).data,
                        "tournament": each.tournament.pk,
                        "total": each.sheet.total,
                        "consolation": consolations.get(each.tournament.pk, ""),
                    }
                    for each in found
                ]
            }
        )
