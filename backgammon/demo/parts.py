"""The production processes, in the order in which they start: broker, workers and beat, web.

docs/operations.md and compose.yaml list the same commands for a site that runs them itself.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from backgammon.demo import gently
from backgammon.demo.broker import Broker
from backgammon.demo.supervisor import Part

FRAME = str(2**20 + 2**16)  # bytes: long frames reach the consumer, which refuses more than 4 KiB in words
# Seconds until a socket is let in. With daphne's own 5, of 1,000 that come back at once those at the end of the queue
# are dropped and come again to its end, while the server works for those that it has dropped: it may never be done.
PATIENCE = "30"
ONE_CARD = "--prefetch-multiplier=1"
"""A worker of the analysis takes no more than the next card away from the others: each takes seconds."""
GENTLY = (sys.executable, "-I", "-S", gently.__file__)


def broker_part(broker: Broker) -> Part | None:
    """The broker as a child, or None when somebody else runs it."""
    chatter = ("vm.overcommit_memory", "Received SIGTERM", "bye bye")
    return Part("broker", broker.command, grace=2.0, mute=chatter) if broker.command else None


def web_part(fd: int, *, env: Mapping[str, str]) -> Part:
    """daphne on a socket that is already listening."""
    command = (
        *(sys.executable, "-m", "daphne", "--verbosity", "0", "--no-server-name"),
        *("--websocket-max-message-size", FRAME, "--websocket-max-frame-size", FRAME),
        *("--websocket_connect_timeout", PATIENCE, "--fd", str(fd), "backgammon.asgi:application"),
    )
    return Part("web", command, env=env, pass_fds=(fd,), grace=6.0, stage=2)


def worker_parts(*, env: Mapping[str, str]) -> tuple[Part, Part, Part, Part]:
    """The workers and the beat that drives them.

    Clocks and the site's other tasks run in four threads, of which mail and push keep two at most: they wait for the
    database, not for the processor. The bots have a process of their own, so that an engine that thinks, or crashes,
    never holds up a clock; the analysis has another one, which yields the processor to all of them. What it has begun
    it leaves at once: the row goes on.
    """
    chatter = ("Warm shutdown",)
    return (
        Part("clocks", _worker("clocks,tablero", "threads", 4), env=env, stage=1, mute=chatter),
        Part("bots", _worker("bots", "prefork", 1), env=env, stage=1, mute=chatter),
        Part(
            "analysis",
            (*GENTLY, *_worker("analysis", "prefork", 1), ONE_CARD),
            env=env,
            grace=1.0,
            stage=1,
            mute=chatter,
        ),
        Part("beat", _celery("beat", "--pidfile="), env=env, stage=1, mute=chatter),
    )


def _celery(*arguments: str) -> tuple[str, ...]:
    root_in_a_container = "ignore:You're running the worker with superuser privileges"
    program = (sys.executable, "-W", root_in_a_container, "-m", "celery", "--quiet", "-A", "backgammon.celery")
    return (*program, *arguments, "--loglevel=WARNING")


def _worker(queues: str, pool: str, concurrency: int) -> tuple[str, ...]:
    name = queues.split(",")[0]
    alone = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    return _celery(
        "worker", "-Q", queues, f"--pool={pool}", f"--concurrency={concurrency}", f"--hostname={name}@%h", *alone
    )
