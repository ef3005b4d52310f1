"""Read the site's environment variables strictly: each invalid value is reported in one line before anything starts.

The settings import this module, so it imports neither Django's apps nor its translations; the texts are in the same
catalogue.
"""

from __future__ import annotations

import gettext as catalogues
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote, urlsplit

import environ

from backgammon import key_files
from backgammon.ops.locale import language
from backgammon.secure_url import is_secure_url
from backgammon.several_hosts import (
    CLUSTER,
    POSTGRES_PORT,
    SENTINEL,
    SENTINEL_PORT,
    cluster_of,
    sentinels_of,
    split_hosts,
)
from backgammon.site_files import ROOT

LOCALE = ROOT / "locale"
TRUE = frozenset({"1", "true", "on", "yes", "y", "ok"})
FALSE = frozenset({"0", "false", "off", "no", "n"})
DATABASES = ("postgres", "postgresql", "sqlite")
BROKERS = ("redis", "rediss", "unix", SENTINEL)
# Where a URL may name more than one:
SEVERAL_HOSTS = tuple(f"{scheme}://" for scheme in ("postgres", "postgresql", SENTINEL, CLUSTER))
TO_PRIMARY = {"target_session_attrs": "read-write", "connect_timeout": 3}  # seconds, for each host in turn
RATE = re.compile(r"[1-9]\d{0,8}/[1-9]\d{0,8}")
SINGLE_SIGN_ON = ("SSO_ISSUER", "SSO_CLIENT_ID", "SSO_CLIENT_SECRET")
LONGEST_ISSUER = 200  # characters, in the database
SHORTEST_KEY = 32  # characters of a SECRET_KEY


def gettext(message: str) -> str:
    """Translate a message into the language of the terminal."""
    return catalogues.translation("django", LOCALE, [language()], fallback=True).gettext(message)


class WrongSettings(SystemExit):
    """The environment is invalid: the process ends with exit status 1 and says what to change."""


def database_config(url: str) -> dict[str, Any]:
    """Return Django's settings of the database at a URL. Raises what `environ` raises for an invalid one."""
    if url.startswith("sqlite"):
        config: dict[str, Any] = environ.Env.db_url_config(url)
        return config
    first, hosts = split_hosts(url, POSTGRES_PORT)
    config = environ.Env.db_url_config(first)
    if len(hosts) > 1:  # libpq takes the one that can be written: docs/scaling.md
        config["HOST"] = ",".join(host for host, _ in hosts)
        config["PORT"] = ",".join(str(port) for _, port in hosts)
        config["OPTIONS"] = {**TO_PRIMARY, **config.get("OPTIONS", {})}
    elif config.get("HOST"):
        config["HOST"] = unquote(config["HOST"])  # a socket's folder, as libpq writes it: %2Fvar%2Frun%2Fpostgresql
    return config


class Environment(environ.Env):
    """Read variables like `environ.Env` and collect the invalid ones; `finish` ends the process if there are any.

    An empty value counts as unset. Values are taken literally: a leading `$` does not refer to another variable.
    """

    def __init__(self, source: dict[str, str] | None = None) -> None:
        super().__init__()
        self.source = os.environ if source is None else source
        self.errors: list[str] = []

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        """Return the value of `var` as a `cast`, else the default. An invalid value is an error."""
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
            self.add_error(var, str(error) or gettext("this value is not valid"))
            return None if default is self.NOTSET else default

    def add_error(self, var: str, reason: str) -> None:
        """Add an error; the value is not repeated, since it may be a secret."""
        self.errors.append(f"{var}: {reason}")

    def database(self, var: str, *, default: str) -> dict[str, Any]:
        """Return Django's settings of the database at the URL in `var`."""
        url = self.str(var, default="") or default
        if reason := _url_error(url, DATABASES):
            self.add_error(var, reason)
            url = default
        elif not url.startswith("sqlite") and not urlsplit(split_hosts(url, POSTGRES_PORT)[0]).path.strip("/"):
            self.add_error(var, gettext("the database name is missing: postgres://user:password@host:5432/name"))
            url = default
        return database_config(url)

    def broker(self, var: str, *, default: str, cluster: bool = False) -> str:
        """Return the URL of the broker, with `cluster` perhaps that of a Redis Cluster."""
        url = self.str(var, default="") or default
        if reason := _url_error(url, (*BROKERS, CLUSTER) if cluster else BROKERS):
            self.add_error(var, reason)
            return default
        return url

    def key(self, var: str, *, file: Path, new_key: Callable[[], str]) -> str:
        """Return the key in `var`, else the one in a file, which is created once with `new_key()`."""
        if key := str(self.str(var, default="")):
            return key
        try:
            return key_files.read_or_create(file, new_key)
        except key_files.EmptyKeyFile:
            self.add_error(var, gettext("%s is empty: delete it to have a new key made") % file)
        except OSError as error:
            self.add_error(
                var, gettext("cannot read or create %(path)s: %(why)s") % {"path": file, "why": error.strerror}
            )
        return new_key()

    def entries(self, var: str, *, defaults: dict[str, str]) -> dict[str, str]:
        """Return `defaults`, where those that `var` names have its values instead: `one=5,two=6`."""
        changed: dict[str, str] = self.dict(var, default={})
        if unknown := changed.keys() - defaults.keys():
            self.add_error(
                var,
                gettext("unknown name: %(unknown)s. Use %(known)s")
                % {"unknown": ", ".join(sorted(unknown)), "known": ", ".join(defaults)},
            )
        return {**defaults, **changed}

    def mail(self, var: str) -> dict[str, Any]:
        """Return Django's settings of the mail server at the URL in `var`; empty if it is unset or invalid."""
        url = self.str(var, default="")
        if not url:
            return {}
        if reason := _url_error(url, tuple(self.EMAIL_SCHEMES)):
            self.add_error(var, reason)
            return {}
        config: dict[str, Any] = self.email_url_config(url)
        return config

    def choice(self, var: str, *, choices: tuple[str, ...], default: str) -> str:
        """Return one of `choices`, in any case."""
        value = str(self.str(var, default="") or default)
        choice = {option.casefold(): option for option in choices}.get(value.casefold())
        if choice is None:
            self.add_error(var, gettext("must be one of: %s") % ", ".join(choices))
            return default
        return choice

    def rate(self, var: str, *, default: str) -> str:
        """Return a rate, as requests and seconds: `600/60`."""
        value = str(self.str(var, default="") or default)
        if not RATE.fullmatch(value):
            self.add_error(var, gettext("must have the form count/seconds, like 600/60"))
            return default
        return value

    def issuer(self, var: str) -> str:
        """Return the URL of an OpenID Connect provider: https, or http on this machine; empty if unset or invalid."""
        url = str(self.str(var, default="")).rstrip("/")
        if url and not is_secure_url(url):
            self.add_error(var, gettext("must start with https://, like https://id.example"))
            return ""
        if len(url) > LONGEST_ISSUER:
            self.add_error(var, gettext("too long: use at most %s characters") % LONGEST_ISSUER)
            return ""
        return url

    def check_combinations(self) -> None:
        """Check variables that depend on each other."""
        https, hosts = self.bool("HTTPS", default=False), self.list("ALLOWED_HOSTS", default=[])
        if https and not hosts:
            self.add_error(
                "ALLOWED_HOSTS", gettext("HTTPS=1 requires the host name of the site here, like club.example")
            )
        for host in hosts:
            if "/" in host or " " in host:
                self.add_error("ALLOWED_HOSTS", gettext("use host names only, without https:// or a path"))
                break
        for origin in self.list("CSRF_TRUSTED_ORIGINS", default=[]):
            if not origin.startswith(("http://", "https://")):
                self.add_error(
                    "CSRF_TRUSTED_ORIGINS", gettext("each one must start with https://, like https://club.example")
                )
                break
        if (site := self.str("SITE_URL", default="")) and not site.startswith(("http://", "https://")):
            self.add_error("SITE_URL", gettext("must start with https://, like https://club.example"))
        single_sign_on = [bool(self.str(name, default="")) for name in SINGLE_SIGN_ON]
        if any(single_sign_on) and not all(single_sign_on):
            for name, is_set in zip(SINGLE_SIGN_ON, single_sign_on, strict=True):
                if not is_set:
                    self.add_error(name, gettext("single sign-on needs all of: %s") % ", ".join(SINGLE_SIGN_ON))
        key = self.str("SECRET_KEY", default="")
        if key and https and len(key) < SHORTEST_KEY:
            self.add_error("SECRET_KEY", gettext("too short to be secure: use at least %s characters") % SHORTEST_KEY)

    def finish(self) -> None:
        """End the process if there are errors. Raises WrongSettings."""
        self.check_combinations()
        if self.errors:
            refuse(self.errors)


def refuse(errors: list[str]) -> NoReturn:
    """Raise WrongSettings with one line for each error."""
    head = gettext("Tablero cannot start because these settings are wrong (docs/operations.md lists all settings):")
    raise WrongSettings("\n".join([head, *(f"  {error}" for error in dict.fromkeys(errors))]))


def _switch(value: str) -> bool:
    word = value.casefold()
    if word not in TRUE | FALSE:
        raise ValueError(gettext("must be 1 (on) or 0 (off)"))
    return word in TRUE


def _number(value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise ValueError(gettext("must be a whole number")) from None


def _url_error(url: str, schemes: tuple[str, ...]) -> str:
    """Return what is wrong with a URL, or an empty text."""
    try:
        parts = urlsplit(split_hosts(url, SENTINEL_PORT)[0] if url.startswith(SEVERAL_HOSTS) else url)
        parts.port  # noqa: B018  (it is parsed here)
        sentinels_of(url)
        cluster_of(url)
    except ValueError:
        return gettext(
            "not a valid URL: check the host and port, and encode special characters in the password (@ is %40)"
        )
    if parts.scheme not in schemes or "://" not in url:
        return gettext("must start with one of: %s") % ", ".join(f"{scheme}://" for scheme in schemes)
    return ""
