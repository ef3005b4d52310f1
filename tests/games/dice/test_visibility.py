"""The visibility of dice: proofs and transcripts are public, deposits and secrets never leave the server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import events, notify
from games.dice.chain import Chain
from games.events import state_of
from games.models import Action, DiceSecret, Match
from games.selectors import dice_proofs, match_state
from tests.games.dice.seats import Player, fresh, play, shake, verdict

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]


@pytest.fixture
def seats(ana: User, bea: User) -> tuple[Player, Player]:
    return Player(ana, "white"), Player(bea, "black")


@pytest.fixture
def match(open_table: Open) -> Match:
    return fresh(open_table(clock="none", length=1))


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def text_of(value: Any) -> str:
    """A payload of any type as one text."""
    if isinstance(value, dict):
        return " ".join(f"{key} {text_of(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(text_of(inner) for inner in value)
    return value.hex() if isinstance(value, bytes) else str(value)


def secrets_of(match: Match, seats: tuple[Player, Player]) -> set[str]:
    """What must not leave now: the server's chain beyond what was shown, deposits, the players' own secrets."""
    secret = DiceSecret.objects.get(pk=match.pk)
    chain = Chain(secret.length, bytes(secret.marks))
    hidden = {bytes(secret.seed).hex(), *(chain.element(match.roll_index + k).hex() for k in range(1, 4))}
    hidden |= {bytes(secret.marks)[at : at + 32].hex() for at in range(0, len(secret.marks), 32)}
    for player in seats:
        used = fresh(match).dice[player.side]["used"]
        hidden |= {player.chain.element(used + k).hex() for k in range(1, 4)}
    return hidden - {chain.element(0).hex()}


def payloads(match: Match, users: list[User | None]) -> dict[str, str]:
    found: dict[str, str] = {}
    for user in users:
        name = user.username if user else "nobody"
        pk = user.pk if user else None
        event, side = match_state.match_event(match_id=match.pk, user_id=pk)
        found[f"event for {name}"] = text_of(event)
        found[f"state for {name}"] = text_of(events.for_viewer(event, side, "state"))
        event, side = match_state.match_sync(match_id=match.pk, user_id=pk, after=0)
        found[f"sync for {name}"] = text_of(events.for_viewer(event, side, "actions"))
        client = client_of(user)
        for path in ("", "sync/", "dice/"):
            found[f"{path} for {name}"] = client.get(f"/api/v1/matches/{match.pk}/{path}").content.decode()
        for path in ("", "dice.json"):
            found[f"/match/{path} for {name}"] = client.get(f"/match/{match.pk}/{path}").content.decode()
    return found


def test_deposits_and_secrets_never_leave(
    match: Match,
    seats: tuple[Player, Player],
    ana: User,
    bea: User,
    carlos: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(notify, "_after_commit", lambda group, message: sent.append(message))
    viewers = [ana, bea, carlos, None]

    def check(match: Match) -> None:
        hidden = secrets_of(match, seats)
        for place, text in {**payloads(match, viewers), "group": text_of(sent)}.items():
            assert not [each for each in hidden if each in text], place

    check(match)
    check(shake(match, seats))
    seats[0].roll(fresh(match))
    check(fresh(match))
    match = play(fresh(match), seats, until=lambda match, state: match.roll_index >= 3)
    check(match)
    assert sent


def test_each_roll_sends_its_proof_to_everyone(
    match: Match, seats: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(notify, "match_event", lambda match_id, event: sent.append(event))
    match = play(match, seats, until=lambda match, state: match.roll_index >= 6)
    live = [action["proof"] for event in sent for action in event["actions"] if action["seat"] == "chance"]
    assert live == [
        {k: v for k, v in roll.items() if k != "dice"} for roll in dice_proofs.transcript_of(match)["rolls"]
    ]


def test_sync_proves_the_rolls_from_any_version_on(match: Match, seats: tuple[Player, Player]) -> None:
    match = play(match, seats, until=lambda match, state: match.roll_index >= 5)
    event, _side = match_state.match_sync(match_id=match.pk, user_id=None, after=0)
    whole = {action["n"]: action.get("proof") for action in event["actions"]}
    assert sum(proof is not None for proof in whole.values()) == match.roll_index
    for after in range(match.version):
        event, _side = match_state.match_sync(match_id=match.pk, user_id=None, after=after)
        assert {action["n"]: action.get("proof") for action in event["actions"]} == {
            n: proof for n, proof in whole.items() if n > after
        }


def test_a_state_shows_the_deposits_of_both(match: Match, seats: tuple[Player, Player]) -> None:
    ana, bea = seats
    client = client_of(None)
    url = f"/api/v1/matches/{match.pk}/"
    nothing = {"end": None, "commit": None, "nonce": None, "held": False, "used": 0, "shown": None, "deposited": False}
    assert client.get(url).json()["dice"] == {
        "ready": False, "s0": match.dice["s0"], "white": nothing, "black": nothing
    }  # fmt: skip
    shake(match, seats)
    proof_data = client.get(url).json()["dice"]
    assert proof_data["ready"]
    assert proof_data["white"] == {
        **nothing,
        "end": ana.end,
        "commit": ana.commit,
        "nonce": ana.nonce.hex(),
        "deposited": True,
    }
    bea.act(match, "roll")
    assert client.get(url).json()["dice"]["black"]["deposited"]


def test_a_seat_deposits_over_http(match: Match, seats: tuple[Player, Player], carlos: User) -> None:
    ana, bea = seats
    url = f"/api/v1/matches/{match.pk}/dice/"

    def post(user: User | None, **body: Any) -> tuple[int, Any]:
        answer = client_of(user).post(url, body, content_type="application/json")
        return answer.status_code, answer.json().get("code", answer.json().get("version"))

    commitment = {"id": "d-1", "end": ana.end, "commit": ana.commit}
    assert post(ana.user, **commitment) == (200, 0)
    assert post(ana.user, **commitment) == (200, 0)
    assert post(carlos, **commitment) == (403, "not_seated")
    assert post(None, **commitment)[0] == 401
    assert post(bea.user, id="d-1", c="ab" * 32) == (409, "dice_early")
    assert post(bea.user, id="d-1", c="zz" * 32) == (400, "element")
    assert post(bea.user, c="zz" * 32)[0] == 400
    assert post(bea.user, id="d-1", end=bea.end, commit=bea.commit) == (200, 0)
    assert post(ana.user, id="d-2", nonce=ana.nonce.hex(), c=ana.chain.element(1).hex()) == (200, 0)
    assert fresh(match).dice["white"]["deposit"] == ana.chain.element(1).hex()


def test_the_transcript_is_open_to_everyone_and_can_be_downloaded(match: Match, seats: tuple[Player, Player]) -> None:
    match = play(match, seats, until=lambda match, state: match.roll_index >= 4)
    shown = client_of(None).get(f"/api/v1/matches/{match.pk}/dice/").json()
    assert verdict(shown) == (None, set())
    assert len(shown["rolls"]) == match.roll_index
    answer = client_of(None).get(f"/match/{match.pk}/dice.json")
    assert answer.json() == shown
    assert answer.headers["Content-Disposition"] == f'attachment; filename="tablero-{match.pk}-dice.json"'


def test_a_match_without_proof_says_so_in_the_place_of_its_transcript(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(dice=None)
    proof_data = client_of(None).get(f"/match/{match.pk}/dice.json").json()
    assert proof_data == {
        "v": None,
        "match": match.pk,
        "note": "The dice of this match can't be verified.",
        "rolls": [],
    }
    assert client_of(None).get(f"/api/v1/matches/{match.pk}/").json()["dice"] is None


@pytest.mark.parametrize("url", ["/match/nothing/dice.json", "/api/v1/matches/nothing/dice/"])
def test_there_is_no_transcript_of_an_unknown_match(db: None, url: str) -> None:
    assert client_of(None).get(url).status_code == 404


def test_an_open_match_has_no_transcript_yet(match: Match, carlos: User) -> None:
    Match.objects.filter(pk=match.pk).update(snapshot={}, dice=None)
    assert client_of(carlos).get(f"/match/{match.pk}/dice.json").status_code == 404


def test_the_owner_sees_no_deposit_in_the_admin(match: Match, seats: tuple[Player, Player], person: Any) -> None:
    match = shake(match, seats)
    owner = person("owner", is_staff=True, is_superuser=True)
    page = client_of(owner).get(f"/admin/games/match/{match.pk}/change/", follow=True)
    assert match.dice["s0"] not in page.content.decode()
    assert f"{match.pk}" in page.content.decode()
    assert match.dice["white"]["deposit"] not in page.content.decode()


def test_the_rows_of_a_match_agree_with_its_transcript(match: Match, seats: tuple[Player, Player]) -> None:
    match = play(match, seats, until=lambda match, state: match.roll_index >= 3)
    rolls = dice_proofs.transcript_of(match)["rolls"]
    rows = Action.objects.filter(match=match, actor="chance").order_by("n")
    assert [roll["s"] for roll in rolls] == [row.element for row in rows]
    assert ["dice {}{}".format(*roll["dice"]) for roll in rolls] == [row.text for row in rows]
    assert state_of(match).dice is not None
