"""Orders are private on every channel; and orders over HTTP."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import events, notify, orders
from games.models import Match
from games.services import Answer
from tests.games.correspondence.order_frames import order, seen_by

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]


@pytest.mark.django_db
class TestSecrecy:
    def test_an_order_is_private_until_it_is_carried_out(
        self,
        to_double: Match,
        act: Act,
        ana: User,
        bea: User,
        carlos: User,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        sent: list[Any] = []
        monkeypatch.setattr(notify, "_after_commit", lambda group, message: sent.append((group, message)))
        others = [bea, carlos, None]
        before = [payloads(to_double, user) for user in others]
        order(to_double, ana, "double drop game")
        order(to_double, ana, "forced on", client_id="order-2")
        assert sent == []
        assert [payloads(to_double, user) for user in others] == before
        assert "double drop game" in payloads(to_double, ana)["state"]

        act(to_double, bea, "roll")  # the next events do not mention it either
        sent_events = [message["event"] for _group, message in sent if "event" in message]
        for side in ("black", None):
            for event in sent_events:
                frame = events.for_viewer(event, side, "event")
                assert mentions(public_part(frame, side)) == []
        assert sent_events
        for user in (carlos, None):
            assert not any("double drop" in text for text in payloads(to_double, user).values())
        frame = seen_by(to_double, bea)
        assert mentions(public_part(frame, "black")) == []
        assert frame["orders"] == {"double": None, "forced": None, "may": list(orders.ANSWERS_THIS_GAME)}

    def test_the_owner_sees_no_order_in_the_admin(self, to_double: Match, ana: User, person: Any) -> None:
        order(to_double, ana, "double drop")
        owner = Client()
        owner.force_login(person("owner", is_staff=True, is_superuser=True))
        page = owner.get(f"/admin/games/match/{to_double.pk}/change/", follow=True).content.decode()
        assert to_double.pk in page
        assert "double drop" not in page


def payloads(match: Match, user: User | None) -> dict[str, str]:
    """Every response body about a match that this viewer can fetch, without its time-dependent fields."""
    client = Client()
    if user is not None:
        client.force_login(user)
    api = f"/api/v1/matches/{match.pk}/"
    bodies = {name: client.get(api + path).content.decode() for name, path in
              (("state", ""), ("sync", "sync/"), ("dice", "dice/"))}  # fmt: skip
    bodies["frame"] = str(seen_by(match, user))
    for path in ("", "dice.json"):
        page = client.get(f"/match/{match.pk}/{path}")
        bodies[f"page {path}"] = str(page.context["state"]) if page.context else page.content.decode()
    return bodies


def public_part(frame: Any, side: str | None) -> Any:
    """A frame without the fields about the viewer's own seat."""
    rest = {key: value for key, value in frame.items() if side is None or key != "orders"}
    return {**rest, "dice": {key: value for key, value in frame["dice"].items() if key != side}}


def mentions(value: Any, path: str = "") -> list[str]:
    """Where a payload mentions orders, at any depth: keys, and texts of orders."""
    if isinstance(value, dict):
        names = ("orders", "order", "unless_double", "left", "ordered")
        own = [f"{path}.{key}" for key in value if key in names]
        return own + [each for key, inner in value.items() for each in mentions(inner, f"{path}.{key}")]
    if isinstance(value, (list, tuple)):
        return [each for at, inner in enumerate(value) for each in mentions(inner, f"{path}[{at}]")]
    return [path] if value in orders.ORDER_TEXTS else []


@pytest.mark.django_db
class TestOverHttp:
    def test_an_order_is_given_and_a_stale_one_brings_the_state(
        self, to_double: Match, act: Act, ana: User, bea: User
    ) -> None:
        client = Client()
        client.force_login(ana)

        def post(**body: Any) -> Any:
            return client.post(f"/api/v1/matches/{to_double.pk}/order/", body, content_type="application/json")

        body = {"id": "o-1", "order": "double take", "after": 4}
        assert (post(**body).status_code, post(**body).json()) == (200, {"version": 4})
        assert client.get(f"/api/v1/matches/{to_double.pk}/").json()["orders"] == {
            "double": "double take",
            "forced": None,
            "may": [*orders.ANSWERS_NOW, *orders.ANSWERS_THIS_GAME],
        }
        assert (post(id="o-2", order="double up").status_code, post(id="o-2").status_code) == (400, 400)
        act(to_double, bea, "roll")
        stale = post(id="o-3", order="double drop", after=4)
        assert (stale.status_code, stale.json()["code"], stale.json()["state"]["version"]) == (409, "stale", 6)
        assert Client().post(f"/api/v1/matches/{to_double.pk}/order/", body).status_code == 401
