"""What notices hear from clubs: who asks to be let in, and what he is answered."""

from __future__ import annotations

from django.dispatch import receiver

from accounts.models import JoinRequest
from accounts.roles import owners_of
from accounts.signals import club_answered, club_asked
from notices import services
from notices.told import Draft


@receiver(club_asked)
def somebody_asks(sender: object, request: JoinRequest, **more: object) -> None:
    """The owners of the club hear of it; any of them may answer."""
    data = {"from": request.user.username, "title": request.club.name}
    for owner in owners_of(request.club):
        draft = Draft("club_asked", str(request.pk), f"/clubs/{request.club.slug}/office/", data)
        services.notice_write(user_id=owner.pk, draft=draft)


@receiver(club_answered)
def somebody_answers(sender: object, request: JoinRequest, said: bool, **more: object) -> None:
    """No owner needs to answer any more; and who asked hears what was said."""
    services.notice_settle(kinds=("club_asked",), key=str(request.pk))
    if said:
        data = {"title": request.club.name, "admitted": bool(request.accepted)}
        draft = Draft("club_answered", str(request.pk), f"/clubs/{request.club.slug}/", data)
        services.notice_write(user_id=request.user_id, draft=draft)
