"""The lists of finished matches: every filter exact, every page reached, a player's marks private."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from accounts.users.services import BACKEND
from games import services
from games.errors import NotFound, Refused
from games.models import Match, MatchMark, MatchTag, Seat
from games.selectors import history
from games.selectors.history import Cursor
from games.selectors.match_filter import MatchFilter
from games.selectors.match_rows import MatchMarks

pytestmark = pytest.mark.django_db
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
MAT = """ 1 point match

 Game 1
 gus : 0                          hugo : 0
  1) 31: 8/5 6/5                   52: 13/8 24/22
  2) 64: 24/14                      Resigns
      Wins 1 point and the match
"""


@pytest.fixture
def finished() -> Callable[..., Match]:
    """Return a function that makes a finished match: `finished(ana, bea, winner="white", length=5, day=3)`."""

    def make(white: User, black: User, *, winner: str = "white", day: int = 0, **facts: Any) -> Match:
        ended = START + timedelta(days=day)
        usual: dict[str, Any] = {"variant": "backgammon", "length": 5, "rated": True, "ended_by": "score"}
        match = Match.objects.create(
            creator=white,
            clock_preset="club",
            status="over",
            created_at=ended,
            started_at=ended,
            ended_at=ended,
            winner=winner,
            **(usual | facts),
        )
        for side, user in (("white", white), ("black", black)):
            won = side == winner if winner else None
            Seat.objects.create(match=match, side=side, user=user, won=won, ended_at=ended)
        return match

    return make


def shown(query: str, *, owner: User | None = None, private: bool = False, **place: Any) -> list[str]:
    """The ids that a list shows under this query."""
    wanted = MatchFilter(QueryDict(query), owner=owner, private=private)
    return [row.match.pk for row in history.match_page(wanted, **place).rows]


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend=BACKEND)
    return client


# The filters


def test_each_filter_chooses_exactly_its_matches(
    finished: Callable[..., Match], ana: User, bea: User, carlos: User
) -> None:
    known = {
        "plain": finished(ana, bea, day=0),
        "nack": finished(bea, ana, day=1, variant="nackgammon"),
        "long": finished(ana, carlos, day=2, length=11, winner="black"),
        "draw": finished(ana, carlos, day=3, variant="damas", length=2, winner="", rated=False),
        "flag": finished(ana, bea, day=4, ended_by="flag"),
        "cup": finished(bea, ana, day=5, title="Spring Cup · final", from_url="/tournaments/abc/"),
        "stop": finished(ana, bea, day=6, winner="", ended_by="stopped"),
        "other": finished(bea, carlos, day=7),
    }
    names = {match.pk: name for name, match in known.items()}

    def own_history(query: str) -> str:
        return " ".join(names[pk] for pk in shown(query, owner=ana, private=True))

    assert own_history("") == "stop cup flag draw long nack plain"
    assert own_history("rival=carlos") == "draw long"
    assert own_history("rival=CARL") == "draw long"
    assert own_history("rival=nobody") == ""
    assert own_history("variant=nackgammon") == "nack"
    assert own_history("length=11") == "long"
    assert own_history("longer=2") == "stop cup flag long nack plain"
    assert own_history("longer=5") == "long"
    assert own_history("result=won") == "flag plain"
    assert own_history("result=lost") == "cup long nack"
    assert own_history("result=level") == "draw"
    assert own_history("event=spring") == "cup"
    assert own_history("event=/tournaments/abc/") == "cup"
    assert own_history("event=/tournaments/other/") == ""
    assert own_history("since=2026-03-03&until=2026-03-04") == "draw long"
    assert own_history("pace=live") == own_history("")
    assert own_history("pace=correspondence") == ""
    assert own_history("rated=no") == "draw"
    assert own_history("rated=yes&rival=carlos") == "long"
    assert own_history("ended=flag") == "flag"
    assert own_history("ended=stopped") == "stop"
    assert own_history("sort=oldest") == "plain nack long draw flag cup stop"
    assert own_history("sort=longest") == "long stop cup flag nack plain draw"
    assert [names[pk] for pk in shown("")] == ["other", *own_history("").split()]
    assert [names[pk] for pk in shown("player=carlos&result=won")] == ["long"]
    assert [names[pk] for pk in shown("player=bea&rival=carlos")] == ["other"]
    assert [names[pk] for pk in shown("variant=damas")] == ["draw"]


def test_an_imported_match_is_in_the_history_of_its_importer_and_in_no_other_list(
    finished: Callable[..., Match], ana: User, bea: User
) -> None:
    finished(ana, bea)
    client = client_of(ana)
    client.post(reverse("match-import"), {"file": SimpleUploadedFile("match.mat", MAT.encode())})
    read = Match.objects.get(source="mat")
    assert read.pk in shown("", owner=ana, private=True)
    assert shown("rival=hug", owner=ana, private=True) == [read.pk]
    assert read.pk not in shown("result=won", owner=ana, private=True)
    assert read.pk not in shown("", owner=ana)
    assert read.pk in shown("")


def test_the_marks_of_the_owner_filter_the_own_list_only(finished: Callable[..., Match], ana: User, bea: User) -> None:
    first, second, _third = (finished(ana, bea, day=day) for day in range(3))
    services.match_mark(match_id=first.pk, user=ana, favourite=True, tags=["Opening", "to study"])
    services.match_mark(match_id=second.pk, user=ana, note="a prime", tags=["opening"])
    services.match_mark(match_id=second.pk, user=bea, favourite=True, tags=["bea's own"])
    assert shown("favourite=on", owner=ana, private=True) == [first.pk]
    assert shown("noted=on", owner=ana, private=True) == [second.pk]
    assert shown("tag=opening", owner=ana, private=True) == [second.pk, first.pk]
    assert shown("tag=to study", owner=ana, private=True) == [first.pk]
    assert shown("favourite=on", owner=bea, private=True) == [second.pk]


@pytest.mark.parametrize("query", ["favourite=on", "noted=on", "tag=secret", "tag=opening&favourite=on"])
@pytest.mark.parametrize("watcher", ["ana", "bea", "nobody"])
def test_marks_never_leave_the_own_history(
    finished: Callable[..., Match], ana: User, bea: User, query: str, watcher: str
) -> None:
    match, other = finished(ana, bea, day=1), finished(ana, bea)
    services.match_mark(match_id=match.pk, user=ana, favourite=True, note="a secret note", tags=["secret", "opening"])
    client = client_of({"ana": ana, "bea": bea, "nobody": None}[watcher])
    for url in (reverse("matches"), reverse("player", args=["ana"]), reverse("player", args=["bea"])):
        page = client.get(f"{url}?{query}")
        assert [row.match.pk for row in page.context["listing"].rows] == [match.pk, other.pk], url
        assert "secret" not in page.content.decode().replace(query, "")
    if watcher == "bea":
        page = client.get(f"{reverse('history')}?{query}")
        shown_to_bea = [row.match.pk for row in page.context["listing"].rows]
        assert shown_to_bea == ([match.pk, other.pk] if query == "tag=secret" else [])  # a tag that ana does not use
        assert "a secret note" not in page.content.decode()


def test_on_the_page_of_a_match_each_user_sees_their_own_marks(
    open_table: Callable[..., Match], act: Callable[..., Any], ana: User, bea: User, carlos: User
) -> None:
    match = open_table()
    act(match, bea, "resign match")
    services.match_mark(match_id=match.pk, user=ana, note="a secret note")
    for user, marks, visible in ((ana, True, True), (bea, True, False), (carlos, False, False), (None, False, False)):
        text = client_of(user).get(reverse("match", args=[match.pk])).content.decode()
        assert (f'id="marks-{match.pk}"' in text, "a secret note" in text) == (marks, visible), user


# Invalid filters


@pytest.mark.parametrize(
    ("query", "field", "why"),
    [
        ("rival=nobody", "rival", "There is no player with that name."),
        ("variant=chess", "variant", "Select a valid choice. chess is not one of the available choices."),
        ("length=-3", "length", "Ensure this value is greater than or equal to 0."),
        ("length=9" + "9" * 400, "length", "Ensure this value is less than or equal to 99."),
        ("longer=many", "longer", "Enter a whole number."),
        ("since=2026-13-45", "since", "Enter a valid date."),
        ("until=0001-01-01", "until", "Ensure this value is greater than or equal to 1900-01-01."),
        ("until=9999-12-31", "until", "Ensure this value is less than or equal to 2200-01-01."),
        ("sort=%00", "sort", "Select a valid choice. \x00 is not one of the available choices."),
        ("event=%00", "event", "Null characters are not allowed."),
        ("result=won&result=maybe", "result", "Select a valid choice. maybe is not one of the available choices."),
    ],
)
def test_an_invalid_value_is_explained_and_the_rest_of_the_filter_applies(
    finished: Callable[..., Match], ana: User, bea: User, query: str, field: str, why: str
) -> None:
    match = finished(ana, bea, variant="nackgammon")
    finished(ana, bea)
    page = Client().get(f"{reverse('player', args=['ana'])}?{query}&rated=yes", headers={"accept-language": "en"})
    assert page.status_code == 200
    assert page.context["filter"].errors[field] == [why]
    assert match.pk in [row.match.pk for row in page.context["listing"].rows]


def test_on_the_list_of_the_site_a_result_and_an_opponent_need_a_player(
    finished: Callable[..., Match], ana: User, bea: User
) -> None:
    finished(ana, bea)
    wanted = MatchFilter(QueryDict("result=won&rival=bea"))
    assert set(wanted.errors) == {"result", "rival"}
    assert MatchFilter(QueryDict("player=a")).errors["player"] == [
        "Several players match: ana, bea. Enter the full name."
    ]


@pytest.mark.parametrize(
    "place", ["", "1", "x.y.z", "1.2", "9" * 16 + ".1.a", "1.1.é", "-5.1.a", "99999999999999999999.5.a", "\x00.1.a"]
)
def test_an_invalid_cursor_begins_at_the_first_page(
    finished: Callable[..., Match], ana: User, bea: User, place: str
) -> None:
    finished(ana, bea)
    for name in ("after", "before"):
        page = Client().get(reverse("matches"), {name: place})
        assert page.status_code == 200


# Pages


@pytest.mark.parametrize("sort", ["newest", "oldest", "longest"])
@pytest.mark.parametrize("of", ["site", "own"])
def test_pages_list_every_match_once_forwards_and_back(
    finished: Callable[..., Match], ana: User, bea: User, sort: str, of: str
) -> None:
    # Several end at the same moment, as imported matches do.
    all_ids = [finished(ana, bea, day=n // 3, length=1 + 2 * (n % 2)).pk for n in range(11)]
    query, owner = QueryDict(f"sort={sort}"), ana if of == "own" else None

    def page(**place: str) -> history.MatchPage:
        return history.match_page(MatchFilter(query, owner=owner, private=of == "own"), size=4, **place)

    there = [page()]
    while there[-1].after:
        there.append(page(after=str(there[-1].after)))
    found = [row.match.pk for each in there for row in each.rows]
    assert len(there) == 3
    assert sorted(found) == sorted(all_ids)
    assert {each.count for each in there} == {11}
    back = [there[-1]]
    while back[-1].before:
        back.append(page(before=str(back[-1].before)))
    assert [row.match.pk for each in reversed(back) for row in each.rows] == found


def test_a_page_does_not_shift_when_a_match_ends(finished: Callable[..., Match], ana: User, bea: User) -> None:
    matches = [finished(ana, bea, day=day).pk for day in range(4)]
    first = history.match_page(MatchFilter(QueryDict("")), size=2)
    finished(ana, bea, day=9)
    second = history.match_page(MatchFilter(QueryDict("")), after=str(first.after), size=2)
    assert [row.match.pk for row in second.rows] == [matches[1], matches[0]]


def test_a_cursor_round_trips(finished: Callable[..., Match], ana: User, bea: User) -> None:
    match = finished(ana, bea)
    place = Cursor(match.ended_at, match.length, match.pk)
    assert Cursor.read(str(place)) == place


def test_matches_are_counted_up_to_a_limit(
    finished: Callable[..., Match], ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST_COUNTED", 2)
    for day in range(5):
        finished(ana, bea, day=day)
    listing = history.match_page(MatchFilter(QueryDict("")), size=1)
    assert (listing.count, listing.uncounted) == (3, True)


def queries_of(client: Client, url: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(url).status_code == 200
    return len(queries)


@pytest.mark.parametrize("query", ["", "?rival=bea&variant=backgammon", "?favourite=on&tag=one", "?event=cup"])
def test_a_list_takes_the_same_queries_for_one_match_and_three(
    finished: Callable[..., Match], ana: User, bea: User, query: str
) -> None:
    def add_match(day: int) -> None:
        match = finished(ana, bea, day=day, title="Cup", from_url="/tournaments/abc/")
        services.match_mark(match_id=match.pk, user=ana, favourite=True, note="n", tags=["one", "two"])

    add_match(0)
    client = client_of(ana)
    urls = [reverse(name) + query for name in ("history", "matches")] + [reverse("player", args=["ana"]) + query]
    before = [queries_of(client, url) for url in urls]
    add_match(1)
    add_match(2)
    assert [queries_of(client, url) for url in urls] == before
    assert max(before) <= 18  # one of them for the bell; the player's page has records and badges


def test_chosen_filters_are_chips_that_can_be_removed(finished: Callable[..., Match], ana: User, bea: User) -> None:
    finished(ana, bea, title="Cup", from_url="/tournaments/abc/")
    query = "rival=bea&favourite=on&length=5&event=/tournaments/abc/&after=1.1.a"
    chips = MatchFilter(QueryDict(query), owner=ana, private=True).chips
    assert {chip.name: chip.text for chip in chips} == {
        "rival": "Opponent: bea",
        "length": "Length: 5",
        "event": "Event: Cup",
        "favourite": "Favourites only",
    }
    assert chips[0].without == "favourite=on&length=5&event=%2Ftournaments%2Fabc%2F"


# Marks


def test_a_mark_is_saved_changed_and_deleted(finished: Callable[..., Match], ana: User, bea: User) -> None:
    match = finished(ana, bea)
    services.match_mark(match_id=match.pk, user=ana, favourite=True)
    services.match_mark(match_id=match.pk, user=ana, note=" two\r\nlines ", tags=["A", "b", "a", " "])
    assert history.marks_of(ana, [match.pk])[match.pk] == MatchMarks(True, "two\nlines", ("A", "b"))
    services.match_mark(match_id=match.pk, user=ana, tags=["B"])
    assert history.marks_of(ana, [match.pk])[match.pk].tags == ("B",)
    services.match_mark(match_id=match.pk, user=ana, favourite=False, note="", tags=[])
    assert (MatchMark.objects.count(), MatchTag.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("marks", "code"),
    [
        ({"note": "x" * 2001}, "note_too_long"),
        ({"tags": ["x" * 25]}, "tag_too_long"),
        ({"tags": [str(n) for n in range(9)]}, "too_many_tags"),
        ({"tags": ["a\u202eb"]}, "tag_unreadable"),
    ],
)
def test_an_invalid_mark_is_refused_and_nothing_changes(
    finished: Callable[..., Match], ana: User, bea: User, marks: dict[str, Any], code: str
) -> None:
    match = finished(ana, bea)
    with pytest.raises(Refused) as refused:
        services.match_mark(match_id=match.pk, user=ana, favourite=True, **marks)
    assert refused.value.code == code
    assert not MatchMark.objects.exists()


def test_only_own_finished_matches_can_be_marked(
    finished: Callable[..., Match], open_table: Callable[..., Match], ana: User, bea: User, carlos: User
) -> None:
    match, live = finished(ana, bea), open_table()
    for user, match_id, code in ((carlos, match.pk, "not_yours"), (ana, live.pk, "not_over")):
        with pytest.raises(Refused) as refused:
            services.match_mark(match_id=match_id, user=user, favourite=True)
        assert refused.value.code == code
    with pytest.raises(NotFound):
        services.match_mark(match_id="nothing", user=ana, favourite=True)


def test_a_mark_is_made_with_and_without_script(finished: Callable[..., Match], ana: User, bea: User) -> None:
    match, client = finished(ana, bea), client_of(ana)
    url, here = reverse("match-mark", args=[match.pk]), "/history/?rival=bea"
    answer = client.post(url, {"favourite": "on", "next": here})
    assert answer.headers["Location"] == here
    answer = client.post(url, {"tags": "one, Two", "note": "hm", "next": here}, headers={"hx-request": "true"})
    text = answer.content.decode()
    assert text.lstrip().startswith(f'<div class="marks" id="marks-{match.pk}">')
    assert 'aria-pressed="true"' in text
    assert ">Two</span>" in text
    answer = client.post(url, {"tags": "x" * 30, "note": ""}, headers={"hx-request": "true", "accept-language": "en"})
    assert "A tag can have up to 24 characters." in answer.content.decode()
    assert "x" * 30 in answer.content.decode()
    assert history.marks_of(ana, [match.pk])[match.pk] == MatchMarks(True, "hm", ("one", "Two"))


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_a_mark_redirects_only_within_this_site(
    finished: Callable[..., Match], ana: User, bea: User, path: str
) -> None:
    match = finished(ana, bea)
    answer = client_of(ana).post(reverse("match-mark", args=[match.pk]), {"favourite": "on", "next": path})
    assert answer.headers["Location"] == reverse("history")
