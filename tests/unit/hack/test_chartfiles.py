"""The chart's generated parts: what a comment and what a manifest become, and what stops the generation."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from chartfiles import CHART, SHARED
from chartfiles.templates import crd_template, template_of
from chartfiles.values import UndescribedValueError, read_values, schema, table

ROOT = Path(__file__).resolve().parents[3]
VALUES = """\
# Of no value.

# How many run.
# @schema {minimum: 1}
count: 2
image:
  # Where it is,
  # without its tag.
  name: a|b
# What it may take.
# @schema {open: true}
resources: {cpu: 1}
# Free labels.
labels: {}
"""
MANIFEST = """\
# Why.
kind: Role
metadata:
  name: flexlbf-operator
  namespace: flexlbf-system
  labels:
    app.kubernetes.io/name: flexlbf-operator
    rbac.authorization.k8s.io/aggregate-to-view: "true"
user: system:serviceaccount:flexlbf-system:flexlbf-operator
resourceNames: [flexlbf-operator]
"""


def test_a_comment_becomes_the_words_of_schema_and_table():
    """With its further keywords, and without those above an empty line."""
    found: dict[str, Any] = json.loads(schema(read_values(VALUES)))["properties"]
    count = {"description": "How many run.", "default": 2, "type": "integer", "minimum": 1}
    assert found["count"] == count
    assert found["image"]["properties"]["name"]["description"] == "Where it is, without its tag."
    assert r'| `image.name` | Where it is, without its tag. | `"a\|b"` |' in table(read_values(VALUES))
    assert "| `count` | How many run. | `2` |" in table(read_values(VALUES))


def test_only_open_maps_take_any_key():
    """So that a misspelt value is refused."""
    found = json.loads(schema(read_values(VALUES)))
    assert found["additionalProperties"] is False
    assert found["properties"]["image"]["additionalProperties"] is False
    for name in ("resources", "labels"):
        assert found["properties"][name]["type"] == "object"
        assert "additionalProperties" not in found["properties"][name]


def test_a_value_without_words_stops_the_generation():
    """By name."""
    with pytest.raises(UndescribedValueError, match=r"image\.tag"):
        read_values("image:\n  # Where it is.\n  name: a\n  tag: b\n")


def test_what_a_release_chooses_becomes_an_expression_and_the_rest_stays():
    """Comments too, and names of objects that the operator knows itself."""
    made = template_of(MANIFEST, "config/role.yaml", "rbac.create")
    assert "# Why." in made
    assert "flexlbf-system" not in made
    assert '  name: {{ include "flexlbf-operator.fullname" . }}\n' in made
    assert "resourceNames: [flexlbf-operator]" in made
    account = '{{ .Release.Namespace }}:{{ include "flexlbf-operator.serviceAccountName" . }}'
    assert f"user: system:serviceaccount:{account}\n" in made
    assert "{{- if .Values.rbac.create }}" in made
    aggregated = made.index("aggregate-to-view")
    assert made.rindex("{{- if .Values.personas.aggregate }}") < aggregated


@pytest.mark.parametrize(
    ("manifest", "says"),
    [("a: '{{ b }}'\n", "would take for a template"), ("a: x-flexlbf-system\n", "does not look for it")],
)
def test_a_manifest_that_would_render_otherwise_stops_the_generation(manifest: str, says: str):
    """Better than a chart that installs something else than `kubectl apply -k`."""
    with pytest.raises(ValueError, match=says):
        template_of(manifest, "config/role.yaml", None)


def test_a_crd_is_kept_by_its_annotation():
    """And rendered only where CRDs are wanted."""
    made = crd_template("# Generated.\nkind: A\nmetadata:\n  name: a\nspec: {}\n")
    assert made.startswith("# Generated.\n{{- if .Values.crds.enabled }}\nkind: A\nmetadata:\n  {{- if")
    assert "    helm.sh/resource-policy: keep\n" in made
    with pytest.raises(ValueError, match="would take for a template"):
        crd_template("# Generated.\nmetadata:\n  a: '{{'\n")


def test_chart_image_and_kustomize_have_the_packages_version():
    """One version for all that is released together."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    chart = yaml.safe_load((ROOT / CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (version, version)
    (image,) = yaml.safe_load((ROOT / "config/default/Kustomization").read_text())["images"]
    assert image["newTag"] == version
    assert f"ARG VERSION={version}\n" in (ROOT / "Dockerfile").read_text()


def test_every_rule_and_admission_policy_of_config_is_in_the_chart():
    """A manifest that is forgotten would be missing for those who install with Helm."""
    by_hand = {"rbac/namespace.yaml", "rbac/service_account.yaml"}
    by_hand |= {"rbac/cluster_role_binding.yaml", "rbac/role_binding.yaml"}
    found = {f"{path.parent.name}/{path.name}" for name in ("rbac", "admission") for path in _manifests(name)}
    assert found - by_hand == set(SHARED)


def _manifests(folder: str) -> list[Path]:
    return sorted((ROOT / "config" / folder).glob("*.yaml"))
