"""The framework of the API (docs/api.md), and its resources of users, clubs, relationships and tokens.

`access` declares policies and scopes, `views` checks them and counts requests, `bodies` parses bodies and queries,
`pagination` pages lists, `errors` is the one shape of all refusals, `schema` completes the OpenAPI schema.
"""
