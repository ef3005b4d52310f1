"""The templates of a club's evenings, for who directs it: by the form and the services of the pages."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import row_number
from accounts.api.views import ApiView, must_match, tag_of, tagged, unchanged, who
from accounts.models import Club
from games.api.common import choice, shown
from tournaments.api.making import refusing
from tournaments.api.seasons import directed
from tournaments.api.settings import EveningFacts, EveningSerializer, form_of, told
from tournaments.blueprints import BLUEPRINTS, USUAL
from tournaments.errors import Refused
from tournaments.forms import TournamentForm
from tournaments.forms.clubs import answers_of_template
from tournaments.models import NightTemplate
from tournaments.selectors import clubs, entries
from tournaments.services import nights

TAGS = ["clubs"]


class TemplateRowSerializer(serializers.Serializer[Any]):
    """A template: its number, and what is played, in words."""

    id = serializers.IntegerField(source="template.pk")
    name = serializers.CharField(source="template.name")
    facts = serializers.CharField()


class TemplateSerializer(serializers.Serializer[Any]):
    """A template with what was chosen about it."""

    id = serializers.IntegerField()
    settings = EveningSerializer()


class TemplateBody(EveningFacts):
    """A template to be made: one's own words over a kind of evening."""

    name = serializers.CharField(max_length=nights.LONGEST_NAME)
    blueprint = choice(BLUEPRINTS, "The kind of evening to begin with.", required=False)


class KeepBody(bodies.Body):
    """What the template shall be called."""

    name = serializers.CharField(max_length=nights.LONGEST_NAME, required=False, help_text="As the tournament.")


def _told(template: NightTemplate) -> tuple[dict[str, Any], str]:
    """A template with what was chosen about it, and the tag of both."""
    chosen = {"id": template.pk, "settings": told(answers_of_template(template), dated=False)}
    return chosen, tag_of("template", chosen)


def template_named(club: Club, template_id: int) -> NightTemplate:
    """A template of a club. Raises Refused("no_template")."""
    found = club.night_templates.filter(pk=row_number(template_id)).first()
    if found is None:
        raise Refused("no_template")
    return found


def _facts(form: TournamentForm, starts_itself: bool) -> dict[str, Any]:
    """Keyword arguments of `template_save`; each evening has a time, so that any can start by itself."""
    kept = {name: value for name, value in form.facts().items() if name in ("name", "terms", *nights.FACTS)}
    return {**kept, "starts_itself": starts_itself}


class Templates(ApiView):
    """The templates of a club; and a new one."""

    access: ClassVar = {"GET": access.member("read"), "POST": access.member("club")}

    @extend_schema(responses=TemplateRowSerializer(many=True), operation_id="templates", tags=TAGS)
    def get(self, request: Request, slug: str) -> Response:
        """The templates of a club's evenings, by name, for who directs it."""
        bodies.query_of(bodies.Query, request)
        return Response(shown(TemplateRowSerializer, clubs.templates(directed(request, slug))))

    @extend_schema(request=TemplateBody, responses={201: TemplateSerializer}, operation_id="template_make", tags=TAGS)
    def post(self, request: Request, slug: str) -> Response:
        """Keep a kind of evening, to open tournaments from."""
        said = bodies.body_of(TemplateBody, request)
        club = directed(request, slug)
        answers = {
            "timezone": club.timezone or settings.TIME_ZONE,
            **BLUEPRINTS[said.get("blueprint", USUAL.key)].answers,
        }
        form = form_of(answers, said | {"starts_itself": False})
        with refusing():
            facts = _facts(form, said.get("starts_itself", False))
            saved = nights.template_save(club=club, by=who(request), **facts)
        return Response(_told(saved)[0], status=201)


class Template(ApiView):
    """A template of a club. With `If-Match` nothing is changed or forgotten that is no longer as it was seen."""

    access: ClassVar = {
        "GET": access.member("read"),
        "PATCH": access.member("club"),
        "DELETE": access.member("club"),
    }

    @extend_schema(responses=TemplateSerializer, operation_id="template", tags=TAGS)
    def get(self, request: Request, slug: str, template_id: int) -> Response:
        """A template with what was chosen about it."""
        bodies.query_of(bodies.Query, request)
        chosen, tag = _told(template_named(directed(request, slug), template_id))
        return unchanged(request, tag) or tagged(chosen, tag)

    @extend_schema(request=EveningFacts, responses=TemplateSerializer, operation_id="template_change", tags=TAGS)
    def patch(self, request: Request, slug: str, template_id: int) -> Response:
        """Change a template; what is not named stays, and so does every tournament that was opened from it."""
        said = bodies.body_of(EveningFacts, request)
        club = directed(request, slug)
        with transaction.atomic(), refusing():
            found = _seen(request, club, template_id)
            answers = answers_of_template(found)
            form = form_of(answers, said | {"starts_itself": False})
            facts = _facts(form, said.get("starts_itself", bool(answers["starts_itself"])))
            saved = nights.template_save(club=club, by=who(request), template_id=found.pk, **facts)
        return tagged(*_told(saved))

    @extend_schema(responses={204: None}, operation_id="template_remove", tags=TAGS)
    def delete(self, request: Request, slug: str, template_id: int) -> Response:
        """Forget a template that no night repeats from."""
        club = directed(request, slug)
        with transaction.atomic():
            found = _seen(request, club, template_id)
            nights.template_remove(template_id=found.pk, club=club, by=who(request))
        return Response(status=204)


def _seen(request: Request, club: Club, template_id: int) -> NightTemplate:
    """A template as nobody else changes it meanwhile. Raises Refused("no_template"), Problem("changed_since")."""
    Club.objects.select_for_update().get(pk=club.pk)
    found = template_named(club, template_id)
    must_match(request, _told(found)[1])
    return found


class TemplateKeep(ApiView):
    """Keep the terms of a tournament as a template of its club."""

    access: ClassVar = {"POST": access.member("desk")}

    @extend_schema(request=KeepBody, responses={201: TemplateSerializer}, operation_id="desk_template", tags=["desk"])
    def post(self, request: Request, tournament_id: str) -> Response:
        said = bodies.body_of(KeepBody, request)
        found = entries.directed(tournament_id=tournament_id, user=who(request))
        with refusing():
            saved = nights.template_from(
                tournament_id=tournament_id, by=who(request), name=said.get("name", found.name)
            )
        return Response(_told(saved)[0], status=201)
