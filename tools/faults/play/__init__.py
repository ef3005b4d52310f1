"""Fault injection: bots play at real sockets while everything around them fails in turn, and an audit at the end.

`python -m tools.faults.play` (make faults) starts a PostgreSQL, a broker, two web processes, a worker and beat, and can
kill each of them; `network` is a proxy between the bots and the web processes. A `Bot` plays one seat and keeps a
`Record` of what it sent and received. At the end `audit` compares all records with the database.
"""
