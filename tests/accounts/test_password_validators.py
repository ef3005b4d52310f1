"""Passwords that are easy to guess here, and dates."""

from __future__ import annotations

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.clubs import services as clubs
from accounts.models import Club, User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "password", ["tablero2026", "Backgammon!", "2026.Club.Backgammon", "damas-damas", "Montjuïc-2026", "club montjuïc"]
)
def test_words_of_the_site_and_its_clubs_are_refused_as_passwords(password: str) -> None:
    clubs.default_club_ensure()
    Club.objects.update(name="Club Montjuïc")
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert "our_words" in {each.code for each in refused.value.error_list}


@pytest.mark.parametrize("password", ["17041985", "19850417", "04171985", "17/04/1985", "1985-4-17", " 17. 4. 1985 "])
def test_a_date_is_refused_as_a_password(password: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert "a_date" in {each.code for each in refused.value.error_list}


@pytest.mark.parametrize("password", ["31021985", "84729105", "17041785", "17041985?", "april 1985"])
def test_other_digits_are_accepted(password: str) -> None:
    validate_password(password)


@pytest.mark.parametrize(
    "password", ["a horse in the club", "tablero y zapato", "x" * 200, "ñandú ñandú 7", "🎲🎲🎲🎲🎲🎲🎲🎲"]
)
def test_any_other_password_is_accepted(password: str) -> None:
    validate_password(password)


def test_sign_up_shows_the_validation_error(client: Client) -> None:
    answer = client.post(reverse("account_signup"), {"username": "ana", "password1": "backgammon1"})
    assert "anyone would try here" in answer.content.decode()
    assert not User.objects.filter(username="ana").exists()
