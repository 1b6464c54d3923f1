"""Lists whose entries must differ: what the API server checks by a list's type, checked here as well."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, PydanticCustomError, core_schema


@dataclass(frozen=True)
class Distinct:
    """An annotation of a list: its entries differ as wholes, or by the fields named."""

    keys: tuple[str, ...] = ()

    def _check(self, entries: Sequence[Any]) -> Sequence[Any]:
        seen = set()
        for entry in entries:
            key = tuple(getattr(entry, name) for name in self.keys) or entry
            if key in seen:
                shown = "/".join(map(str, key)) if isinstance(key, tuple) else str(key)
                raise PydanticCustomError(
                    "distinct", "{shown} is there twice: give it once", {"shown": repr(shown)}
                )
            seen.add(key)
        return entries

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = handler(core)
        if not self.keys:
            return {**schema, "x-kubernetes-list-type": "set"}
        keys = [to_camel(name) for name in self.keys]
        return {**schema, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys}
