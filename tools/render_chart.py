"""Render the Helm chart into tests/data/helm, where the tests read it: `make chart`. It needs Helm 3 on PATH."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CHART = ROOT / "docs" / "deploy" / "helm"
RENDERED = ROOT / "tests" / "data" / "helm"
CASES: dict[str, dict[str, Any]] = {
    "default": {},
    "scaled": {
        "image": {"repository": "registry.example/tablero", "tag": "1.2.3"},
        "imagePullSecrets": ["registry"],
        "hosts": ["club.example", "www.club.example"],
        "existingSecret": "club-secrets",
        "settings": {"SSO_ISSUER": "https://id.example", "SSO_NAME": 'The "Norte": club', "REPORTS_A_DAY": "20"},
        "web": {"autoscaling": {"enabled": True, "maxReplicas": 6, "cpuPercent": 60}},
        "nodeSelector": {"pool": "club"},
        "tolerations": [{"key": "club", "operator": "Exists"}],
    },
    "bare": {"existingSecret": "club-secrets", "ingress": {"enabled": False}},
}
"""The values with which the chart is rendered, on top of its own."""


def digest() -> str:
    """A hash of the chart's files, but for its README, and of the cases."""
    found = hashlib.sha256(json.dumps(CASES, sort_keys=True).encode())
    for path in sorted(path for path in CHART.rglob("*") if path.is_file() and path.name != "README.md"):
        found.update(f"{path.relative_to(CHART).as_posix()}\n".encode() + path.read_bytes())
    return found.hexdigest()


def rendered(helm: str, name: str) -> str:
    """What Helm makes of the chart with the values of a case."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as values:
        json.dump(CASES[name], values)
        values.flush()
        command = [helm, "template", "club", str(CHART), "--namespace", "tablero", "--values", values.name]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> int:
    """Lint the chart and render every case."""
    if (helm := shutil.which("helm")) is None:
        print("Helm 3 is missing: https://helm.sh/docs/intro/install/", file=sys.stderr)
        return 1
    subprocess.run([helm, "lint", "--strict", str(CHART)], check=True)
    RENDERED.mkdir(parents=True, exist_ok=True)
    for name in CASES:
        (RENDERED / f"{name}.yaml").write_text(rendered(helm, name))
    (RENDERED / "chart.sha256").write_text(f"{digest()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
