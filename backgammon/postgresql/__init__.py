"""Django's PostgreSQL with a pool that the server may be restarted under (docs/adr/0003-connections.md)."""
