"""The pages of webhooks: all of mine, one with what was sent to it, and what can be done with it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.auth import one_time_secret
from accounts.web.policy import current_user, member
from eventlog import services
from eventlog.errors import Refused
from eventlog.forms import WebhookForm
from eventlog.models import Webhook
from eventlog.selectors.webhooks import deliveries_of, webhook_of, webhooks_of
from eventlog.services.webhooks import MOST

SHOWN = 50
"""Deliveries on the page; the API has them all."""


@never_cache
@member
@require_http_methods(["GET", "POST"])
def webhooks(request: HttpRequest) -> HttpResponse:
    """My webhooks; a new one leads to its page, which shows its secret this once."""
    if request.method != "POST":
        return _hooks_page(request, WebhookForm())
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _hooks_page(request, form, status=422)
    try:
        hook = services.webhook_add(user=current_user(request), **form.service_values())
    except Refused as refused:
        form.add_error(_field(refused), refused.text)
        return _hooks_page(request, form, status=422)
    return _shown(request, hook)


@never_cache
@member
@require_http_methods(["GET", "POST"])
def webhook(request: HttpRequest, hook_id: int) -> HttpResponse:
    """One of my webhooks, what was sent to it, and the form that changes it."""
    hook = _own_hook(request, hook_id)
    if request.method != "POST":
        _number, secret = one_time_secret.pop(request.session, kind="hook", pk=hook.pk) or (0, "")
        return _hook_page(request, hook, secret=secret)
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _hook_page(request, hook, form=form, status=422)
    try:
        services.webhook_change(user=current_user(request), hook_id=hook.pk, **form.service_values())
    except Refused as refused:
        form.add_error(_field(refused), refused.text)
        return _hook_page(request, hook, form=form, status=422)
    messages.success(request, _("Saved."))
    return redirect("hook", hook.pk)


@member
@require_POST
def hook_switch(request: HttpRequest, hook_id: int) -> HttpResponse:
    """Let one of my webhooks rest, or send to it again."""
    hook = _own_hook(request, hook_id)
    services.webhook_change(user=current_user(request), hook_id=hook.pk, active=not hook.active)
    return redirect("hook", hook.pk)


@never_cache
@member
@require_POST
def hook_secret(request: HttpRequest, hook_id: int) -> HttpResponse:
    """Another secret for one of my webhooks, shown on its page this once."""
    hook = _own_hook(request, hook_id)
    return _shown(request, services.webhook_secret_renew(user=current_user(request), hook_id=hook.pk))


@member
@require_POST
def hook_try(request: HttpRequest, hook_id: int) -> HttpResponse:
    """Send a ping to one of my webhooks."""
    hook = _own_hook(request, hook_id)
    try:
        services.webhook_ping(user=current_user(request), hook_id=hook.pk)
        messages.success(request, _("Sending… Reload this page in a moment to see the result."))
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("hook", hook.pk)


@member
@require_POST
def hook_remove(request: HttpRequest, hook_id: int) -> HttpResponse:
    """Forget one of my webhooks."""
    hook = _own_hook(request, hook_id)
    services.webhook_remove(user=current_user(request), hook_id=hook.pk)
    messages.success(request, _("Webhook deleted."))
    return redirect("hooks")


@member
@require_POST
def delivery_resend(request: HttpRequest, hook_id: int, delivery_id: int) -> HttpResponse:
    """Send something once more to one of my webhooks."""
    hook = _own_hook(request, hook_id)
    try:
        services.delivery_repeat(user=current_user(request), hook_id=hook.pk, delivery_id=_bounded(delivery_id))
        messages.success(request, _("Sending… Reload this page in a moment to see the result."))
    except Refused as refused:
        messages.error(request, refused.text)
    return redirect("hook", hook.pk)


def _hooks_page(request: HttpRequest, form: WebhookForm, status: int = 200) -> HttpResponse:
    hooks = list(webhooks_of(current_user(request)))
    context = {"hooks": hooks, "form": form, "more": len(hooks) < MOST}
    return render(request, "eventlog/list.html", context, status=status)


def _hook_page(
    request: HttpRequest, hook: Webhook, *, form: WebhookForm | None = None, secret: str = "", status: int = 200
) -> HttpResponse:
    initial: dict[str, Any] = {"url": hook.url, "name": hook.name, "kinds": hook.kinds}
    if form is None:
        form = WebhookForm(initial={**initial, "subjects": "\n".join(hook.subjects)})
    context = {"hook": hook, "form": form, "secret": secret, "deliveries": deliveries_of(hook)[:SHOWN]}
    return render(request, "eventlog/hook.html", context, status=status)


def _shown(request: HttpRequest, hook: Webhook) -> HttpResponse:
    one_time_secret.stash(request.session, kind="hook", pk=hook.pk, secret=hook.secret)
    return redirect("hook", hook.pk)


def _own_hook(request: HttpRequest, hook_id: int) -> Webhook:
    """One of my webhooks, or 404."""
    try:
        return webhook_of(current_user(request), _bounded(hook_id))
    except Refused as refused:
        raise Http404 from refused


def _bounded(number: int) -> int:
    """A number that a row can have. Raises Http404."""
    if not 0 < number < 2**63:
        raise Http404
    return number


def _field(refused: Refused) -> str | None:
    """The field of the form that a refusal is about."""
    return {"hook_url": "url", "hook_name": "name", "hook_kinds": "kinds"}.get(
        refused.code, "subjects" if refused.code.startswith("hook_subjects") else None
    )
