"""Manifests as files."""

from pathlib import Path
from typing import Any

import yaml

from support.resources import a_class, a_policy, a_pool, a_set

SET = a_set().with_object("long", "2h", "10M").with_objects(5, minutes=30)


def written(path: Path, *resources: dict[str, Any]) -> Path:
    """A file of these resources."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump_all(resources, allow_unicode=True), encoding="utf-8")
    return path


def site(folder: Path, **parts: Any) -> Path:
    """A policy with all that it needs; `policy`, `objects` and `pool` in place of the usual ones."""
    resources = (
        (parts.get("pool") or a_pool().with_drives(count=2)).build(),
        a_class().build(),
        (parts.get("objects") or SET).build(),
        (parts.get("policy") or a_policy().setting(window="3h")).build(),
    )
    return written(folder / "all.yaml", *resources).parent
