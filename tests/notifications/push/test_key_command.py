"""`manage.py push_key`."""

from __future__ import annotations

import io

from django.core.management import call_command

from notifications.push.vapid_key import VapidKey


def test_the_command_prints_a_key_that_works() -> None:
    out = io.StringIO()
    call_command("push_key", stdout=out)
    name, _, key = out.getvalue().strip().partition("=")
    assert name == "VAPID_PRIVATE_KEY"
    assert len(VapidKey(key).public) == 87
