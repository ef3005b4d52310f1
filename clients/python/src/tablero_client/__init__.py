"""A thin client of the Tablero API: every operation by its id, and the event stream. Standard library only."""

from tablero_client.async_client import AsyncClient
from tablero_client.client import Client
from tablero_client.operations import OPERATIONS
from tablero_client.wire import Refused

__all__ = ["OPERATIONS", "AsyncClient", "Client", "Refused"]
