"""What is generated from the models: whole, bounded, structural, and what is committed."""

import re
import shutil
from pathlib import Path
from typing import Annotated, Any

import pytest
import yaml
from pydantic import Field

import generate
from flexlbf.api.crd import build_crd, definition_of, file_name, render_crd
from flexlbf.api.model import ApiModel
from flexlbf.api.rules import VALIDATIONS
from flexlbf.api.schema import NotStructuralError, structural_schema, walk
from flexlbf.api.v1alpha1 import KINDS

ROOT = Path(__file__).resolve().parents[3]
FITTING = {
    "maxLength": {"string"},
    "minLength": {"string"},
    "pattern": {"string"},
    "maxItems": {"array"},
    "maxProperties": {"object"},
    "minimum": {"integer", "number"},
    "maximum": {"integer", "number"},
}
FORBIDDEN = {"$ref", "$defs", "oneOf", "not", "uniqueItems", "const", "title", "examples", "exclusiveMinimum"}


def _schema(model: type[ApiModel]) -> dict[str, Any]:
    schema: dict[str, Any] = build_crd(model)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    return schema


NODES = [
    pytest.param(node, id=f"{model.__name__}.{path}")
    for model in KINDS
    for path, node in walk(_schema(model))
    if path not in {"", "metadata", "apiVersion", "kind"}  # the API server's own
]


@pytest.mark.parametrize("node", NODES)
def test_every_node_is_structural(node: dict[str, Any]):
    """One type each, no keyword that the API server forbids, and none that does not fit the type."""
    assert not FORBIDDEN & node.keys()
    if node.get("x-kubernetes-int-or-string"):
        assert "type" not in node
        return
    assert isinstance(node["type"], str)
    assert "anyOf" not in node
    for keyword, types in FITTING.items():
        assert keyword not in node or node["type"] in types, keyword
    assert ("items" in node) == (node["type"] == "array")
    assert not ("properties" in node and "additionalProperties" in node)
    assert set(node.get("required", ())) <= set(node.get("properties", ()))


@pytest.mark.parametrize("node", NODES)
def test_every_list_map_and_text_has_a_bound(node: dict[str, Any]):
    """Without bounds a rule's cost is without bounds, too, and the API server refuses the definition."""
    kind = "string" if node.get("x-kubernetes-int-or-string") else node["type"]
    if kind == "string":
        assert "maxLength" in node or "enum" in node
    if kind == "array":
        assert "maxItems" in node
        assert "x-kubernetes-list-type" in node
    if kind == "object" and "additionalProperties" in node:
        assert "maxProperties" in node


@pytest.mark.parametrize("model", KINDS)
def test_every_field_says_what_it_means(model: type[ApiModel]):
    """`kubectl explain` has words for every field, and nobody's indentation in them."""
    fields = [
        (path, node) for path, node in walk(_schema(model)) if not path.endswith(("[]", "{}", "metadata"))
    ]
    fields += [(path, node) for path, node in walk(_schema(model)) if path.endswith(".metadata")]
    assert len(fields) > 15
    for path, node in fields:
        assert re.fullmatch(r"[A-Z`].*\.", node.get("description", "")), path
        assert "  " not in node["description"], path


@pytest.mark.parametrize("model", KINDS)
def test_defaults_are_right_themselves(model: type[ApiModel]):
    """A default that its own bounds refuse would refuse every resource that leaves the field out."""
    for path, node in walk(_schema(model)):
        if "enum" in node and "default" in node:
            assert node["default"] in node["enum"], path
        assert node.get("default", "") is not None, path


@pytest.mark.parametrize("model", KINDS)
def test_rules_have_what_the_server_asks_of_them(model: type[ApiModel]):
    """One line of message, one of Kubernetes' four reasons."""
    reasons = {"FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"}
    for _, node in walk(_schema(model)):
        for rule in node.get(VALIDATIONS, ()):
            assert rule["reason"] in reasons
            assert 10 < len(rule["message"]) < 2048
            assert "\n" not in rule["message"]


@pytest.mark.parametrize("node", NODES)
def test_rules_on_an_int_or_string_are_cheap_for_the_oldest_kubernetes_too(node: dict[str, Any]):
    """Up to 1.33 each of these counts as reading a whole request, and the definition would be refused."""
    if node.get("x-kubernetes-int-or-string"):
        for rule in node.get(VALIDATIONS, ()):
            assert not re.search(r"matches\(|quantity|size\(|string\(self|type\(self\) [=!]=", rule["rule"])


@pytest.mark.slow
def test_committed_files_are_what_the_models_give():
    """Whoever changes a model commits what follows from it."""
    assert generate.findings(ROOT) == []


@pytest.mark.parametrize("model", KINDS)
def test_a_definition_survives_being_written(model: type[ApiModel]):
    """The file says what the dictionary says."""
    assert yaml.safe_load(render_crd(model)) == build_crd(model)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which everything generated is up to date."""
    for folder in ("crds", "docs", "config", "charts"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


@pytest.mark.slow
def test_nothing_is_reported_of_a_fresh_checkout(checkout: Path, capsys: pytest.CaptureFixture[str]):
    """Silence and exit status 0."""
    assert generate.main(["--check", "--root", str(checkout)]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_stale_missing_and_extra_files_are_reported_with_the_mend(
    checkout: Path, capsys: pytest.CaptureFixture[str]
):
    """All at once, with the difference and the command that mends it."""
    stale, missing = (checkout / "crds" / file_name(model) for model in KINDS[:2])
    stale.write_text(stale.read_text().replace("Age", "Oldness"))
    missing.unlink()
    (checkout / "crds" / "flexlbf.io_tapes.yaml").touch()
    (checkout / "docs/evaluation/figure11.svg").touch()
    assert generate.main(["--check", "--root", str(checkout)]) == 1
    said = capsys.readouterr().out
    for want in (
        f"stale: crds/{stale.name}",
        "-    - name: Oldness",
        f"missing: crds/{missing.name}",
        "extra: crds/flexlbf.io_tapes.yaml",
        "extra: docs/evaluation/figure11.svg",
        "make generate",
    ):
        assert want in said
    assert generate.main(["--root", str(checkout)]) == 0
    assert missing.is_file()


class _Loop(ApiModel):
    inner: "tuple[_Loop, ...]" = ()


class _Choice(ApiModel):
    value: int | str = 0


class _Above(ApiModel):
    value: Annotated[int, Field(gt=0)] = 1


class _Set(ApiModel):
    value: frozenset[str] = frozenset()


class _Pair(ApiModel):
    value: tuple[int, str] = (1, "")


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (_Loop, "contains itself"),
        (_Choice, "_Choice.value: anyOf: use one type"),
        (_Above, "_Above.value: exclusiveMinimum: use ge"),
        (_Set, "_Set.value: uniqueItems: annotate"),
        (_Pair, "_Pair.value: prefixItems: use a tuple"),
    ],
)
def test_what_a_schema_cant_say_stops_the_generation(model: type[ApiModel], says: str):
    """With the field that asks for it, and what to use instead."""
    with pytest.raises(NotStructuralError, match=says):
        structural_schema(model)


def test_a_part_of_a_resource_has_no_definition():
    """Only roots become CRDs."""
    with pytest.raises(TypeError, match="not the root"):
        definition_of(_Above)
