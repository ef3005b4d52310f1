"""Web Push: encrypting (RFC 8291) and signing (RFC 8292) a message for a browser's push service (RFC 8030).

Pure: no Django. Rows belong to `notifications.services.push`.
"""
