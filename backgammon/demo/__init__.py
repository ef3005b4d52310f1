"""The whole site as one command: a small supervisor with the production processes as its children.

`manage.py demo` prepares the database and static files (`prepare.py`), finds a broker (`broker.py`), opens the
listening socket (`listening_socket.py`) and starts the processes (`processes.py`) under the supervisor
(`supervisor.py`), which then goes on without Django (`handover.py`). `manage.py dev` does the same with a web process
that reloads. Sites that run their processes themselves (docs/operations.md) use only `prepare.py`.
"""
