"""The Helm chart: values that its schema checks, the processes of compose.yaml, pods without rights.

Helm need not be here. What it makes of the chart is kept in tests/data/helm, with a hash of the chart; after a change
`make chart` renders it again. Where Helm is installed, it lints the chart and must render the same.
"""

from __future__ import annotations

import copy
import json
import re
import shutil
import subprocess
from typing import Any

import jsonschema
import pytest
import yaml

from backgammon.demo import processes
from tools import render_chart
from tools.render_chart import CHART, RENDERED
from tools.services.environment import ROOT, SETTINGS

SCHEMA = json.loads((CHART / "values.schema.json").read_text())
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
COMMANDS: dict[str, list[str]] = yaml.safe_load((CHART / "processes.yaml").read_text())
SERVICES = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
TEMPLATES = {path.name: path.read_text() for path in sorted((CHART / "templates").iterdir())}
SECRETS = {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "VAPID_PRIVATE_KEY", "OIDC_PRIVATE_KEY"}
OBJECTS = {name: list(yaml.safe_load_all((RENDERED / f"{name}.yaml").read_text())) for name in render_chart.CASES}
PROCESSES = ("web", "clocks", "bots", "analysis", "beat", "prepare")


def pods(case: str) -> dict[str, dict[str, Any]]:
    """The specification of each process's pods, by the name of the process."""
    with_pods = [each for each in OBJECTS[case] if each["kind"] in ("Deployment", "Job")]
    return {each["metadata"]["name"].partition("-")[2]: each["spec"]["template"]["spec"] for each in with_pods}


def kinds(case: str) -> list[str]:
    return sorted(each["kind"] for each in OBJECTS[case])


def one(case: str, kind: str) -> dict[str, Any]:
    (found,) = (each for each in OBJECTS[case] if each["kind"] == kind)
    return dict(found)


every_pod = pytest.mark.parametrize(("case", "name"), [(case, name) for case in OBJECTS for name in PROCESSES])


def is_valid(**changed: Any) -> bool:
    return bool(jsonschema.Draft7Validator(SCHEMA).is_valid({**copy.deepcopy(VALUES), **changed}))


# The chart's own files


def test_what_is_checked_here_is_what_helm_made_of_this_chart() -> None:
    assert (RENDERED / "chart.sha256").read_text().strip() == render_chart.digest(), "run `make chart`"


def test_helm_lints_the_chart_and_renders_the_same() -> None:
    """Only where Helm is; the test above says without it whether the chart was changed since."""
    if (helm := shutil.which("helm")) is None:
        return
    subprocess.run([helm, "lint", "--strict", str(CHART)], check=True, capture_output=True)
    for name in render_chart.CASES:
        assert list(yaml.safe_load_all(render_chart.rendered(helm, name))) == OBJECTS[name]


def test_the_version_is_that_of_the_site() -> None:
    from backgammon import __version__

    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (__version__, __version__)


def test_the_schema_is_valid_and_accepts_the_values_of_the_chart() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert is_valid()
    for case in render_chart.CASES.values():
        assert is_valid(**{name: {**VALUES[name], **value} if isinstance(value, dict) else value
                           for name, value in case.items()})  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [
        {"hosts": []},
        {"hosts": ["https://club.example"]},
        {"existingSecret": ""},
        {"image": {"repository": "tablero", "tag": "latest", "pullPolicy": "Always"}},
        {"settings": {"SECRET_KEY": "x"}},
        {"settings": {"SSO_CLIENT_SECRET": "x"}},
        {"settings": {"TRUST_PROXY": "0"}},
        {"settings": {"REPORTS_A_DAY": 20}},
        {"beat": {**VALUES["beat"], "replicas": 2}},
        {"workers": {**VALUES["workers"], "more": VALUES["workers"]["bots"]}},
        {"web": {**VALUES["web"], "replicas": 0}},
        {"prepare": {"resources": {"requests": {}, "limits": {}}}},
        {"unknown": 1},
    ],
    ids=str,
)
def test_a_wrong_value_is_refused(changed: dict[str, Any]) -> None:
    assert not is_valid(**changed)


def test_every_value_that_a_template_reads_has_a_default() -> None:
    read = {tuple(path.split(".")) for text in TEMPLATES.values() for path in re.findall(r"\.Values\.([\w.]+)", text)}
    missing = []
    for path in sorted(read):
        value: Any = VALUES
        for part in path:
            value = value.get(part) if isinstance(value, dict) else None
        missing += [path] * (value is None)
    assert missing == []


def test_every_value_is_described() -> None:
    text = (CHART / "README.md").read_text()
    assert [name for name in VALUES if name not in text and name not in ("beat", "prepare")] == []


# The processes


@pytest.mark.parametrize("name", [name for name in PROCESSES if name != "web"])
def test_a_process_runs_the_command_of_compose(name: str) -> None:
    assert COMMANDS[name] == SERVICES[name]["command"]
    for case in OBJECTS:
        assert pods(case)[name]["containers"][0]["command"] == COMMANDS[name]


def test_every_process_has_pods_and_the_web_runs_the_image_s_own_command() -> None:
    assert {part.name for part in processes.worker_processes(env={})} | {"web", "prepare"} == set(PROCESSES)
    for case in OBJECTS:
        assert set(pods(case)) == set(PROCESSES)
        assert "command" not in pods(case)["web"]["containers"][0]


@every_pod
def test_a_pod_has_no_rights_and_writes_nowhere_else(case: str, name: str) -> None:
    pod = pods(case)[name]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] > 0
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert all(set(volume) == {"name", "emptyDir"} for volume in pod["volumes"])
    assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/srv/var", "/tmp"}  # noqa: S108 - in a container
    assert "memory" in container["resources"]["limits"]
    assert set(container["resources"]["requests"]) == {"cpu", "memory"}


@every_pod
def test_a_pod_has_the_settings_of_a_site_behind_a_proxy_and_no_secret_in_them(case: str, name: str) -> None:
    (container,) = pods(case)[name]["containers"]
    env = {each["name"]: each["value"] for each in container["env"]}
    assert set(env) - SETTINGS == {"WORKER"}
    assert all(isinstance(value, str) for value in env.values())
    assert not SECRETS & set(env)
    assert env["WORKER"] == name
    fixed = set(SERVICES["web"]["environment"]) - SECRETS
    assert fixed <= set(env)
    assert (env["HTTPS"], env["TRUST_PROXY"]) == ("1", "1")
    assert env["SITE_URL"] == f"https://{env['ALLOWED_HOSTS'].split(',')[0]}"
    assert env["CSRF_TRUSTED_ORIGINS"].split(",") == [f"https://{host}" for host in env["ALLOWED_HOSTS"].split(",")]
    (source,) = container["envFrom"]
    assert source["secretRef"]["name"] == ("tablero" if case == "default" else "club-secrets")


def test_the_secret_of_the_readme_has_every_key_that_pods_need() -> None:
    text = (CHART / "README.md").read_text()
    given = set(re.findall(r"--from-literal=(\w+)=", text))
    assert given >= SECRETS
    assert given <= SETTINGS


def test_secrets_are_settings_and_are_refused_as_values() -> None:
    refused = set(SCHEMA["properties"]["settings"]["propertyNames"]["not"]["enum"])
    assert refused >= SECRETS
    assert refused <= SETTINGS


@pytest.mark.parametrize("name", [name for name in PROCESSES if name not in ("web", "prepare")])
def test_a_worker_and_beat_are_probed_as_in_compose(name: str) -> None:
    kind, *test = SERVICES[name]["healthcheck"]["test"]
    shell = ["sh", "-c", *(part.replace("$$", "$") for part in test)]
    probe = pods("default")[name]["containers"][0]["livenessProbe"]["exec"]["command"]
    assert probe == (shell if kind == "CMD-SHELL" else test)


def test_the_web_is_probed_by_the_pages_for_it() -> None:
    (container,) = pods("default")["web"]["containers"]
    assert container["readinessProbe"]["httpGet"] == {"path": "/health/ready", "port": "http"}
    assert container["livenessProbe"]["httpGet"] == {"path": "/health/live", "port": "http"}
    assert container["ports"] == [{"name": "http", "containerPort": 8000}]


# What is around them


def test_the_tables_are_prepared_before_anything_starts() -> None:
    assert one("default", "Job")["metadata"]["annotations"] == {
        "helm.sh/hook": "pre-install,pre-upgrade",
        "helm.sh/hook-delete-policy": "before-hook-creation",
    }


def test_there_is_one_beat_and_the_old_one_ends_first() -> None:
    for case in OBJECTS:
        (beat,) = (each for each in OBJECTS[case] if each["metadata"]["name"].endswith("-beat"))
        assert (beat["spec"]["replicas"], beat["spec"]["strategy"]) == (1, {"type": "Recreate"})


@pytest.mark.parametrize("case", list(OBJECTS))
def test_selectors_find_their_own_pods_only(case: str) -> None:
    labels = {
        each["metadata"]["name"]: each["spec"]["template"]["metadata"]["labels"]
        for each in OBJECTS[case]
        if each["kind"] == "Deployment"
    }
    for each in OBJECTS[case]:
        selector = each["spec"].get("selector", {})
        if wanted := selector.get("matchLabels", selector):
            found = [name for name, has in labels.items() if wanted.items() <= has.items()]
            assert found == [each["metadata"]["name"]]


def test_the_ingress_leads_every_host_to_the_web() -> None:
    ingress = one("scaled", "Ingress")["spec"]
    hosts = ["club.example", "www.club.example"]
    assert [rule["host"] for rule in ingress["rules"]] == hosts
    assert ingress["tls"] == [{"secretName": "tablero-tls", "hosts": hosts}]
    service = one("scaled", "Service")
    for rule in ingress["rules"]:
        (path,) = rule["http"]["paths"]
        assert path["backend"]["service"] == {"name": service["metadata"]["name"], "port": {"name": "http"}}
    assert service["spec"]["ports"] == [{"name": "http", "port": 80, "targetPort": "http"}]
    assert "Ingress" not in kinds("bare")


def test_with_autoscaling_the_deployment_names_no_number() -> None:
    scaler = one("scaled", "HorizontalPodAutoscaler")["spec"]
    (web,) = (
        each for each in OBJECTS["scaled"] if (each["kind"], each["metadata"]["name"]) == ("Deployment", "club-web")
    )
    assert "replicas" not in web["spec"]
    assert (scaler["minReplicas"], scaler["maxReplicas"], scaler["scaleTargetRef"]["name"]) == (2, 6, "club-web")
    assert "HorizontalPodAutoscaler" not in kinds("default")
    assert one("default", "PodDisruptionBudget")["spec"]["maxUnavailable"] == 1


def test_where_pods_may_run_is_passed_on() -> None:
    for pod in pods("scaled").values():
        assert pod["nodeSelector"] == {"pool": "club"}
        assert pod["imagePullSecrets"] == [{"name": "registry"}]
        assert pod["tolerations"] == [{"key": "club", "operator": "Exists"}]
        assert pod["containers"][0]["image"] == "registry.example/tablero:1.2.3"
