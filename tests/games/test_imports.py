"""Matches are imported from files completely or not at all, and exported in the formats that support them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users.services import BACKEND
from games import formats, services
from games.formats.decoding import MOST_BYTES
from games.models import Action, Match
from games.registry import RULES
from games.selectors import match_files, replay_frames
from games.selectors.lobby import lobby
from games.selectors.players import Totals, player_totals
from tests.games.formats.matches import analysed_sgf

pytestmark = pytest.mark.django_db

MAT = """ 3 point match

 Game 1
 gus : 0                          hugo : 0
  1) 31: 8/5 6/5                   52: 13/8 24/22
  2)  Doubles => 2                  Drops
      Wins 1 point

 Game 2
 gus : 1                          hugo : 0
  1) 64: 24/14                     51: 13/8 6/5
  2) 33: 8/5(2) 6/3(2)             Resigns
      Wins 2 points and the match
"""
ILLEGAL = MAT.replace("24/14", "24/13")


def as_member(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


def import_file(client: Client, text: str | bytes, name: str = "match.mat", **more: str):  # type: ignore[no-untyped-def]
    data = text.encode() if isinstance(text, str) else text
    return client.post(reverse("match-import"), {"file": SimpleUploadedFile(name, data), **more})


def test_a_match_of_two_strangers_is_archived_and_replayed(ana: User) -> None:
    client = as_member(ana)
    answer = import_file(client, MAT)
    match = Match.objects.get()
    assert answer.headers["Location"] == reverse("match", args=[match.pk])
    assert (match.source, match.status, match.length, match.rated, match.winner, match.ended_by) == (
        *("mat", "over", 3, False, "white", "score"),
    )
    assert [(seat.name, seat.user, seat.points) for seat in match.seats.order_by("-side")] == [
        ("gus", None, 3.0),
        ("hugo", None, 0.0),
    ]
    page = client.get(answer.headers["Location"]).content.decode()
    assert "gus" in page
    assert "Match imported to your archive" in page
    frames = [replay_frames.game_frames_of(match, number) for number in (1, 2)]
    assert [game["outcome"]["points"] for game in frames] == [1, 2]


def test_the_same_file_twice_is_one_match(ana: User) -> None:
    client = as_member(ana)
    assert import_file(client, MAT).headers["Location"] == import_file(client, MAT).headers["Location"]
    assert Match.objects.count() == 1


def test_an_illegal_file_is_reported_and_nothing_is_saved(ana: User) -> None:
    answer = import_file(as_member(ana), ILLEGAL)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Game 2, move 1" in page
    assert "24/13" in page
    assert reverse("ruling", args=["B4"]) in page
    assert (Match.objects.count(), Action.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"\x00\xff\xfe rubbish", "file format is not supported"),
        (b"[" * 400_000, "file format is not supported"),
        (b"{" * 400_000, "not a valid Tablero match"),
        (b" 5 point match\n" + b"x" * (1 << 20), "too large"),
    ],
)
def test_a_hostile_file_gets_a_clear_answer(ana: User, data: bytes, message: str) -> None:
    answer = import_file(as_member(ana), data, "holiday.jpg")
    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Match.objects.exists()


def test_an_analysed_match_of_8_megabytes_is_imported(ana: User) -> None:
    answer = import_file(as_member(ana), analysed_sgf(MOST_BYTES), "match.sgf")
    assert answer.status_code == 302
    assert (Match.objects.get().source, Match.objects.get().length) == ("sgf", 3)


def test_a_text_can_be_pasted(ana: User) -> None:
    answer = as_member(ana).post(reverse("match-import"), {"text": MAT})
    assert answer.status_code == 302
    assert Match.objects.get().source == "mat"


def test_guests_must_sign_up_first(client: Client) -> None:
    client.post(reverse("guest-create"))
    assert reverse("account_signup") in import_file(client, MAT).headers["Location"]


def test_an_archived_match_counts_for_no_statistics(ana: User) -> None:
    import_file(as_member(ana), MAT)
    assert player_totals(ana) == Totals(0, 0, 0, listed=0)
    assert lobby(None).recent == []
    assert [match.source for match in match_files.imported_matches(ana)] == ["mat"]


def test_a_file_that_begins_later_and_does_not_end_is_kept_as_it_is(ana: User) -> None:
    late = MAT.replace("gus : 0", "gus : 1").split("      Wins 1 point")[0].replace("Drops", "Takes")
    import_file(as_member(ana), late)
    match = Match.objects.get()
    assert (match.winner, match.ended_by) == ("", "unfinished")
    content = replay_frames.replay_contents_of(match)
    assert [game["score"]["white"] for game in content["games"]] == [1]
    assert (content["games"][0]["outcome"], content["score"]["white"]) == (None, 1)
    assert match_files.record_of(match).games[0].score == (1, 0)


def test_an_imported_match_is_exported_with_its_dice_in_their_order(ana: User) -> None:
    text = '; [CubeLimit "1024"]\n' + MAT.replace("31: 8/5", "13: 8/5").replace("52: 13/8", "25: 13/8")
    member = as_member(ana)
    import_file(member, text)
    match = Match.objects.get()
    exported = {
        kind: member.get(reverse("match-file", args=[match.pk, kind])).content.decode() for kind in ("mat", "sgf")
    }
    assert re.findall(r"\b([1-6]{2}):", exported["mat"]) == ["13", "25", "64", "51", "33"]
    assert re.findall(r"[WB]\[([1-6]{2})", exported["sgf"]) == ["13", "25", "64", "51", "33"]
    assert "Low die first" not in exported["mat"]


@pytest.mark.parametrize(
    ("variant", "terms", "kinds"),
    [
        ("backgammon", {"length": 1, "clock": "none"}, ["mat", "sgf", "json"]),
        ("backgammon", {"length": 1, "clock": "none", "options": {"as_libre": True}}, ["json"]),
        ("nackgammon", {"length": 1, "clock": "none"}, ["json"]),
        ("acey-deucey", {"length": 15, "clock": "none"}, ["json"]),
        ("damas", {"length": 1, "clock": "none"}, ["pdn", "json"]),
    ],
)
def test_every_match_is_exported_in_the_formats_that_support_it(
    client: Client,
    open_table: Callable[..., Match],
    bea: User,
    variant: str,
    terms: dict[str, object],
    kinds: list[str],
) -> None:
    match = open_table(variant=variant, rated=False, **terms)
    services.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id="x-1")
    match.refresh_from_db()
    assert match_files.available_formats(match) == kinds
    for kind in ("mat", "sgf", "pdn", "json"):
        answer = client.get(reverse("match-file", args=[match.pk, kind]))
        assert answer.status_code == (200 if kind in kinds else 302)
    content = json.loads(client.get(reverse("match-file", args=[match.pk, "json"])).content)
    assert (content["format"], content["winner"], content["by"]) == ("tablero-match/1", "white", "resign")


def test_our_own_json_comes_back_as_the_same_match(ana: User, client: Client) -> None:
    member = as_member(ana)
    import_file(member, MAT)
    first = Match.objects.get()
    text = client.get(reverse("match-file", args=[first.pk, "json"])).content
    import_file(member, text, "match.json")
    second = Match.objects.exclude(pk=first.pk).get()
    assert [replay_frames.game_frames_of(first, n) for n in (1, 2)] == [
        replay_frames.game_frames_of(second, n) for n in (1, 2)
    ]


def test_an_unknown_format_is_not_found(client: Client, ana: User) -> None:
    import_file(as_member(ana), MAT)
    assert client.get(reverse("match-file", args=[Match.objects.get().pk, "exe"])).status_code == 404


def test_every_game_has_a_format_and_every_format_a_game() -> None:
    held = {
        key: formats.available_formats(formats.Record(key, rules.lengths[0], {}, ())) for key, rules in RULES.items()
    }
    assert all(held.values())
    assert {kind for kinds in held.values() for kind in kinds} == set(formats.FORMATS)


def test_files_written_by_gnubg_are_imported(ana: User) -> None:
    files = sorted((Path(__file__).parent.parent / "data" / "matches").glob("*.mat"))[:3]
    assert files
    for file in files:
        assert import_file(as_member(ana), file.read_bytes(), file.name).status_code == 302
    assert Match.objects.count() == len(files)
