"""The catalogues are complete or say what they lack, and the command that checks them is reliable."""

from __future__ import annotations

import ast
import gettext
import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import override

from backgammon.languages import LANGUAGES, TRANSLATIONS
from backgammon.management.commands import messages
from backgammon.message_extraction import APPS, SOURCES, extract_messages
from games import errors, labels

ROOT = Path(settings.BASE_DIR)
LOCALE = ROOT / "locale"
FUNCTIONS = {"_", "gettext", "ngettext", "pgettext", "npgettext", "gettext_lazy", "ngettext_lazy", "pgettext_lazy"}
SPANISH = LOCALE / "es" / "LC_MESSAGES"


@pytest.fixture
def small_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of three files with catalogues of its own."""
    (tmp_path / "games").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "static" / "js").mkdir(parents=True)
    (tmp_path / "games" / "views.py").write_text('_("Roll %(dice)s")\nngettext("%(n)s pip", "%(n)s pips", n)\n')
    (tmp_path / "templates" / "a.html").write_text(
        '{% load i18n %}{% translate "Play" context "button" %}{% blocktranslate %}Hi {{ name }}{% endblocktranslate %}'
    )
    (tmp_path / "static" / "js" / "a.js").write_text('gettext("Your turn");\n')
    monkeypatch.setattr(settings, "BASE_DIR", tmp_path)
    monkeypatch.setattr(settings, "LOCALE_PATHS", [tmp_path / "locale"])
    monkeypatch.setattr(messages, "TRANSLATIONS", ("es",))
    return tmp_path


def translate(site: Path, domain: str, **texts: str | tuple[str, str]) -> None:
    path = site / "locale" / "es" / "LC_MESSAGES" / f"{domain}.po"
    catalog = messages.load(path, "es")
    for message in catalog:
        first = message.id[0] if isinstance(message.id, tuple) else message.id
        if str(first) in texts:
            message.string = texts[str(first)]
    new = messages.updated(catalog, extract_messages(site, domain), "es")
    for compiled, content in messages.compilations(path, new).items():
        compiled.write_bytes(content)


DJANGO = {
    "Roll %(dice)s": "Tirar %(dice)s",
    "%(n)s pip": ("%(n)s pip", "%(n)s pips"),
    "Play": "Jugar",
    "Hi %(name)s": "Hola, %(name)s",
}


def complete(site: Path) -> None:
    call_command("messages")
    translate(site, "django", **DJANGO)
    translate(site, "djangojs", **{"Your turn": "Tu turno"})


def faults(site: Path) -> str:
    with pytest.raises(CommandError) as caught:
        call_command("messages", check=True)
    return str(caught.value)


def test_the_catalogues_of_the_site_are_complete_and_compiled() -> None:
    call_command("messages", check=True)


def test_no_text_to_translate_is_written_inside_an_f_string() -> None:
    """Babel sees into f-strings only where Python does, from 3.12 on."""
    inside = [
        f"{path}:{call.lineno}"
        for app in APPS
        for path in (Path(settings.BASE_DIR) / app).rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text()))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in FUNCTIONS
    ]
    assert inside == []


def test_every_language_has_its_catalogues_and_no_other_does() -> None:
    assert {path.name for path in LOCALE.iterdir()} == {*TRANSLATIONS, "js"}
    assert {path.stem for path in (LOCALE / "js").iterdir()} == {*TRANSLATIONS}
    assert [(code, language.name) for code, language in LANGUAGES.items()] == settings.LANGUAGES


def test_messages_are_extracted_from_every_app() -> None:
    own = {config.name for config in apps.get_app_configs() if Path(config.path).parent == Path(settings.BASE_DIR)}
    assert own == {
        *("accounts", "analysis", "backgammon", "chat", "eventlog"),
        *("games", "ladders", "notifications", "tournaments"),
    }
    assert own == set(SOURCES["django"][0])


def test_python_templates_and_scripts_are_all_read(small_site: Path) -> None:
    complete(small_site)
    call_command("messages", check=True)
    ids = {(message.id, message.context) for message in extract_messages(small_site, "django") if message.id}
    assert ids == {
        ("Roll %(dice)s", None),
        (("%(n)s pip", "%(n)s pips"), None),
        ("Play", "button"),
        ("Hi %(name)s", None),
    }


def test_running_it_again_changes_nothing(small_site: Path) -> None:
    complete(small_site)
    before = {path: path.read_bytes() for path in small_site.rglob("*.?o")}
    call_command("messages")
    assert {path: path.read_bytes() for path in small_site.rglob("*.?o")} == before
    assert len(before) == 4


@pytest.mark.parametrize(
    ("text", "fault"),
    [("", "untranslated"), ("Tirar", "other placeholders"), ("Tirar %(dado)s", "other placeholders")],
)
def test_a_missing_or_broken_translation_is_an_error(small_site: Path, text: str, fault: str) -> None:
    complete(small_site)
    translate(small_site, "django", **{"Roll %(dice)s": text})
    assert fault in faults(small_site)


@pytest.fixture
def two_languages(small_site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small site in reviewed Spanish and machine-assisted French, of which nothing is translated."""
    monkeypatch.setattr(messages, "TRANSLATIONS", ("es", "fr"))
    complete(small_site)
    return small_site


def test_what_a_machine_assisted_language_lacks_is_counted(
    two_languages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("messages", check=True)
    lines = capsys.readouterr().out.splitlines()[-2:]
    assert lines == ["fr/django: 4 messages, 4 to translate", "fr/djangojs: 1 messages, 1 to translate"]


def test_a_wrong_placeholder_is_an_error_in_every_language(two_languages: Path) -> None:
    path = two_languages / "locale" / "fr" / "LC_MESSAGES" / "django.po"
    found = 'msgid "Roll %(dice)s"\nmsgstr '
    path.write_text(path.read_text().replace(f'{found}""', f'{found}"Lancer %(des)s"'))
    call_command("messages")
    assert faults(two_languages).splitlines()[0] == (
        "fr/django: other placeholders: 'Roll %(dice)s' -> 'Lancer %(des)s'"
    )


def test_a_set_of_messages_that_is_not_the_sources_is_an_error_in_every_language(two_languages: Path) -> None:
    (two_languages / "static" / "js" / "a.js").write_text('gettext("Your turn");gettext("His turn");\n')
    assert "fr/djangojs: not in the catalogue: 'His turn'" in faults(two_languages)


def test_new_and_removed_messages_and_a_stale_mo_are_errors(small_site: Path) -> None:
    complete(small_site)
    (small_site / "static" / "js" / "a.js").write_text('gettext("His turn");\n')
    errors = faults(small_site)
    assert "not in the catalogue: 'His turn'" in errors
    assert "no longer in the sources: 'Your turn'" in errors
    complete(small_site)
    translate(small_site, "djangojs", **{"His turn": "Su turno"})
    compiled = small_site / "locale" / "es" / "LC_MESSAGES" / "django.mo"
    compiled.write_bytes(compiled.read_bytes() + b"x")
    assert "django.mo is not as the command writes it" in faults(small_site)


def test_a_fuzzy_translation_is_an_error(small_site: Path) -> None:
    complete(small_site)
    path = small_site / "locale" / "es" / "LC_MESSAGES" / "djangojs.po"
    path.write_text(path.read_text().replace('msgid "Your turn"', '#, fuzzy\nmsgid "Your turn"'))
    assert "fuzzy" in faults(small_site)


def test_the_catalogues_name_the_file_of_each_message_and_have_no_lines_or_dates() -> None:
    for language in TRANSLATIONS:
        for path in (LOCALE / language).rglob("*.po"):
            text = path.read_text()
            files = {file for line in re.findall(r"^#: (.+)$", text, re.MULTILINE) for file in line.split()}
            assert "Creation-Date" not in text
            assert len(re.findall(r"^#: ", text, re.MULTILINE)) >= text.count("\nmsgid ") - 1
            assert [file for file in sorted(files) if not (ROOT / file).is_file()] == []
        for path in (LOCALE / language).rglob("*.mo"):
            assert gettext.GNUTranslations(io.BytesIO(path.read_bytes())).info()["language"] == language


IDIOMS = {"good game!", "post a game"}
"""A game that means a whole match."""


def test_a_game_is_a_juego_and_a_match_is_a_partida() -> None:
    """Ruling "Words": the specification uses *partida* for one game; the site never does."""
    for name in ("django", "djangojs"):
        catalog: Catalog = read_po(io.BytesIO((SPANISH / f"{name}.po").read_bytes()), locale="es")
        for message in catalog:
            english, spanish = str(message.id).casefold(), str(message.string).casefold()
            if message.id and "partida" in spanish and re.search(r"\bgame\b", english):
                assert "match" in english or english in IDIOMS, (english, spanish)


def test_names_of_stored_keys_are_translated() -> None:
    with override("es"):
        assert labels.length(1) == "partida a 1 punto"
        assert labels.length(5) == "partida a 5 puntos"
        assert labels.clock("blitz") == "Relámpago"
        assert errors.Refused("guest_rated").text.startswith("Con una cuenta de invitado")
    with override("en"):
        assert labels.length(5) == "match to 5 points"
        assert labels.variant("a_game_of_tomorrow") == "a_game_of_tomorrow"


def test_the_texts_of_scripts_are_a_script(small_site: Path) -> None:
    complete(small_site)
    script = small_site / "locale" / "js" / "es.js"
    assert script.read_text() == (
        "// Made by `manage.py messages`.\nglobalThis.messages = {\nplural: (n) => Number((n != 1)),\n"
        'texts: {\n"Your turn": "Tu turno",\n},\n};\n'
    )
    script.write_text("")
    assert "es.js is not as the command writes it" in faults(small_site)


@pytest.mark.django_db
def test_pages_load_the_texts_of_scripts_in_their_language(client: Client) -> None:
    script = '<script src="/static/messages/es.js" defer></script>'
    assert script in client.get("/", headers={"accept-language": "es"}).content.decode()
    assert "/static/messages/" not in client.get("/", headers={"accept-language": "en"}).content.decode()
