"""The authenticated user: identity, preferences, API tokens and authorised apps."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import member, player
from accounts.api.bodies import Body, Paged, Query, body_of, query_of, valid_pk
from accounts.api.pagination import paginate_list, paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.users import KINDS, kind_of
from accounts.api.views import ApiView, check_if_match, current_user, etag_for, not_modified, with_etag
from accounts.models import FEDERATION_NUMBER, LONGEST_FEDERATION_NUMBER, PersonalToken, User
from accounts.programs import credentials
from accounts.programs import selectors as program_selectors
from accounts.programs import services as programs
from accounts.programs.credentials import Credential
from accounts.programs.scopes import SCOPES
from accounts.programs.selectors import AuthorisedApp
from accounts.users import services as users

TAGS = ["me"]
LANGUAGES = [("", "as the browser asks"), *((code, str(name)) for code, name in settings.LANGUAGES)]


class MeSerializer(serializers.Serializer[Any]):
    """The user, and the `scopes` of the request: those of its token, all of them for a browser session."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=list(SCOPES)))
    token = serializers.ChoiceField(
        choices=[credentials.BOT, credentials.PERSONAL, credentials.OAUTH],
        allow_null=True,
        help_text="The kind of its token; null for a browser session.",
    )


class Me(ApiView):
    """The authenticated user."""

    access = {"GET": player("read")}

    @extend_schema(operation_id="me", responses=MeSerializer, tags=TAGS)
    def get(self, request: Request) -> Response:
        query_of(Query, request)
        user, credential = current_user(request), request.auth
        scopes = credential.scopes if isinstance(credential, Credential) else frozenset(SCOPES)
        return Response(
            {
                "name": user.username,
                "kind": kind_of(user),
                "scopes": [scope for scope in SCOPES if scope in scopes],
                "token": credential.kind if isinstance(credential, Credential) else None,
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
    board = serializers.ChoiceField(choices=User.Board.values, required=False)
    checkers = serializers.ChoiceField(choices=User.Checkers.values, required=False)
    dice = serializers.ChoiceField(choices=User.Dice.values, required=False, help_text="Dice and cube.")
    animation = serializers.ChoiceField(choices=User.Animation.values, required=False)
    volume = serializers.IntegerField(min_value=0, max_value=100, required=False, help_text="Of sounds, in percent.")
    haptics = serializers.BooleanField(required=False)
    federation_number = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_FEDERATION_NUMBER,
        validators=[FEDERATION_NUMBER],
        help_text="Of a backgammon federation; for the directors of one's tournaments and clubs.",
    )


class PreferencesBody(_Preferences):
    """The changes; the rest stays."""


class PreferencesSerializer(serializers.Serializer[Any]):
    """The preferences of a user."""

    language = serializers.ChoiceField(choices=LANGUAGES)
    theme = serializers.ChoiceField(choices=User.Theme.values)
    direction = serializers.ChoiceField(choices=User.Direction.values)
    sound = serializers.BooleanField()
    auto_roll = serializers.BooleanField()
    auto_forced = serializers.BooleanField()
    confirm = serializers.BooleanField()
    board = serializers.ChoiceField(choices=User.Board.values)
    checkers = serializers.ChoiceField(choices=User.Checkers.values)
    dice = serializers.ChoiceField(choices=User.Dice.values)
    animation = serializers.ChoiceField(choices=User.Animation.values)
    volume = serializers.IntegerField()
    haptics = serializers.BooleanField()
    federation_number = serializers.CharField(allow_blank=True)


def _serialize_preferences(user: User) -> tuple[dict[str, Any], str]:
    values = {name: getattr(user, name) for name in users.PREFERENCES}
    return values, etag_for("preferences", user.pk, *values.values())


class Preferences(ApiView):
    """The preferences of the user. With `If-Match` a stale change is refused."""

    access = {"GET": player("read"), "PATCH": player("settings")}

    @extend_schema(operation_id="preferences", responses=PreferencesSerializer, tags=TAGS)
    def get(self, request: Request) -> Response:
        query_of(Query, request)
        values, tag = _serialize_preferences(current_user(request))
        return not_modified(request, tag) or with_etag(values, tag)

    @extend_schema(
        operation_id="preferences_change", request=PreferencesBody, responses=PreferencesSerializer, tags=TAGS
    )
    def patch(self, request: Request) -> Response:
        user = current_user(request)
        check_if_match(request, _serialize_preferences(user)[1])
        chosen = body_of(PreferencesBody, request)
        if chosen:
            users.preferences_save(user=user, **chosen)
        values, tag = _serialize_preferences(user)
        return with_etag(values, tag)


# Tokens and apps


class TokenSerializer(serializers.Serializer[Any]):
    """A personal token. Its text is shown once, where it is created: in the settings."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    tail = serializers.CharField(help_text="Its last four characters.")
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=list(SCOPES)))
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    used_at = serializers.DateTimeField(allow_null=True, help_text="To the minute.")


def _serialize_token(token: PersonalToken) -> dict[str, Any]:
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
    """The user's tokens. New ones are created on the page of the settings only: no token can create another."""

    access = {"GET": member("settings", "read")}

    @extend_schema(operation_id="tokens", parameters=[Paged], responses=page_serializer(TokenSerializer), tags=TAGS)
    def get(self, request: Request) -> Response:
        page = query_of(Paged, request)
        rows = program_selectors.tokens_of(current_user(request))
        return paginate_queryset(
            rows,
            by=("-made_at", "-pk"),
            query=page,
            serialize=lambda found: [_serialize_token(token) for token in found],
        )


class Token(ApiView):
    """One of the user's tokens."""

    access = {"DELETE": member("settings")}

    @extend_schema(operation_id="token_revoke", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, token_id: int) -> Response:
        programs.token_revoke(user=current_user(request), token_id=valid_pk(token_id))
        return Response(status=204)


class ProgramSerializer(serializers.Serializer[Any]):
    """An app that the user authorised by OAuth, and its scopes."""

    id = serializers.CharField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=list(SCOPES)))


def _serialize_program(app: AuthorisedApp) -> dict[str, Any]:
    return {"id": app.id, "name": app.name, "scopes": list(app.scopes)}


class Programs(ApiView):
    """The apps that the user authorised by OAuth."""

    access = {"GET": member("settings", "read")}

    @extend_schema(operation_id="programs", parameters=[Paged], responses=page_serializer(ProgramSerializer), tags=TAGS)
    def get(self, request: Request) -> Response:
        page = query_of(Paged, request)
        rows = program_selectors.authorised_apps(current_user(request))
        return paginate_list(
            rows,
            name="programs",
            query=page,
            serialize=lambda found: [_serialize_program(program) for program in found],
        )


class Program(ApiView):
    """An authorised app."""

    access = {"DELETE": member("settings")}

    @extend_schema(operation_id="program_forget", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, client_id: str) -> Response:
        programs.client_revoke(user=current_user(request), client_id=client_id)
        return Response(status=204)
