"""The templates of a club, for its directors, with the form and the services of the pages."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import valid_pk
from accounts.api.views import ApiView, check_if_match, current_user, etag_for, not_modified, with_etag
from accounts.models import Club
from games.api.fields import choice, serialize_many
from tournaments.api.clubs import directed_club
from tournaments.api.settings import TemplateSettingsBody, TemplateSettingsSerializer, filled_form, serialize_answers
from tournaments.api.setup import invalid_as_refused
from tournaments.errors import Refused
from tournaments.forms.clubs import answers_of_template
from tournaments.forms.settings import TournamentForm
from tournaments.models import EventTemplate
from tournaments.presets import DEFAULT_PRESET, PRESETS
from tournaments.roles import DeskAct
from tournaments.selectors import lookups
from tournaments.selectors.recurring_events import template_rows
from tournaments.services import recurring

TAGS = ["clubs"]


class TemplateRowSerializer(serializers.Serializer[Any]):
    """A template: its number, and a summary in words."""

    id = serializers.IntegerField(source="template.pk")
    name = serializers.CharField(source="template.name")
    facts = serializers.CharField(source="summary")


class TemplateSerializer(serializers.Serializer[Any]):
    """A template with its settings."""

    id = serializers.IntegerField()
    settings = TemplateSettingsSerializer()


class TemplateBody(TemplateSettingsBody):
    """A template to create: settings on top of a preset."""

    name = serializers.CharField(max_length=recurring.LONGEST_NAME)
    blueprint = choice(PRESETS, "The preset to start from.", required=False)


class TemplateNameBody(bodies.Body):
    """The name of the template."""

    name = serializers.CharField(max_length=recurring.LONGEST_NAME, required=False, help_text="As the tournament.")


def _template_with_etag(template: EventTemplate) -> tuple[dict[str, Any], str]:
    """A template with its settings, and their entity tag."""
    chosen = {"id": template.pk, "settings": serialize_answers(answers_of_template(template), dated=False)}
    return chosen, etag_for("template", chosen)


def template_or_refused(club: Club, template_id: int) -> EventTemplate:
    """A template of a club. Raises Refused("no_template")."""
    found = club.event_templates.filter(pk=valid_pk(template_id)).first()
    if found is None:
        raise Refused("no_template")
    return found


def _template_kwargs(form: TournamentForm, starts_itself: bool) -> dict[str, Any]:
    """Keyword arguments of `template_save`; every occurrence has a start, so that any can start automatically."""
    kwargs = {name: value for name, value in form.kwargs().items() if name in ("name", "terms", *recurring.FACTS)}
    return {**kwargs, "starts_itself": starts_itself}


class Templates(ApiView):
    """The templates of a club; and a new one."""

    access: ClassVar = {"GET": access.member("read"), "POST": access.member("club")}

    @extend_schema(responses=TemplateRowSerializer(many=True), operation_id="templates", tags=TAGS)
    def get(self, request: Request, slug: str) -> Response:
        """The templates of a club by name, for its directors."""
        bodies.query_of(bodies.Query, request)
        return Response(serialize_many(TemplateRowSerializer, template_rows(directed_club(request, slug))))

    @extend_schema(request=TemplateBody, responses={201: TemplateSerializer}, operation_id="template_make", tags=TAGS)
    def post(self, request: Request, slug: str) -> Response:
        """Create a template."""
        data = bodies.body_of(TemplateBody, request)
        club = directed_club(request, slug)
        answers = {
            "timezone": club.timezone or settings.TIME_ZONE,
            **PRESETS[data.get("blueprint", DEFAULT_PRESET.key)].answers,
        }
        form = filled_form(answers, data | {"starts_itself": False})
        with invalid_as_refused():
            kwargs = _template_kwargs(form, data.get("starts_itself", False))
            saved = recurring.template_save(club=club, by=current_user(request), **kwargs)
        return Response(_template_with_etag(saved)[0], status=201)


class Template(ApiView):
    """A template of a club. With `If-Match` one that has changed since is neither changed nor deleted."""

    access: ClassVar = {
        "GET": access.member("read"),
        "PATCH": access.member("club"),
        "DELETE": access.member("club"),
    }

    @extend_schema(responses=TemplateSerializer, operation_id="template", tags=TAGS)
    def get(self, request: Request, slug: str, template_id: int) -> Response:
        """A template with its settings."""
        bodies.query_of(bodies.Query, request)
        chosen, tag = _template_with_etag(template_or_refused(directed_club(request, slug), template_id))
        return not_modified(request, tag) or with_etag(chosen, tag)

    @extend_schema(
        request=TemplateSettingsBody, responses=TemplateSerializer, operation_id="template_change", tags=TAGS
    )
    def patch(self, request: Request, slug: str, template_id: int) -> Response:
        """Change a template; settings that are left out stay, and so do all tournaments that were created from it."""
        data = bodies.body_of(TemplateSettingsBody, request)
        club = directed_club(request, slug)
        with transaction.atomic(), invalid_as_refused():
            found = _locked_template(request, club, template_id)
            answers = answers_of_template(found)
            form = filled_form(answers, data | {"starts_itself": False})
            kwargs = _template_kwargs(form, data.get("starts_itself", bool(answers["starts_itself"])))
            saved = recurring.template_save(club=club, by=current_user(request), template_id=found.pk, **kwargs)
        return with_etag(*_template_with_etag(saved))

    @extend_schema(responses={204: None}, operation_id="template_remove", tags=TAGS)
    def delete(self, request: Request, slug: str, template_id: int) -> Response:
        """Delete a template that no recurring event uses."""
        club = directed_club(request, slug)
        with transaction.atomic():
            found = _locked_template(request, club, template_id)
            recurring.template_remove(template_id=found.pk, club=club, by=current_user(request))
        return Response(status=204)


def _locked_template(request: Request, club: Club, template_id: int) -> EventTemplate:
    """A template, locked against other changes. Raises Refused("no_template"), Problem("changed_since")."""
    Club.objects.select_for_update().get(pk=club.pk)
    found = template_or_refused(club, template_id)
    check_if_match(request, _template_with_etag(found)[1])
    return found


class TemplateFromTournament(ApiView):
    """Save the settings of a tournament as a template of its club."""

    access: ClassVar = {"POST": access.member("desk")}

    @extend_schema(
        request=TemplateNameBody, responses={201: TemplateSerializer}, operation_id="desk_template", tags=["desk"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        data = bodies.body_of(TemplateNameBody, request)
        tournament = lookups.desk_tournament(
            tournament_id=tournament_id, user=current_user(request), act=DeskAct.CHANGE_SETTINGS
        )
        with invalid_as_refused():
            saved = recurring.template_save_from_tournament(
                tournament_id=tournament_id, by=current_user(request), name=data.get("name", tournament.name)
            )
        return Response(_template_with_etag(saved)[0], status=201)
