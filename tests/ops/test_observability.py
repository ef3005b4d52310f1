"""The dashboard, the alert rules and the page of objectives name metrics and labels that `/metrics` serves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
import yaml
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from backgammon.ops import metrics
from tools.services.environment import ROOT

FOLDER = ROOT / "docs" / "deploy" / "observability"
RULES = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"][0]["rules"]
DASHBOARD = json.loads((FOLDER / "grafana-dashboard.json").read_text())
PANELS = DASHBOARD["panels"]
EXPRESSIONS = [rule["expr"] for rule in RULES] + [target["expr"] for panel in PANELS for target in panel["targets"]]
METRIC = re.compile(r"\b(?:tablero|process)_[a-z_]+")
LABELS = re.compile(r"\b(tablero_[a-z_]+){([^}]*)}")


def families() -> Iterator[tuple[str, str, set[str]]]:
    """Name, type and labels of each metric, with those that have no value yet."""
    for family in text_string_to_metric_families(metrics.text().decode()):
        yield family.name, family.type, {label for sample in family.samples for label in sample.labels}
    for collector in list(REGISTRY._collector_to_names):
        if hasattr(collector, "_labelnames"):
            yield collector._name, collector._type, set(collector._labelnames)


@pytest.fixture
def served() -> dict[str, set[str]]:
    """The series by name as queries write them, with their labels."""
    found: dict[str, set[str]] = {}
    for name, kind, labels in families():
        ends = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}.get(kind, [""])
        for end in ends:
            found.setdefault(name + end, set()).update(labels)
    return found


SITE_WIDE = {"tablero_queue_length", "tablero_sweep_age_seconds", "tablero_beat_age_seconds"}
"""Served only while the broker responds, which it does not in this test."""
LATE = "tablero_flag_late_seconds_bucket"


@pytest.mark.django_db
def test_every_metric_exists(served: dict[str, set[str]]) -> None:
    named = {name for expression in EXPRESSIONS for name in METRIC.findall(expression)}
    source = (ROOT / "backgammon" / "ops" / "metrics.py").read_text()
    from_the_broker = {name for name in (*SITE_WIDE, LATE.removesuffix("_bucket")) if f'"{name}"' in source}
    assert len(from_the_broker) == 4
    assert named - set(served) - SITE_WIDE - {LATE} == set()
    assert len(named) > 12


@pytest.mark.django_db
def test_every_label_exists(served: dict[str, set[str]]) -> None:
    broker_labels = {"tablero_queue_length": {"queue"}, "tablero_sweep_age_seconds": {"sweep"}}
    for expression in EXPRESSIONS:
        for name, conditions in LABELS.findall(expression):
            labels = set(re.findall(r"(\w+)\s*[=!]", conditions))
            assert labels <= served.get(name, set()) | broker_labels.get(name, set()), expression


def test_brackets_are_closed() -> None:
    for expression in EXPRESSIONS:
        assert [expression.count(mark) for mark in "({["] == [expression.count(mark) for mark in ")}]"], expression


def test_every_alert_says_what_is_wrong_and_how_urgent_it_is() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES) > 5
    for rule in RULES:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"].endswith((".", "worker."))
        assert re.fullmatch(r"\d+m", rule["for"])


def test_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in PANELS:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)


def test_the_objectives_are_those_of_the_alerts() -> None:
    page = (ROOT / "docs" / "slo.md").read_text()
    limits = {rule["alert"]: rule["expr"].rsplit(" ", 1)[1] for rule in RULES}
    assert f"95 % under {limits['TableroSlowActs']} s" in page
    assert f"99 % under {limits['TableroLateFlags']} s" in page
