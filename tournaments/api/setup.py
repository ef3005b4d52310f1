"""Creating a tournament, and changing its settings until the draw, with the form and the services of the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.forms import unfit
from accounts.api.views import ApiView, check_if_match, current_user, etag_for, not_modified, with_etag
from accounts.clubs.roles import clubs_for_new_events
from accounts.errors import Refused as ClubRefused
from accounts.models import Club, User
from accounts.web.staff import refusal_code
from tournaments import services
from tournaments.api.settings import SettingsSerializer, TournamentSettingsBody, filled_form, serialize_answers
from tournaments.errors import Refused
from tournaments.formats.core import Invalid
from tournaments.forms.clubs import answers_of_template
from tournaments.forms.settings_answers import answers_of
from tournaments.models import Tournament
from tournaments.presets import DEFAULT_PRESET, PRESETS
from tournaments.roles import DeskAct
from tournaments.selectors import lookups, tournament_page

STARTING_POINTS = ("blueprint", "template", "like")


@contextmanager
def invalid_as_refused() -> Iterator[None]:
    """Turn Invalid into Refused."""
    try:
        yield
    except Invalid as error:
        raise Refused(error.code, params=dict(error.params)) from error


def tournament_from_body(data: Mapping[str, Any], user: User) -> Tournament:
    """Create the tournament of a `TournamentBody`. Raises Refused as `tournament_create`, Problem ``unfit``."""
    clubs = clubs_for_new_events(user)
    if not clubs:
        raise Refused(refusal_code(user, "not_club_director"))
    answers, default_club = _starting_answers(data, clubs)
    club = _club(str(data["club"])) if "club" in data else default_club
    starts_at = data.get("starts_at")
    form = filled_form({"timezone": club.timezone, **answers}, data, starts_at)
    with invalid_as_refused():
        return services.tournament_create(creator=user, club=club, **{**form.kwargs(), "starts_at": starts_at})


def _starting_answers(data: Mapping[str, Any], clubs: list[Club]) -> tuple[Mapping[str, Any], Club]:
    """The answers that the body starts from, and the default club."""
    if more := [name for name in STARTING_POINTS if name in data][1:]:
        raise unfit({name: [_("Send this only once.")] for name in more})
    if "template" in data:
        template = lookups.template_by_number(clubs, str(data["template"]))
        if template is None:
            raise Refused("no_template")
        answers = answers_of_template(template)
        return {name: value for name, value in answers.items() if name != "timezone"}, template.club
    if "like" in data:
        return {**answers_of(tournament_page.tournament_or_not_found(data["like"])), "starts_at": None}, clubs[0]
    preset = PRESETS[data.get("blueprint", DEFAULT_PRESET.key)]
    return preset.answers, clubs[0]


def _club(slug: str) -> Club:
    """A club by its slug, without a permission check. Raises Refused("no_club")."""
    found = Club.objects.filter(slug=slug).first()
    if found is None:
        raise ClubRefused("no_club")
    return found


def _settings_with_etag(tournament: Tournament) -> tuple[dict[str, Any], str]:
    chosen = serialize_answers({**answers_of(tournament), "starts_at": tournament.starts_at})
    return chosen, etag_for("settings", tournament.pk, chosen)


class Settings(ApiView):
    """The settings of a tournament, for its directors. With `If-Match` settings that have changed since are not
    overwritten.
    """

    access: ClassVar = {"GET": access.member("read"), "PATCH": access.member("desk")}

    @extend_schema(responses=SettingsSerializer, operation_id="desk_settings", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        chosen, tag = _settings_with_etag(
            lookups.desk_tournament(
                tournament_id=tournament_id, user=current_user(request), act=DeskAct.CHANGE_SETTINGS
            )
        )
        return not_modified(request, tag) or with_etag(chosen, tag)

    @extend_schema(
        request=TournamentSettingsBody, responses=SettingsSerializer, operation_id="desk_settings_change", tags=["desk"]
    )
    def patch(self, request: Request, tournament_id: str) -> Response:
        """Change settings, until the draw; those left out stay. With `If-Match` settings that have changed since are
        not overwritten.
        """
        data = bodies.body_of(TournamentSettingsBody, request)
        user = current_user(request)
        lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.CHANGE_SETTINGS)
        with transaction.atomic(), invalid_as_refused():
            tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
            check_if_match(request, _settings_with_etag(tournament)[1])
            starts_at = data.get("starts_at", tournament.starts_at)
            kwargs = filled_form(answers_of(tournament), data, starts_at).kwargs() | {"starts_at": starts_at}
            tournament = services.tournament_update(tournament_id=tournament_id, user=user, **kwargs)
        chosen, tag = _settings_with_etag(Tournament.objects.get(pk=tournament.pk))
        return with_etag(chosen, tag)
