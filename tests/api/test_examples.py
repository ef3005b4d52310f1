"""The examples of docs/api.md return the documented responses."""

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
EXAMPLE = re.compile(r"^```\n(GET|POST|PUT|PATCH|DELETE) (\S+)(?: (\{.*\}))?\n→ (\d+) ((?s:.+?))\n```$", re.MULTILINE)
EXAMPLES = EXAMPLE.findall(DOCS.read_text())


def test_every_example_is_parsed() -> None:
    assert len(EXAMPLES) == DOCS.read_text().count("\n→ ") == 6


@pytest.mark.django_db
@pytest.mark.parametrize(("method", "path", "body", "status", "expected"), EXAMPLES)
def test_an_example_returns_the_documented_answer(
    ana: User,
    bea: User,
    program_of: Callable[..., Client],
    method: str,
    path: str,
    body: str,
    status: str,
    expected: str,
) -> None:
    answer = program_of(ana).generic(method, path, body, content_type="application/json")
    assert (answer.status_code, answer.json()) == (int(status), json.loads(expected))
