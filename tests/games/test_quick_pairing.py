"""One click joins a game that waits on the same terms, or posts one; the computer meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.relationships.selectors import BLOCK
from accounts.relationships.services import relationship_create
from accounts.users import services as user_services
from games import services
from games.errors import Refused
from games.models import Match
from games.selectors.lobby import lobby
from games.services import online, quick_pairing

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _nobody_online(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online, "_here", {})
    monkeypatch.setattr(quick_pairing, "JUST_POSTED", HOUR / 2)  # however slow the machine is


def quick(user: User, **terms: object) -> Match:
    wanted: dict[str, object] = {"variant": "backgammon", "length": 3, "clock": "club", "rated": False, **terms}
    return services.match_quick(user=user, **wanted)  # type: ignore[arg-type]


def posted_an_hour_ago(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(created_at=match.created_at - HOUR)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=user_services.BACKEND)
    return client


def test_the_first_click_posts_and_the_second_joins(ana: User, bea: User) -> None:
    match = quick(ana)
    assert (match.status, match.creator) == (Match.Status.OPEN, ana)
    joined = quick(bea)
    assert (joined.pk, joined.status) == (match.pk, Match.Status.LIVE)


@pytest.mark.parametrize(
    "other",
    [{"length": 5}, {"clock": "blitz"}, {"rated": True}, {"variant": "nackgammon"}, {"options": {"cube": False}}],
)
def test_a_game_on_other_terms_is_not_joined(ana: User, bea: User, other: dict[str, object]) -> None:
    quick(ana)
    assert quick(bea, **other).status == Match.Status.OPEN


def test_options_that_are_the_usual_ones_are_no_other_terms(ana: User, bea: User) -> None:
    match = quick(ana, options={"cube": True, "cube_cap": 64})
    assert quick(bea).pk == match.pk


def test_of_two_games_the_older_one_is_joined(ana: User, bea: User, carlos: User) -> None:
    older = services.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=False)
    services.match_create(creator=bea, variant="backgammon", length=3, clock="club", rated=False)
    assert quick(carlos).pk == older.pk


def test_a_second_click_on_the_same_terms_posts_no_second_game(ana: User) -> None:
    assert quick(ana).pk == quick(ana).pk
    assert Match.objects.count() == 1


def test_nobody_is_sent_to_a_game_whose_player_has_gone(ana: User, bea: User) -> None:
    match = quick(ana)
    posted_an_hour_ago(match)
    assert quick(bea).status == Match.Status.OPEN
    online.seen(ana.pk)
    online.write()
    Match.objects.filter(creator=bea).delete()
    assert quick(bea).pk == match.pk


def test_by_correspondence_nobody_needs_to_be_there(ana: User, bea: User) -> None:
    match = quick(ana, clock="days3")
    posted_an_hour_ago(match)
    assert quick(bea, clock="days3").pk == match.pk


def test_a_blocked_player_s_game_is_not_joined(ana: User, bea: User) -> None:
    quick(ana)
    relationship_create(by=bea, about=ana, kind=BLOCK)
    assert quick(bea).status == Match.Status.OPEN


def test_a_game_for_those_with_its_link_is_in_no_list_and_joined_by_its_link(ana: User, bea: User) -> None:
    terms = {"variant": "backgammon", "length": 3, "clock": "club", "rated": False}
    match = services.match_create(creator=ana, listed=False, **terms)  # type: ignore[arg-type]
    assert lobby(bea).seeks == lobby(None).seeks == []
    assert [row.match for row in lobby(ana).offered] == [match]
    assert quick(bea).status == Match.Status.OPEN
    assert services.match_join(match_id=match.pk, user=bea).status == Match.Status.LIVE


def test_while_a_game_waits_the_computer_plays_on_the_same_terms_without_a_clock(ana: User) -> None:
    bot, waiting = user_services.house_bot_ensure(), quick(ana, length=7, rated=True)
    match = services.match_while_waiting(match_id=waiting.pk, user=ana, bot=bot)
    assert (match.status, match.length, match.clock_preset, match.rated) == (Match.Status.LIVE, 7, "none", False)
    waiting.refresh_from_db()
    assert waiting.status == Match.Status.OPEN


def test_an_unfinished_match_with_the_computer_goes_on(ana: User) -> None:
    bot, waiting = user_services.house_bot_ensure(), quick(ana)
    first = services.match_while_waiting(match_id=waiting.pk, user=ana, bot=bot)
    assert services.match_while_waiting(match_id=quick(ana, length=7).pk, user=ana, bot=bot).pk == first.pk


def test_only_the_player_of_an_open_game_waits_for_it(ana: User, bea: User) -> None:
    bot, waiting = user_services.house_bot_ensure(), quick(ana)
    with pytest.raises(Refused) as refusal:
        services.match_while_waiting(match_id=waiting.pk, user=bea, bot=bot)
    assert refusal.value.code == "not_creator"
    quick(bea)
    with pytest.raises(Refused) as refusal:
        services.match_while_waiting(match_id=waiting.pk, user=ana, bot=bot)
    assert refusal.value.code == "not_open"


def test_the_page_with_the_computer_becomes_the_game_once_somebody_has_joined(ana: User, bea: User) -> None:
    user_services.house_bot_ensure()
    client, waiting = browser(ana), quick(ana)
    page = client.post(reverse("match-wait", args=[waiting.pk])).headers["Location"]
    assert page.endswith(f"?waiting={waiting.pk}")
    assert client.get(page).status_code == 200
    quick(bea)
    assert client.get(page).headers["Location"] == reverse("match", args=[waiting.pk])


def test_a_click_of_a_visitor_posts_as_a_guest_and_unrated(client: Client) -> None:
    assert client.post(reverse("match-quick"), {"pair": "5:blitz", "rated": "on"}).headers["Location"] == "/"
    match = Match.objects.get()
    assert (match.creator.is_guest, match.length, match.clock_preset, match.rated) == (True, 5, "blitz", False)


def test_a_pair_that_does_not_exist_is_refused_with_a_message_and_creates_no_guest(client: Client) -> None:
    page = client.post(reverse("match-quick"), {"pair": "9:nothing"}, follow=True).content.decode()
    assert "Choose one of the matches." in page
    assert not User.objects.filter(is_guest=True).exists()


def test_the_terms_of_the_last_game_are_offered_again(ana: User) -> None:
    client = browser(ana)
    client.post(reverse("match-quick"), {"pair": "5:blitz"})
    assert 'quick-pair is-last" name="pair" value="5:blitz"' in client.get("/").content.decode()
    custom = {"opponent": "anyone", "variant": "nackgammon", "length": "7", "clock": "slow", "cube": "on"}
    client.post(reverse("match-create"), custom)
    page = client.get("/").content.decode()
    assert 'name="pair" value="last"' in page
    assert "Nackgammon · match to 7 points · Slow" in page
    Match.objects.all().delete()
    client.post(reverse("match-quick"), {"pair": "last"})
    again = Match.objects.get()
    assert (again.variant, again.length, again.clock_preset, again.rated) == ("nackgammon", 7, "slow", False)


def test_an_invitation_is_a_game_with_a_link_and_its_qr_code(ana: User) -> None:
    page = browser(ana).post(reverse("match-invite"), follow=True).content.decode()
    match = Match.objects.get()
    assert (match.listed, match.invited) == (False, None)
    assert f'value="http://testserver/match/{match.pk}/"' in page
    assert 'class="qr"' in page


def test_each_user_online_is_counted_once(ana: User, bea: User) -> None:
    assert online.count() == 0
    for user in (ana, bea, ana):
        online.seen(user.pk)
    online.write()
    assert online.count() == 2
    online.seen(ana.pk)
    online.write()
    assert online.count() == 2


def test_an_address_that_names_no_game_to_wait_for_shows_the_match(ana: User, bea: User) -> None:
    quick(ana)
    joined = quick(bea)
    for name in ("%00", "x", "%F0%9F%8E%B2", "1" * 300):
        assert browser(bea).get(f"{reverse('match', args=[joined.pk])}?waiting={name}").status_code == 200
