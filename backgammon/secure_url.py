"""Which URLs of other servers a setting may name."""

from urllib.parse import urlsplit


def is_secure_url(url: str) -> bool:
    """Whether a URL is https, or http on this machine."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    local = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")
    return bool(parts.hostname) and (parts.scheme == "https" or local)
