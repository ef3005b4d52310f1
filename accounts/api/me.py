"""Oneself: who asks, how he likes to play, and the programs that may act for him."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import programs, services
from accounts.api.access import member, player
from accounts.api.bodies import Body, Paged, Query, body_of, query_of, row_number
from accounts.api.pages import page_of, slice_of
from accounts.api.people import KINDS, kind_of
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, must_match, tag_of, tagged, unchanged, who
from accounts.models import PersonalToken, User
from accounts.programs import Grant, LetIn
from accounts.scopes import SCOPES

TAGS = ["me"]
LANGUAGES = [("", "as the browser asks"), *((code, str(name)) for code, name in settings.LANGUAGES)]


class MeSerializer(serializers.Serializer[Any]):
    """Who asks, and what this request may do: `scopes` of its token, all of them for a log-in in the browser."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=list(SCOPES)))
    token = serializers.ChoiceField(
        choices=[programs.BOT, programs.PERSONAL, programs.OAUTH],
        allow_null=True,
        help_text="The kind of its token; null for a log-in in the browser.",
    )


class Me(ApiView):
    """Who asks."""

    access = {"GET": player("read")}

    @extend_schema(operation_id="me", responses=MeSerializer, tags=TAGS)
    def get(self, request: Request) -> Response:
        query_of(Query, request)
        user, grant = who(request), request.auth
        opened = grant.scopes if isinstance(grant, Grant) else frozenset(SCOPES)
        return Response(
            {
                "name": user.username,
                "kind": kind_of(user),
                "scopes": [word for word in SCOPES if word in opened],
                "token": grant.kind if isinstance(grant, Grant) else None,
            }
        )


class _Preferences(Body):
    language = serializers.ChoiceField(choices=LANGUAGES, required=False)
    theme = serializers.ChoiceField(choices=User.Theme.values, required=False)
    direction = serializers.ChoiceField(
        choices=User.Direction.values, required=False, help_text="ccw: home on the right."
    )
    sound = serializers.BooleanField(required=False)
    auto_roll = serializers.BooleanField(required=False)
    auto_forced = serializers.BooleanField(required=False)
    confirm = serializers.BooleanField(required=False)


class PreferencesBody(_Preferences):
    """What is to be another way; the rest stays."""


class PreferencesSerializer(serializers.Serializer[Any]):
    """How one likes to play and to be spoken to."""

    language = serializers.ChoiceField(choices=LANGUAGES)
    theme = serializers.ChoiceField(choices=User.Theme.values)
    direction = serializers.ChoiceField(choices=User.Direction.values)
    sound = serializers.BooleanField()
    auto_roll = serializers.BooleanField()
    auto_forced = serializers.BooleanField()
    confirm = serializers.BooleanField()


def _preferences(user: User) -> tuple[dict[str, Any], str]:
    told = {name: getattr(user, name) for name in services.PREFERENCES}
    return told, tag_of("preferences", user.pk, *told.values())


class Preferences(ApiView):
    """How one likes to play. With `If-Match` nothing is changed that is no longer as it was seen."""

    access = {"GET": player("read"), "PATCH": player("settings")}

    @extend_schema(operation_id="preferences", responses=PreferencesSerializer, tags=TAGS)
    def get(self, request: Request) -> Response:
        query_of(Query, request)
        told, tag = _preferences(who(request))
        return unchanged(request, tag) or tagged(told, tag)

    @extend_schema(
        operation_id="preferences_change", request=PreferencesBody, responses=PreferencesSerializer, tags=TAGS
    )
    def patch(self, request: Request) -> Response:
        user = who(request)
        must_match(request, _preferences(user)[1])
        chosen = body_of(PreferencesBody, request)
        if chosen:
            services.preferences_save(user=user, **chosen)
        told, tag = _preferences(user)
        return tagged(told, tag)


# Programs


class TokenSerializer(serializers.Serializer[Any]):
    """A token that one made for a program. Its text is shown once, where it is made: in the settings."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    tail = serializers.CharField(help_text="Its last four characters.")
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=list(SCOPES)))
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")


def _token(token: PersonalToken) -> dict[str, Any]:
    return {
        "id": token.pk,
        "name": token.name,
        "tail": token.tail,
        "scopes": token.scopes.split(),
        "made_at": token.made_at,
        "expires_at": token.expires_at,
        "used_at": token.used_at,
    }


class Tokens(ApiView):
    """One's own tokens. A new one is made on the page of the settings alone: no token begets another."""

    access = {"GET": member("settings", "read")}

    @extend_schema(operation_id="tokens", parameters=[Paged], responses=page_answer(TokenSerializer), tags=TAGS)
    def get(self, request: Request) -> Response:
        asked = query_of(Paged, request)
        rows = programs.tokens_of(who(request))
        return page_of(rows, by=("-made_at", "-pk"), asked=asked, told=lambda found: [_token(one) for one in found])


class Token(ApiView):
    """One of one's own tokens."""

    access = {"DELETE": member("settings")}

    @extend_schema(operation_id="token_revoke", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, token_id: int) -> Response:
        programs.token_revoke(user=who(request), token_id=row_number(token_id))
        return Response(status=204)


class ProgramSerializer(serializers.Serializer[Any]):
    """A program that one let in by OAuth, and what it may do."""

    id = serializers.CharField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=list(SCOPES)))


def _program(found: LetIn) -> dict[str, Any]:
    return {"id": found.id, "name": found.name, "scopes": list(found.scopes)}


class Programs(ApiView):
    """The programs that one let in by OAuth."""

    access = {"GET": member("settings", "read")}

    @extend_schema(operation_id="programs", parameters=[Paged], responses=page_answer(ProgramSerializer), tags=TAGS)
    def get(self, request: Request) -> Response:
        asked = query_of(Paged, request)
        rows = programs.clients_of(who(request))
        return slice_of(rows, name="programs", asked=asked, told=lambda found: [_program(one) for one in found])


class Program(ApiView):
    """A program that one let in."""

    access = {"DELETE": member("settings")}

    @extend_schema(operation_id="program_forget", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, client_id: str) -> Response:
        programs.client_forget(user=who(request), client_id=client_id)
        return Response(status=204)
