"""The evenings that a club plays again: templates, and nights that open themselves once a date."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest

from accounts.errors import Refused
from accounts.models import Club, Membership, User
from games.database import now
from tests.tournaments.conftest import terms
from tournaments import services
from tournaments.models import Director, Night, NightTemplate, Recurrence, Tournament
from tournaments.services import nights
from tournaments.tasks import sweep_nights
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db

SPRING = datetime(2026, 3, 20, 12, tzinfo=UTC)  # a Friday, before the clocks are put forward on the 29th


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as found:
        act()
    return found.value.code


@pytest.fixture
def club(dora: User) -> Club:
    """A club of Madrid that dora owns."""
    made = Club.objects.create(name="Peña", slug="pena", timezone="Europe/Madrid")
    Membership.objects.create(club=made, user=dora, role="owner")
    return made


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """A function that sets the clock of the nights."""

    def put(moment: datetime) -> None:
        monkeypatch.setattr(nights, "now", lambda: moment)
        monkeypatch.setattr(Club, "today", lambda _club: moment.date())

    put(SPRING)
    return put


@pytest.fixture
def template(club: Club, dora: User) -> NightTemplate:
    said = terms(lengths=[5], check_in=True)
    return nights.template_save(club=club, by=dora, name="Thursday", terms=said, about="At the bar", capacity=16)


@pytest.fixture
def repeat(club: Club, dora: User, template: NightTemplate) -> Callable[..., Recurrence]:
    """A function that lets the template repeat on Thursdays at 20:00."""

    def make(**said: Any) -> Recurrence:
        opens_days, by = said.pop("opens_days", 6), said.pop("by", dora)
        rhythm = {"kind": "weekly", "weekdays": [3], "first": "2026-03-01", **said}
        return nights.recurrence_make(
            template_id=template.pk,
            club=club,
            by=by,
            name="Thursday {date}",
            rhythm=rhythm,
            hour=time(20),
            opens_days=opens_days,
        )

    return make


# Templates


def test_a_template_keeps_everything_but_the_date(template: NightTemplate) -> None:
    assert Terms.read(template.terms) == terms(lengths=[5], check_in=True)
    assert template.facts == {"about": "At the bar", "capacity": 16}


def test_a_tournament_becomes_a_template(club: Club, dora: User) -> None:
    made = services.tournament_create(creator=dora, club=club, name="Swiss", terms=terms("swiss"), capacity=8)
    kept = nights.template_from(tournament_id=made.pk, by=dora, name="Swiss night")
    assert (kept.club, kept.name, kept.facts) == (
        club,
        "Swiss night",
        {"about": "", "capacity": 8, "starts_itself": False},
    )
    assert Terms.read(kept.terms).config.format == "swiss"


def test_two_templates_of_a_club_have_two_names(club: Club, dora: User, template: NightTemplate) -> None:
    save = nights.template_save
    assert refused(lambda: save(club=club, by=dora, name=" Thursday ", terms=terms())) == "template_name"
    other = save(club=club, by=dora, name="Friday", terms=terms())
    assert refused(lambda: save(club=club, by=dora, name="Thursday", terms=terms(), template_id=other.pk)) == (
        "template_name"
    )


def test_only_directors_of_the_club_keep_templates(club: Club, ana: User, template: NightTemplate) -> None:
    Membership.objects.create(club=club, user=ana)
    assert refused(lambda: nights.template_save(club=club, by=ana, name="Mine", terms=terms())) == "not_club_director"
    assert refused(lambda: nights.template_remove(template_id=template.pk, club=club, by=ana)) == "not_club_director"


def test_a_template_of_another_club_is_none_of_ours(ana: User, template: NightTemplate) -> None:
    other = Club.objects.create(name="Other", slug="other")
    Membership.objects.create(club=other, user=ana, role="owner")
    assert refused(lambda: nights.template_remove(template_id=template.pk, club=other, by=ana)) == "no_template"


def test_a_template_in_use_stays(
    club: Club, dora: User, template: NightTemplate, repeat: Callable[..., Recurrence]
) -> None:
    one = repeat()
    assert refused(lambda: nights.template_remove(template_id=template.pk, club=club, by=dora)) == "template_used"
    nights.recurrence_stop(recurrence_id=one.pk, club=club, by=dora)
    nights.template_remove(template_id=template.pk, club=club, by=dora)
    assert not NightTemplate.objects.exists()


# Nights that open themselves


def test_a_night_opens_its_days_before_and_once(
    clock: Callable[[datetime], None], club: Club, dora: User, repeat: Callable[..., Recurrence]
) -> None:
    one = repeat()
    assert one.due_at == datetime(2026, 3, 20, 19, tzinfo=UTC)  # six days before the 26th, at 20:00 in Madrid
    assert nights.recurrences_due(SPRING, 10) == []
    clock(one.due_at)
    assert len(nights.recurrence_due(recurrence_id=one.pk)) == 1
    assert nights.recurrence_due(recurrence_id=one.pk) == []
    made = Tournament.objects.get()
    assert (made.club, made.name, made.capacity, made.about) == (club, "Thursday 26 Mar 2026", 16, "At the bar")
    assert made.starts_at == datetime(2026, 3, 26, 19, tzinfo=UTC)
    assert list(Director.objects.values_list("user", flat=True)) == [dora.pk]
    one.refresh_from_db()
    assert one.due_at == datetime(2026, 3, 27, 19, tzinfo=UTC)


def test_the_hour_stays_where_the_clocks_change(
    clock: Callable[[datetime], None], repeat: Callable[..., Recurrence]
) -> None:
    ahead = nights.next_days(repeat(), 2)
    assert [start.hour for _day, start in ahead] == [19, 18]
    assert [day for day, _start in ahead] == [date(2026, 3, 26), date(2026, 4, 2)]


def test_a_second_worker_makes_no_second_night(
    clock: Callable[[datetime], None], repeat: Callable[..., Recurrence], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = repeat(opens_days=7)
    Night.objects.create(recurrence=one, date=date(2026, 3, 26))  # the other was faster
    assert nights.recurrence_due(recurrence_id=one.pk) == []
    assert Tournament.objects.count() == 0


def test_dates_that_went_by_are_not_made_up_for(
    clock: Callable[[datetime], None], repeat: Callable[..., Recurrence]
) -> None:
    one = repeat()
    clock(datetime(2026, 4, 20, 12, tzinfo=UTC))
    (made,) = nights.recurrence_due(recurrence_id=one.pk)
    assert made.starts_at == datetime(2026, 4, 23, 18, tzinfo=UTC)


def test_a_date_is_skipped_and_restored(
    clock: Callable[[datetime], None], club: Club, dora: User, repeat: Callable[..., Recurrence]
) -> None:
    one, day = repeat(), date(2026, 3, 26)
    facts: dict[str, Any] = {"recurrence_id": one.pk, "club": club, "by": dora}
    nights.night_skip(**facts, day=day)
    assert refused(lambda: nights.night_skip(**facts, day=day)) == "night_no_date"
    assert refused(lambda: nights.night_skip(**facts, day=date(2026, 3, 27))) == "night_no_date"
    one.refresh_from_db()
    assert [ahead for ahead, _start in nights.next_days(one, 1)] == [date(2026, 4, 2)]
    nights.night_restore(**facts, day=day)
    assert [ahead for ahead, _start in nights.next_days(one, 1)] == [day]
    assert refused(lambda: nights.night_restore(**facts, day=day)) == "night_no_date"


def test_a_pause_opens_nothing_and_what_was_made_stays(
    clock: Callable[[datetime], None], club: Club, dora: User, repeat: Callable[..., Recurrence]
) -> None:
    one = repeat(opens_days=7)
    nights.recurrence_due(recurrence_id=one.pk)
    nights.recurrence_pause(recurrence_id=one.pk, club=club, by=dora)
    clock(SPRING + timedelta(days=14))
    assert nights.recurrence_due(recurrence_id=one.pk) == []
    nights.recurrence_resume(recurrence_id=one.pk, club=club, by=dora)
    assert len(nights.recurrence_due(recurrence_id=one.pk)) == 1
    nights.recurrence_stop(recurrence_id=one.pk, club=club, by=dora)
    nights.recurrence_resume(recurrence_id=one.pk, club=club, by=dora)  # what is stopped is stopped
    one.refresh_from_db()
    assert (one.status, one.due_at, Tournament.objects.count()) == ("stopped", None, 2)


def test_an_owner_directs_in_the_place_of_who_no_longer_does(
    clock: Callable[[datetime], None], club: Club, ana: User, dora: User, repeat: Callable[..., Recurrence]
) -> None:
    row = Membership.objects.create(club=club, user=ana, role="director")
    one = repeat(by=ana, opens_days=7)
    row.delete()
    (made,) = nights.recurrence_due(recurrence_id=one.pk)
    assert made.created_by == dora


def test_a_night_that_cannot_be_opened_says_why(
    clock: Callable[[datetime], None], club: Club, repeat: Callable[..., Recurrence]
) -> None:
    one = repeat(opens_days=7)
    Membership.objects.all().delete()
    assert nights.recurrence_due(recurrence_id=one.pk) == []
    assert Night.objects.get().why == "nobody_directs"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"weekdays": []}, "rhythm"),
        ({"every": 99}, "rhythm"),
        ({"first": "x"}, "rhythm"),
        ({"opens_days": 31}, "opens_days"),
    ],
)
def test_what_cannot_repeat_is_refused(repeat: Callable[..., Recurrence], said: dict[str, Any], code: str) -> None:
    assert refused(lambda: repeat(**said)) == code


def test_the_name_speaks_the_language_of_the_director() -> None:
    assert nights.night_name("Jueves {date}", date(2026, 3, 26), 4, "es") == "Jueves 26 de marzo de 2026"
    assert nights.night_name("Night {number} {x}", date(2026, 3, 26), 4, "en") == "Night 4 {x}"


def test_the_sweep_opens_what_is_due(repeat: Callable[..., Recurrence]) -> None:
    one = repeat()
    Recurrence.objects.filter(pk=one.pk).update(due_at=now() - timedelta(minutes=1), opens_days=30)
    sweep_nights()
    assert Tournament.objects.count() >= 4
    count = Tournament.objects.count()
    sweep_nights()
    assert Tournament.objects.count() == count


# Events of a club, and what counts


def test_a_club_says_who_opens_its_tournaments(club: Club, ana: User, dora: User) -> None:
    create = services.tournament_create
    assert create(creator=dora, club=club, name="Ours", terms=terms()).club == club
    Membership.objects.create(club=club, user=ana)
    assert refused(lambda: create(creator=ana, club=club, name="Mine", terms=terms())) == "not_club_director"
    Club.objects.update(makers="members")
    club.refresh_from_db()
    assert create(creator=ana, club=club, name="Mine", terms=terms()).club == club


@pytest.mark.parametrize(
    ("policy", "wanted", "rated"), [("all", False, True), ("none", True, False), ("choose", True, True)]
)
def test_the_policy_of_the_club_rates_its_events(
    club: Club, dora: User, policy: str, wanted: bool, rated: bool
) -> None:
    club.rated = policy
    club.save()
    made = services.tournament_create(creator=dora, club=club, name="Ours", terms=terms(rated=wanted, clock="club"))
    assert Terms.read(made.terms).rated is rated
    changed = services.tournament_change(tournament_id=made.pk, user=dora, terms=terms(rated=wanted, clock="club"))
    assert Terms.read(changed.terms).rated is rated


def test_an_owner_of_the_club_takes_a_tournament_over(club: Club, ana: User, bea: User, dora: User) -> None:
    Membership.objects.create(club=club, user=ana, role="director")
    made = services.tournament_create(creator=ana, club=club, name="Hers", terms=terms())
    assert refused(lambda: services.director_take_over(tournament_id=made.pk, user=bea)) == "not_club_owner"
    for _again in range(2):
        services.director_take_over(tournament_id=made.pk, user=dora)
    assert set(Director.objects.values_list("user", flat=True)) == {ana.pk, dora.pk}
    assert list(made.events.filter(kind="director_added").values_list("by", flat=True)) == [dora.pk]
