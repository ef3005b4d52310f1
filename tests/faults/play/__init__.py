"""Play under faults: bots at real sockets, everything between them and their match broken in turn, and a checker.

`python -m tests.faults.play` (make faults) starts a PostgreSQL, a broker, two web processes, a worker and beat, each of
which it can kill; `weather` stands between the bots and the web processes. A `Bot` plays one seat and writes a `Record`
of what it sent and was told. At the end `checker` holds all records against the rows.
"""
