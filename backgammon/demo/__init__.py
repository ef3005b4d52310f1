"""The whole club as one command: a small supervisor and the production processes as its children.

`manage.py demo` prepares (`prepare.py`), finds a broker (`broker.py`), opens the door (`door.py`) and hands the list
of children (`cast.py`) to the supervisor (`supervisor.py`), which holds each on a leash (`leash.py`). Nothing here is
used by a site that runs its processes itself (docs/operations.md).
"""
