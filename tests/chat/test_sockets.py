"""Chat over sockets: who receives what and when; no spectator message reaches a player during the match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import Club, Membership, User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.users import services as user_services
from chat import services
from chat.models import Message
from chat.routing import websocket_urlpatterns as chat_urlpatterns
from games import services as play
from games.routing import websocket_urlpatterns as play_urlpatterns
from tests.games.match_sockets import Frame, TableCase
from tests.patient_sockets import PatientSocket

OF_WATCHERS, OF_PLAYERS = "xwatchersx", "xplayersx"


def marks(value: Any) -> set[str]:
    """The marks in a frame, however deep, in values and keys."""
    if isinstance(value, dict):
        return set().union(*(marks(part) for pair in value.items() for part in pair), set())
    if isinstance(value, list):
        return set().union(*(marks(part) for part in value), set())
    return {mark for mark in (OF_WATCHERS, OF_PLAYERS) if mark in str(value)}


def urls(resolver: URLResolver, known: dict[str, Any], before: str = "") -> Iterator[str]:
    """Every URL of the site whose parameters are `known`."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from urls(pattern, known, before + str(pattern.pattern)) if pattern.app_name != "admin" else ()
        elif isinstance(pattern, URLPattern) and set(pattern.pattern.converters) <= set(known):
            path = before + str(pattern.pattern)
            for name in pattern.pattern.converters:
                start, end = path.rindex("<", 0, path.index(f"{name}>")), path.index(f"{name}>") + len(name) + 1
                path = path[:start] + str(known[name]) + path[end:]
            if "(?" not in path and "^" not in path:
                yield "/" + path


class ChatCase(TableCase):
    """The match of the socket tests, with dora as a second spectator."""

    def setUp(self) -> None:
        super().setUp()
        self.dora = User.objects.create_user("dora")

    async def join(self, user: User | None, path: str = "", **scope: Any) -> PatientSocket:
        """Open a socket of this user: the chat's, or that of another path."""
        router = URLRouter([*play_urlpatterns, *chat_urlpatterns])
        socket = PatientSocket(router, path or f"/ws/talk/{self.match.pk}/")
        socket.scope["user"] = user
        socket.scope.update(scope)
        connected, _ = await socket.connect()
        assert connected
        return socket

    async def speak(self, socket: PatientSocket, text: str, **more: Any) -> None:
        self.count += 1
        await socket.send_json_to({"t": "say", "id": f"0123456789abcdef-{self.count}", "text": text, **more})

    async def all_frames(self, socket: PatientSocket, wait: float = 0.3) -> list[Frame]:
        """Return all frames until none arrives for `wait` seconds."""
        found = []
        while not await socket.receive_nothing(timeout=wait):
            found.append(await socket.receive_json_from())
        return found

    async def frames_until(self, socket: PatientSocket, kind: str) -> list[Frame]:
        """Return all frames up to the first of a kind."""
        found = [await socket.receive_json_from()]
        while found[-1]["t"] != kind:
            found.append(await socket.receive_json_from())
        return found

    @database_sync_to_async
    def resigned(self) -> None:
        play.match_act(match_id=self.match.pk, user_id=self.bea.pk, action="resign match", client_id="the-end")


class ChatSockets(ChatCase):
    """What each viewer receives."""

    async def test_the_opponent_receives_a_message_at_once_and_spectators_do_not(self) -> None:
        ana, bea, carlos = [await self.join(user) for user in (self.ana, self.bea, self.carlos)]
        for socket in (ana, bea, carlos):
            frame = await self.receive(socket, "talk")
            assert (frame["messages"], frame["anew"]) == ([], True)
        await self.speak(ana, "Hi bea")
        received = await self.receive(bea, "said")
        assert {key: received[key] for key in ("room", "by", "mine", "text")} == {
            "room": "players", "by": "ana", "mine": False, "text": "Hi bea",
        }  # fmt: skip
        assert {(await ana.receive_json_from())["t"] for _ in range(2)} == {"ack", "said"}
        assert (await self.all_frames(ana), await self.all_frames(carlos)) == ([], [])
        await self.leave(ana, bea, carlos)

    async def test_each_reader_gets_a_phrase_in_their_language(self) -> None:
        spanish = [(b"accept-language", b"es-ES,es;q=0.9")]
        bea = await self.join(self.bea, headers=spanish)
        ana = await self.join(self.ana, headers=[(b"accept-language", b"en")])
        await self.speak(ana, "", phrase="luck")
        assert (await self.receive(ana, "said"))["text"] == "Good luck!"
        frame = await self.receive(bea, "said")
        assert "phrase" not in frame
        await self.leave(ana, bea)

    async def test_missed_messages_follow_the_last_known_id(self) -> None:
        ana = await self.join(self.ana)
        for words in ("one", "two"):
            await self.speak(ana, words)
        first = (await self.receive(ana, "said"))["id"]
        await self.receive(ana, "said")
        bea = await self.join(self.bea, f"/ws/talk/{self.match.pk}/?after={first}")
        frame = await self.receive(bea, "talk")
        assert ([line["text"] for line in frame["messages"]], frame["anew"]) == (["two"], False)
        await self.leave(ana, bea)

    async def test_a_heartbeat_recovers_what_the_broker_lost(self) -> None:
        bea = await self.join(self.bea)
        await self.receive(bea, "talk")
        await database_sync_to_async(Message.objects.create)(
            match=self.match, room="players", by=self.ana, client_id="x", text="lost", at=self.match.started_at
        )
        await bea.send_json_to({"t": "ping"})
        frame = await self.receive(bea, "talk")
        assert ([line["text"] for line in frame["messages"]], frame["anew"]) == (["lost"], False)
        await bea.send_json_to({"t": "ping"})
        assert [(await bea.receive_json_from())["t"] for _ in range(2)] == ["pong", "pong"]
        assert await self.all_frames(bea) == []
        await self.leave(bea)

    async def test_the_end_of_the_match_opens_the_other_room(self) -> None:
        ana, carlos = await self.join(self.ana), await self.join(self.carlos)
        await self.speak(ana, "to bea")
        await self.speak(carlos, "to dora")
        await self.receive(ana, "said")
        await self.receive(carlos, "said")
        await self.resigned()
        for socket, room in ((ana, "players"), (carlos, "watchers")):
            frame = await self.receive(socket, "talk")
            assert (frame["room"], frame["rooms"], frame["over"]) == (room, ["players", "watchers"], True)
            assert sorted(line["text"] for line in frame["messages"]) == ["to bea", "to dora"]
        await self.speak(carlos, "well played")
        assert (await self.receive(ana, "said"))["room"] == "watchers"
        await self.leave(ana, carlos)

    async def test_muting_hides_messages_at_once_and_unmuting_restores_them(self) -> None:
        ana, bea = await self.join(self.ana), await self.join(self.bea)
        await self.speak(bea, "one")
        await self.receive(ana, "said")
        await database_sync_to_async(relationships.relationship_create)(
            by=self.ana, about=self.bea, kind=relationship_selectors.MUTE
        )
        assert (await self.receive(ana, "talk"))["messages"] == []
        await self.speak(bea, "two")
        assert await self.all_frames(ana) == []
        await database_sync_to_async(relationships.relationship_delete)(
            by=self.ana, about=self.bea, kind=relationship_selectors.MUTE
        )
        frame = await self.receive(ana, "talk")
        assert [line["text"] for line in frame["messages"]] == ["one", "two"]
        await self.leave(ana, bea)

    async def test_an_invalid_message_is_refused_with_a_reason(self) -> None:
        visitor, ana = await self.join(None), await self.join(self.ana)
        await self.speak(visitor, "Hi")
        assert (await self.receive(visitor, "refused"))["code"] == "talk_log_in"
        await self.speak(ana, "")
        assert (await self.receive(ana, "refused"))["code"] == "talk_empty"
        await ana.send_json_to({"t": "join", "room": "watchers"})
        assert (await self.receive(ana, "refused"))["code"] == "unknown_command"
        await ana.send_json_to({"t": "say", "id": "a-1", "text": "Hi", "room": "watchers"})
        assert (await self.receive(ana, "said"))["room"] == "players"
        await self.leave(visitor, ana)

    async def test_there_is_no_chat_for_an_unknown_match(self) -> None:
        socket = await self.join(self.ana, "/ws/talk/nothere234/")
        assert (await socket.receive_output())["code"] == 4404


@pytest.mark.usefixtures("valkey")
@pytest.mark.looks
class Secrecy(ChatCase):
    """A match with marked messages: everything that players and spectators can fetch from the site is searched."""

    async def test_no_spectator_message_reaches_a_player_during_the_match_nor_the_reverse(self) -> None:
        readers = (self.ana, self.bea, self.carlos, self.dora, None)
        sockets: dict[User | None, list[PatientSocket]] = {user: [] for user in readers}
        for user in readers:
            for path in ("talk", "match"):
                sockets[user].append(await self.join(user, f"/ws/{path}/{self.match.pk}/"))
            sockets[user].append(await self.join(user, "/ws/lobby/"))
        received: dict[User | None, list[Frame]] = {user: [] for user in readers}
        for user, words in (
            (self.carlos, f"double now {OF_WATCHERS}"),
            (self.dora, f"no {OF_WATCHERS}"),
            (self.ana, f"good luck {OF_PLAYERS}"),
        ):
            await self.speak(sockets[user][0], words)
            while not received[user] or received[user][-1]["t"] != "ack":
                received[user].append(await sockets[user][0].receive_json_from())
        await self.act(sockets[self.ana][1], "roll", 0)
        await database_sync_to_async(self.reported)()
        for user in readers:  # what a page requests after a gap
            await sockets[user][0].send_json_to({"t": "ping"})
            await sockets[user][1].send_json_to({"t": "sync", "after": 0})
        for user in readers:
            rejoined = await self.join(user, f"/ws/talk/{self.match.pk}/?after=0")
            frames = received[user]
            for socket, answer in zip((*sockets[user], rejoined), ("pong", "actions", "hello", "talk"), strict=True):
                frames += [*await self.frames_until(socket, answer), *await self.all_frames(socket)]
            await self.leave(*sockets[user], rejoined)
            assert marks(frames) == {self.own(user)}, user
        for user in readers:
            bodies = await database_sync_to_async(self.bodies)(user)
            assert len(bodies) > 60
            [hidden] = {OF_WATCHERS, OF_PLAYERS} - {self.own(user)}
            assert {path for path, body in bodies.items() if hidden in body} == set(), user
            assert f"/talk/{self.match.pk}/" in {path for path, body in bodies.items() if self.own(user) in body}

    def own(self, user: User | None) -> str:
        """The mark that this user may read."""
        return OF_PLAYERS if user in (self.ana, self.bea) else OF_WATCHERS

    def reported(self) -> None:
        """dora reports carlos; ana owns the club and so is a moderator, but not of her own match."""
        club, _ = Club.objects.get_or_create(is_default=True, defaults={"name": "Club", "slug": "club"})
        Membership.objects.create(club=club, user=self.ana, role=Membership.Role.OWNER)
        by_carlos = Message.objects.get(by=self.carlos)
        services.report_make(by=self.dora, reason="advice", words="he helps", message_id=by_carlos.pk)

    def bodies(self, user: User | None) -> dict[str, str]:
        """Every page and response of the site that this user can fetch, by URL."""
        client = Client()
        if user is not None:
            client.force_login(user, backend=user_services.BACKEND)
        hidden = Message.objects.filter(by=self.carlos if user in (self.ana, self.bea) else self.ana).earliest("pk")
        known = {"match_id": self.match.pk, "name": "carlos", "case_id": 1, "message_id": hidden.pk, "rival": "dora"}
        paths = set(urls(get_resolver(), known))
        queries = ("after=0", f"before={hidden.pk + 1}", "room=watchers")
        paths |= {f"/talk/{self.match.pk}/?{query}" for query in queries}
        paths |= {f"/report/?message={hidden.pk}", f"/api/v1/matches/{self.match.pk}/sync/?after=0", "/players/ana/"}
        found = {}
        for path in sorted(path for path in paths if "logout" not in path):
            answer = client.get(path)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            found[path] = body.decode("utf-8", "replace")
        for name in ("mute", "say"):
            body = {"message": hidden.pk, "id": "m", "text": "Hi"}
            answer = client.post(f"/talk/{self.match.pk}/{name}/", body, content_type="application/json")
            found[f"POST {name}"] = answer.content.decode()
        return found
