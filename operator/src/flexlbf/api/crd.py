"""CustomResourceDefinitions from the models."""

from typing import Any

import yaml

from flexlbf.api.model import GROUP, ApiModel, Column, Definition
from flexlbf.api.schema import Schema, structural_schema

HEADER = "# Generated from the models in operator/src/flexlbf/api by `make generate`: do not edit.\n"
CATEGORY = "backup"

_TYPE_META = {
    "apiVersion": "The group and version of this object's schema: `{}`.",
    "kind": "The kind of this object: `{}`.",
}


def definition_of(model: type[ApiModel]) -> Definition:
    """How the kind of a root model is called and shown.

    Raises:
        TypeError: The model is a part of a resource, not a resource.
    """
    definition = getattr(model, "DEFINITION", None)
    if not isinstance(definition, Definition):
        raise TypeError(f"{model.__name__} is not the root of a resource")
    return definition


def build_crd(model: type[ApiModel]) -> dict[str, Any]:
    """The CustomResourceDefinition of a root model."""
    definition = definition_of(model)
    schema = _root_schema(model, definition)
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": definition.crd_name},
        "spec": {
            "group": GROUP,
            "names": {
                "kind": definition.kind,
                "listKind": f"{definition.kind}List",
                "plural": definition.plural,
                "singular": definition.kind.lower(),
                "shortNames": [definition.short_name],
                "categories": [CATEGORY],
            },
            "scope": definition.scope.value,
            "versions": [
                {
                    "name": definition.version,
                    "served": True,
                    "storage": True,
                    "additionalPrinterColumns": [_column(column) for column in definition.columns],
                    "subresources": {"status": {}} if "status" in schema["properties"] else {},
                    "schema": {"openAPIV3Schema": schema},
                }
            ],
        },
    }


class _PlainDumper(yaml.SafeDumper):
    """Writes what occurs twice twice: anchors help nobody who reads a CRD."""

    def ignore_aliases(self, data: Any) -> bool:
        del data
        return True


def render_crd(model: type[ApiModel]) -> str:
    """The CustomResourceDefinition as a file."""
    text = yaml.dump(build_crd(model), Dumper=_PlainDumper, sort_keys=False, allow_unicode=True, width=110)
    return HEADER + text


def file_name(model: type[ApiModel]) -> str:
    """What the file is called, as controller-gen calls its own."""
    return f"{GROUP}_{definition_of(model).plural}.yaml"


def _root_schema(model: type[ApiModel], definition: Definition) -> Schema:
    schema = structural_schema(model)
    meant = {"apiVersion": definition.api_version, "kind": definition.kind}
    properties = {
        **{
            name: {"description": text.format(meant[name]), "type": "string"}
            for name, text in _TYPE_META.items()
        },
        # The API server has its own schema for metadata and takes no other beside it.
        "metadata": {"type": "object"},
        **{name: schema["properties"][name] for name in ("spec", "status") if name in schema["properties"]},
    }
    return {**schema, "required": ["spec"], "properties": properties}


def _column(column: Column) -> dict[str, Any]:
    priority = {"priority": 1} if column.wide else {}
    return {
        "name": column.name,
        "type": column.type,
        "jsonPath": column.path,
        "description": column.description,
        **priority,
    }
