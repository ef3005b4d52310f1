"""URLs that name several hosts: a PostgreSQL with standbys, the sentinels that watch a broker, or a cluster of them.

    postgres://tablero:password@one:5432,two:5432,three:5432/tablero
    redis+sentinel://:password@one:26379,two:26379,three:26379/0?master=tablero
    redis+cluster://:password@one:6379,two:6379,three:6379

Pure: nothing is imported but the standard library, because the settings read these URLs before anything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, quote, unquote, urlsplit

POSTGRES_PORT, SENTINEL_PORT, CLUSTER_PORT = 5432, 26379, 6379
SENTINEL, CLUSTER = "redis+sentinel", "redis+cluster"
DEFAULT_MASTER = "mymaster"  # what sentinel.conf of Redis and Valkey calls it

Host = tuple[str, int]


def split_hosts(url: str, default_port: int) -> tuple[str, list[Host]]:
    """Return the URL with its first host alone, and all its hosts. Raises ValueError where one is not valid."""
    scheme, separator, rest = url.partition("://")
    location, slash, path = rest.partition("/")
    user, at, names = location.rpartition("@")
    hosts: list[Host] = []
    for name in names.split(","):
        parts = urlsplit(f"//{name}")
        if "," in names and not parts.hostname:
            raise ValueError("a host is empty")
        hosts.append((unquote(parts.hostname or ""), parts.port or default_port))
    return f"{scheme}{separator}{user}{at}{names.split(',')[0]}{slash}{path}", hosts


@dataclass(frozen=True)
class Sentinels:
    """Sentinels, the server that they watch (`master`), and how to sign in to that server."""

    hosts: tuple[Host, ...]
    master: str
    database: int = 0
    username: str | None = None
    password: str | None = None

    @property
    def sign_in(self) -> dict[str, str | int | None]:
        """The arguments of a redis-py connection to the master."""
        return {"db": self.database, "username": self.username, "password": self.password}

    def celery_url(self) -> str:
        """The same as Celery writes it, one URL for each sentinel; the name of the master is a transport option."""
        user = ""
        if self.username or self.password:
            user = f"{quote(self.username or '', safe='')}:{quote(self.password or '', safe='')}@"
        names = ((f"[{host}]" if ":" in host else host, port) for host, port in self.hosts)
        return ";".join(f"sentinel://{user}{host}:{port}/{self.database}" for host, port in names)


@dataclass(frozen=True)
class ClusterNodes:
    """Some nodes of a Redis Cluster, which name the others, and how to sign in to all of them."""

    hosts: tuple[Host, ...]
    username: str | None = None
    password: str | None = None


def cluster_of(url: str) -> ClusterNodes | None:
    """Return the nodes of a `redis+cluster://` URL, None for any other. Raises ValueError if it is not valid."""
    if not url.startswith(f"{CLUSTER}://"):
        return None
    first, hosts = split_hosts(url, CLUSTER_PORT)
    parts = urlsplit(first)
    if not parts.hostname or parts.path.strip("/"):
        raise ValueError("a cluster has hosts, and no databases")
    return ClusterNodes(tuple(hosts), *_user_of(first))


def sentinels_of(url: str) -> Sentinels | None:
    """Return the sentinels of a `redis+sentinel://` URL, None for any other. Raises ValueError if it is not valid."""
    if not url.startswith(f"{SENTINEL}://"):
        return None
    first, hosts = split_hosts(url, SENTINEL_PORT)
    parts = urlsplit(first)
    if not parts.hostname:
        raise ValueError("no host")
    return Sentinels(
        tuple(hosts),
        parse_qs(parts.query).get("master", [DEFAULT_MASTER])[0],
        int(parts.path.strip("/") or 0),
        *_user_of(first),
    )


def _user_of(url: str) -> tuple[str | None, str | None]:
    parts = urlsplit(url)
    return unquote(parts.username) if parts.username else None, unquote(parts.password) if parts.password else None
