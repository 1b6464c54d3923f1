"""The settings of Argo CD, made from the scripts that lie as Argo's own do.

Argo's format of tests is for the scripts; an administrator takes the settings. Both are the same text.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

SCRIPTS = Path("config/argocd/resource_customizations")
SETTINGS = Path("config/argocd/argocd-cm.yaml")

_HEADER = """\
# Generated from resource_customizations by `make generate`: do not edit.
#
# What Argo CD has to know of our kinds. Take it in with the component of this folder, or once by hand:
#   kubectl patch configmap argocd-cm --namespace argocd --patch-file argocd-cm.yaml
"""


class _Dumper(yaml.SafeDumper):
    """Writes scripts as blocks, so that they can be read."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def render_settings(root: Path) -> str:
    """The ConfigMap `argocd-cm`, with what is ours alone.

    Args:
        root: the checkout that has the scripts.
    """
    config_map = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "argocd-cm", "labels": {"app.kubernetes.io/part-of": "argocd"}},
        "data": dict(_settings(root / SCRIPTS)),
    }
    return _HEADER + _dump(config_map)


def _settings(scripts: Path) -> Iterator[tuple[str, str]]:
    for kind in sorted(path for path in scripts.glob("*/*") if path.is_dir()):
        name = f"{kind.parent.name}_{kind.name}"
        yield f"resource.customizations.health.{name}", (kind / "health.lua").read_text("utf-8")
        if (kind / "actions").exists():
            yield f"resource.customizations.actions.{name}", _dump(_actions(kind / "actions"))


def _actions(folder: Path) -> dict[str, Any]:
    definitions = [
        {"name": script.parent.name, "action.lua": script.read_text("utf-8")}
        for script in sorted(folder.glob("*/action.lua"))
    ]
    return {"discovery.lua": (folder / "discovery.lua").read_text("utf-8"), "definitions": definitions}


def _dump(data: Any) -> str:
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, width=110)
