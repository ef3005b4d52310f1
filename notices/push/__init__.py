"""Web push: how a notice is sealed (RFC 8291), signed (RFC 8292) and handed to a browser's push service (RFC 8030).

Nothing in here knows Django; the rows are the business of `notices.services.push`.
"""
