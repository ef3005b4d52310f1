"""Names that could be mistaken for another's: the same look, in one alphabet or in several."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.lookalikes import look
from accounts.models import User
from accounts.naming import name_check


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "AIice"),  # a capital i
        ("carlos", "car1os"),
        ("carmen", "carrnen"),
        ("bea0", "beaO"),
        ("ana", "аnа"),  # Cyrillic а
        ("ANA", "АΝА"),  # Cyrillic and Greek capitals
        ("cope", "соре"),  # all of it Cyrillic
        ("Tom", "Τοm"),
        ("hugo", "հugo"),
        ("o7", "०7"),  # a zero of Devanagari
        ("ana", "ＡＮＡ"),  # full width
    ],
)
def test_what_looks_alike_has_one_look(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(
    ("one", "other"), [("José", "Jose"), ("ana", "anna"), ("ana-1", "ana_1"), ("ñu", "nu"), ("lisa", "ILSA")]
)
def test_what_can_be_told_apart_has_two_looks(one: str, other: str) -> None:
    assert look(one) != look(other)


def test_a_look_is_that_of_its_own_look() -> None:
    for name in ("Alice", "CARMEN", "Ольга", "Ελένη", "Łukasz", "Zoë"):
        assert look(look(name)) == look(name)


@pytest.mark.django_db
def test_nobody_signs_up_under_a_name_that_looks_like_anothers(carlos: User) -> None:
    client = Client()
    for name in ("CarIos", "сarlos", "carl0s"):
        client.post("/accounts/signup/", {"username": name, "password1": "correct horse battery"})
    assert list(User.objects.filter(is_bot=False).values_list("username", flat=True)) == ["carlos"]
    client.post("/accounts/signup/", {"username": "carlota", "password1": "correct horse battery"})
    assert User.objects.filter(username="carlota").exists()


@pytest.mark.django_db
def test_a_name_may_look_like_the_own_one_of_before(carlos: User, ana: User) -> None:
    name_check("Carl0s", but=carlos)
    with pytest.raises(ValidationError) as refused:
        name_check("Carl0s", but=ana)
    assert refused.value.code == "name_alike"


@pytest.mark.django_db
def test_the_name_of_who_left_and_the_look_of_a_guest_are_free(carlos: User) -> None:
    User.objects.filter(pk=carlos.pk).update(username="player-1", name_key="player-1", name_look="p1ayer-l")
    name_check("carlos")
