"""Notifications about clubs: join requests and their answers."""

from __future__ import annotations

from django.dispatch import receiver

from accounts.clubs.roles import owners_of
from accounts.models import JoinRequest
from accounts.signals import join_request_answered, join_request_created
from notifications import services
from notifications.build import Draft


@receiver(join_request_created)
def notify_owners_of_request(sender: object, request: JoinRequest, **more: object) -> None:
    """Notify the owners of the club; any of them may answer."""
    data = {"from": request.user.username, "title": request.club.name}
    for owner in owners_of(request.club):
        draft = Draft("club_asked", str(request.pk), f"/clubs/{request.club.slug}/office/", data)
        services.notification_write(user_id=owner.pk, draft=draft)


@receiver(join_request_answered)
def notify_of_answer(sender: object, request: JoinRequest, by_owner: bool, **more: object) -> None:
    """Expire the owners' notifications, and notify the person who asked of the answer."""
    services.notification_settle(kinds=("club_asked",), key=str(request.pk))
    if by_owner:
        data = {"title": request.club.name, "admitted": bool(request.accepted)}
        draft = Draft("club_answered", str(request.pk), f"/clubs/{request.club.slug}/", data)
        services.notification_write(user_id=request.user_id, draft=draft)
