"""Personal data in `ops`, and what happens to it when an account is deleted: see accounts.privacy.data_policy."""

from __future__ import annotations

from accounts.privacy import registry as data_registry
from accounts.privacy.registry import Table

data_registry.register_tables(Table("ops.OwnerLink", {}, plain=("digest",)), Table("ops.ReadinessCheck", {}))
