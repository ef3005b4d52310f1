"""Settings are read strictly, and errors are reported in one line before anything starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.core import checks

from backgammon.ops import environment, locale
from backgammon.ops.environment import Environment, WrongSettings
from backgammon.ops.settings_checks import check_settings
from tools.services.environment import ROOT, clean_environment


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "language", lambda: "en")


def faults(**source: str) -> list[str]:
    """Return what is wrong with the environment `source` when each kind of variable is read once."""
    env = Environment(source)
    env.int("NUMBER", default=1)
    env.bool("SWITCH", default=False)
    env.database("DATABASE_URL", default="sqlite:////tmp/x")
    env.broker("REDIS_URL", default="unix:///tmp/x")
    env.broker("MESSAGES_URL", default="unix:///tmp/x", cluster=True)
    env.mail("EMAIL_URL")
    env.rate("API_RATE_READ", default="600/60")
    env.choice("LOG_FORMAT", choices=("text", "json"), default="text")
    env.issuer("SSO_ISSUER")
    env.check_combinations()
    return env.errors


def test_an_empty_environment_is_valid() -> None:
    assert faults() == []
    assert faults(MESSAGES_URL="redis+cluster://one,two:7000") == []
    assert faults(NUMBER="", SWITCH=" ", DATABASE_URL="", EMAIL_URL="") == []


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("NUMBER", "many", "must be a whole number"),
        ("SWITCH", "ture", "must be 1 (on) or 0 (off)"),
        ("DATABASE_URL", "club.sqlite3", "must start with one of: postgres://, postgresql://, sqlite://"),
        ("DATABASE_URL", "mysql://a:b@c/d", "must start with one of: postgres://, postgresql://, sqlite://"),
        ("DATABASE_URL", "postgres://tablero@db/", "the database name is missing"),
        ("DATABASE_URL", "postgres://tablero:p/w@db:port/x", "not a valid URL"),
        ("REDIS_URL", "localhost:6379", "must start with one of: redis://, rediss://, unix://, redis+sentinel://"),
        ("DATABASE_URL", "postgres://tablero@one,,three/x", "not a valid URL"),
        ("DATABASE_URL", "postgres://tablero@one:5432,two:port/x", "not a valid URL"),
        ("DATABASE_URL", "postgres://tablero@one,two", "the database name is missing"),
        ("REDIS_URL", "redis+sentinel://one,:26379", "not a valid URL"),
        ("REDIS_URL", "redis+sentinel://one/first", "not a valid URL"),
        (
            "REDIS_URL",
            "redis+cluster://one,two",
            "must start with one of: redis://, rediss://, unix://, redis+sentinel://",
        ),
        ("MESSAGES_URL", "redis+cluster://one,two/1", "not a valid URL"),
        ("EMAIL_URL", "mail.mine.example", "must start with one of: smtp://"),
        ("LOG_FORMAT", "xml", "must be one of: text, json"),
        ("API_RATE_READ", "six/min", "must have the form count/seconds"),
        ("ALLOWED_HOSTS", "https://club.example", "use host names only"),
        ("CSRF_TRUSTED_ORIGINS", "mine.example", "each one must start with https://"),
        ("SITE_URL", "mine.example", "must start with https://"),
    ],
)
def test_an_invalid_value_is_reported_without_the_value(name: str, value: str, why: str) -> None:
    (fault,) = faults(**{name: value})
    assert fault.startswith(f"{name}: {why}")
    assert value not in fault


CLIENT = {"SSO_CLIENT_ID": "tablero", "SSO_CLIENT_SECRET": "a secret"}


def test_single_sign_on_needs_its_three_settings() -> None:
    assert faults(SSO_ISSUER="https://id.example/realms/club", **CLIENT) == []
    assert faults(SSO_ISSUER="http://127.0.0.1:8080", **CLIENT) == []
    needs = "single sign-on needs all of: SSO_ISSUER, SSO_CLIENT_ID, SSO_CLIENT_SECRET"
    assert faults(SSO_ISSUER="https://id.example") == [f"SSO_CLIENT_ID: {needs}", f"SSO_CLIENT_SECRET: {needs}"]
    assert faults(**CLIENT) == [f"SSO_ISSUER: {needs}"]


@pytest.mark.parametrize("issuer", ["http://id.example", "id.example", "https://", "https://[x", "ftp://id.example"])
def test_a_provider_is_reached_by_https(issuer: str) -> None:
    assert faults(SSO_ISSUER=issuer, **CLIENT) == ["SSO_ISSUER: must start with https://, like https://id.example"]


def test_an_issuer_fits_into_the_database() -> None:
    assert faults(SSO_ISSUER=f"https://{'x' * 200}.example", **CLIENT) == [
        "SSO_ISSUER: too long: use at most 200 characters"
    ]


def test_the_key_of_the_site_is_created_once_in_its_file(tmp_path: Path) -> None:
    keys = [
        Environment({}).key("SECRET_KEY", file=tmp_path / "key", new_key=new_key)
        for new_key in (lambda: "one", lambda: "two")
    ]
    assert keys == ["one", "one"]
    assert Environment({"SECRET_KEY": "mine"}).key("SECRET_KEY", file=tmp_path / "key", new_key=lambda: "two") == "mine"


def test_a_key_file_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "file").write_text("no folder")
    env = Environment({})
    env.key("SECRET_KEY", file=tmp_path / "empty", new_key=lambda: "new")
    env.key("SECRET_KEY", file=tmp_path / "file" / "key", new_key=lambda: "new")
    assert env.errors == [
        f"SECRET_KEY: {tmp_path / 'empty'} is empty: delete it to have a new key made",
        f"SECRET_KEY: cannot read or create {tmp_path / 'file' / 'key'}: File exists",
    ]


def test_entries_replace_defaults_of_the_same_name_only() -> None:
    env = Environment({"LIMITS": "search=1/m/who,serach=2/m/who"})
    assert Environment({"LIMITS": "b=5"}).entries("LIMITS", defaults={"a": "1", "b": "2"}) == {"a": "1", "b": "5"}
    env.entries("LIMITS", defaults={"search": "120/m/who", "card": "300/h/ip"})
    assert env.errors == ["LIMITS: unknown name: serach. Use search, card"]


def test_https_needs_a_name_and_a_long_key() -> None:
    assert faults(HTTPS="1") == ["ALLOWED_HOSTS: HTTPS=1 requires the host name of the site here, like club.example"]
    assert faults(HTTPS="1", ALLOWED_HOSTS="club.example", SECRET_KEY="x" * 32) == []
    (short,) = faults(HTTPS="1", ALLOWED_HOSTS="club.example", SECRET_KEY="x" * 31)
    assert short == "SECRET_KEY: too short to be secure: use at least 32 characters"


def test_values_are_taken_literally() -> None:
    env = Environment({"SECRET_KEY": "$dollar", "DATABASE_URL": "postgres://t@%2Frun%2Fpg/club", "REPORTS": "ALWAYS"})
    assert env.str("SECRET_KEY", default="") == "$dollar"
    config = env.database("DATABASE_URL", default="sqlite:////tmp/x")
    assert (config["HOST"], config["NAME"], config["USER"]) == ("/run/pg", "club", "t")
    assert env.choice("REPORTS", choices=("ask", "always"), default="ask") == "always"
    assert env.errors == []


def test_all_errors_are_reported_together_and_once() -> None:
    env = Environment({"ONE": "x", "TWO": "y"})
    for name in ("ONE", "TWO", "ONE"):
        env.int(name, default=0)
    with pytest.raises(WrongSettings) as stopped:
        env.finish()
    assert str(stopped.value.code).splitlines()[1:] == [
        "  ONE: must be a whole number",
        "  TWO: must be a whole number",
    ]


def test_a_process_with_invalid_settings_ends_with_one_line_and_no_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=clean_environment(HTTPS="maybe", LANG="C"),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[1:] == ["  HTTPS: must be 1 (on) or 0 (off)"]


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es_MX", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "fi"}, "en"),
    ],
)
def test_commands_use_the_language_of_the_terminal(environ: dict[str, str], language: str) -> None:
    assert locale.language(environ) == language


def ids(found: list[checks.CheckMessage]) -> list[str]:
    return [str(message.id) for message in found]


def test_the_default_settings_pass_the_checks() -> None:
    assert ids(check_settings()) == []


@pytest.mark.parametrize(
    ("changed", "id_"),
    [
        ({"ALLOWED_HOSTS": ["*"]}, "tablero.W001"),
        ({"HTTPS": True, "TRUST_PROXY": True, "ALLOWED_HOSTS": ["localhost"]}, "tablero.E001"),
        ({"HTTPS": True, "ALLOWED_HOSTS": ["localhost", "club.example"]}, "tablero.W002"),
        ({"TRUST_PROXY": True}, "tablero.W003"),
        ({"SITE_URL": "https://elsewhere.example"}, "tablero.W005"),
        ({"HAS_MAIL": True}, "tablero.W006"),
        ({"TIME_ZONE": "Europe/Nowhere"}, "tablero.E002"),
        ({"REPORTS_A_DAY": -1}, "tablero.E003"),
        ({"METRICS_TOKEN": "short"}, "tablero.W007"),
        ({"LIMITS": {"search": "60/hour"}}, "tablero.E004"),
        ({"LIMITS": {"search": "60/0h/who"}}, "tablero.E004"),
    ],
)
def test_contradictory_settings_are_reported(settings: object, changed: dict[str, object], id_: str) -> None:
    for name, value in changed.items():
        setattr(settings, name, value)
    assert ids(check_settings()) == [id_]


def test_a_name_below_a_host_with_a_dot_is_allowed(settings: object) -> None:
    settings.ALLOWED_HOSTS, settings.SITE_URL = [".club.example"], "https://www.club.example"  # type: ignore[attr-defined]
    assert check_settings() == []
