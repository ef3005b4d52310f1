"""The environment variables of a site, read strictly: what cannot be meant is said in one line, before anything starts.

Loaded by the settings, so it loads neither Django's apps nor its translations; the words come from the same catalogue.
"""

from __future__ import annotations

import gettext as catalogues
import os
import re
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

import environ

from backgammon.ops.tongue import language

LOCALE = Path(__file__).resolve().parents[2] / "locale"
TRUE = frozenset({"1", "true", "on", "yes", "y", "ok"})
FALSE = frozenset({"0", "false", "off", "no", "n"})
DATABASES = ("postgres", "postgresql", "sqlite")
BROKERS = ("redis", "rediss", "unix")
RATE = re.compile(r"[1-9]\d{0,8}/[1-9]\d{0,8}")
SHORTEST_KEY = 32  # characters of a SECRET_KEY that somebody chose


def gettext(message: str) -> str:
    """The message in the language of the terminal."""
    return catalogues.translation("django", LOCALE, [language()], fallback=True).gettext(message)


class WrongSettings(SystemExit):
    """The environment cannot be meant so; the process ends with 1 and says what to change."""


def database_of(url: str) -> dict[str, Any]:
    """Django's settings of the database at an address. Raises what `environ` does for what is none."""
    config: dict[str, Any] = environ.Env.db_url_config(url)
    if config.get("HOST"):
        config["HOST"] = unquote(config["HOST"])  # a socket's folder, as libpq writes it: %2Fvar%2Frun%2Fpostgresql
    return config


class Environment(environ.Env):
    """Reads like `environ.Env`, and keeps a list of what is wrong; `done` ends the process if there is any.

    An empty value is as good as none. Values are taken as they are: one that begins with `$` is no name of another.
    """

    def __init__(self, source: dict[str, str] | None = None) -> None:
        super().__init__()
        self.source = os.environ if source is None else source
        self.faults: list[str] = []

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        """The value of `var` as a `cast`, else the default. A value that is none is a fault."""
        value = self.source.get(var, "").strip()
        if not value:
            return None if default is self.NOTSET else default
        try:
            if cast is bool:
                return _switch(value)
            if cast is int:
                return _number(value)
            return self.parse_value(value, cast)
        except ValueError as error:
            self.wrong(var, str(error) or gettext("this cannot be read"))
            return None if default is self.NOTSET else default

    def wrong(self, var: str, why: str) -> None:
        """Note a fault; its value is not repeated, for it may be a secret."""
        self.faults.append(f"{var}: {why}")

    def database(self, var: str, *, default: str) -> dict[str, Any]:
        """Django's settings of the database at the address `var`."""
        url = self.str(var, default="") or default
        if why := _wrong_address(url, DATABASES):
            self.wrong(var, why)
            url = default
        elif not url.startswith("sqlite") and not urlsplit(url).path.strip("/"):
            self.wrong(var, gettext("the name of the database is missing: postgres://user:password@host:5432/name"))
            url = default
        return database_of(url)

    def broker(self, var: str, *, default: str) -> str:
        """The address of the broker."""
        url = self.str(var, default="") or default
        if why := _wrong_address(url, BROKERS):
            self.wrong(var, why)
            return default
        return url

    def mail(self, var: str) -> dict[str, Any]:
        """Django's settings of the mail server at the address `var`; empty without one, or with a wrong one."""
        url = self.str(var, default="")
        if not url:
            return {}
        if why := _wrong_address(url, tuple(self.EMAIL_SCHEMES)):
            self.wrong(var, why)
            return {}
        config: dict[str, Any] = self.email_url_config(url)
        return config

    def among(self, var: str, *, words: tuple[str, ...], default: str) -> str:
        """One of some words, whatever its case."""
        value = str(self.str(var, default="") or default)
        found = {word.casefold(): word for word in words}.get(value.casefold())
        if found is None:
            self.wrong(var, gettext("it can be: %s") % ", ".join(words))
            return default
        return found

    def rate(self, var: str, *, default: str) -> str:
        """So many in so many seconds, like `600/60`."""
        value = str(self.str(var, default="") or default)
        if not RATE.fullmatch(value):
            self.wrong(var, gettext("it is so many in so many seconds, like 600/60"))
            return default
        return value

    def agree(self) -> None:
        """What one variable alone does not tell: those that need each other."""
        https, hosts = self.bool("HTTPS", default=False), self.list("ALLOWED_HOSTS", default=[])
        if https and not hosts:
            self.wrong("ALLOWED_HOSTS", gettext("HTTPS=1 needs the name of the site here, like club.example"))
        for host in hosts:
            if "/" in host or " " in host:
                self.wrong("ALLOWED_HOSTS", gettext("names only, without https:// and without a path"))
                break
        for origin in self.list("CSRF_TRUSTED_ORIGINS", default=[]):
            if not origin.startswith(("http://", "https://")):
                self.wrong("CSRF_TRUSTED_ORIGINS", gettext("each begins with https://, like https://club.example"))
                break
        if (site := self.str("SITE_URL", default="")) and not site.startswith(("http://", "https://")):
            self.wrong("SITE_URL", gettext("it begins with https://, like https://club.example"))
        key = self.str("SECRET_KEY", default="")
        if key and https and len(key) < SHORTEST_KEY:
            self.wrong("SECRET_KEY", gettext("it is too short to keep a secret: %s characters at least") % SHORTEST_KEY)

    def done(self) -> None:
        """End the process if anything is wrong. Raises WrongSettings."""
        self.agree()
        if self.faults:
            refuse(self.faults)


def refuse(faults: list[str]) -> NoReturn:
    """Raise WrongSettings with one line for each fault."""
    head = gettext("Tablero does not start: these settings are wrong (docs/operations.md has all of them).")
    raise WrongSettings("\n".join([head, *(f"  {fault}" for fault in dict.fromkeys(faults))]))


def _switch(value: str) -> bool:
    word = value.casefold()
    if word not in TRUE | FALSE:
        raise ValueError(gettext("it is 1 (on) or 0 (off)"))
    return word in TRUE


def _number(value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise ValueError(gettext("it is a whole number")) from None


def _wrong_address(url: str, schemes: tuple[str, ...]) -> str:
    """What is wrong with an address, or nothing."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  (it is parsed here)
    except ValueError:
        return gettext("this is not an address: are its host and port right, and signs in its password written as %40?")
    if parts.scheme not in schemes or "://" not in url:
        return gettext("it begins with one of: %s") % ", ".join(f"{scheme}://" for scheme in schemes)
    return ""
