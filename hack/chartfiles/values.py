"""The chart's `values.yaml`, whose comments say what each value means, as a JSON schema and as a table."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

MARK = "@schema "
TYPES = {
    "bool": "boolean",
    "int": "integer",
    "str": "string",
    "seq": "array",
    "map": "object",
    "float": "number",
}


class UndescribedValueError(ValueError):
    """A value has no comment that says what it means."""


@dataclass(frozen=True)
class Value:
    """One value, or a group of them.

    Attributes:
        path: its keys from the top.
        description: what its comment says; of a group, nothing.
        default: its value in `values.yaml`.
        keywords: further keywords of its schema; `open` says that any keys may be in it.
        members: what a group has in it.
    """

    path: tuple[str, ...]
    description: str
    default: Any
    keywords: dict[str, Any] = field(default_factory=dict)
    members: tuple["Value", ...] = ()

    @property
    def name(self) -> str:
        """The path as `--set` takes it."""
        return ".".join(self.path)


def read_values(text: str) -> list[Value]:
    """The values in their order; raises UndescribedValueError."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):
        raise UndescribedValueError("values.yaml has no values")
    return list(_members(root, (), text.splitlines()))


def schema(values: list[Value]) -> str:
    """The JSON schema, by which Helm refuses what isn't a value."""
    # Helm hands every subchart the values that all charts share.
    shared = {"global": {"description": "Values that all charts of a release share.", "type": "object"}}
    root = {"$schema": "http://json-schema.org/draft-07/schema#", **_group(values)}
    root["properties"] = {**root["properties"], **shared}
    return json.dumps(root, indent=2, ensure_ascii=False) + "\n"


def table(values: list[Value]) -> str:
    """The values as a table for people."""
    rows = [f"| `{each.name}` | {each.description} | `{_short(each.default)}` |" for each in _leaves(values)]
    return "\n".join(["| Value | Meaning | Default |", "|---|---|---|", *rows]) + "\n"


def _members(node: yaml.MappingNode, path: tuple[str, ...], lines: list[str]) -> Iterator[Value]:
    for key, value in node.value:
        here = (*path, str(key.value))
        description, keywords = _comment(lines, key.start_mark.line)
        default = yaml.SafeLoader("").construct_document(value)
        if isinstance(value, yaml.MappingNode) and value.value and not keywords.get("open"):
            yield Value(here, description, default, keywords, tuple(_members(value, here, lines)))
        elif description:
            yield Value(here, description, default, {"type": _type(value), **keywords})
        else:
            raise UndescribedValueError(f"values.yaml: say in a comment above {'.'.join(here)} what it means")


def _comment(lines: list[str], line: int) -> tuple[str, dict[str, Any]]:
    """The comment right above a line: its words, and the keywords in it."""
    words: list[str] = []
    keywords: dict[str, Any] = {}
    for above in reversed(lines[:line]):
        text = above.strip()
        if not text.startswith("#"):
            break
        said = text.removeprefix("#").strip()
        if said.startswith(MARK):
            keywords |= yaml.safe_load(said.removeprefix(MARK))
        else:
            words.insert(0, said)
    return " ".join(words), keywords


def _type(node: yaml.Node) -> str:
    return TYPES[node.tag.removeprefix("tag:yaml.org,2002:")]


def _group(values: list[Value] | tuple[Value, ...]) -> dict[str, Any]:
    properties = {each.path[-1]: _property(each) for each in values}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _property(value: Value) -> dict[str, Any]:
    if value.members:
        return _group(value.members)
    keywords = {key: each for key, each in value.keywords.items() if key != "open"}
    return {"description": value.description, "default": value.default, **keywords}


def _leaves(values: list[Value] | tuple[Value, ...]) -> Iterator[Value]:
    for each in values:
        if each.members:
            yield from _leaves(each.members)
        else:
            yield each


def _short(default: Any) -> str:
    """In one cell of a table."""
    return json.dumps(default, ensure_ascii=False).replace("|", "\\|")
