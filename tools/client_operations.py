"""Write the operations of the API into the Python client: ``python -m tools.client_operations``.

The table is generated from the OpenAPI schema; tests/api/test_client.py compares both.
"""

from __future__ import annotations

import os
from typing import Any

from tools.services.environment import ROOT

TABLE = ROOT / "clients" / "python" / "src" / "tablero_client" / "operations.py"


def table(schema: dict[str, Any]) -> str:
    """Return the module with the method and path of each operation."""
    found = {
        operation["operationId"]: (method.upper(), path)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if isinstance(operation, dict) and "operationId" in operation
    }
    rows = "".join(f'    "{name}": ("{method}", "{path}"),\n' for name, (method, path) in sorted(found.items()))
    head = '"""The operations of the API: id, method, path. Written by tools/client_operations.py."""\n\n'
    return f"{head}OPERATIONS: dict[str, tuple[str, str]] = {{\n{rows}}}\n"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")
    import django

    django.setup()
    from accounts.api.schema_views import schema_in

    TABLE.write_text(table(schema_in("en")[0]))


if __name__ == "__main__":
    main()
