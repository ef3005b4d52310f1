"""What `ops` keeps about a person, and how each of it goes: see accounts.data."""

from __future__ import annotations

from accounts import data
from accounts.data import Table

data.keep(Table("ops.OwnerLink", {}, plain=("digest",)))
