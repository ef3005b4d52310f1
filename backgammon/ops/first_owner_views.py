"""The page on which the first owner of a site chooses a name and a password."""

from __future__ import annotations

from django.contrib.auth import login
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.errors import Refused
from accounts.models import User
from accounts.users.services import BACKEND
from accounts.web import limits
from accounts.web.policy import public
from backgammon.ops import first_owner as first_owner_service
from backgammon.ops.first_owner_forms import OwnerForm


@public
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def first_owner(request: HttpRequest) -> HttpResponse:
    """Create the first owner and sign them in. 404 once the site has an owner."""
    if not first_owner_service.is_needed():
        raise Http404
    form = OwnerForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        try:
            limits.count_action(request, "owner")
            if form.is_valid():
                data = form.cleaned_data
                user = first_owner_service.owner_create(
                    code=data["code"], name=data["username"], password=data["password"]
                )
                login(request, user, backend=BACKEND)
                return redirect("lobby")
        except limits.TooOften as refusal:
            form.add_error(None, refusal.text)
            status = 429
        except Refused as refusal:
            form.add_error("code" if refusal.code == "owner_code" else None, refusal.text)
        except IntegrityError:  # the name was taken after the form was checked
            form.add_error("username", User._meta.get_field("username").error_messages["unique"])
    context = {"form": form, "title": _("Create the owner account")}
    return render(request, "ops/first_owner.html", context, status=status)
