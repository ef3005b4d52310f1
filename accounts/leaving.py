"""Leaving the site: the person goes, his matches stay with the others who played them.

What goes is what the apps declared (accounts.data), all of it in one transaction. What stays is a `User` row without a
name, so that matches, ratings and tournaments hold together and every replay opens.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from accounts import data
from accounts.errors import Refused
from accounts.former import Leaver
from accounts.kept import addresses_of, names_before
from accounts.models import User


def person_leave(*, user: User) -> User:
    """Take a person out of the site for good, with the bots that he brought and the accounts that
    became part of his; once more changes nothing.

    Matches by correspondence are resigned, tournaments and ladders left. Gives the row that stays.
    Raises Refused("leave_house") for the house's bots, and ("leave_hindered") while something has to happen first: see
    `data.hindrances`.
    """
    if user.is_house_bot:
        raise Refused("leave_house")
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        if locked.left_at is not None:
            return locked
        if data.hindrances(locked):
            raise Refused("leave_hindered")
        his = User.objects.select_for_update(of=("self",)).filter(Q(owner=locked) | Q(merged__into=locked))
        for one in [*his.filter(left_at=None), locked]:
            for part in data.partings():
                part(one)
            leaver = Leaver.of(one, emails=[*addresses_of(one), *names_before(one)])
            for erase in data.erasers().values():
                erase(leaver)
        locked.refresh_from_db()
    return locked
