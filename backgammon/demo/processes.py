"""The production processes in the order in which they start: broker, workers and beat, web.

docs/operations.md and compose.yaml list the same commands for sites that run them themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from backgammon.demo.broker import Broker
from backgammon.demo.fork_server import ModuleRun
from backgammon.demo.supervisor import ProcessSpec

MAX_FRAME = str(
    2**20 + 2**16
)  # bytes: long frames reach the consumer, which refuses more than 4 KiB with an error frame
# Seconds for a WebSocket handshake. With daphne's default of 5, of 1,000 clients that reconnect at once those at the
# end of the queue are dropped and queue again, while the server works for the dropped ones: it may never recover.
CONNECT_TIMEOUT = "30"
ROOT_WARNING = "You're running the worker with superuser privileges"
PREFETCH_ONE = "--prefetch-multiplier=1"
"""An analysis worker reserves only one task beyond the present one: each takes seconds."""


def broker_process(broker: Broker) -> ProcessSpec | None:
    """Return the broker's process, or None if it is running already."""
    chatter = ("vm.overcommit_memory", "Received SIGTERM", "bye bye")
    return ProcessSpec("broker", broker.command, grace=2.0, mute=chatter) if broker.command else None


def web_process(fd: int, *, env: Mapping[str, str]) -> ProcessSpec:
    """Return daphne on a socket that is already listening."""
    arguments = (
        *("--verbosity", "0", "--no-server-name"),
        *("--websocket-max-message-size", MAX_FRAME, "--websocket-max-frame-size", MAX_FRAME),
        *("--websocket_connect_timeout", CONNECT_TIMEOUT, "--fd", str(fd), "backgammon.asgi:application"),
    )
    return module_process("web", ModuleRun("daphne", arguments), env=env, pass_fds=(fd,), grace=6.0)


def debug_web_process(fd: int, *, env: Mapping[str, str]) -> ProcessSpec:
    """Return the web process of `manage.py dev`, which reloads and serves static files without collecting them."""
    command = (sys.executable, "-m", "backgammon.demo.debug_web", str(fd))
    plain_files = {"STATICFILES_BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    return ProcessSpec("web", command, env={**env, **plain_files}, pass_fds=(fd,), grace=6.0, stage=1)


def worker_processes(
    *, env: Mapping[str, str], idle_analysis: bool = True
) -> tuple[ProcessSpec, ProcessSpec, ProcessSpec, ProcessSpec]:
    """Return the workers, and beat that schedules their tasks.

    Clocks and general tasks run in four threads, at most two of them for mail and push: they wait for the database, not
    for the processor. Bots have a process of their own, so that an engine that computes or crashes never delays a
    clock. Match analysis has another one, at idle priority unless the site says otherwise (`IDLE_ANALYSIS`). These two
    are killed at once: their rows make them continue later, while Celery's own shutdown of a forked pool takes two
    seconds when it is idle, and waits for what computes.
    """
    mute = ("Warm shutdown",)
    analysis = _worker("analysis", "prefork", 1, PREFETCH_ONE, idle=idle_analysis)
    return (
        module_process("clocks", _worker("clocks,tablero", "threads", 4), env=env, grace=2.5, mute=mute),
        module_process("bots", _worker("bots", "prefork", 1), env=env, grace=0, mute=mute),
        module_process("analysis", analysis, env=env, grace=0, mute=mute),
        module_process("beat", _celery("beat", "--pidfile="), env=env, grace=2.5, mute=mute),
    )


def module_process(
    name: str,
    run: ModuleRun,
    *,
    env: Mapping[str, str],
    grace: float,
    pass_fds: tuple[int, ...] = (),
    mute: tuple[str, ...] = (),
) -> ProcessSpec:
    """Return the process that runs a module of Python beside the broker."""
    return ProcessSpec(name, run.command, env=env, pass_fds=pass_fds, grace=grace, stage=1, mute=mute, module=run)


def _celery(*arguments: str, idle: bool = False) -> ModuleRun:
    common = ("--quiet", "-A", "backgammon.celery", *arguments, "--loglevel=WARNING")
    return ModuleRun("celery", common, ignored_warning=ROOT_WARNING, idle=idle)


def _worker(queues: str, pool: str, concurrency: int, *more: str, idle: bool = False) -> ModuleRun:
    name = queues.split(",")[0]
    standalone = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    options = (f"--pool={pool}", f"--concurrency={concurrency}", f"--hostname={name}@%h", *standalone, *more)
    return _celery("worker", "-Q", queues, *options, idle=idle)
