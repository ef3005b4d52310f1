"""Names that look like those of other users, in one alphabet or in several."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import User
from accounts.names.lookalikes import skeleton
from accounts.users.name_availability import validate_available


@pytest.mark.parametrize(
    ("name", "other"),
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
def test_lookalikes_have_the_same_skeleton(name: str, other: str) -> None:
    assert skeleton(name) == skeleton(other)


@pytest.mark.parametrize(
    ("name", "other"), [("José", "Jose"), ("ana", "anna"), ("ana-1", "ana_1"), ("ñu", "nu"), ("lisa", "ILSA")]
)
def test_distinguishable_names_have_different_skeletons(name: str, other: str) -> None:
    assert skeleton(name) != skeleton(other)


def test_the_skeleton_is_idempotent() -> None:
    for name in ("Alice", "CARMEN", "Ольга", "Ελένη", "Łukasz", "Zoë"):
        assert skeleton(skeleton(name)) == skeleton(name)


@pytest.mark.django_db
def test_a_name_that_looks_like_another_users_is_refused_at_sign_up(carlos: User) -> None:
    client = Client()
    for name in ("CarIos", "сarlos", "carl0s"):
        client.post("/accounts/signup/", {"username": name, "password1": "correct horse battery"})
    assert list(User.objects.filter(is_bot=False).values_list("username", flat=True)) == ["carlos"]
    client.post("/accounts/signup/", {"username": "carlota", "password1": "correct horse battery"})
    assert User.objects.filter(username="carlota").exists()


@pytest.mark.django_db
def test_a_new_name_may_look_like_the_users_own_former_name(carlos: User, ana: User) -> None:
    validate_available("Carl0s", exclude=carlos)
    with pytest.raises(ValidationError) as refused:
        validate_available("Carl0s", exclude=ana)
    assert refused.value.code == "name_alike"


@pytest.mark.django_db
def test_the_names_of_deleted_accounts_and_lookalikes_of_guests_are_free(carlos: User) -> None:
    User.objects.filter(pk=carlos.pk).update(username="player-1", name_key="player-1", name_skeleton="p1ayer-l")
    validate_available("carlos")
