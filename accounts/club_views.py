"""The pages of clubs that are about their people: the list, the roster, joining, and the office of the owners.

Thin: parse, call one service or selector, show. What a club plays is shown by `tournaments.club_views`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import club_words, clubs, rosters
from accounts.club_forms import ClubForm, InvitationForm, MemberForm
from accounts.errors import Refused
from accounts.limits import limited
from accounts.models import Club, Membership, User
from accounts.policy import member, public, who
from accounts.roles import Act

PAGE = 50
# Where a refusal is shown, by its code; all others stand above the form.
FIELD_OF = {"club_name": "name", "club_zone": "timezone"}


def viewer(request: HttpRequest) -> User | None:
    """Who looks: a player, or None for a passer-by."""
    return request.user if request.user.is_authenticated else None


def visited(request: HttpRequest, slug: str) -> rosters.Visit:
    """The club of an address, as the viewer finds it. Raises Http404."""
    found = rosters.visit(slug=slug, user=viewer(request))
    if found is None:
        raise Http404(Refused("no_club").text)
    return found


def tried(request: HttpRequest, act: Callable[[], object], done: str = "") -> bool:
    """Do it and say so, or tell why not."""
    try:
        act()
    except Refused as refused:
        messages.error(request, refused.text)
        return False
    if done:
        messages.success(request, done)
    return True


def forbidden(request: HttpRequest, visit: rosters.Visit, code: str = "club_not_owner") -> HttpResponse:
    """The page for who may not do it, with the reason."""
    context = {"visit": visit, "club": visit.club, "reason": Refused(code).text}
    return render(request, "clubs/forbidden.html", context, status=403)


# To look


@public
@require_safe
def club_list(request: HttpRequest) -> HttpResponse:
    """All clubs; where there is one alone and nobody to open another, that one."""
    user = viewer(request)
    rows, opens = rosters.listed(user), clubs.may_create(user)
    if len(rows) == 1 and not opens:
        return redirect("club", rows[0].club.slug)
    return render(request, "clubs/list.html", {"clubs": rows, "opens": opens})


@public
@require_safe
def club_people(request: HttpRequest, slug: str) -> HttpResponse:
    """The roster of a club; `?q=` searches by name, `?role=` chooses."""
    visit = visited(request, slug)
    search, role = request.GET.get("q", "").strip()[:24], request.GET.get("role", "")
    page = Paginator(rosters.roster(visit.club, search, role), PAGE).get_page(request.GET.get("page"))
    context = {
        "visit": visit,
        "club": visit.club,
        "page": page,
        "places": rosters.places(visit.club, list(page.object_list)),
        "search": search,
        "role": role,
        "roles": Membership.Role.choices,
    }
    return render(request, "clubs/people.html", context)


# Opening and changing a club


@member
@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Open a club."""
    user = who(request)
    if not clubs.may_create(user):
        context = {"reason": Refused("club_new").text}
        return render(request, "clubs/forbidden.html", context, status=403)
    form = ClubForm(request.POST or None)
    if request.method == "POST":
        made = _written(form, lambda facts: clubs.club_create(by=user, **facts))
        if made is not None:
            messages.success(request, _("The club is open. Invite your people."))
            return redirect("club-office", made.slug)
    return render(request, "clubs/new.html", {"form": form}, status=422 if form.errors else 200)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def club_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """What the club says of itself, and its policies."""
    visit = visited(request, slug)
    if not visit.edits:
        return forbidden(request, visit)
    form = ClubForm(request.POST or None, instance=visit.club)
    if request.method == "POST":
        changed = _written(form, lambda facts: clubs.club_change(club=visit.club, by=who(request), **facts))
        if changed is not None:
            messages.success(request, _("The settings are saved."))
            return redirect("club", slug)
    context = {"visit": visit, "club": visit.club, "form": form}
    return render(request, "clubs/settings.html", context, status=422 if form.errors else 200)


def _written(form: ClubForm, act: Callable[[dict[str, Any]], Club]) -> Club | None:
    """What the service makes of a form; None when something does not fit, which the form then says."""
    if not form.is_valid():
        return None
    try:
        return act(form.facts())
    except Refused as refused:
        form.add_error(FIELD_OF.get(refused.code), refused.text)
    return None


# Coming and going


@member
@require_POST
def club_join(request: HttpRequest, slug: str) -> HttpResponse:
    """Step into a club that is open to all."""
    club = visited(request, slug).club
    tried(request, lambda: clubs.club_join(club=club, user=who(request)), _("Welcome to the club."))
    return redirect("club", slug)


@member
@require_POST
def club_ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask to be let in."""
    club, text = visited(request, slug).club, request.POST.get("text", "")
    asked = _("You have asked. An owner of the club will answer.")
    tried(request, lambda: clubs.club_ask(club=club, user=who(request), text=text), asked)
    return redirect("club", slug)


@member
@require_POST
def club_leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a club."""
    club = visited(request, slug).club
    tried(request, lambda: clubs.club_leave(club=club, user=who(request)), _("You have left the club."))
    return redirect("club", slug)


@public
@require_http_methods(["GET", "HEAD", "POST"])
def club_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation: whoever holds its link may join; a passer-by signs up first and comes back."""
    found = rosters.invitation(token)
    if found is None:
        raise Http404(Refused("invitation_gone").text)
    user = viewer(request)
    if request.method == "POST" and user is not None:
        joined = tried(request, lambda: clubs.invitation_take(token=token, user=user), _("Welcome to the club."))
        return redirect("club", found.club.slug) if joined else redirect(request.path)
    visit = visited(request, found.club.slug)
    context = {"visit": visit, "club": found.club, "invitation": found, "joins": visit.may(Act.JOIN)}
    return render(request, "clubs/invitation.html", context, status=200 if found.good else 410)


# The office


@member
@require_safe
def club_office(request: HttpRequest, slug: str) -> HttpResponse:
    """What an owner looks after: who asks to join, invitations, and what was done."""
    visit = visited(request, slug)
    if not visit.keeps:
        return forbidden(request, visit)
    return _office(request, visit, InvitationForm())


def _office(request: HttpRequest, visit: rosters.Visit, form: InvitationForm, status: int = 200) -> HttpResponse:
    office = rosters.office(visit.club)
    links = [
        (one, request.build_absolute_uri(reverse("club-invitation", args=[one.token]))) for one in office.invitations
    ]
    context = {
        "visit": visit,
        "club": visit.club,
        "office": office,
        "links": links,
        "story": [(event, club_words.told(event)) for event in office.story],
        "form": form,
    }
    return render(request, "clubs/office.html", context, status=status)


@limited("invitation")
@member
@require_POST
def club_invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an invitation, and send it where there is mail."""
    visit = visited(request, slug)
    if not visit.keeps:
        return forbidden(request, visit)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _office(request, visit, form, status=422)
    try:
        made = clubs.invitation_make(club=visit.club, by=who(request), **form.facts())
    except Refused as refused:
        messages.error(request, refused.text)
        return redirect("club-office", slug)
    link = request.build_absolute_uri(reverse("club-invitation", args=[made.token]))
    sent = clubs.invitation_send(invitation=made, link=link)
    messages.success(
        request, _("The invitation is sent.") if sent else _("The invitation is made: hand over its link.")
    )
    return redirect("club-office", slug)


@member
@require_POST
def club_revoke(request: HttpRequest, slug: str) -> HttpResponse:
    """Take an invitation back."""
    visit = visited(request, slug)
    number = _number(request, "invitation")
    if not visit.club.invitations.filter(pk=number).exists():
        raise Http404
    done = _("The invitation is taken back.")
    tried(request, lambda: clubs.invitation_revoke(invitation_id=number, by=who(request)), done)
    return redirect("club-office" if visit.keeps else "club", slug)


@member
@require_POST
def club_request(request: HttpRequest, slug: str) -> HttpResponse:
    """Let somebody in, or not."""
    visit = visited(request, slug)
    number, accepted = _number(request, "request"), request.POST.get("answer") == "yes"
    if not visit.club.requests.filter(pk=number).exists():
        raise Http404
    done = _("The new member is let in.") if accepted else _("The request is declined.")
    tried(request, lambda: clubs.request_answer(request_id=number, by=who(request), accepted=accepted), done)
    return redirect("club-office" if visit.keeps else "club", slug)


@member
@require_POST
def club_member(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the role and the last day of a member, or remove him."""
    visit, by = visited(request, slug), who(request)
    user = User.objects.filter(pk=_number(request, "user"), is_guest=False, is_bot=False).first()
    if user is None:
        raise Http404
    if request.POST.get("action") == "remove":
        removed = _("%(name)s is no longer a member.") % {"name": user.username}
        tried(request, lambda: clubs.member_remove(club=visit.club, by=by, user=user), removed)
        return redirect("club-people", slug)
    form = MemberForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("That date cannot be read."))
        return redirect("club-people", slug)
    role, until = form.cleaned_data["role"], form.cleaned_data["until"]

    def change() -> None:
        clubs.member_role(club=visit.club, by=by, user=user, role=role)
        if user != by:  # who has just given up his own role changes nothing more
            last = None if role == Membership.Role.OWNER else until
            clubs.member_until(club=visit.club, by=by, user=user, until=last)

    tried(request, change, _("Saved."))
    return redirect("club-people", slug)


def _number(request: HttpRequest, name: str) -> int:
    """A number of the form; 0, which nothing has, for anything else."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
