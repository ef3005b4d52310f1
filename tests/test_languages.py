"""Every language of the site: its pages, an e-mail, its dates, and who gets which."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from PIL import ImageFont

from accounts.auth import mail_queue
from accounts.models import User
from accounts.names.validation import GENERATED_NAME
from accounts.users import services as users
from accounts.web.languages import preferred_language
from backgammon.languages import DEFAULT, LANGUAGES, TRANSLATIONS, first_supported, is_reviewed, picture_language
from backgammon.ops import locale
from games.services import match_create
from tests.tournaments.staging import staged

CODES = tuple(LANGUAGES)
MACHINE_ASSISTED = tuple(code for code in CODES if code not in ("en", "es"))
LETTERS = {"de": "äöüß", "el": "λ", "es": "ñ¿", "fr": "çœ", "it": "àù", "ja": "卓", "pt": "ãõ", "tr": "ğşİ"}
MOMENT = datetime(2026, 2, 3, 14, 5, tzinfo=UTC)


def page_of(client: Client, path: str, language: str) -> str:
    answer = client.get(path, headers={"accept-language": language})
    assert (answer.status_code, answer.headers["Content-Language"]) == (200, language), path
    text: str = answer.content.decode()
    assert f'<html lang="{language}"' in text, path
    return text


# The list


def test_people_have_reviewed_english_and_spanish() -> None:
    assert [code for code in CODES if is_reviewed(code)] == ["en", "es"]
    assert {"de", "el", "en", "es", "fr", "it", "ja", "pt", "tr"} == set(CODES)


def test_an_unknown_language_is_the_default() -> None:
    assert (first_supported("xx", None, ""), first_supported("", "xx", "el", "ja")) == (DEFAULT, "el")
    assert is_reviewed("xx")


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_pictures_are_in_a_language_whose_letters_their_font_has(language: str) -> None:
    font = ImageFont.truetype(Path(settings.BASE_DIR) / "static" / "vendor" / "fonts" / "alegreya-latin.woff2", 20)
    with translation.override(language):
        letters = set(translation.gettext("Backgammon") + translation.gettext("Challenge a player") + LETTERS[language])
    missing = bytes(font.getmask("\ue123"))
    drawn = all(bytes(font.getmask(letter)) != missing for letter in letters if letter.isalpha())
    assert picture_language(language) == (language if drawn else DEFAULT)


# Pages


@pytest.mark.django_db
@pytest.mark.parametrize("language", CODES)
def test_the_pages_of_a_visitor_are_in_each_language(client: Client, language: str) -> None:
    cup = staged("knockout", 4)
    with translation.override(language):
        heading = translation.gettext("Sign up")
    for name in ("lobby", "rules", "players", "tournaments", "ladders", "account_login", "translations", "tv"):
        page_of(client, reverse(name), language)
    assert heading in page_of(client, reverse("account_signup"), language)
    page_of(client, f"/tournaments/{cup.pk}/", language)


@pytest.mark.django_db
@pytest.mark.parametrize("language", CODES)
def test_the_pages_of_a_member_are_in_the_language_of_the_account(client: Client, ana: User, language: str) -> None:
    client.force_login(ana, backend=users.BACKEND)
    client.post(reverse("set_language"), {"language": language})
    match = match_create(creator=ana, variant="backgammon", length=5, clock="none", rated=False)
    ana.refresh_from_db()
    assert ana.language == language
    names = ("lobby", "settings", "board-settings", "history", "lesson", "notice-settings", "security", "data")
    for path in (*map(reverse, names), f"/match/{match.pk}/", reverse("player", args=["ana"])):
        assert page_of(client, path, language)


@pytest.mark.django_db
@pytest.mark.parametrize("language", CODES)
def test_the_switch_names_every_language_in_its_own_words_and_marks_the_present_one(
    client: Client, language: str
) -> None:
    text = page_of(client, reverse("lobby"), language)
    for code, row in LANGUAGES.items():
        pressed = "true" if code == language else "false"
        assert f'name="language" value="{code}" lang="{code}" aria-pressed="{pressed}">{row.name}</button>' in text


@pytest.mark.django_db
@pytest.mark.parametrize("language", CODES)
def test_a_machine_assisted_page_asks_for_a_review(client: Client, language: str) -> None:
    with translation.override(language):
        words = translation.gettext("Machine-assisted translation, please review")
    asks = f'<a href="/translations/">{words}</a>' in page_of(client, reverse("lobby"), language)
    assert asks == (language in MACHINE_ASSISTED)
    assert language == "en" or words != "Machine-assisted translation, please review"


@pytest.mark.django_db
def test_the_page_for_translators_says_which_languages_are_reviewed(client: Client) -> None:
    text = page_of(client, reverse("translations"), "en")
    assert text.count('<span class="note">Reviewed by a person</span>') == 2
    assert text.count('<span class="note">Machine-assisted translation, please review</span>') == len(MACHINE_ASSISTED)


# Who gets which


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wanted", "language"),
    [("pt-BR,pt;q=0.9", "pt"), ("fi", "en"), ("fi,de;q=0.8,fr;q=0.9", "fr"), ("ja-JP", "ja"), ("", "en"), ("*", "en")],
)
def test_pages_and_sockets_have_the_language_that_the_browser_asks_for(
    client: Client, wanted: str, language: str
) -> None:
    answer = client.get("/", headers={"accept-language": wanted})
    assert answer.headers["Content-Language"] == language
    assert preferred_language(account="", cookie="", accept=wanted) == language


@pytest.mark.parametrize(
    ("account", "cookie", "language"),
    [("el", "tr", "el"), ("", "tr", "tr"), ("xx", "tr", "tr"), ("", "x" * 600, "ja"), ("xx", "yy", "ja")],
)
def test_a_choice_comes_before_the_browser_and_an_unknown_one_is_left_out(
    account: str, cookie: str, language: str
) -> None:
    assert preferred_language(account=account, cookie=cookie, accept="ja") == language


@pytest.mark.parametrize("language", CODES)
def test_commands_are_in_each_language_of_the_terminal(language: str) -> None:
    assert locale.language({"LANG": f"{language}_XX.UTF-8"}) == language


@pytest.mark.django_db
@pytest.mark.parametrize("language", CODES)
def test_a_guest_has_a_name_in_the_language_that_nobody_else_may_take(language: str) -> None:
    with translation.override(language):
        guest = users.guest_create()
    assert guest.username.startswith(f"{LANGUAGES[language].guest}-")
    assert GENERATED_NAME.match(guest.username)
    assert Client().get(reverse("player", args=[guest.username])).status_code == 200


# E-mails and dates


@pytest.mark.django_db
@override_settings(HAS_MAIL=True, EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend")
@pytest.mark.parametrize("language", CODES)
def test_a_password_reset_is_in_the_language_of_who_asked(ana: User, language: str) -> None:
    ana.emailaddress_set.create(email="ana@club.example", verified=True, primary=True)
    with translation.override(language):
        mail_queue.password_reset_enqueue(address="ana@club.example", site_url="https://club.example")
        subject = translation.gettext("Password Reset Email")
    assert mail_queue.queued_emails_send() == 1
    assert subject in mail.outbox[0].subject


DATES = {
    "de": ("3. Februar 2026", "03.02.2026, 14:05"),
    "el": ("3 Φεβρουαρίου 2026", "3/2/2026 14:05"),
    "en": ("3 Feb 2026", "3 Feb 2026, 14:05"),
    "es": ("3 de febrero de 2026", "03/02/2026 14:05"),
    "fr": ("3 février 2026", "03/02/2026 14:05"),
    "it": ("3 Febbraio 2026", "03/02/2026 14:05"),
    "ja": ("2026年2月3日", "2026/02/03 14:05"),
    "pt": ("3 de Fevereiro de 2026", "03/02/2026 14:05"),
    "tr": ("3 Şubat 2026", "3 Şub 2026, 14:05"),
}


@pytest.mark.parametrize("language", CODES)
def test_dates_are_written_as_in_the_language_and_times_with_24_hours(language: str) -> None:
    with translation.override(language):
        shown = date_format(MOMENT, "DATE_FORMAT"), date_format(MOMENT, "SHORT_DATETIME_FORMAT")
        assert date_format(MOMENT, "DATETIME_FORMAT").endswith("14:05")
        assert date_format(MOMENT, "TIME_FORMAT") == "14:05"
    assert shown == DATES[language]


def test_the_settings_have_the_list() -> None:
    assert dict(settings.LANGUAGES)["ja"] == "日本語"
