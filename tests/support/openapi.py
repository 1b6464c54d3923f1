"""JSON schemas for kubeconform from the API server's own OpenAPI: of this very version, and offline."""

import json
from pathlib import Path
from typing import Any

Schema = dict[str, Any]
PREFIX = "#/definitions/"


def write_schemas(openapi: Schema, folder: Path) -> int:
    """Write a schema for each kind; returns how many.

    Args:
        openapi: what `/openapi/v2` answers.
        folder: where the files go, as `deployment-apps-v1.json`.
    """
    definitions = {name: _strict(each) for name, each in openapi["definitions"].items()}
    written = 0
    for name, definition in definitions.items():
        for kind in definition.get("x-kubernetes-group-version-kind", ()):
            group = f"-{kind['group'].split('.')[0]}" if kind["group"] else ""
            file = folder / f"{kind['kind'].lower()}{group}-{kind['version']}.json"
            reached = {each: definitions[each] for each in _reach(name, definitions)}
            file.write_text(json.dumps({"$ref": PREFIX + name, "definitions": reached}))
            written += 1
    return written


def _strict(node: Any) -> Any:
    """A schema that refuses unknown fields, as the API server does when it is asked to."""
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    schema = {key: _strict(each) for key, each in node.items()}
    if schema.get("format") == "int-or-string":
        return {key: each for key, each in schema.items() if key not in {"type", "format"}}
    if isinstance(node.get("properties"), dict) and "additionalProperties" not in node:
        schema["additionalProperties"] = node.get("x-kubernetes-preserve-unknown-fields", False)
    return schema


def _reach(name: str, definitions: Schema) -> set[str]:
    reached: set[str] = set()
    ahead = [name]
    while ahead:
        here = ahead.pop()
        if here not in reached:
            reached.add(here)
            ahead += _references(definitions[here])
    return reached


def _references(node: Any) -> list[str]:
    if isinstance(node, list):
        return [found for each in node for found in _references(each)]
    if not isinstance(node, dict):
        return []
    mine = [node["$ref"].removeprefix(PREFIX)] if isinstance(node.get("$ref"), str) else []
    return mine + [found for each in node.values() for found in _references(each)]
