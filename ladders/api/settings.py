"""Creating a ladder and changing its rules, by the form and the services of the pages, for directors of its club."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any, ClassVar

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.forms import form_data, read_serializer, serializer_field, unfit, validated_form
from accounts.api.views import ApiView, check_if_match, current_user, etag_for, not_modified, with_etag
from accounts.clubs.roles import clubs_directed
from accounts.errors import Refused as ClubRefused
from accounts.models import Club, User
from games.api.fields import choice, integer
from games.api.lobby import TermsField
from games.api.option_fields import OPTION, option_fields
from games.api.state_serializers import OptionsField
from games.clocks import PRESETS
from games.registry import RULES
from ladders import selectors as ladder_selectors
from ladders import services
from ladders.errors import Refused
from ladders.forms import HELP, LABELS, VALUES, LadderForm, answers_of
from ladders.models import Ladder
from ladders.rules import FIELDS, KINDS
from ladders.rules.config import BOUNDS

USUAL_GAME = "backgammon"
OF_THE_GAME = ("length", "clock", "options")
_field = partial(serializer_field, LadderForm)


def _rule(name: str) -> serializers.Field[Any, Any, Any, Any]:
    """A setting of the rules, which the kinds of ladders have that `FIELDS` says."""
    about = f"{LABELS[name]}. {HELP.get(name, '')}".strip()
    if name in VALUES:
        return choice(VALUES[name], about, required=False)
    least, most = BOUNDS[name]
    return integer(about, least=least, most=most)


_RULES = {name: _rule(name) for name in dict.fromkeys(name for fields in FIELDS.values() for name in fields)}
RulesBody = type("RulesBody", (bodies.Body,), {"__doc__": "The rules; each kind of ladder has some of them.", **_RULES})
LadderRulesSerializer = type(
    "LadderRulesSerializer",
    (serializers.Serializer,),
    {"__doc__": "The rules that this kind of ladder has.", **{name: _rule(name) for name in _RULES}},
)


class LadderFacts(bodies.Body):
    """What is to be another way about a ladder; the rest stays."""

    name = _field("name")
    variant = _field("variant", choices=RULES)
    length = _field("length")
    clock = _field("clock", choices=PRESETS)
    rated = _field("rated")
    options = TermsField(required=False, help_text="Of the game: see `GET /api/v1/variants/`.")
    rules = RulesBody(required=False)
    season_name = _field("season_name")
    season_ends_at = serializers.DateTimeField(required=False, allow_null=True, help_text="Null: by hand.")


class LadderBody(LadderFacts):
    """A ladder to create. What is left out takes the default of its kind and game."""

    name = _field("name", required=True)
    kind = choice(KINDS)
    club = serializers.SlugField(required=False, max_length=50, help_text="Its slug; the first that one directs.")


LadderSettingsSerializer = read_serializer(
    "LadderSettingsSerializer",
    LadderFacts,
    "What was chosen about a ladder.",
    kind=choice(KINDS),
    options=OptionsField(),
    rules=LadderRulesSerializer(),
)


def serialize(ladder: Ladder) -> tuple[dict[str, Any], str]:
    """The settings of a ladder, and the ETag of them."""
    form = LadderForm(clubs=[], answers=answers_of(ladder))  # it knows which rules and options there are
    values: dict[str, Any] = {
        "name": ladder.name,
        "kind": ladder.kind,
        "variant": ladder.variant,
        "length": ladder.length,
        "clock": ladder.clock_preset,
        "rated": ladder.rated,
        "options": {key: form.initial[OPTION + key] for key in form.options_of},
        "rules": {name: form.initial[name] for name in FIELDS[ladder.kind]},
        "season_name": ladder.season_name,
        "season_ends_at": ladder.season_ends_at,
    }
    return {**LadderSettingsSerializer(values).data}, etag_for("ladder", ladder.pk, values)


def facts_of(posted: Mapping[str, Any], club: Club, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Clean the values of a body over the stored answers by the form, without the club and the end of the season.

    Another game begins with its own usual terms. Raises Problem ``unfit``.
    """
    if posted.get("variant", answers.get("variant", USUAL_GAME)) != answers.get("variant", USUAL_GAME):
        answers = {name: value for name, value in answers.items() if name not in OF_THE_GAME}
    answers = {**answers, **{name: posted[name] for name in ("variant", "kind") if name in posted}}
    shown = LadderForm(clubs=[club], answers=answers)
    rules = posted.get("rules", {})
    if strange := [name for name in rules if name not in FIELDS[shown.of_kind]]:
        raise unfit({f"rules.{name}": [_("Unknown field.")] for name in strange})
    written = {name: value for name, value in posted.items() if name in shown.fields and name != "club"}
    written |= {**rules, **option_fields(shown, posted.get("options", {}))}
    form = validated_form(
        LadderForm(form_data(shown, written), clubs=[club]), lambda name: _called(name, shown.of_kind)
    )
    return {name: value for name, value in form.facts().items() if name not in ("club", "season_ends_at")}


def _called(name: str, kind: str) -> str:
    """The name of a form field in the body."""
    if name.startswith(OPTION):
        return f"options.{name.removeprefix(OPTION)}"
    return f"rules.{name}" if name in FIELDS[kind] else name


def ladder_of(posted: Mapping[str, Any], user: User) -> Ladder:
    """Create the ladder that a `LadderBody` describes. Raises Refused as `ladder_create`, Problem ``unfit``."""
    club = _club(posted.get("club", ""), user)
    ends_at: datetime | None = posted.get("season_ends_at")
    return services.ladder_create(by=user, club=club, season_ends_at=ends_at, **facts_of(posted, club, {}))


def _club(slug: str, user: User) -> Club:
    """The club of that slug, or the first that `user` directs. Raises Refused: ladder_not_director, no_club."""
    found = Club.objects.filter(slug=slug).first() if slug else next(iter(clubs_directed(user)), None)
    if found is None:
        raise ClubRefused("no_club") if slug else Refused("ladder_not_director")
    return found


class LadderSettings(ApiView):
    """What was chosen about a ladder, for directors of its club. With `If-Match` nothing is changed that is no longer
    as it was seen.
    """

    access: ClassVar = {"GET": access.member("read"), "PATCH": access.member("club")}

    @extend_schema(responses=LadderSettingsSerializer, operation_id="ladder_settings", tags=["ladders"])
    def get(self, request: Request, ladder_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        settings, tag = serialize(ladder_selectors.directed(ladder_id=ladder_id, user=current_user(request)))
        return not_modified(request, tag) or with_etag(settings, tag)

    @extend_schema(
        request=LadderFacts,
        responses=LadderSettingsSerializer,
        operation_id="ladder_settings_change",
        tags=["ladders"],
    )
    def patch(self, request: Request, ladder_id: str) -> Response:
        """Change the terms and rules of a ladder from now on; what is not named stays. With `If-Match` nothing is
        changed that is no longer as it was seen.
        """
        posted = bodies.body_of(LadderFacts, request)
        user = current_user(request)
        with transaction.atomic():
            found = ladder_selectors.directed(ladder_id=ladder_id, user=user)
            found = Ladder.objects.select_for_update(of=("self",)).select_related("club").get(pk=found.pk)
            check_if_match(request, serialize(found)[1])
            facts = facts_of(posted, found.club, answers_of(found))
            ends_at = posted.get("season_ends_at", found.season_ends_at)
            services.ladder_change(ladder_id=ladder_id, by=user, season_ends_at=ends_at, **facts)
        settings, tag = serialize(Ladder.objects.get(pk=ladder_id))
        return with_etag(settings, tag)
