"""Making a tournament, and changing it until its draw: by the form and the services of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.forms import unfit
from accounts.api.views import ApiView, must_match, tag_of, tagged, unchanged, who
from accounts.errors import Refused as ClubRefused
from accounts.models import Club, User
from accounts.roles import clubs_opening
from tournaments import services
from tournaments.api.settings import SettingsSerializer, TournamentFacts, form_of, told
from tournaments.blueprints import BLUEPRINTS, USUAL
from tournaments.errors import Refused
from tournaments.formats.core import Invalid
from tournaments.forms import answers_of
from tournaments.forms.clubs import answers_of_template
from tournaments.models import Tournament
from tournaments.selectors import entries, pages

BEGINNINGS = ("blueprint", "template", "like")


@contextmanager
def refusing() -> Iterator[None]:
    """What a format cannot be is refused like everything else. Raises Refused."""
    try:
        yield
    except Invalid as fault:
        raise Refused(fault.code, params=dict(fault.params)) from fault


def tournament_of(said: Mapping[str, Any], user: User) -> Tournament:
    """Make what a body of `TournamentBody` says. Raises Refused as `tournament_create`, Problem ``unfit``."""
    clubs = clubs_opening(user)
    if not clubs:
        raise Refused("not_club_director")
    answers, usual = _beginning(said, user, clubs)
    club = _club(str(said["club"])) if "club" in said else usual
    starts_at = said.get("starts_at")
    form = form_of(answers, said, starts_at)
    with refusing():
        return services.tournament_create(creator=user, club=club, **{**form.facts(), "starts_at": starts_at})


def _beginning(said: Mapping[str, Any], user: User, clubs: list[Club]) -> tuple[Mapping[str, Any], Club]:
    """The answers to begin with, and the club that is meant where none is named."""
    if more := [name for name in BEGINNINGS if name in said][1:]:
        raise unfit({name: [_("Say this once.")] for name in more})
    if "template" in said:
        template = entries.template_of(clubs, str(said["template"]))
        if template is None:
            raise Refused("no_template")
        return answers_of_template(template), template.club
    if "like" in said:
        return {**answers_of(pages.tournament_named(said["like"])), "starts_at": None}, clubs[0]
    blueprint = BLUEPRINTS[said.get("blueprint", USUAL.key)]
    return {"timezone": entries.usual_zone(user) or settings.TIME_ZONE, **blueprint.answers}, clubs[0]


def _club(slug: str) -> Club:
    """A club by its slug; whether one may is for the service to say. Raises Refused("no_club")."""
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise ClubRefused("no_club")
    return found


def _settings(tournament: Tournament) -> tuple[dict[str, Any], str]:
    chosen = told({**answers_of(tournament), "starts_at": tournament.starts_at})
    return chosen, tag_of("settings", tournament.pk, chosen)


class Settings(ApiView):
    """What was chosen about a tournament, for its directors. With `If-Match` nothing is changed that is no longer as
    it was seen.
    """

    access: ClassVar = {"GET": access.member("read"), "PATCH": access.member("desk")}

    @extend_schema(responses=SettingsSerializer, operation_id="desk_settings", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        chosen, tag = _settings(entries.directed(tournament_id=tournament_id, user=who(request)))
        return unchanged(request, tag) or tagged(chosen, tag)

    @extend_schema(
        request=TournamentFacts, responses=SettingsSerializer, operation_id="desk_settings_change", tags=["desk"]
    )
    def patch(self, request: Request, tournament_id: str) -> Response:
        """Change what was chosen, until the draw; what is not named stays. With `If-Match` nothing is changed that is
        no longer as it was seen.
        """
        said = bodies.body_of(TournamentFacts, request)
        user = who(request)
        entries.directed(tournament_id=tournament_id, user=user)
        with transaction.atomic(), refusing():
            one = Tournament.objects.select_for_update().get(pk=tournament_id)
            must_match(request, _settings(one)[1])
            starts_at = said.get("starts_at", one.starts_at)
            facts = form_of(answers_of(one), said, starts_at).facts() | {"starts_at": starts_at}
            one = services.tournament_change(tournament_id=tournament_id, user=user, **facts)
        chosen, tag = _settings(Tournament.objects.get(pk=one.pk))
        return tagged(chosen, tag)
