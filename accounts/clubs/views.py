"""The pages of clubs and their members: the list, members, joining, settings, and members & invitations.

Each view parses the request, calls one service or selector, and renders. The pages of a club's tournaments are in
`tournaments.views.clubs`.
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

from accounts.clubs import activity, roles
from accounts.clubs import selectors as club_selectors
from accounts.clubs import services as clubs
from accounts.clubs.forms import ClubForm, InvitationForm, MemberForm
from accounts.clubs.roles import ClubAction
from accounts.errors import Refused
from accounts.models import Club, Membership, User
from accounts.web.limits import limited
from accounts.web.policy import current_user, member, public
from accounts.web.staff import refusal_code

PAGE_SIZE = 50
# The form field of a refusal, by its code; all others are shown above the form.
FIELD_BY_CODE = {"club_name": "name", "club_zone": "timezone"}


def viewer(request: HttpRequest) -> User | None:
    """The signed-in user, or None."""
    return request.user if request.user.is_authenticated else None


def club_access_or_404(request: HttpRequest, slug: str) -> club_selectors.ClubAccess:
    """The club of this slug with the viewer's access. Raises Http404."""
    found = club_selectors.club_access(slug=slug, user=viewer(request))
    if found is None:
        raise Http404(Refused("no_club").text)
    return found


def run_service(request: HttpRequest, act: Callable[[], object], done: str = "") -> bool:
    """Run a service, and show its success or refusal as a message; returns whether it succeeded."""
    try:
        act()
    except Refused as refused:
        messages.error(request, refused.text)
        return False
    if done:
        messages.success(request, done)
    return True


def forbidden(request: HttpRequest, access: club_selectors.ClubAccess, code: str = "club_not_owner") -> HttpResponse:
    """The 403 page, with the text of a refusal."""
    context = {"access": access, "club": access.club, "reason": Refused(refusal_code(viewer(request), code)).text}
    return render(request, "clubs/forbidden.html", context, status=403)


# Reading


@public
@require_safe
def club_list(request: HttpRequest) -> HttpResponse:
    """The list of clubs; redirects to the only one where the viewer cannot create another."""
    user = viewer(request)
    rows, can_create = club_selectors.club_rows(user), roles.may_create(user)
    if len(rows) == 1 and not can_create:
        return redirect("club", rows[0].club.slug)
    return render(request, "clubs/list.html", {"clubs": rows, "can_create": can_create})


@public
@require_safe
def club_people(request: HttpRequest, slug: str) -> HttpResponse:
    """The members of a club; `?q=` searches by name, `?role=` filters."""
    access = club_access_or_404(request, slug)
    search, role = request.GET.get("q", "").strip()[:24], request.GET.get("role", "")
    page = Paginator(club_selectors.roster(access.club, search, role), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "access": access,
        "club": access.club,
        "page": page,
        "rows": club_selectors.roster_rows(access.club, list(page.object_list)),
        "search": search,
        "role": role,
        "roles": Membership.Role.choices,
    }
    return render(request, "clubs/members.html", context)


# Creating and changing a club


@member
@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Create a club."""
    user = current_user(request)
    if not roles.may_create(user):
        context = {"reason": Refused(refusal_code(user, "club_new")).text}
        return render(request, "clubs/forbidden.html", context, status=403)
    form = ClubForm(request.POST or None)
    if request.method == "POST":
        club = _save_form(form, lambda values: clubs.club_create(by=user, **values))
        if club is not None:
            messages.success(request, _("Club created. Now invite people."))
            return redirect("club-office", club.slug)
    return render(request, "clubs/new.html", {"form": form}, status=422 if form.errors else 200)


@member
@require_http_methods(["GET", "HEAD", "POST"])
def club_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """The settings of a club."""
    access = club_access_or_404(request, slug)
    if not access.can_edit:
        return forbidden(request, access)
    form = ClubForm(request.POST or None, instance=access.club)
    if request.method == "POST":
        changed = _save_form(
            form, lambda values: clubs.club_update(club=access.club, by=current_user(request), **values)
        )
        if changed is not None:
            messages.success(request, _("Settings saved."))
            return redirect("club", slug)
    context = {"access": access, "club": access.club, "form": form}
    return render(request, "clubs/settings.html", context, status=422 if form.errors else 200)


def _save_form(form: ClubForm, act: Callable[[dict[str, Any]], Club]) -> Club | None:
    """Run a service with the values of a form; None with errors in the form."""
    if not form.is_valid():
        return None
    try:
        return act(form.service_arguments())
    except Refused as refused:
        form.add_error(FIELD_BY_CODE.get(refused.code), refused.text)
    return None


# Joining and leaving


@member
@require_POST
def club_join(request: HttpRequest, slug: str) -> HttpResponse:
    """Join a club that is open to all."""
    club = club_access_or_404(request, slug).club
    run_service(request, lambda: clubs.club_join(club=club, user=current_user(request)), _("Welcome to the club."))
    return redirect("club", slug)


@member
@require_POST
def club_ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a join request."""
    club, text = club_access_or_404(request, slug).club, request.POST.get("text", "")
    sent = _("Request sent. A club owner will answer it.")
    run_service(request, lambda: clubs.join_request_create(club=club, user=current_user(request), text=text), sent)
    return redirect("club", slug)


@member
@require_POST
def club_leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a club."""
    club = club_access_or_404(request, slug).club
    run_service(request, lambda: clubs.club_leave(club=club, user=current_user(request)), _("You left the club."))
    return redirect("club", slug)


@public
@require_http_methods(["GET", "HEAD", "POST"])
def club_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation: whoever has its link can join; anonymous visitors sign up first and come back."""
    found = club_selectors.invitation_by_token(token)
    if found is None:
        raise Http404(Refused("invitation_gone").text)
    user = viewer(request)
    if request.method == "POST" and user is not None:
        joined = run_service(
            request, lambda: clubs.invitation_accept(token=token, user=user), _("Welcome to the club.")
        )
        return redirect("club", found.club.slug) if joined else redirect(request.path)
    access = club_access_or_404(request, found.club.slug)
    context = {"access": access, "club": found.club, "invitation": found, "can_join": access.may(ClubAction.JOIN)}
    return render(request, "clubs/invitation.html", context, status=200 if found.is_valid else 410)


# Members & invitations


@member
@require_safe
def club_office(request: HttpRequest, slug: str) -> HttpResponse:
    """Join requests, invitations and the activity log, for owners."""
    access = club_access_or_404(request, slug)
    if not access.can_manage_members:
        return forbidden(request, access)
    return _render_management(request, access, InvitationForm())


def _render_management(
    request: HttpRequest, access: club_selectors.ClubAccess, form: InvitationForm, status: int = 200
) -> HttpResponse:
    management = club_selectors.club_management(access.club)
    links = [
        (invitation, request.build_absolute_uri(reverse("club-invitation", args=[invitation.token])))
        for invitation in management.invitations
    ]
    context = {
        "access": access,
        "club": access.club,
        "management": management,
        "links": links,
        "events": [(event, activity.event_sentence(event)) for event in management.events],
        "form": form,
    }
    return render(request, "clubs/management.html", context, status=status)


@limited("invitation")
@member
@require_POST
def club_invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Create an invitation, and send it where there is mail."""
    access = club_access_or_404(request, slug)
    if not access.can_manage_members:
        return forbidden(request, access)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _render_management(request, access, form, status=422)
    try:
        invitation = clubs.invitation_create(club=access.club, by=current_user(request), **form.service_arguments())
    except Refused as refused:
        messages.error(request, refused.text)
        return redirect("club-office", slug)
    link = request.build_absolute_uri(reverse("club-invitation", args=[invitation.token]))
    sent = clubs.invitation_send(invitation=invitation, link=link)
    messages.success(request, _("Invitation sent.") if sent else _("Invitation created. Share its link."))
    return redirect("club-office", slug)


@member
@require_POST
def club_revoke(request: HttpRequest, slug: str) -> HttpResponse:
    """Revoke an invitation."""
    access = club_access_or_404(request, slug)
    pk = _posted_pk(request, "invitation")
    if not access.club.invitations.filter(pk=pk).exists():
        raise Http404
    done = _("Invitation revoked.")
    run_service(request, lambda: clubs.invitation_revoke(invitation_id=pk, by=current_user(request)), done)
    return redirect("club-office" if access.can_manage_members else "club", slug)


@member
@require_POST
def club_request(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept or decline a join request."""
    access = club_access_or_404(request, slug)
    pk, accepted = _posted_pk(request, "request"), request.POST.get("answer") == "yes"
    if not access.club.requests.filter(pk=pk).exists():
        raise Http404
    done = _("Request accepted.") if accepted else _("Request declined.")
    run_service(
        request, lambda: clubs.join_request_answer(request_id=pk, by=current_user(request), accepted=accepted), done
    )
    return redirect("club-office" if access.can_manage_members else "club", slug)


@member
@require_POST
def club_member(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the role and the last day of a member, or remove them."""
    access, by = club_access_or_404(request, slug), current_user(request)
    user = User.objects.filter(pk=_posted_pk(request, "user"), is_guest=False, is_bot=False).first()
    if user is None:
        raise Http404
    if request.POST.get("action") == "remove":
        removed = _("%(name)s is no longer a member.") % {"name": user.username}
        run_service(request, lambda: clubs.member_remove(club=access.club, by=by, user=user), removed)
        return redirect("club-people", slug)
    form = MemberForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Enter a valid date."))
        return redirect("club-people", slug)
    role, until = form.cleaned_data["role"], form.cleaned_data["until"]

    def change() -> None:
        clubs.member_set_role(club=access.club, by=by, user=user, role=role)
        if user != by:  # an owner who has just given up their own role can change nothing more
            last = None if role == Membership.Role.OWNER else until
            clubs.member_set_until(club=access.club, by=by, user=user, until=last)

    run_service(request, change, _("Saved."))
    return redirect("club-people", slug)


def _posted_pk(request: HttpRequest, name: str) -> int:
    """A primary key in the form; 0, which no row has, for anything else."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
