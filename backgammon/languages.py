"""The languages of the site, each a row: the only list of them. Pure: settings and the first lines of commands read it.

docs/translating.md says what else a new language needs.
"""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT = "en"
"""The language of the sources, and of whoever wants none of ours."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code, its name in its own words, and the word in the names of its guests (`guest-4821`).

    One that no person has `reviewed` is a machine-assisted translation: its pages say so and ask for help, and it may
    lack messages, which are shown in English. `drawable` tells whether the font of pictures has its letters.
    """

    code: str
    name: str
    guest: str
    reviewed: bool = False
    drawable: bool = True


LANGUAGES = {
    language.code: language
    for language in (
        Language("de", "Deutsch", "gast"),
        Language("en", "English", "guest", reviewed=True),
        Language("es", "Español", "invitado", reviewed=True),
        Language("fr", "Français", "invité"),
        Language("it", "Italiano", "ospite"),
        Language("pt", "Português", "convidado"),
        Language("tr", "Türkçe", "misafir", drawable=False),
        Language("el", "Ελληνικά", "επισκέπτης", drawable=False),
        Language("ja", "日本語", "ゲスト", drawable=False),
    )
}
"""By code, in the order in which they are offered."""

TRANSLATIONS = tuple(code for code in LANGUAGES if code != DEFAULT)
"""The languages that have catalogues."""


def first_supported(*codes: str | None) -> str:
    """Return the first of the codes that is a language of the site, else the default."""
    return next((code for code in codes if code in LANGUAGES), DEFAULT)


def picture_language(code: str | None) -> str:
    """Return the language in which a picture is written for readers of `code`: the default where a letter lacks."""
    language = LANGUAGES[first_supported(code)]
    return language.code if language.drawable else DEFAULT


def is_reviewed(code: str | None) -> bool:
    """Whether a person has reviewed the language; an unknown one is shown in English, which is."""
    return LANGUAGES[first_supported(code)].reviewed
