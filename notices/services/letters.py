"""The digest: one mail with all that waits for a person, in his language, as text and as HTML without pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import ngettext

from accounts.models import User
from notices import words
from notices.doors import ALL, stop_token
from notices.models import Notice, Wishes
from notices.services.wishes import zone_of


@dataclass(frozen=True, slots=True)
class Item:
    """One notice in a mail."""

    heading: str
    text: str
    detail: str
    until: datetime | None
    url: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A link that stops the mail of one kind."""

    label: str
    url: str


def digest(
    reader: User, address: str, notices: Sequence[Notice], *, door: str, wishes: Wishes
) -> EmailMultiAlternatives:
    """The mail to one person; the newest word comes last, as they were said."""
    language = language_of(reader)
    with translation.override(language), timezone.override(zone_of(wishes)):
        items = [_item(one) for one in notices]
        kinds = dict.fromkeys(one.kind for one in notices)
        stop = absolute(reverse("notices-stop", args=[stop_token(door, ALL)]))
        about = {
            "name": reader.username,
            "items": items,
            "stops": [_stop(door, kind) for kind in kinds],
            "stop": stop,
            "settings_url": absolute(reverse("notice-settings")),
            "site": absolute("/"),
            "language": language,
            "subject": (subject := _subject(items)),
        }
        return EmailMultiAlternatives(
            subject=subject,
            body=render_to_string("notices/mail/digest.txt", about).strip() + "\n",
            to=[address],
            alternatives=[(render_to_string("notices/mail/digest.html", about), "text/html")],
            headers={  # RFC 8058: mail programs stop it by one POST, without a page
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                "Auto-Submitted": "auto-generated",
                "Precedence": "bulk",
            },
        )


def language_of(reader: User) -> str:
    """The language in which a person is written to: his own, else the site's."""
    return reader.language if reader.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def absolute(path: str) -> str:
    """The whole address of a page of ours."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def _item(notice: Notice) -> Item:
    return Item(
        words.heading(notice.kind),
        words.sentence(notice.kind, notice.data),
        words.detail(notice.kind, notice.data),
        notice.until,
        absolute(notice.url),
    )


def _stop(door: str, kind: str) -> Stop:
    return Stop(str(words.LABELS[kind]), absolute(reverse("notices-stop", args=[stop_token(door, kind)])))


def _subject(items: Sequence[Item]) -> str:
    if len(items) == 1:
        return " ".join(items[0].text.rstrip(".").split())
    return ngettext("%(count)s thing waits for you", "%(count)s things wait for you", len(items)) % {
        "count": len(items)
    }
