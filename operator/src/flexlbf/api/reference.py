"""The reference of the API in Markdown, from the same schemas that the API server checks by."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from flexlbf.api.crd import CATEGORY, build_crd
from flexlbf.api.model import ApiModel
from flexlbf.api.rules import VALIDATIONS
from flexlbf.api.schema import Schema, walk

_HEAD = """\
<!-- Generated from the models in operator/src/flexlbf/api by `make generate`: do not edit. -->
# API reference

Every field of the group `flexlbf.io`, version `v1alpha1`. `kubectl explain <kind>.spec` shows the same text;
`kubectl get {category}` lists all objects of all kinds.

An *amount* is a number of bytes, or of bytes a second: `80M`, `1.5G`, `80Mi` or `80000000`. A *duration* is
days, hours, minutes and seconds in this order: `8h`, `15h12m`, `90s`, `1d`.
"""

_BOUNDS = (
    ("minimum", "from {}"),
    ("maximum", "to {}"),
    ("maxLength", "{} characters at most"),
    ("maxItems", "{} entries at most"),
    ("maxProperties", "{} entries at most"),
)


def render_reference(models: Iterable[type[ApiModel]]) -> str:
    """The whole reference."""
    kinds = (_kind(build_crd(model)) for model in models)
    return "\n".join((_HEAD.format(category=CATEGORY), *kinds))


def _kind(crd: dict[str, Any]) -> str:
    names, version = crd["spec"]["names"], crd["spec"]["versions"][0]
    schema = version["schema"]["openAPIV3Schema"]
    lines = [
        f"## {names['kind']}",
        "",
        schema["description"],
        "",
        f"{crd['spec']['scope']}; `{names['plural']}`, for short `{names['shortNames'][0]}`.",
        "",
    ]
    for part in ("spec", "status"):
        if part in schema["properties"]:
            lines += _fields(part, schema["properties"][part])
    return "\n".join([*lines, *_refusals(schema), *_columns(version["additionalPrinterColumns"])])


def _fields(part: str, schema: Schema) -> Iterator[str]:
    yield from (f"### {part}", "", schema["description"], "")
    yield from ("| Field | Type | Bounds | Meaning |", "| --- | --- | --- | --- |")
    needed = {f"{path}.{name}" for path, node in walk(schema, part) for name in node.get("required", ())}
    for path, node in walk(schema, part):
        if path == part or path.endswith(("[]", "{}")):
            continue
        bounds = "; ".join(_bounds(node, required=path in needed))
        yield _row(f"`{path}`", _type(node), bounds, node["description"])
    yield ""


def _type(node: Schema) -> str:
    if node.get("x-kubernetes-int-or-string"):
        return "amount"
    if node.get("enum"):
        return " \\| ".join(f"`{value}`" for value in node["enum"])
    if node["type"] == "array":
        return f"list of {_type(node['items'])}"
    if isinstance(node.get("additionalProperties"), dict):
        return f"map of {_type(node['additionalProperties'])}"
    return "time" if node.get("format") == "date-time" else str(node["type"])


def _bounds(node: Schema, *, required: bool) -> Iterator[str]:
    if required:
        yield "required"
    if "default" in node:
        yield f"default `{json.dumps(node['default'])}`"
    yield from (text.format(node[keyword]) for keyword, text in _BOUNDS if keyword in node)


def _refusals(schema: Schema) -> Iterator[str]:
    rules = [
        (path + rule.get("fieldPath", "").replace("self", ""), rule["message"])
        for path, node in walk(schema)
        for rule in node.get(VALIDATIONS, ())
    ]
    if rules:
        yield from ("### What is refused, and what to write instead", "")
        yield from ("| Field | Message |", "| --- | --- |")
        yield from (_row(f"`{path}`", message) for path, message in rules)
        yield ""


def _columns(columns: list[dict[str, Any]]) -> Iterator[str]:
    yield from ("### Columns of `kubectl get`", "", "| Column | Meaning |", "| --- | --- |")
    for column in columns:
        yield _row(column["name"], column["description"] + (" (`-o wide`)" if column.get("priority") else ""))
    yield ""


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace(chr(10), ' ') for cell in cells)} |"
