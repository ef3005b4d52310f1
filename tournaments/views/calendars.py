"""Calendar feeds (.ics) of tournaments, clubs and members, and the page where members get the address of theirs."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.clubs.views import club_access_or_404
from accounts.web.policy import current_user, member, public
from games.views.request import not_found_as_404, viewer
from tournaments.selectors import calendars
from tournaments.services.calendar_feeds import calendar_feed_remove, calendar_feed_renew


@public
@require_safe
def tournament_calendar(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The calendar of a tournament: its start, and its rounds that have a time."""
    return _calendar(request, lambda absolute: calendars.tournament_calendar(tournament_id, absolute))


@public
@require_safe
def club_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The calendar of a club: its tournaments."""
    club = club_access_or_404(request, slug).club
    return _calendar(request, lambda absolute: calendars.club_calendar(club, absolute))


@public
@require_safe
def weekend_calendar(request: HttpRequest, weekend_id: str) -> HttpResponse:
    """The calendar of a weekend: its tournaments, and their rounds that have a time."""
    user = viewer(request)
    return _calendar(request, lambda absolute: calendars.weekend_calendar(weekend_id, user, absolute))


@public
@require_safe
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:
    """The calendar of a member, for whoever has its secret address."""
    response = _calendar(request, lambda absolute: calendars.member_calendar(token, absolute))
    response["Cache-Control"] = "private, no-store"
    return response


def _calendar(request: HttpRequest, make: Callable[[calendars.Absolute], str]) -> HttpResponse:
    with not_found_as_404():
        text = make(request.build_absolute_uri)
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


@member
@require_http_methods(["GET", "HEAD", "POST"])
def my_calendar(request: HttpRequest) -> HttpResponse:
    """Show the address of the member's calendar; make a new one, or (`action` is remove) remove it."""
    user = current_user(request)
    if request.method == "POST":
        if request.POST.get("action") == "remove":
            calendar_feed_remove(user=user)
            messages.success(request, _("Your calendar address no longer works."))
        else:
            calendar_feed_renew(user=user)
            messages.success(request, _("New calendar address created."))
        return redirect("my-calendar")
    feed = calendars.calendar_feed(user)
    url = request.build_absolute_uri(calendars.feed_path(feed)) if feed is not None else ""
    return render(request, "tournaments/calendar.html", {"url": url})
