"""One declaration, two judges: rules that the API server checks in CEL and this package in Python.

A rule is written once with its message. The schema takes the CEL side, so that admission refuses what is
wrong; the models take the Python side, so that files which never met an API server are refused with the same
words. The tests hold both sides against the same examples.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

VALIDATIONS = "x-kubernetes-validations"


@dataclass(frozen=True)
class Rule:
    """A condition on one value, usable as an annotation of a field's type or in a model's `RULES`."""

    cel: str
    """The condition as the API server evaluates it, on `self`."""
    message: str
    """What to write instead."""
    holds: Callable[[Any], bool] | None = None
    """The same condition on the parsed value; None where parsing the value already decides it."""
    reason: str = "FieldValueInvalid"
    """Which of Kubernetes' four reasons a refusal carries."""
    field_path: str = ""
    """The field below `self` that a refusal points at."""

    def enforce(self, value: Any) -> Any:
        """Pass a value through, or refuse it with the message.

        Raises:
            PydanticCustomError: The condition does not hold.
        """
        if self.holds is not None and not self.holds(value):
            raise PydanticCustomError("rule", "{message}", {"message": self.message})
        return value

    def as_schema(self) -> dict[str, str]:
        """The entry of `x-kubernetes-validations`."""
        entry = {"rule": self.cel, "message": self.message, "reason": self.reason}
        return entry | ({"fieldPath": self.field_path} if self.field_path else {})

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.enforce, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = handler(core)
        return {**schema, VALIDATIONS: [*schema.get(VALIDATIONS, ()), self.as_schema()]}


def matching(pattern: str, message: str) -> Rule:
    """A rule that a text has the form of an anchored pattern, in the syntax that RE2 and Python share."""
    compiled = re.compile(pattern.removesuffix("$") + r"\Z", re.ASCII)
    return Rule(
        cel=f"self.matches(r'{pattern}')",
        message=message,
        holds=lambda text: compiled.match(text) is not None,
    )


def exactly_one(*fields: tuple[str, str], message: str) -> Rule:
    """A rule that one and only one of some optional fields is set; each is named `(python, api)`."""
    given = ", ".join(f"has(self.{api})" for _, api in fields)
    return Rule(
        cel=f"[{given}].exists_one(given, given)",
        message=message,
        holds=lambda model: sum(getattr(model, name) is not None for name, _ in fields) == 1,
        reason="FieldValueRequired",
    )


def rule_count(schema: Mapping[str, Any]) -> int:
    """How many rules a schema node carries itself."""
    return len(schema.get(VALIDATIONS, ()))
