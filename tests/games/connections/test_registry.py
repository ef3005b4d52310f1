"""Closing sockets: too many of them, a sign-out, a new password, a suspension, a dead client, a restart."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import Any

import orjson
import pytest
from allauth.account.signals import password_changed
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.signals import user_logged_out
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.auth import session_validity
from accounts.models import User
from games.connections import close_codes, drain, registry
from games.connections.transport import TransportMiddleware
from games.connections.visitors import VisitorMiddleware
from games.models import Action, Match
from games.routing import websocket_urlpatterns as of_play
from tests.conftest import PASSWORD
from tests.games.match_sockets import TableCase
from tests.patient_sockets import PATIENCE, PatientSocket
from tournaments.routing import websocket_urlpatterns as of_tournaments

APPLICATION = VisitorMiddleware(URLRouter([*of_play, *of_tournaments]))
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
LOBBY = "/ws/lobby/"


def key_of(user: User) -> str:
    """The key of a new session of this user."""
    client = Client()
    client.force_login(user, backend=BACKEND)
    return str(client.cookies["sessionid"].value)


@pytest.mark.usefixtures("valkey")
class SocketCase(TableCase):
    """ana, bea and carlos, with sessions as a browser has them."""

    @sync_to_async
    def browser(self, user: User) -> Client:
        client = Client()
        client.force_login(user, backend=BACKEND)
        return client

    async def connect(self, browser: Client | None = None, path: str = "") -> PatientSocket:
        """A socket with the cookies of a browser, after its first frame."""
        cookie = f"sessionid={browser.cookies['sessionid'].value}" if browser else ""
        headers = [(b"cookie", cookie.encode())]
        socket = PatientSocket(APPLICATION, path or f"/ws/match/{self.match.pk}/", headers=headers)
        connected, _ = await socket.connect()
        assert connected
        await self.receive(socket, "hello" if path == LOBBY else "state")
        return socket

    async def code(self, socket: PatientSocket, *, timeout: float = PATIENCE) -> int:
        """The code with which the server closes."""
        while (message := await socket.receive_output(timeout))["type"] != "websocket.close":
            pass
        return int(message["code"])

    async def open(self, *sockets: PatientSocket) -> list[bool]:
        """Which of these sockets still answer."""
        answers = []
        for socket in sockets:
            await socket.send_json_to({"t": "ping"})
            try:
                await self.receive(socket, "pong")
                answers.append(True)
            except (AssertionError, TimeoutError):
                answers.append(False)
        return answers


class TooMany(SocketCase):
    async def test_of_thirteen_sockets_of_a_member_the_oldest_is_closed(self) -> None:
        laptop, phone = await self.browser(self.ana), await self.browser(self.ana)
        first = await self.connect(laptop)
        others = [await self.connect(laptop, LOBBY) for _ in range(7)] + [await self.connect(phone) for _ in range(4)]
        bea = await self.connect(await self.browser(self.bea))
        assert len(registry.current_registry().open) == 13
        last = await self.connect(phone)
        assert await self.code(first) == close_codes.TOO_MANY_SOCKETS == 4430
        assert await self.open(*others, bea, last) == [True] * 13
        await self.leave(first, bea, last, *others)
        assert not registry.current_registry().open

    async def test_a_closed_socket_is_not_counted(self) -> None:
        laptop = await self.browser(self.ana)
        for _ in range(10):
            await self.leave(await self.connect(laptop))
        first = await self.connect(laptop)
        assert await self.open(first) == [True]
        await self.leave(first)

    async def test_guests_are_counted_by_session_and_anonymous_visitors_not_at_all(self) -> None:
        guest = await sync_to_async(User.objects.create_user)("guest-1", is_guest=True)
        first, second = await self.browser(guest), await self.browser(guest)
        sockets = [await self.connect(each) for each in [first] * 12 + [second]]
        sockets += [await self.connect() for _ in range(13)]
        assert await self.open(*sockets) == [True] * 26
        await self.leave(*sockets)


class SignedOut(SocketCase):
    async def test_a_sign_out_closes_the_sockets_of_its_session_only(self) -> None:
        laptop, phone = await self.browser(self.ana), await self.browser(self.ana)
        table, lobby = await self.connect(laptop), await self.connect(laptop, LOBBY)
        others = [await self.connect(phone), await self.connect(await self.browser(self.bea)), await self.connect()]
        await asyncio.sleep(0.1)  # the process listens to the others
        await sync_to_async(laptop.post)("/accounts/logout/")
        assert [await self.code(each) for each in (table, lobby)] == [close_codes.SIGNED_OUT] * 2 == [4401] * 2
        assert await self.open(*others) == [True] * 3
        await self.leave(table, lobby, *others)

    async def test_a_password_change_closes_the_sockets_of_every_other_session(self) -> None:
        laptop, phone = await self.browser(self.ana), await self.browser(self.ana)
        here, there, bea = [await self.connect(each) for each in (laptop, phone, await self.browser(self.bea))]
        await asyncio.sleep(0.1)
        request = RequestFactory().post("/")
        request.COOKIES["sessionid"] = laptop.cookies["sessionid"].value
        request.session = await sync_to_async(lambda: laptop.session)()
        await sync_to_async(password_changed.send)(User, request=request, user=self.ana)
        assert await self.code(there) == 4401
        assert await self.open(here, bea) == [True, True]
        await self.leave(here, there, bea)

    async def test_after_a_reauthentication_that_browser_reconnects_and_others_stay(self) -> None:
        self.ana.set_password(PASSWORD)
        await self.ana.asave()
        laptop, phone = await self.browser(self.ana), await self.browser(self.ana)
        here, there = await self.connect(laptop), await self.connect(phone)
        await sync_to_async(laptop.post)("/accounts/reauthenticate/", {"password": PASSWORD})
        await registry.current_registry().check_sessions()
        assert await self.code(here) == 4401
        reconnected = await self.connect(laptop)
        assert await self.open(there, reconnected) == [True, True]
        await self.leave(here, there, reconnected)

    async def test_a_ban_and_a_deletion_close_every_socket_of_the_account(self) -> None:
        ana, bea = await self.connect(await self.browser(self.ana)), await self.connect(await self.browser(self.bea))
        carlos = await self.connect(await self.browser(self.carlos), LOBBY)
        await asyncio.sleep(0.1)
        self.ana.is_active = False
        await sync_to_async(self.ana.save)()
        await sync_to_async(self.carlos.delete)()
        assert [await self.code(ana), await self.code(carlos)] == [4401, 4401]
        assert await self.open(bea) == [True]
        await self.leave(ana, bea, carlos)

    async def test_an_anonymous_sign_out_closes_no_socket(self) -> None:
        visitor = await self.connect()
        await sync_to_async(user_logged_out.send)(User, request=RequestFactory().get("/"), user=None)
        await registry.current_registry().check_sessions()
        assert await self.open(visitor) == [True]
        await self.leave(visitor)

    async def test_sessions_that_ended_without_a_message_are_found_in_the_rows(self) -> None:
        """Lost messages, expired sessions, a password that the site owner set by hand."""
        browsers = [await self.browser(user) for user in (self.ana, self.bea, self.carlos, self.carlos)]
        sockets = [await self.connect(each) for each in browsers]
        await registry.current_registry().check_sessions()
        assert await self.open(*sockets) == [True] * 4

        def change() -> None:
            session = Session.objects.filter(pk=browsers[0].cookies["sessionid"].value)
            session.update(expire_date=timezone.now() - timedelta(seconds=1))
            self.bea.set_password("another one")
            self.bea.save()
            Session.objects.filter(pk=browsers[2].cookies["sessionid"].value).delete()

        await sync_to_async(change)()
        await registry.current_registry().check_sessions()
        assert [await self.code(each) for each in sockets[:3]] == [4401] * 3
        assert await self.open(sockets[3]) == [True]
        await self.leave(*sockets)

    def test_sessions_are_checked_with_two_queries_however_many_they_are(self) -> None:
        def visits(*users: User) -> list[session_validity.SessionSnapshot]:
            return [
                session_validity.SessionSnapshot(user.pk, key=key_of(user), hash=user.get_session_auth_hash())
                for user in users
            ]

        for known in (visits(self.ana), visits(self.ana, self.bea, self.carlos)):
            with self.assertNumQueries(2):
                assert session_validity.ended_sessions(known) == set()
        with self.assertNumQueries(0):
            assert session_validity.ended_sessions([session_validity.SessionSnapshot(key="abc")]) == set()


class ClosedSockets(SocketCase):
    async def test_a_silent_client_is_closed(self) -> None:
        table, lobby = await self.connect(), await self.connect(path=LOBBY)
        moment = time.monotonic()
        await registry.current_registry().sweep(moment + 24)
        assert await self.open(table) == [True]
        await registry.current_registry().sweep(moment + 26)
        assert await self.code(table) == close_codes.UNRESPONSIVE == 4408
        await registry.current_registry().sweep(moment + 74)
        assert await self.open(lobby) == [True]
        await registry.current_registry().sweep(time.monotonic() + 76)
        assert await self.code(lobby) == 4408
        await self.leave(table, lobby)

    async def test_a_process_that_did_not_listen_closes_no_socket(self) -> None:
        before, registry.SWEEP_SECONDS = registry.SWEEP_SECONDS, 0.05
        try:
            table = await self.connect()
            (socket,) = registry.current_registry().open
            await asyncio.sleep(0.1)
            seen_at, began = socket.last_frame_at, time.monotonic()
            time.sleep(0.3)  # the whole event loop is blocked
            await asyncio.sleep(0.1)
            passed = time.monotonic() - began  # 0.4, and more where the machine itself stalls
        finally:
            registry.SWEEP_SECONDS = before
        assert 0.2 < socket.last_frame_at - seen_at < passed
        await self.leave(table)

    async def test_a_quiet_socket_is_asked_first_because_a_hidden_page_sends_no_heartbeat(self) -> None:
        table = await self.connect()
        moment = time.monotonic()
        await registry.current_registry().sweep(moment + 5)
        await registry.current_registry().sweep(moment + 7)
        await registry.current_registry().sweep(moment + 9)  # it has been asked
        frame = await self.receive(table, "pong")
        assert (frame["version"], frame["stamp"]) == (0, 1)
        assert await table.receive_nothing(0.1)
        await self.leave(table)


class Drain(SocketCase):
    async def drain(self) -> None:
        await drain.drain(registry.current_registry(), TransportMiddleware(APPLICATION))

    async def last_messages(self, socket: PatientSocket) -> list[Any]:
        codes = []
        while (message := await socket.receive_output(5))["type"] != "websocket.close":
            codes.append(message["text"])
        await socket.disconnect()
        return [*codes[-1:], message["code"]]

    async def test_every_socket_gets_a_restart_frame_and_is_closed(self) -> None:
        sockets = [await self.connect(), await self.connect(path=LOBBY)]
        draining = asyncio.create_task(self.drain())
        for socket in sockets:
            assert await self.last_messages(socket) == ['{"t":"restart"}', close_codes.RESTART]
        await draining
        assert not registry.current_registry().open

    async def test_a_socket_opened_meanwhile_is_closed_the_same_way(self) -> None:
        await self.drain()
        late = PatientSocket(APPLICATION, f"/ws/match/{self.match.pk}/")
        assert (await late.connect())[0]
        assert await self.last_messages(late) == ['{"t":"restart"}', 4012]

    async def test_an_action_under_way_is_committed_and_answered_before_its_socket_closes(self) -> None:
        ana = await self.connect(await self.browser(self.ana))
        bea = await self.connect(await self.browser(self.bea))
        await asyncio.sleep(0.1)  # the process has registered
        frame_id = await self.act(ana, "roll", 0)
        while not any(socket.busy for socket in registry.current_registry().open):
            await asyncio.sleep(0)
        draining = asyncio.create_task(self.drain())
        ack = await self.receive(ana, "ack")
        assert (ack["id"], ack["version"]) == (frame_id, 1)
        assert (await self.last_messages(ana))[-1] == (await self.last_messages(bea))[-1] == 4012
        await draining
        assert await sync_to_async(Action.objects.filter(match=self.match).count)() == 1

    async def test_a_frame_after_the_restart_frame_is_ignored(self) -> None:
        ana = await self.connect(await self.browser(self.ana))
        draining = asyncio.create_task(self.drain())
        assert await self.code(ana) == 4012
        await self.act(ana, "roll", 0)
        assert await ana.receive_nothing(0.2)
        await ana.disconnect()
        await draining
        assert await sync_to_async(Action.objects.filter(match=self.match).count)() == 0

    async def test_a_client_that_does_not_close_delays_nothing(self) -> None:
        stubborn = await self.connect()
        before, drain.MAX_DRAIN_SECONDS = drain.MAX_DRAIN_SECONDS, 0.3
        try:
            with self.assertLogs("games.connections.drain", "WARNING"):
                await self.drain()
        finally:
            drain.MAX_DRAIN_SECONDS = before
        await self.leave(stubborn)


class Resync(SocketCase):
    async def test_a_gap_of_3000_actions_comes_in_pages_below_64_kib(self) -> None:
        def write() -> None:
            turn = [("white", "roll", "a" * 64), ("chance", "dice 31", "c" * 64), ("white", "24/18* 18/13* 8/4(2)", "")]
            rows = [(n, *turn[n % 3]) for n in range(1, 3001)]
            Action.objects.bulk_create(
                Action(match=self.match, n=n, game_number=1, actor=actor, text=text, element=element, at=timezone.now())
                for n, actor, text, element in rows
            )
            Match.objects.filter(pk=self.match.pk).update(version=3000)

        await sync_to_async(write)()
        watcher = await self.connect()
        after, numbers, sizes = 0, [], []
        more = True
        while more:
            await watcher.send_json_to({"t": "sync", "after": after})
            message = await watcher.receive_output(5)
            sizes.append(len(message["text"]))
            frame = orjson.loads(message["text"])
            assert (frame["t"], frame["from"], frame["version"]) == ("actions", after, 3000)
            numbers += [action["n"] for action in frame["actions"]]
            after, more = numbers[-1], frame["more"]
        assert numbers == list(range(1, 3001))
        assert len(sizes) == 30
        assert max(sizes) < 64 * 1024
        await self.leave(watcher)
