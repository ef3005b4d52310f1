"""Django's PostgreSQL backend with a connection pool that survives server restarts (docs/adr/0003-connections.md)."""
