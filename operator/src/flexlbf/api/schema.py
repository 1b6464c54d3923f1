"""From pydantic's JSON schema to the structural schema that a CustomResourceDefinition takes.

Pydantic writes JSON Schema 2020-12; the API server reads a subset of OpenAPI 3.0 and refuses the rest, or
worse, drops it. So what has an equal is rewritten here, and anything else stops the generation with the path
of the field that asks for it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from flexlbf.api.durations import Duration
from flexlbf.api.model import ApiModel

Schema = dict[str, Any]

_NOISE = {"title", "examples", "$defs"}
_KEPT = {
    "type",
    "format",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "required",
}
_MENDS = {
    "exclusiveMinimum": "use ge",
    "exclusiveMaximum": "use le",
    "uniqueItems": "annotate a tuple with Distinct instead of using a set",
    "prefixItems": "use a tuple[X, ...] of one type",
    "anyOf": "use one type; only `X | None` has an equal",
    "oneOf": "use one type; only `X | None` has an equal",
}


class NotStructuralError(ValueError):
    """A model asks for something that a structural schema can't say."""


class _Generator(GenerateJsonSchema):
    """Pydantic's generator, which writes defaults as they stand in a manifest."""

    def encode_default(self, dft: Any) -> Any:
        if isinstance(dft, BaseModel):
            return {name: value for name, value in _defaults(dft) if value is not None}
        if isinstance(dft, Duration):
            return str(dft)
        if isinstance(dft, Enum):
            return dft.value
        return super().encode_default(dft)


def _defaults(model: BaseModel) -> Iterator[tuple[str, Any]]:
    yield from model.model_dump(mode="json", by_alias=True).items()


@dataclass(frozen=True)
class _Place:
    """Where the rewriting is: the field's path, and the models that it lies in."""

    path: str
    inside: tuple[str, ...] = ()

    def at(self, step: str) -> "_Place":
        return _Place(self.path + step, self.inside)

    def within(self, reference: str) -> "_Place":
        if reference in self.inside:
            raise NotStructuralError(
                f"{self.path}: {reference} contains itself, which has no end in a schema"
            )
        return _Place(self.path, (*self.inside, reference))


def structural_schema(model: type[ApiModel]) -> Schema:
    """The structural schema of a model, every reference inlined.

    Raises:
        NotStructuralError: The model has a field that such a schema can't describe.
    """
    schema = model.model_json_schema(by_alias=True, schema_generator=_Generator, mode="validation")
    return _rewrite(schema, schema.get("$defs", {}), _Place(model.__name__))


def _rewrite(node: Schema, definitions: Mapping[str, Schema], place: _Place) -> Schema:
    node, place = _flatten(node, definitions, place)
    result: Schema = {}
    for keyword, value in node.items():
        if keyword == "properties":
            result[keyword] = {
                name: _rewrite(field, definitions, place.at(f".{name}")) for name, field in value.items()
            }
        elif keyword == "items":
            result[keyword] = _rewrite(value, definitions, place.at("[]"))
        elif keyword == "additionalProperties" and isinstance(value, dict):
            result[keyword] = _rewrite(value, definitions, place.at("{}"))
        else:
            result |= _plain(keyword, value, node, place)
    return _in_reading_order(result)


def _flatten(node: Schema, definitions: Mapping[str, Schema], place: _Place) -> tuple[Schema, _Place]:
    """Inline references and drop the null of optional fields; what a field says itself wins."""
    while True:
        own = {keyword: value for keyword, value in node.items() if keyword not in {"$ref", "anyOf"}}
        if "$ref" in node:
            name = node["$ref"].removeprefix("#/$defs/")
            place = place.within(name)
            node = definitions[name] | own
        elif "anyOf" in node and not node.get("x-kubernetes-int-or-string"):
            choices = [choice for choice in node["anyOf"] if choice != {"type": "null"}]
            if len(choices) != 1:
                raise NotStructuralError(f"{place.path}: anyOf: {_MENDS['anyOf']}")
            node = choices[0] | own
        else:
            return node, place


def _plain(keyword: str, value: Any, node: Schema, place: _Place) -> Schema:
    """A keyword that holds no further schema."""
    if keyword in _NOISE or (keyword == "default" and value is None):
        return {}
    if keyword == "additionalProperties" and "properties" in node:
        return {}  # whether models keep unknown fields says nothing about what the API server keeps
    if keyword == "description":
        return {keyword: " ".join(value.split())}
    if keyword == "const":
        return {"enum": [value]}
    if keyword == "anyOf" or keyword in _KEPT or keyword.startswith("x-kubernetes-") or keyword == "default":
        return {keyword: value}
    raise NotStructuralError(f"{place.path}: {keyword}: {_MENDS.get(keyword, 'has no equal')}")


def _in_reading_order(node: Schema) -> Schema:
    """What a field means first, then its shape, then its parts."""
    first = [keyword for keyword in ("description", "type", "default") if keyword in node]
    last = [
        keyword for keyword in ("required", "properties", "items", "additionalProperties") if keyword in node
    ]
    middle = sorted(node.keys() - set(first) - set(last))
    return {keyword: node[keyword] for keyword in (*first, *middle, *last)}


def walk(schema: Schema, path: str = "") -> Iterator[tuple[str, Schema]]:
    """Every node of a structural schema with its path, parents first."""
    yield path, schema
    for name, field in schema.get("properties", {}).items():
        yield from walk(field, f"{path}.{name}".removeprefix("."))
    for keyword, step in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(schema.get(keyword), dict):
            yield from walk(schema[keyword], path + step)
