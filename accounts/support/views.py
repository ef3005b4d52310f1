"""The pages of the support. Thin: parse, call one service or selector, show."""

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

from accounts import merging
from accounts.errors import Refused
from accounts.models import User
from accounts.names import fold
from accounts.policy import staff, who
from accounts.support import selectors, services
from accounts.support.acts import Kind, act_check
from accounts.support.forms import FORMS, FindForm, MergeForm, RecordForm, WhyForm
from accounts.support.words import DANGEROUS, DONE, EFFECTS, SORTS, TITLES

KINDS = {str(kind).replace("_", "-"): kind for kind in TITLES if kind != Kind.MERGE}
"""The acts by the word that stands in their address."""


def _person(user_id: int) -> User:
    found = User.objects.filter(pk=user_id).first() if user_id < 2**62 else None
    if found is None:
        raise Http404(Refused("support_nobody").text)
    return found


def _page_of(request: HttpRequest, rows: QuerySet[Any]) -> Page[Any]:
    return Paginator(rows, selectors.PAGE).get_page(request.GET.get("page"))


@never_cache
@staff
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """Look somebody up: `?q=` is a name, a former name or a number."""
    wanted = request.GET.get("q", "")[:80]
    page = _page_of(request, selectors.people_found(wanted)) if wanted.strip() else None
    context = {"page": page, "q": wanted, "form": FindForm(), "at_sign": "@" in wanted}
    return render(request, "support/people.html", context)


@never_cache
@staff
@require_http_methods(["GET", "HEAD", "POST"])
def find(request: HttpRequest) -> HttpResponse:
    """Look somebody up by his e-mail address: an act of its own, so it is never part of an address of ours."""
    form = FindForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            found = services.person_find(by=who(request), mail=said["mail"], why=said["why"])
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
    """The card of a person, and what can be done to the account."""
    card = selectors.card_of(_person(user_id), who(request))
    acts = [(kind.replace("_", "-"), TITLES[kind]) for kind in card.may if kind != Kind.MERGE]
    context = {"card": card, "sort": SORTS[card.sort], "acts": acts, "merges": Kind.MERGE in card.may}
    return render(request, "support/person.html", context)


@never_cache
@staff
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, user_id: int, kind: str) -> HttpResponse:
    """One act: what it does, its reason, and the doing."""
    about, by = _person(user_id), who(request)
    if kind not in KINDS:
        raise Http404
    wanted = KINDS[kind]
    if (refusal := _refusal(by, about, wanted)) is not None:
        return render(request, "support/refused.html", {"about": about, "reason": refusal}, status=403)
    form = FORMS.get(wanted, WhyForm)(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"about": about, "form": form, "title": TITLES[wanted], "effect": EFFECTS[wanted]}
    context["danger"] = wanted in DANGEROUS
    if request.method == "POST" and form.is_valid():
        try:
            shown = ACTS[wanted](by=by, about=about, **form.cleaned_data)
        except ValidationError as error:
            form.add_error("name", error)
        except Refused as refused:
            form.add_error(None, refused.text)
        else:
            if wanted == Kind.LOOK:
                return render(request, "support/seen.html", {**context, "seen": shown})
            if wanted == Kind.RESET:
                link = request.build_absolute_uri(str(shown))
                return render(request, "support/link.html", {**context, "link": link})
            messages.success(request, str(DONE[wanted]))
            return redirect("support-person", about.pk)
    return render(request, "support/act.html", context, status=422 if form.errors else 200)


ACTS: dict[str, Callable[..., object]] = {
    Kind.LOOK: services.private_look,
    Kind.BAN: services.account_ban,
    Kind.LIFT: services.account_lift,
    Kind.RENAME: services.person_rename,
    Kind.LOG_OUT: services.person_log_out,
    Kind.RESET: services.reset_link,
    Kind.SECOND: services.second_step_remove,
    Kind.EXPORT: services.data_export,
}


def _refusal(by: User, about: User, kind: str) -> str | None:
    try:
        act_check(by=by, about=about, kind=kind)
    except Refused as refused:
        return refused.text
    return None


@never_cache
@staff
@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, user_id: int) -> HttpResponse:
    """Make one account of two: `?into=` names the one that stays, then what moves is shown before it is done."""
    gone, by = _person(user_id), who(request)
    if (refusal := _refusal(by, gone, Kind.MERGE)) is not None:
        return render(request, "support/refused.html", {"about": gone, "reason": refusal}, status=403)
    name = request.GET.get("into", "")[:80]
    context: dict[str, Any] = {"about": gone, "name": name, "title": TITLES[Kind.MERGE], "effect": EFFECTS[Kind.MERGE]}
    into = _into(request, name)
    if into is None:
        said = bool(name.strip()) or request.method == "POST"
        context["error"] = Refused("support_nobody").text if said else ""
        return render(request, "support/merge.html", context, status=422 if said else 200)
    form = MergeForm(request.POST if request.method == "POST" else None, initial={"into": into.pk})
    if request.method == "POST" and form.is_valid():
        try:
            services.people_merge(by=by, gone=gone, into=into, why=form.cleaned_data["why"])
        except Refused as refused:
            form.add_error(None, refused.text)
        else:
            messages.success(request, str(DONE[Kind.MERGE]))
            return redirect("support-person", into.pk)
    try:
        act_check(by=by, about=into, kind=Kind.MERGE)
        preview = merging.merge_preview(gone=gone, into=into)
    except Refused as refused:
        context["error"] = refused.text
        return render(request, "support/merge.html", context, status=422)
    context |= {"into": into, "preview": preview, "form": form}
    return render(request, "support/merge.html", context, status=422 if form.errors else 200)


def _into(request: HttpRequest, name: str) -> User | None:
    """The account that is to stay: by the number in the form, or by the name in the address."""
    if request.method == "POST":
        number = request.POST.get("into", "")
        good = number.isascii() and number.isdigit() and len(number) < 15
        return User.objects.filter(pk=int(number)).first() if good else None
    key = fold(name.replace("\0", ""))
    return User.objects.filter(name_key=key).first() if key else None


@never_cache
@staff
@require_safe
def record(request: HttpRequest) -> HttpResponse:
    """Everything that the support did; it can be chosen by act, by person and by day."""
    form = RecordForm(request.GET or None)
    chosen = form.cleaned_data if form.is_bound and form.is_valid() else {}
    page = _page_of(request, selectors.record(**chosen))
    context = {"page": page, "form": form, "title": _("Record")}
    return render(request, "support/record.html", context, status=422 if form.is_bound and form.errors else 200)
