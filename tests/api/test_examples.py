"""The examples of docs/api.md are asked, and answer what stands under them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User

DOCS = Path(settings.BASE_DIR) / "docs" / "api.md"
EXAMPLE = re.compile(r"^```\n(GET|POST|PUT|PATCH|DELETE) (\S+)(?: (\{.*\}))?\n→ (\d+) (.*)\n```$", re.MULTILINE)
EXAMPLES = EXAMPLE.findall(DOCS.read_text())


def test_every_example_is_read() -> None:
    assert len(EXAMPLES) == DOCS.read_text().count("\n→ ") == 6


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "path", "body", "status", "told"), EXAMPLES)
def test_an_example_answers_what_the_page_says(
    ana: User, bea: User, program_of: Callable[..., Client], method: str, path: str, body: str, status: str, told: str
) -> None:
    answer = program_of(ana).generic(method, path, body, content_type="application/json")
    assert (answer.status_code, answer.json()) == (int(status), json.loads(told))
