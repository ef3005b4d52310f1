"""What follows a batch of acts once it is committed: the events for the sockets, and the calls of the bots."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from games import message_delivery, notify, traces
from games.live.ordinary_act import OrdinaryAct
from games.message_delivery import GroupMessage

log = logging.getLogger(__name__)


def send_events(acts: Sequence[OrdinaryAct]) -> None:
    """Send the event of each act to everybody at its match, and ask the bots whose turn it is now."""
    messages: list[GroupMessage] = []
    for act in acts:
        try:
            messages.append(notify.event_message(act.match.pk, act.event()))
        except Exception:  # its sockets find the version in their next heartbeat
            log.exception("no event of match %s, version %d", act.match.pk, act.match.version)
        if act.match.bot_at is not None:
            ask = notify.ask_bot if act.trace is None else traces.within(act.trace, notify.ask_bot)
            asyncio.get_running_loop().run_in_executor(None, ask, act.match.pk)
    if messages:
        message_delivery.deliver_batch(messages, [act.trace for act in acts] if traces.active else ())
