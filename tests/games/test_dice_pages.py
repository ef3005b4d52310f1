"""The fair dice on the pages of a match, and the verification script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from accounts.users import services as user_services
from games import services
from games.models import Match

LOCK, ALARM, ASK = 'data-part="dice-lock"', 'data-part="dice-alarm"', 'data-part="dice-ask"'
NO_PROOF = "The dice of this match can't be verified."


def page(match: Match, user: User | None = None) -> str:
    client = Client(headers={"accept-language": "en"})
    if user:
        client.force_login(user, backend=user_services.BACKEND)
    return client.get(f"/match/{match.pk}/").content.decode()


@pytest.mark.django_db
def test_the_page_has_the_fair_dice_controls_for_players_only(open_table: Callable[..., Match], ana: User) -> None:
    match = open_table()
    own_page, spectator_page = page(match, ana), page(match)
    assert [part in own_page for part in (LOCK, ALARM, ASK, NO_PROOF)] == [True, True, True, False]
    assert [part in spectator_page for part in (LOCK, ALARM, ASK)] == [True, True, False]


@pytest.mark.django_db
def test_anyone_can_verify_the_dice_of_a_finished_match(open_table: Callable[..., Match], ana: User) -> None:
    match = open_table()
    services.match_act(match_id=match.pk, user_id=ana.pk, action="resign match", client_id="give-up")
    watched = page(match)
    assert "Fair dice" in watched
    assert f'href="/match/{match.pk}/dice.json"' in watched
    assert 'href="/verify_dice.py"' in watched
    assert f"python3 verify_dice.py tablero-{match.pk}-dice.json" in watched
    assert ASK not in page(match, ana)


@pytest.mark.django_db
def test_a_match_without_proof_says_so_and_an_imported_one_does_not(open_table: Callable[..., Match]) -> None:
    match = open_table()
    Match.objects.filter(pk=match.pk).update(dice=None)
    assert [part in page(match) for part in (LOCK, ALARM, NO_PROOF)] == [False, False, True]
    Match.objects.filter(pk=match.pk).update(source="mat")
    assert [part in page(match) for part in (LOCK, ALARM, NO_PROOF)] == [False, False, False]


def test_the_verification_script_is_served_as_documented(client: Client) -> None:
    answer = client.get("/verify_dice.py")
    assert answer.status_code == 200
    assert answer.content == (Path(settings.BASE_DIR) / "docs" / "verify_dice.py").read_bytes()
    assert answer.headers["Content-Disposition"] == 'attachment; filename="verify_dice.py"'
    assert answer.headers["Content-Type"] == "text/x-python; charset=utf-8"
