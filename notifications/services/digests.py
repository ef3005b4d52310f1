"""The digest: one mail with a user's notifications, in their language, as text and as HTML without images."""

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
from backgammon.languages import first_supported
from notifications import sentences
from notifications.models import Notification, NotificationPreferences
from notifications.services.preferences import time_zone_of
from notifications.unsubscribe import ALL, unsubscribe_token


@dataclass(frozen=True, slots=True)
class Item:
    """One notification in a mail."""

    heading: str
    text: str
    detail: str
    until: datetime | None
    url: str


@dataclass(frozen=True, slots=True)
class UnsubscribeLink:
    """A link that stops the mail of one kind."""

    label: str
    url: str


def build_digest(
    reader: User,
    address: str,
    notifications: Sequence[Notification],
    *,
    unsubscribe_key: str,
    preferences: NotificationPreferences,
) -> EmailMultiAlternatives:
    """Build the mail to one user, with the newest notification last."""
    language = language_of(reader)
    with translation.override(language), timezone.override(time_zone_of(preferences)):
        items = [_item(notification) for notification in notifications]
        kinds = dict.fromkeys(notification.kind for notification in notifications)
        stop = absolute(reverse("notices-stop", args=[unsubscribe_token(unsubscribe_key, ALL)]))
        about = {
            "name": reader.username,
            "items": items,
            "stops": [_stop(unsubscribe_key, kind) for kind in kinds],
            "stop": stop,
            "settings_url": absolute(reverse("notice-settings")),
            "site": absolute("/"),
            "language": language,
            "subject": (subject := _subject(items)),
        }
        return EmailMultiAlternatives(
            subject=subject,
            body=render_to_string("notifications/mail/digest.txt", about).strip() + "\n",
            to=[address],
            alternatives=[(render_to_string("notifications/mail/digest.html", about), "text/html")],
            headers={  # RFC 8058: mail programs stop it by one POST, without a page
                "List-Unsubscribe": f"<{stop}>",
                "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
                "Auto-Submitted": "auto-generated",
                "Precedence": "bulk",
            },
        )


def language_of(reader: User) -> str:
    """Return the language of a user's mail: their own, else the site's."""
    return first_supported(reader.language)


def absolute(path: str) -> str:
    """The whole address of a page of ours."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def _item(notification: Notification) -> Item:
    return Item(
        sentences.heading(notification.kind),
        sentences.sentence(notification.kind, notification.data),
        sentences.detail(notification.kind, notification.data),
        notification.until,
        absolute(notification.url),
    )


def _stop(unsubscribe_key: str, kind: str) -> UnsubscribeLink:
    return UnsubscribeLink(
        str(sentences.LABELS[kind]), absolute(reverse("notices-stop", args=[unsubscribe_token(unsubscribe_key, kind)]))
    )


def _subject(items: Sequence[Item]) -> str:
    if len(items) == 1:
        return " ".join(items[0].text.rstrip(".").split())
    return ngettext("%(count)s new notification", "%(count)s new notifications", len(items)) % {"count": len(items)}
