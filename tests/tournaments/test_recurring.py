"""Templates and recurring events: each date opens one tournament."""

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
from tournaments.forms.clubs import answers_of_template
from tournaments.models import EventTemplate, Occurrence, Official, RecurringEvent, Tournament
from tournaments.services import recurring
from tournaments.tasks import sweep_recurring_events
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
    """A function that sets the clock of the recurring events."""

    def put(moment: datetime) -> None:
        monkeypatch.setattr(recurring, "now", lambda: moment)
        monkeypatch.setattr(Club, "today", lambda _club: moment.date())

    put(SPRING)
    return put


@pytest.fixture
def template(club: Club, dora: User) -> EventTemplate:
    event_terms = terms(lengths=[5], check_in=True)
    return recurring.template_save(
        club=club, by=dora, name="Weekly club tournament", terms=event_terms, about="At the bar", capacity=16
    )


@pytest.fixture
def repeat(club: Club, dora: User, template: EventTemplate) -> Callable[..., RecurringEvent]:
    """A function that lets the template repeat on Thursdays at 20:00."""

    def make(**changes: Any) -> RecurringEvent:
        opens_days, by = changes.pop("opens_days", 6), changes.pop("by", dora)
        recurrence = {"kind": "weekly", "weekdays": [3], "first": "2026-03-01", **changes}
        return recurring.recurring_event_create(
            template_id=template.pk,
            club=club,
            by=by,
            name="Thursday {date}",
            recurrence=recurrence,
            hour=time(20),
            opens_days=opens_days,
        )

    return make


# Templates


def test_a_template_stores_everything_but_the_date(template: EventTemplate) -> None:
    assert Terms.read(template.terms) == terms(lengths=[5], check_in=True)
    assert template.facts == {"about": "At the bar", "capacity": 16}


def test_a_tournament_becomes_a_template(club: Club, dora: User) -> None:
    made = services.tournament_create(creator=dora, club=club, name="Swiss", terms=terms("swiss"), capacity=8)
    kept = recurring.template_save_from_tournament(tournament_id=made.pk, by=dora, name="Swiss night")
    assert (kept.club, kept.name, kept.facts) == (
        club,
        "Swiss night",
        {"about": "", "capacity": 8, "starts_itself": False},
    )
    assert Terms.read(kept.terms).config.format == "swiss"


def test_a_template_keeps_the_order_of_the_tie_breaks(club: Club, dora: User) -> None:
    order = ("points", "wins", "direct")
    said = terms("league", config={"tie_breaks": order})
    kept = recurring.template_save(club=club, by=dora, name="League", terms=said)
    assert Terms.read(kept.terms).config.tie_breaks == order
    assert answers_of_template(kept)["tie_breaks"] == order
    assert (
        refused(
            lambda: recurring.template_save(
                club=club, by=dora, name="None", terms=terms("league", config={"tie_breaks": ["median"]})
            )
        )
        == "tie_breaks_all_meet"
    )


def test_two_templates_of_a_club_have_two_names(club: Club, dora: User, template: EventTemplate) -> None:
    save = recurring.template_save
    assert refused(lambda: save(club=club, by=dora, name=" Weekly club tournament ", terms=terms())) == "template_name"
    other = save(club=club, by=dora, name="Friday", terms=terms())
    assert refused(
        lambda: save(club=club, by=dora, name="Weekly club tournament", terms=terms(), template_id=other.pk)
    ) == ("template_name")


def test_only_directors_of_the_club_manage_templates(club: Club, ana: User, template: EventTemplate) -> None:
    Membership.objects.create(club=club, user=ana)
    assert (
        refused(lambda: recurring.template_save(club=club, by=ana, name="Mine", terms=terms())) == "not_club_director"
    )
    assert refused(lambda: recurring.template_remove(template_id=template.pk, club=club, by=ana)) == "not_club_director"


def test_a_template_of_another_club_is_not_found(ana: User, template: EventTemplate) -> None:
    other = Club.objects.create(name="Other", slug="other")
    Membership.objects.create(club=other, user=ana, role="owner")
    assert refused(lambda: recurring.template_remove(template_id=template.pk, club=other, by=ana)) == "no_template"


def test_a_template_in_use_is_not_deleted(
    club: Club, dora: User, template: EventTemplate, repeat: Callable[..., RecurringEvent]
) -> None:
    event = repeat()
    assert refused(lambda: recurring.template_remove(template_id=template.pk, club=club, by=dora)) == "template_used"
    recurring.recurring_event_stop(recurring_event_id=event.pk, club=club, by=dora)
    recurring.template_remove(template_id=template.pk, club=club, by=dora)
    assert not EventTemplate.objects.exists()


# Recurring events open themselves


def test_an_occurrence_opens_its_days_before_and_once(
    clock: Callable[[datetime], None], club: Club, dora: User, repeat: Callable[..., RecurringEvent]
) -> None:
    event = repeat()
    assert event.due_at == datetime(2026, 3, 20, 19, tzinfo=UTC)  # six days before the 26th, at 20:00 in Madrid
    assert recurring.recurring_events_due(SPRING, 10) == []
    clock(event.due_at)
    assert len(recurring.recurring_event_due(recurring_event_id=event.pk)) == 1
    assert recurring.recurring_event_due(recurring_event_id=event.pk) == []
    made = Tournament.objects.get()
    assert (made.club, made.name, made.capacity, made.about) == (club, "Thursday 26 Mar 2026", 16, "At the bar")
    assert made.starts_at == datetime(2026, 3, 26, 19, tzinfo=UTC)
    assert list(Official.objects.values_list("user", flat=True)) == [dora.pk]
    event.refresh_from_db()
    assert event.due_at == datetime(2026, 3, 27, 19, tzinfo=UTC)


def test_the_local_hour_stays_when_the_clocks_change(
    clock: Callable[[datetime], None], repeat: Callable[..., RecurringEvent]
) -> None:
    ahead = recurring.upcoming_dates(repeat(), 2)
    assert [start.hour for _day, start in ahead] == [19, 18]
    assert [day for day, _start in ahead] == [date(2026, 3, 26), date(2026, 4, 2)]


def test_a_second_worker_opens_no_second_occurrence(
    clock: Callable[[datetime], None], repeat: Callable[..., RecurringEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    event = repeat(opens_days=7)
    Occurrence.objects.create(recurring_event=event, date=date(2026, 3, 26))  # the other was faster
    assert recurring.recurring_event_due(recurring_event_id=event.pk) == []
    assert Tournament.objects.count() == 0


def test_passed_dates_are_left_out(clock: Callable[[datetime], None], repeat: Callable[..., RecurringEvent]) -> None:
    event = repeat()
    clock(datetime(2026, 4, 20, 12, tzinfo=UTC))
    (made,) = recurring.recurring_event_due(recurring_event_id=event.pk)
    assert made.starts_at == datetime(2026, 4, 23, 18, tzinfo=UTC)


def test_a_date_is_skipped_and_restored(
    clock: Callable[[datetime], None], club: Club, dora: User, repeat: Callable[..., RecurringEvent]
) -> None:
    event, day = repeat(), date(2026, 3, 26)
    facts: dict[str, Any] = {"recurring_event_id": event.pk, "club": club, "by": dora}
    recurring.occurrence_skip(**facts, day=day)
    assert refused(lambda: recurring.occurrence_skip(**facts, day=day)) == "night_no_date"
    assert refused(lambda: recurring.occurrence_skip(**facts, day=date(2026, 3, 27))) == "night_no_date"
    event.refresh_from_db()
    assert [ahead for ahead, _start in recurring.upcoming_dates(event, 1)] == [date(2026, 4, 2)]
    recurring.occurrence_restore(**facts, day=day)
    assert [ahead for ahead, _start in recurring.upcoming_dates(event, 1)] == [day]
    assert refused(lambda: recurring.occurrence_restore(**facts, day=day)) == "night_no_date"


def test_a_paused_event_opens_nothing_and_its_tournaments_stay(
    clock: Callable[[datetime], None], club: Club, dora: User, repeat: Callable[..., RecurringEvent]
) -> None:
    event = repeat(opens_days=7)
    recurring.recurring_event_due(recurring_event_id=event.pk)
    recurring.recurring_event_pause(recurring_event_id=event.pk, club=club, by=dora)
    clock(SPRING + timedelta(days=14))
    assert recurring.recurring_event_due(recurring_event_id=event.pk) == []
    recurring.recurring_event_resume(recurring_event_id=event.pk, club=club, by=dora)
    assert len(recurring.recurring_event_due(recurring_event_id=event.pk)) == 1
    recurring.recurring_event_stop(recurring_event_id=event.pk, club=club, by=dora)
    recurring.recurring_event_resume(recurring_event_id=event.pk, club=club, by=dora)  # what is stopped is stopped
    event.refresh_from_db()
    assert (event.status, event.due_at, Tournament.objects.count()) == ("stopped", None, 2)


def test_an_owner_directs_when_the_creator_no_longer_does(
    clock: Callable[[datetime], None], club: Club, ana: User, dora: User, repeat: Callable[..., RecurringEvent]
) -> None:
    row = Membership.objects.create(club=club, user=ana, role="director")
    event = repeat(by=ana, opens_days=7)
    row.delete()
    (made,) = recurring.recurring_event_due(recurring_event_id=event.pk)
    assert made.created_by == dora


def test_an_occurrence_that_cannot_be_opened_has_a_reason(
    clock: Callable[[datetime], None], club: Club, repeat: Callable[..., RecurringEvent]
) -> None:
    event = repeat(opens_days=7)
    Membership.objects.all().delete()
    assert recurring.recurring_event_due(recurring_event_id=event.pk) == []
    assert Occurrence.objects.get().reason == "nobody_directs"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"weekdays": []}, "rhythm"),
        ({"every": 99}, "rhythm"),
        ({"first": "x"}, "rhythm"),
        ({"opens_days": 31}, "opens_days"),
    ],
)
def test_an_impossible_recurrence_is_refused(
    repeat: Callable[..., RecurringEvent], changes: dict[str, Any], code: str
) -> None:
    assert refused(lambda: repeat(**changes)) == code


def test_the_name_is_in_the_language_of_the_director() -> None:
    assert recurring.occurrence_name("Jueves {date}", date(2026, 3, 26), 4, "es") == "Jueves 26 de marzo de 2026"
    assert recurring.occurrence_name("Night {number} {x}", date(2026, 3, 26), 4, "en") == "Night 4 {x}"


def test_the_sweep_opens_due_occurrences(repeat: Callable[..., RecurringEvent]) -> None:
    event = repeat()
    RecurringEvent.objects.filter(pk=event.pk).update(due_at=now() - timedelta(minutes=1), opens_days=30)
    sweep_recurring_events()
    assert Tournament.objects.count() >= 4
    count = Tournament.objects.count()
    sweep_recurring_events()
    assert Tournament.objects.count() == count


# Events of a club, and what counts


def test_a_club_sets_who_creates_its_tournaments(club: Club, ana: User, dora: User) -> None:
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
    changed = services.tournament_update(tournament_id=made.pk, user=dora, terms=terms(rated=wanted, clock="club"))
    assert Terms.read(changed.terms).rated is rated


def test_an_owner_of_the_club_takes_a_tournament_over(club: Club, ana: User, bea: User, dora: User) -> None:
    Membership.objects.create(club=club, user=ana, role="director")
    made = services.tournament_create(creator=ana, club=club, name="Hers", terms=terms())
    assert refused(lambda: services.director_take_over(tournament_id=made.pk, user=bea)) == "not_club_owner"
    for _again in range(2):
        services.director_take_over(tournament_id=made.pk, user=dora)
    assert set(Official.objects.values_list("user", flat=True)) == {ana.pk, dora.pk}
    assert list(made.events.filter(kind="director_added").values_list("by", flat=True)) == [dora.pk]
