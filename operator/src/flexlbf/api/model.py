"""What all models of the API share: how they are read, written and described."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, ValidationError, model_validator
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema

from flexlbf.api.rules import VALIDATIONS, Rule

GROUP = "flexlbf.io"


class Scope(StrEnum):
    """Whether objects of a kind live in a namespace."""

    CLUSTER = "Cluster"
    NAMESPACED = "Namespaced"


@dataclass(frozen=True)
class Column:
    """A column of `kubectl get`."""

    name: str
    path: str
    description: str
    type: str = "string"
    wide: bool = False


@dataclass(frozen=True)
class Definition:
    """How a kind is called and shown."""

    kind: str
    plural: str
    short_name: str
    scope: Scope
    version: str
    columns: tuple[Column, ...]

    @property
    def api_version(self) -> str:
        """The group and version, as manifests give them."""
        return f"{GROUP}/{self.version}"

    @property
    def crd_name(self) -> str:
        """The name of the CustomResourceDefinition."""
        return f"{self.plural}.{GROUP}"


class ApiModel(BaseModel):
    """A part of a resource: immutable, camelCase outside, and tolerant of fields from newer versions."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=True,
        frozen=True,
        extra="ignore",
        use_attribute_docstrings=True,
    )

    RULES: ClassVar[tuple[Rule, ...]] = ()
    """Conditions between the fields of this model."""

    @model_validator(mode="after")
    def _keep_rules(self) -> Self:
        for rule in self.RULES:
            rule.enforce(self)
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = handler(core)
        if cls.RULES:
            resolved = handler.resolve_ref_schema(schema)
            resolved[VALIDATIONS] = [rule.as_schema() for rule in cls.RULES]
        return schema

    @classmethod
    def read(cls, data: Any) -> Self:
        """Read what the API server or a file holds: by the outside names only.

        Raises:
            ValidationError: The data does not fit; `explain` puts it in words.
        """
        return cls.model_validate(data, by_alias=True, by_name=False)

    def to_api(self) -> dict[str, Any]:
        """The plain dictionary that the API server or a file takes; what was left out stays out."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def explain(error: ValidationError) -> list[str]:
    """Say what is wrong with a resource, one line a mistake, the field's path first."""
    return [f"{_path(mistake['loc'])}: {mistake['msg']}" for mistake in error.errors()]


def _path(location: tuple[int | str, ...]) -> str:
    """Write a location as Kubernetes does: `spec.drives[0].name`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "".join(parts).removeprefix(".") or "(root)"
