"""Three hosts on one machine: network namespaces that are killed and cut off while bots play (docs/scaling.md).

`python -m tools.faults.hosts` (make test-hosts) needs root. Each host runs what a real one would: etcd, PostgreSQL
under Patroni with synchronous replication, Redis with a sentinel, a web process, a worker and beat. The bots of
`tools.faults.play` play at all of them from outside, and its audit compares what was acknowledged with the database.
"""
