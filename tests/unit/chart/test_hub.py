"""The chart's annotations for Artifact Hub keep to the Hub's rules for them.

Go's module proxy does not have the Hub's own linter. The rules are those of the Hub's documentation: which
annotations there are, what each holds, and the words that some are limited to.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
CHART = yaml.safe_load((ROOT / "charts/flexlbf-operator/Chart.yaml").read_text("utf-8"))
PREFIX = "artifacthub.io/"
GIVEN = {
    key.removeprefix(PREFIX): text for key, text in CHART["annotations"].items() if key.startswith(PREFIX)
}

CATEGORIES = {
    "ai-machine-learning",
    "database",
    "integration-delivery",
    "monitoring-logging",
    "networking",
    "security",
    "storage",
    "streaming-messaging",
    "skip-prediction",
}
CAPABILITIES = {"basic install", "seamless upgrades", "full lifecycle", "deep insights", "auto pilot"}
CHANGES = {"added", "changed", "deprecated", "removed", "fixed", "security"}

Rule = Callable[[str], list[str]]


def _one_of(words: set[str]) -> Rule:
    return lambda text: [] if text.lower() in words else [f"{text!r} is none of {sorted(words)}"]


def _entries(required: set[str], optional: Iterable[str] = (), kinds: set[str] | None = None) -> Rule:
    def check(text: str) -> list[str]:
        listed: Any = yaml.safe_load(text)
        if not isinstance(listed, list) or not listed:
            return ["is no list"]
        found = []
        for each in listed:
            if not required <= each.keys() <= required | {*optional}:
                found.append(f"{each} needs {sorted(required)}")
            elif kinds and each["kind"] not in kinds:
                found.append(f"{each['kind']!r} is none of {sorted(kinds)}")
        return found

    return check


RULES: dict[str, Rule] = {
    "alternativeName": lambda text: [] if text in CHART["name"] or CHART["name"] in text else ["no part"],
    "category": _one_of(CATEGORIES),
    "changes": _entries({"kind", "description"}, {"links"}, CHANGES),
    "containsSecurityUpdates": _one_of({"true", "false"}),
    "crds": _entries({"kind", "version", "name", "displayName", "description"}),
    "crdsExamples": _entries({"apiVersion", "kind", "metadata", "spec"}),
    "images": _entries({"name", "image"}, {"whitelisted", "platforms"}),
    "license": _one_of({"apache-2.0"}),
    "links": _entries({"name", "url"}),
    "maintainers": _entries({"name", "email"}),
    "operator": _one_of({"true", "false"}),
    "operatorCapabilities": _one_of(CAPABILITIES),
    "prerelease": _one_of({"true", "false"}),
    "recommendations": _entries({"url"}),
    "screenshots": _entries({"title", "url"}),
    "signKey": lambda text: [] if {"fingerprint", "url"} == yaml.safe_load(text).keys() else ["no key"],
}


@pytest.mark.parametrize("name", GIVEN)
def test_an_annotation_is_one_that_the_hub_knows_and_reads(name: str):
    """All are strings: the Hub reads what is in them."""
    assert isinstance(GIVEN[name], str)
    assert RULES[name](GIVEN[name]) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("category", "backup"),
        ("operatorCapabilities", "Level 2"),
        ("changes", "- {kind: new, description: x}"),
        ("changes", "- {kind: added}"),
        ("crds", "kind: BackupPolicy"),
        ("links", "- {name: x, address: y}"),
        ("prerelease", "perhaps"),
    ],
)
def test_what_breaks_a_rule_is_found(name: str, text: str):
    """So the test above can fail."""
    assert RULES[name](text)


def test_what_the_hub_shows_of_an_operator_is_all_there():
    """Its kinds with examples, what it can do, and what changed with this version."""
    assert {"category", "changes", "crds", "crdsExamples", "license", "operator", "operatorCapabilities"} <= (
        GIVEN.keys()
    )


def test_the_license_is_that_of_the_project():
    assert GIVEN["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text("utf-8")[:300]
