"""The pages of the support. Each view parses the request, calls one service or selector, and renders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.errors import Refused
from accounts.models import User
from accounts.names.validation import fold
from accounts.support import merging, selectors, services
from accounts.support.forms import FORMS, FindByEmailForm, MergeForm, ReasonForm, RecordForm
from accounts.support.labels import DANGEROUS, EFFECTS, SUCCESS_MESSAGES, TITLES, TYPE_LABELS
from accounts.support.permissions import Kind, check_act
from accounts.web.policy import current_user, staff

KINDS = {str(kind).replace("_", "-"): kind for kind in TITLES if kind != Kind.MERGE}
"""The acts by the word in their URL."""


def _user_or_404(user_id: int) -> User:
    found = User.objects.filter(pk=user_id).first() if user_id < 2**62 else None
    if found is None:
        raise Http404(Refused("support_nobody").text)
    return found


def _page_of(request: HttpRequest, rows: QuerySet[Any]) -> Page[Any]:
    return Paginator(rows, selectors.PAGE_SIZE).get_page(request.GET.get("page"))


@never_cache
@staff
@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Look a user up: `?q=` is a name, a former name or a primary key."""
    query = request.GET.get("q", "")[:80]
    page = _page_of(request, selectors.search_people(query)) if query.strip() else None
    context = {"page": page, "q": query, "form": FindByEmailForm(), "at_sign": "@" in query}
    return render(request, "support/people.html", context)


@never_cache
@staff
@require_http_methods(["GET", "HEAD", "POST"])
def find_by_email(request: HttpRequest) -> HttpResponse:
    """Look a user up by e-mail address, a recorded act; the address is posted, so that it is in no URL."""
    form = FindByEmailForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            found = services.user_find_by_email(by=current_user(request), **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.text)
        else:
            if found is not None:
                return redirect("support-person", found.pk)
            form.add_error("mail", Refused("support_nobody").text)
    return render(request, "support/find.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
@staff
@require_safe
def person(request: HttpRequest, user_id: int) -> HttpResponse:
    """The page of a person, with the acts that are allowed on the account."""
    detail = selectors.person_detail(_user_or_404(user_id), current_user(request))
    acts = [(kind.replace("_", "-"), TITLES[kind]) for kind in detail.allowed_acts if kind != Kind.MERGE]
    context = {
        "person": detail,
        "type": TYPE_LABELS[detail.type],
        "acts": acts,
        "can_merge": Kind.MERGE in detail.allowed_acts,
    }
    return render(request, "support/person.html", context)


@never_cache
@staff
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, user_id: int, kind: str) -> HttpResponse:
    """One act: its effect and its form, and carrying it out."""
    about, by = _user_or_404(user_id), current_user(request)
    if kind not in KINDS:
        raise Http404
    act_kind = KINDS[kind]
    if (refusal := _refusal(by, about, act_kind)) is not None:
        return render(request, "support/refused.html", {"about": about, "reason": refusal}, status=403)
    form = FORMS.get(act_kind, ReasonForm)(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"about": about, "form": form, "title": TITLES[act_kind], "effect": EFFECTS[act_kind]}
    context["danger"] = act_kind in DANGEROUS
    if request.method == "POST" and form.is_valid():
        try:
            result = ACTS[act_kind](by=by, about=about, **form.cleaned_data)
        except ValidationError as error:
            form.add_error("name", error)
        except Refused as refused:
            form.add_error(None, refused.text)
        else:
            if act_kind == Kind.VIEW:
                return render(request, "support/private_data.html", {**context, "private": result})
            if act_kind == Kind.RESET:
                link = request.build_absolute_uri(str(result))
                return render(request, "support/link.html", {**context, "link": link})
            messages.success(request, str(SUCCESS_MESSAGES[act_kind]))
            return redirect("support-person", about.pk)
    return render(request, "support/act.html", context, status=422 if form.errors else 200)


ACTS: dict[str, Callable[..., object]] = {
    Kind.VIEW: services.private_data_reveal,
    Kind.BAN: services.account_ban,
    Kind.LIFT: services.account_reopen,
    Kind.RENAME: services.user_rename,
    Kind.LOG_OUT: services.user_sign_out,
    Kind.RESET: services.password_reset_link_create,
    Kind.SECOND: services.mfa_remove,
    Kind.EXPORT: services.data_export_request,
}


def _refusal(by: User, about: User, kind: str) -> str | None:
    try:
        check_act(by=by, about=about, kind=kind)
    except Refused as refused:
        return refused.text
    return None


@never_cache
@staff
@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, user_id: int) -> HttpResponse:
    """Merge two accounts: `?into=` names the one that stays; a preview is shown before it is done."""
    source, by = _user_or_404(user_id), current_user(request)
    if (refusal := _refusal(by, source, Kind.MERGE)) is not None:
        return render(request, "support/refused.html", {"about": source, "reason": refusal}, status=403)
    name = request.GET.get("into", "")[:80]
    context: dict[str, Any] = {
        "about": source,
        "name": name,
        "title": TITLES[Kind.MERGE],
        "effect": EFFECTS[Kind.MERGE],
    }
    target = _merge_target(request, name)
    if target is None:
        submitted = bool(name.strip()) or request.method == "POST"
        context["error"] = Refused("support_nobody").text if submitted else ""
        return render(request, "support/merge.html", context, status=422 if submitted else 200)
    form = MergeForm(request.POST if request.method == "POST" else None, initial={"into": target.pk})
    if request.method == "POST" and form.is_valid():
        try:
            services.users_merge(by=by, source=source, target=target, reason=form.cleaned_data["reason"])
        except Refused as refused:
            form.add_error(None, refused.text)
        else:
            messages.success(request, str(SUCCESS_MESSAGES[Kind.MERGE]))
            return redirect("support-person", target.pk)
    try:
        check_act(by=by, about=target, kind=Kind.MERGE)
        preview = merging.merge_preview(source=source, target=target)
    except Refused as refused:
        context["error"] = refused.text
        return render(request, "support/merge.html", context, status=422)
    context |= {"into": target, "preview": preview, "form": form}
    return render(request, "support/merge.html", context, status=422 if form.errors else 200)


def _merge_target(request: HttpRequest, name: str) -> User | None:
    """The account that stays: by the primary key in the form, or by the name in the URL."""
    if request.method == "POST":
        number = request.POST.get("into", "")
        is_pk = number.isascii() and number.isdigit() and len(number) < 15
        return User.objects.filter(pk=int(number)).first() if is_pk else None
    key = fold(name.replace("\0", ""))
    return User.objects.filter(name_key=key).first() if key else None


@never_cache
@staff
@require_safe
def record(request: HttpRequest) -> HttpResponse:
    """The log of support acts, filtered by act, person and day."""
    form = RecordForm(request.GET or None)
    filters = form.cleaned_data if form.is_bound and form.is_valid() else {}
    page = _page_of(request, selectors.support_acts(**filters))
    context = {"page": page, "form": form, "title": _("Activity log")}
    return render(request, "support/record.html", context, status=422 if form.is_bound and form.errors else 200)
