"""Who may do what: every address, method and frame of a socket x everybody who may come (docs/access.md)."""
