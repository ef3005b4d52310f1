"""The page where the first owner of a site begins."""

from __future__ import annotations

from django.contrib.auth import login
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import limits
from accounts.errors import Refused
from accounts.models import User
from accounts.policy import public
from accounts.services import BACKEND
from backgammon.ops import owner
from backgammon.ops.owner_forms import OwnerForm


@public
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def first_owner(request: HttpRequest) -> HttpResponse:
    """Choose a name and a password with the printed code, and be logged in. No such page once there is an owner."""
    if not owner.is_needed():
        raise Http404
    form = OwnerForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        try:
            limits.spend(request, "owner")
            if form.is_valid():
                facts = form.cleaned_data
                user = owner.owner_create(code=facts["code"], name=facts["username"], password=facts["password"])
                login(request, user, backend=BACKEND)
                return redirect("lobby")
        except limits.TooOften as refusal:
            form.add_error(None, refusal.text)
            status = 429
        except Refused as refusal:
            form.add_error("code" if refusal.code == "owner_code" else None, refusal.text)
        except IntegrityError:  # somebody took the name between our look and our write
            form.add_error("username", User._meta.get_field("username").error_messages["unique"])
    page = {"form": form, "title": _("The first owner of this site")}
    return render(request, "ops/first_owner.html", page, status=status)
