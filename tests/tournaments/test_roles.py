"""Roles at a tournament: what each may do at the desk, who appoints and dismisses, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from eventlog.visibility import permitted_topics
from tests.games.test_api_matches import sent
from tests.tournaments.conftest import fresh
from tests.tournaments.desk_browser import do, messages, page, view
from tournaments import roles, services
from tournaments.boards import Boards, Room
from tournaments.errors import Refused
from tournaments.models import Official, Tournament
from tournaments.prizes import Purse
from tournaments.roles import DeskAct, Role
from tournaments.selectors.tournament_log import event_sentence
from tournaments.services import prizes

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
As = Callable[[User], Client]
WHO = ("nobody", "scorekeeper", "referee", "director")
KEY = "main-1-1"
SENT = {"key": KEY, "of": "1 4", "winner": "1", "how": "played", "won": "3", "lost": "0", "sent": "0123456789abcdef-1"}

# Every service of the desk: who may call it, the refusal of all others, and its arguments in a running knockout.
OFFICIALS, REFEREES, DIRECTORS = WHO[1:], WHO[2:], WHO[3:]
RUNNING: dict[str, tuple[tuple[str, ...], str, dict[str, Any]]] = {
    "result_enter": (OFFICIALS, "not_official", {"key": KEY, "winner": 1, "points": (3, 0)}),
    "penalty_give": (REFEREES, "not_referee", {"key": KEY, "number": 1, "points": 1}),
    "ruling_record": (REFEREES, "not_referee", {"text": "The roll stands.", "why": "Flat dice."}),
    "result_correct": (
        DIRECTORS,
        "not_director",
        {"key": "main-1-2", "winner": 2, "points": (3, 1), "why": "Misread."},
    ),
    "alert_dismiss": (DIRECTORS, "not_director", {"kind": "stalled"}),
    "entrant_withdraw": (DIRECTORS, "not_yours", {"number": 1}),
    "entrant_reinstate": (DIRECTORS, "not_director", {"number": 1}),
    "entrant_substitute": (DIRECTORS, "not_director", {"number": 1, "name": "Paco"}),
    "entrant_paid": (DIRECTORS, "not_director", {"number": 1}),
    "boards_set": (DIRECTORS, "not_director", {"boards": Boards(rooms=(Room("", 1, 4),))}),
    "break_start": (DIRECTORS, "not_director", {}),
    "announcement_post": (DIRECTORS, "not_director", {"text": "The bar is open."}),
    "tournament_cancel": (DIRECTORS, "not_director", {}),
}
OPEN: dict[str, tuple[tuple[str, ...], str, dict[str, Any]]] = {
    "tournament_draw": (DIRECTORS, "not_director", {}),
    "tournament_start": (DIRECTORS, "not_director", {}),
    "tournament_update": (DIRECTORS, "not_director", {"name": "Other"}),
    "entrant_add": (DIRECTORS, "not_director", {"name": "Paco"}),
    "entrants_check_in": (DIRECTORS, "not_director", {}),
    "seeding_set": (DIRECTORS, "not_director", {"method": "lot"}),
    "password_set": (DIRECTORS, "not_director", {"password": "nogal"}),
    "invitation_renew": (DIRECTORS, "not_director", {}),
}


@pytest.fixture
def cup(tournament: Make) -> Tournament:
    """A knockout of four walk-ins to 3; the second match has a result that dora entered."""
    made = tournament(walk_ins=4, start=True)
    services.result_enter(tournament_id=made.pk, user=made.created_by, key="main-1-2", winner=2, points=(3, 0))
    return made


@pytest.fixture
def official(person: Callable[..., User], dora: User) -> Callable[[Tournament, str], User]:
    """A function that appoints a new user to a role at a tournament; `nobody` has none."""

    def appoint(made: Tournament, role: str) -> User:
        user = person(f"the-{role}"[:20])
        if role != "nobody":
            services.official_appoint(tournament_id=made.pk, user=dora, official=user, role=role)
        return user

    return appoint


def code_of(service: Callable[..., object], **kwargs: Any) -> str:
    """The code with which a service refuses; "" if it does not."""
    try:
        service(**kwargs)
    except Refused as refused:
        return refused.code
    return ""


# The table


def test_the_table_names_every_act_once_and_each_role_may_what_the_lesser_ones_may() -> None:
    assert set(roles.LEAST_ROLE) == set(DeskAct)
    assert roles.acts_of(None) == frozenset() == roles.acts_of("cook")
    assert roles.acts_of("scorekeeper") == {"view_desk", "enter_results", "undo_own_results"}
    assert roles.acts_of("referee") - roles.acts_of("scorekeeper") == {"give_penalties", "write_rulings"}
    assert roles.acts_of("director") == set(DeskAct)


def test_an_act_that_the_table_does_not_name_is_refused_to_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roles, "LEAST_ROLE", {})
    for role in Role:
        assert code_of(roles.check, role=role, act=DeskAct.VIEW_DESK) == "not_director"


# Services


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", RUNNING)
def test_a_running_tournament_is_changed_by_those_whose_role_allows_it(
    cup: Tournament, official: Callable[..., User], who: str, name: str
) -> None:
    allowed, refusal, kwargs = RUNNING[name]
    user, before = official(cup, who), fresh(cup)
    code = code_of(getattr(services, name), tournament_id=cup.pk, user=user, **kwargs)
    assert code == ("" if who in allowed else refusal) or (who in allowed and code == "same_result")
    if who not in allowed:
        assert fresh(cup) == before


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", OPEN)
def test_an_open_tournament_is_changed_by_those_whose_role_allows_it(
    tournament: Make, official: Callable[..., User], who: str, name: str
) -> None:
    made = tournament(walk_ins=4)
    allowed, refusal, kwargs = OPEN[name]
    user, before = official(made, who), fresh(made)
    code = code_of(getattr(services, name), tournament_id=made.pk, user=user, **kwargs)
    assert code == ("" if who in allowed else refusal)
    assert (fresh(made) == before) or who in allowed


@pytest.mark.parametrize("who", WHO)
def test_prizes_and_roles_are_for_directors(
    cup: Tournament, official: Callable[..., User], ana: User, who: str
) -> None:
    user, wanted = official(cup, who), "" if who == "director" else "not_director"
    assert code_of(prizes.purse_set, tournament_id=cup.pk, user=user, purse=Purse()) == wanted
    appoint = {"tournament_id": cup.pk, "user": user, "official": ana}
    assert code_of(services.official_appoint, **appoint, role="scorekeeper") == wanted
    assert code_of(services.official_dismiss, **appoint) == wanted


# Undoing one's own results


def entered(cup: Tournament, user: User) -> int:
    return services.result_enter(tournament_id=cup.pk, user=user, key=KEY, winner=1, points=(3, 0))


def test_scorekeepers_undo_the_results_that_they_entered_and_no_others(
    cup: Tournament, official: Callable[..., User], dora: User
) -> None:
    nora = official(cup, "scorekeeper")
    others = cup.events.get(kind="result").act
    assert code_of(services.act_undo, tournament_id=cup.pk, user=nora, act=others) == "not_director"
    act = entered(cup, nora)
    services.act_undo(tournament_id=cup.pk, user=nora, act=act)
    assert fresh(cup).by_key[KEY].state == "ready"
    assert code_of(services.act_redo, tournament_id=cup.pk, user=nora, act=act) == "not_director"


def test_a_corrected_result_is_not_undone_by_the_scorekeeper_who_entered_it(
    cup: Tournament, official: Callable[..., User], dora: User
) -> None:
    nora = official(cup, "scorekeeper")
    act = entered(cup, nora)
    services.result_correct(tournament_id=cup.pk, user=dora, key=KEY, winner=4, points=(1, 3), why="Misread.")
    assert code_of(services.act_undo, tournament_id=cup.pk, user=nora, act=act) == "not_director"


def test_a_scorekeeper_does_not_undo_a_result_on_which_another_was_played(
    cup: Tournament, official: Callable[..., User], dora: User
) -> None:
    nora = official(cup, "scorekeeper")
    act = entered(cup, nora)
    services.result_enter(tournament_id=cup.pk, user=dora, key="main-2-1", winner=1, points=(3, 0))
    undo = {"tournament_id": cup.pk, "user": nora, "act": act}
    assert code_of(services.act_undo, **undo) == "resets_others"
    assert code_of(services.act_undo, **undo, agreed=["main-2-1"]) == "resets_others"


def test_who_plays_does_not_undo_their_own_result(tournament: Make, ana: User, dora: User) -> None:
    made = tournament(walk_ins=1, venue="board")
    services.entrant_register(tournament_id=made.pk, user=ana)
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.official_appoint(tournament_id=made.pk, user=dora, official=ana, role="scorekeeper")
    act = entered(made, ana)
    assert code_of(services.act_undo, tournament_id=made.pk, user=ana, act=act) == "not_director"


# Appointing and dismissing


def test_appointments_keep_who_made_them_and_when(cup: Tournament, dora: User, ana: User) -> None:
    for role in ("scorekeeper", "referee", "director", "referee"):
        services.official_appoint(tournament_id=cup.pk, user=dora, official=ana, role=role)
    services.official_appoint(tournament_id=cup.pk, user=dora, official=ana, role="referee")
    (row,) = Official.objects.filter(user=ana)
    last = cup.events.latest("n")
    assert (row.role, row.appointed_by, row.appointed_at) == ("referee", dora, last.at)
    services.official_dismiss(tournament_id=cup.pk, user=dora, official=ana)
    assert cup.role_of(ana) is None
    kept = cup.events.filter(kind__in=("appointed", "dismissed", "director_added", "director_removed"))
    assert [(event.kind, event.data.get("role"), event.by) for event in kept] == [
        ("appointed", "scorekeeper", dora),
        ("appointed", "referee", dora),
        ("director_added", None, dora),
        ("director_removed", None, dora),
        ("appointed", "referee", dora),
        ("dismissed", "referee", dora),
    ]
    names: Any = None
    data = {"name": "ana", "role": "referee"}
    assert event_sentence("appointed", data, names) == "ana was appointed: Referee."
    assert event_sentence("dismissed", data, names) == "ana was dismissed: Referee."


def test_who_cannot_be_appointed_or_dismissed(cup: Tournament, dora: User, ana: User, person: Any) -> None:
    appoint = {"tournament_id": cup.pk, "user": dora}
    guest = person("invitada")
    guest.is_guest = True
    guest.save()
    for code, official, role in (
        ("members_only", guest, "referee"),
        ("role_unknown", ana, "cook"),
        ("creator_directs", dora, "scorekeeper"),
    ):
        assert code_of(services.official_appoint, **appoint, official=official, role=role) == code
    assert code_of(services.official_dismiss, **appoint, official=dora) == "creator_directs"
    assert code_of(services.official_dismiss, **appoint, official=ana) == "no_role"
    assert cup.role_of(dora) == "director"


def test_a_role_holds_at_one_tournament_only(cup: Tournament, tournament: Make, official: Callable[..., User]) -> None:
    referee, other = official(cup, "referee"), tournament(walk_ins=2, start=True)
    assert other.role_of(referee) is None
    assert code_of(entered, cup=other, user=referee) == "not_official"


def test_a_dismissed_official_loses_the_desk_and_its_stream_at_once(
    cup: Tournament, official: Callable[..., User], dora: User, as_user: As
) -> None:
    nora = official(cup, "scorekeeper")
    browser, topic = as_user(nora), f"desk:{cup.pk}"
    assert browser.get(reverse("tournament-desk", args=[cup.pk])).status_code == 200
    assert topic in permitted_topics(nora, [topic])
    before = cup.events.count()
    services.official_dismiss(tournament_id=cup.pk, user=dora, official=nora)
    cup.refresh_from_db()
    assert cup.version == before + 1  # open pages are told, ask for the desk again, and are refused
    assert browser.get(reverse("tournament-desk", args=[cup.pk])).status_code == 403
    assert permitted_topics(nora, [topic]) == frozenset()
    assert code_of(entered, cup=cup, user=nora) == "not_official"
    answer = browser.post(reverse("desk-send", args=[cup.pk]), SENT)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_official")


# Pages

DESK_FORMS = {
    "desk-result": OFFICIALS,
    "desk-penalty": REFEREES,
    "desk-ruling": REFEREES,
    "desk-correct": DIRECTORS,
    "desk-announce": DIRECTORS,
    "desk-boards": DIRECTORS,
    "desk-entrant": DIRECTORS,
    "desk-recess": DIRECTORS,
    "desk-cancel": DIRECTORS,
    "desk-undo": DIRECTORS,
    "desk-roles": DIRECTORS,
    "desk-receipts": DIRECTORS,
    "tournament-prizes": DIRECTORS,
}


@pytest.mark.parametrize("who", OFFICIALS)
def test_the_desk_shows_only_what_a_role_may_do(
    cup: Tournament, official: Callable[..., User], as_user: As, who: str
) -> None:
    browser = as_user(official(cup, who))
    html = page(browser, cup) + browser.get(reverse("desk-log", args=[cup.pk])).content.decode()
    shown = {name for name in DESK_FORMS if f'"{reverse(name, args=[cup.pk])}' in html}
    assert shown == {name for name, allowed in DESK_FORMS.items() if who in allowed}


def test_the_result_line_of_a_scorekeeper_enters_and_takes_back(
    cup: Tournament, official: Callable[..., User], as_user: As
) -> None:
    browser = as_user(official(cup, "scorekeeper"))
    answer = browser.post(reverse("desk-send", args=[cup.pk]), SENT)
    assert answer.status_code == 200
    again = browser.post(reverse("desk-send", args=[cup.pk]), {**SENT, "lost": "1", "sent": "0123456789abcdef-2"})
    assert (again.status_code, "correct" in again.json()) == (409, False)
    back = browser.post(reverse("desk-take-back", args=[cup.pk]), {"act": str(answer.json()["act"])})
    assert (back.status_code, fresh(cup).by_key[KEY].state) == (200, "ready")


def test_directors_appoint_and_dismiss_on_the_page_of_the_roles(
    cup: Tournament, desk: Client, ana: User, dora: User
) -> None:
    address = reverse("desk-roles", args=[cup.pk])
    assert address in page(desk, cup)
    assert messages(do(desk, "desk-roles", cup, name="Ana", role="referee")) == ["ana now has the role: Referee."]
    html = desk.get(address).content.decode()
    assert "Appointed by <bdi>dora</bdi>" in html
    assert "Created the tournament" in html
    assert messages(do(desk, "desk-roles", cup, name="ana", role="cook")) == [
        "Choose a role: scorekeeper, referee or director."
    ]
    refused = do(desk, "desk-roles", cup, name="dora", action="dismiss")
    assert messages(refused) == ["The person who created the tournament always directs it."]
    assert messages(do(desk, "desk-roles", cup, name="ana", action="dismiss")) == ["ana no longer has a role."]
    assert cup.role_of(ana) is None


def test_a_director_who_gives_up_the_role_is_led_to_the_tournament(
    cup: Tournament, official: Callable[..., User], as_user: As
) -> None:
    bea = official(cup, "director")
    answer = as_user(bea).post(reverse("desk-roles", args=[cup.pk]), {"name": bea.username, "action": "dismiss"})
    assert answer.headers["Location"] == reverse("tournament", args=[cup.pk])


@pytest.mark.parametrize("who", OFFICIALS)
def test_the_desk_and_the_roles_need_few_queries_however_many_officials(
    cup: Tournament,
    official: Callable[..., User],
    person: Callable[..., User],
    dora: User,
    as_user: As,
    django_assert_max_num_queries: Any,
    who: str,
) -> None:
    browser = as_user(official(cup, who))
    for n in range(12):
        user = person(f"helper{n}")
        services.official_appoint(tournament_id=cup.pk, user=dora, official=user, role="scorekeeper")
    browser.get(reverse("tournament-desk", args=[cup.pk]))
    with django_assert_max_num_queries(22):
        assert browser.get(reverse("tournament-desk", args=[cup.pk])).status_code == 200
    if who == "director":
        with django_assert_max_num_queries(14):
            assert browser.get(reverse("desk-roles", args=[cup.pk])).status_code == 200


# The API


def test_the_api_appoints_lists_and_dismisses(cup: Tournament, dora: User, ana: User) -> None:
    path = f"tournaments/{cup.pk}/desk/officials/"
    assert sent(dora, f"{path}appoint/", player="ana", role="scorekeeper")[0] == 200
    row = Official.objects.get(user=ana)
    assert (row.role, row.appointed_by) == ("scorekeeper", dora)
    assert sent(ana, f"tournaments/{cup.pk}/desk/result/", key=KEY, winner=1, won=3, lost=0)[0] == 200
    assert sent(ana, f"tournaments/{cup.pk}/desk/ruling/", text="So", why="because")[0] == 403
    assert sent(ana, f"{path}dismiss/", player="dora")[0] == 403
    assert sent(dora, f"{path}dismiss/", player="ana")[0] == 200
    assert sent(ana, f"tournaments/{cup.pk}/desk/result/", key=KEY, winner=1, won=3, lost=0)[0] == 403


@pytest.mark.parametrize("who", OFFICIALS)
def test_the_desk_of_a_viewer_knows_their_role(
    cup: Tournament, official: Callable[..., User], as_user: As, who: str
) -> None:
    found = view(as_user(official(cup, who)), cup)
    assert (found.role, found.may) == (who, roles.acts_of(who))
