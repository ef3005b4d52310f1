"""The forms of tournaments: whole blueprints, what a format passes over, errors at their fields."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django import forms
from django.http import QueryDict
from django.utils.translation import override

from accounts.models import User
from tournaments import services
from tournaments.errors import Refused
from tournaments.formats.core import Config, Invalid
from tournaments.formats.registry import FORMATS
from tournaments.forms.fields import LengthsField, LocalTimeField, duration_label
from tournaments.forms.format_fields import FORMATS_BY_FIELD
from tournaments.forms.results import ResultForm, ScoreForm
from tournaments.forms.settings import TournamentForm
from tournaments.forms.settings_answers import answers_of
from tournaments.presets import PRESETS
from tournaments.terms import Terms

ANSWERS = {
    "name": "Weekly club tournament",
    "timezone": "Europe/Madrid",
    "format": "knockout",
    "variant": "backgammon",
    "clock": "club",
    "lengths": "5",
}


def typed(form: TournamentForm) -> dict[str, Any]:
    """What a browser sends when the form is sent as it stands."""
    data: dict[str, Any] = {}
    for field in form:
        value = field.value()
        if isinstance(field.field, forms.BooleanField):
            if value:
                data[field.html_name] = "on"
        elif value is not None:
            data[field.html_name] = value
    return data


def terms(**answers: Any) -> Terms:
    form = TournamentForm({**ANSWERS, **answers})
    assert form.is_valid(), form.errors
    return form.terms()


def errors(**answers: Any) -> dict[str, list[str]]:
    with override("en"):
        form = TournamentForm({**ANSWERS, **answers})
        return {name: [str(message) for message in messages] for name, messages in form.errors.items()}


@pytest.mark.parametrize("key", PRESETS)
def test_a_preset_needs_only_a_name(key: str) -> None:
    shown = TournamentForm(answers={"timezone": "UTC", **PRESETS[key].answers})
    form = TournamentForm({**typed(shown), "name": "Cup"})
    assert form.is_valid(), form.errors
    assert form.terms().config.format == PRESETS[key].answers["format"]


def test_the_weekly_preset_has_the_settings_of_its_card() -> None:
    shown = TournamentForm(answers={"timezone": "UTC", **PRESETS["thursday"].answers})
    form = TournamentForm({**typed(shown), "name": "Weekly club tournament"})
    assert form.is_valid(), form.errors
    made = form.terms()
    assert (made.config.format, made.config.consolation) == ("knockout", "progressive")
    assert (made.lengths, made.clock, made.check_in, made.pace) == ((5,), "club", False, "flow")


def test_the_league_plays_a_round_a_week() -> None:
    shown = TournamentForm(answers={"timezone": "UTC", **PRESETS["league"].answers})
    form = TournamentForm({**typed(shown), "name": "League"})
    assert form.is_valid(), form.errors
    made = form.terms()
    assert (made.config.divisions, made.pace, made.round_minutes, made.round_hours) == (2, "timed", 10080, 168)


def test_every_format_is_offered_and_fields_belong_to_formats() -> None:
    form = TournamentForm()
    assert [radio.data["value"] for radio, _facts in form.formats()] == list(FORMATS)
    assert {format_ for formats in FORMATS_BY_FIELD.values() for format_ in formats} <= set(FORMATS)


def test_fields_of_other_formats_are_ignored() -> None:
    made = terms(format="swiss", rounds="5", consolation="progressive", last_chance="on", divisions="3", losses="4")
    assert made.config == Config("swiss", rounds=5, tie_breaks=())
    assert terms(format="double", rounds="5", side_lengths="3").config == Config("double")


def test_omitted_fields_have_their_defaults() -> None:
    made = terms()
    assert made == Terms(
        config=Config("knockout"),
        rated=False,
        options={"cube": False, "cube_cap": 64, "desahogo": False, "as_libre": False},
        lengths=(5,),
        check_in=False,
    )


def test_a_cube_limit_makes_it_unrated_only_if_a_match_can_meet_it(db: None) -> None:
    limit = {"rated": "on", "option_cube": "on", "option_cube_cap": "8"}
    assert terms(lengths="5", **limit).rated
    assert not terms(lengths="5, 11", **limit).rated
    assert not terms(lengths="5", format="knockout", consolation="simple", side_lengths="9", **limit).rated


def test_round_robin_has_rounds_of_its_own() -> None:
    assert terms(format="round-robin", rounds="4", table_rounds="").config.rounds == 0
    assert terms(format="round-robin", rounds="4", table_rounds="3").config.rounds == 3


def test_a_hidden_field_has_no_errors() -> None:
    assert errors(format="knockout", rounds="0", groups="many", side_lengths="7") == {}
    assert list(errors(format="groups", rounds="0", groups="many", side_lengths="many")) == ["groups"]


@pytest.mark.django_db
@pytest.mark.parametrize("format_", FORMATS)
def test_the_settings_of_any_tournament_can_be_saved_as_they_stand(format_: str, dora: User) -> None:
    config = Config(format_, rounds=3, groups=4, losses=3, divisions=2, minutes=45, tie_breaks=("points", "wins"))
    is_arena = format_ == "arena"
    lengths, hours, venue = ((3,), 0, "online") if is_arena else ((5, 7), 30, "board")
    terms_ = Terms(config, lengths=lengths, round_hours=hours, venue=venue, rated=False)
    made = services.tournament_create(creator=dora, name="Cup", terms=terms_, timezone="America/Lima")
    with override("en"):
        form = TournamentForm(typed(TournamentForm(answers=answers_of(made))), answers=answers_of(made))
    assert form.is_valid(), form.errors
    kwargs = form.kwargs()
    kept = kwargs.pop("terms")
    assert kwargs == {
        "name": "Cup",
        "about": "",
        "timezone": "America/Lima",
        "capacity": None,
        "starts_at": None,
        "starts_itself": False,
    }
    assert (kept.lengths, kept.round_hours, kept.config.format) == (lengths, hours, format_)
    read = [name for name, formats in FORMATS_BY_FIELD.items() if format_ in formats and hasattr(config, name)]
    assert [getattr(kept.config, name) for name in read] == [getattr(config, name) for name in read]


def test_tie_breaks_are_in_the_chosen_order() -> None:
    made = terms(format="swiss", tie_break_1="wins", tie_break_2="", tie_break_3="direct", tie_break_4="points")
    assert made.config.tie_breaks == ("wins", "direct", "points")


def test_without_a_choice_the_tie_breaks_are_the_usual_ones_of_the_format() -> None:
    swiss = ("wins", "buchholz-cut", "buchholz", "sonneborn-berger", "direct", "points")
    assert terms(format="swiss").config.tie_breaks == swiss
    for format_ in ("round-robin", "groups", "league"):
        assert terms(format=format_).config.tie_breaks == ("wins", "direct", "sonneborn-berger", "points")


@pytest.mark.django_db
def test_another_format_brings_its_own_usual_tie_breaks(dora: User) -> None:
    made = services.tournament_create(creator=dora, name="Cup", terms=Terms(Config("swiss", rounds=3), clock="none"))
    shown = TournamentForm(answers=answers_of(made))
    assert {field.value() for field in shown.tie_breaks()} == {""}
    form = TournamentForm({**typed(shown), "format": "league"}, answers=answers_of(made))
    assert form.is_valid(), form.errors
    assert form.terms().config.tie_breaks == ("wins", "direct", "sonneborn-berger", "points")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("format_", "names", "code"),
    [
        ("swiss", ("wins", "luck"), "tie_breaks"),
        ("league", ("wins", "wins"), "tie_breaks"),
        ("league", ("buchholz", "median"), "tie_breaks_all_meet"),
        ("groups", ("buchholz-cut",), "tie_breaks_all_meet"),
        ("swiss", ("buchholz", "median"), ""),
    ],
)
def test_an_order_that_separates_nobody_is_refused_at_once(
    dora: User, format_: str, names: tuple[str, ...], code: str
) -> None:
    chosen = Terms(Config(format_, groups=2, rounds=3 if format_ == "swiss" else 0, tie_breaks=names), clock="none")
    try:
        services.tournament_create(creator=dora, name="Cup", terms=chosen)
        found = ""
    except Refused as refusal:
        found = refusal.code
    assert found == code


def test_a_tie_break_can_be_chosen_once() -> None:
    assert errors(format="swiss", tie_break_1="wins", tie_break_3="wins") == {
        "tie_break_3": ["You have already chosen this tie-break above."]
    }
    assert errors(format="knockout", tie_break_1="wins", tie_break_3="wins") == {}


def test_the_game_brings_its_clocks_and_options() -> None:
    form = TournamentForm(answers={"variant": "damas", "clock": "club"})
    assert form["clock"].value() == "min10"
    assert form["option_mode"].value() == "obligatoria"
    assert form["lengths"].value() == "1"
    made = terms(variant="damas", clock="min5", lengths="3", option_mode="soplar")
    assert (made.variant, made.options) == ("damas", {"mode": "soplar", "ley_cantidad": False})


def test_with_a_house_option_nothing_is_rated() -> None:
    assert terms(rated="on", option_cube="on").rated
    assert not terms(rated="on", option_desahogo="on").rated


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("5", (5,)), ("7, 9, 11", (7, 9, 11)), ("7/9/11/13", (7, 9, 11, 13)), (" 3 5 ", (3, 5)), ("7-9", (7, 9))],
)
def test_lengths_are_read_as_people_write_them(text: str, numbers: tuple[int, ...]) -> None:
    assert LengthsField().clean(text) == numbers


@pytest.mark.parametrize("text", ["0", "100", "five", "5, x", "1.5", "9" * 50, "1 " * 13])
def test_wrong_lengths_are_refused(text: str) -> None:
    with pytest.raises(forms.ValidationError):
        LengthsField().clean(text)


def test_the_start_is_local_to_the_chosen_time_zone() -> None:
    form = TournamentForm({**ANSWERS, "starts_at": "2027-07-01T20:30"})
    assert form.is_valid()
    assert form.kwargs()["starts_at"] == datetime(2027, 7, 1, 18, 30, tzinfo=UTC)


def test_an_hour_skipped_by_daylight_saving_is_refused() -> None:
    assert list(errors(starts_at="2027-03-28T02:30")) == ["starts_at"]
    assert LocalTimeField.at(datetime(2027, 3, 28, 3, 30), "Europe/Madrid").astimezone(UTC).hour == 1


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"timezone": "Europe/Atlantis"}, "timezone"),
        ({"lengths": ""}, "lengths"),
        ({"lengths": "0"}, "lengths"),
        ({"capacity": "1"}, "capacity"),
        ({"starts_at": "tomorrow"}, "starts_at"),
        ({"starts_itself": "on"}, "starts_at"),
        ({"format": "ladder"}, "format"),
        ({"variant": "chess"}, "variant"),
        ({"clock": "min5"}, "clock"),
        ({"pace": "timed"}, "round_minutes"),
        ({"round_hours": "-3"}, "round_hours"),
        ({"format": "swiss", "rounds": "0"}, "rounds"),
    ],
)
def test_an_error_is_shown_at_its_field(answers: dict[str, str], field: str) -> None:
    assert list(errors(**answers)) == [field]


def test_any_existing_time_zone_is_accepted() -> None:
    assert errors(timezone="Antarctica/Troll") == {}


@pytest.mark.parametrize(
    ("refused", "format_", "field"),
    [
        (Refused("timezone"), "knockout", "timezone"),
        (Refused("clock"), "knockout", "clock"),
        (Invalid("rounds", most=7), "swiss", "rounds"),
        (Invalid("rounds", most=7), "round-robin", "table_rounds"),
        (Invalid("rounds", least=0), "losses", "table_rounds"),
        (Refused("members_only"), "knockout", "__all__"),
    ],
)
def test_a_refusal_of_the_services_is_shown_at_its_field(refused: Any, format_: str, field: str) -> None:
    form = TournamentForm({**ANSWERS, "format": format_})
    assert form.is_valid()
    form.show_refusal(refused)
    assert list(form.errors) == [field]


def test_durations_are_written_in_their_largest_unit() -> None:
    with override("en"):
        assert [duration_label(n) for n in (1, 45, 60, 90, 1440, 20160)] == [
            "1 minute",
            "45 minutes",
            "1 hour",
            "90 minutes",
            "1 day",
            "2 weeks",
        ]


def test_a_duration_already_set_stays_a_choice() -> None:
    form = TournamentForm(answers={"timezone": "UTC", "round_hours": 30})
    assert ("30", "30 hours") in [(key, str(label)) for key, label in form.fields["round_hours"].choices]


def test_a_score_is_turned_into_the_order_of_the_pairing() -> None:
    form = ScoreForm(QueryDict("key=main-1-1&winner=3&won=7&lost=4"))
    assert form.is_valid(), form.errors
    assert form.points(3) == (7, 4)
    assert form.points(8) == (4, 7)


@pytest.mark.parametrize(
    ("query", "result"),
    [
        ("how=played&winner=3&won=7&lost=2.5", {"winner": 3, "points": (7, 2.5)}),
        ("how=walkover&winner=3&won=7&lost=", {"winner": 3, "how": "walkover"}),
        ("how=double&won=7&lost=", {"winner": None, "how": "walkover"}),
    ],
)
def test_a_director_enters_a_score_a_walkover_or_a_double_one(query: str, result: dict[str, Any]) -> None:
    form = ResultForm(QueryDict(f"key=main-1-1&{query}"))
    assert form.is_valid(), form.errors
    assert form.result(3) == result


@pytest.mark.parametrize(
    "query",
    [
        "how=played&winner=3&lost=2",
        "how=walkover",
        "how=magic&winner=3",
        "winner=3",
        "how=played&winner=3&won=7&lost=0.3",
    ],
)
def test_an_incomplete_result_is_refused(query: str) -> None:
    assert not ResultForm(QueryDict(f"key=main-1-1&{query}")).is_valid()


def test_later_rounds_may_have_another_clock_and_more_time() -> None:
    chosen = terms(late_from="3", late_clock="slow", round_hours="24", late_hours="72")
    assert (chosen.clocks, chosen.hours) == (("club", "club", "slow"), (24, 24, 72))
    alike = terms(late_from="3")
    assert (alike.clocks, alike.hours) == ((), ())
    assert terms(late_clock="slow", late_hours="72").clocks == ()


@pytest.mark.django_db
def test_settings_show_how_the_later_rounds_differ(dora: User) -> None:
    chosen = terms(late_from="3", late_clock="slow", round_hours="24", late_hours="24")
    made = services.tournament_create(creator=dora, name="Weekly club tournament", terms=chosen)
    form = TournamentForm(typed(TournamentForm(answers=answers_of(made))))
    assert form.is_valid(), form.errors
    assert form.terms() == chosen
