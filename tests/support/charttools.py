"""helm, kustomize and kubeconform, as a person runs them, and what they render as objects."""

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from localcluster import gobuild
from localcluster.versions import CHART_TOOLS

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "charts/flexlbf-operator"
RELEASE = "flexlbf-operator"
NAMESPACE = "flexlbf-system"

Raw = dict[str, Any]


class ToolRefusedError(Exception):
    """A tool ended with an error; its words."""


def run_tool(*command: str | Path, environment: Mapping[str, str] | None = None, text: str = "") -> str:
    """Run a tool and give what it prints; raises ToolRefusedError."""
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        input=text,
        env={**os.environ, **(environment or {})},
    )
    if done.returncode:
        raise ToolRefusedError(f"{done.stdout}{done.stderr}")
    return done.stdout


def tool(name: str) -> Path:
    """One of the chart's tools, built when it is missing."""
    return gobuild.programs(CHART_TOOLS) / name


@dataclass(frozen=True)
class Helm:
    """One version of Helm, with settings of its own.

    Attributes:
        program: `helm` for Helm 4, `helm3` for Helm 3.
        home: where it keeps what it remembers.
        kubeconfig: the cluster, if it needs one.
    """

    program: str
    home: Path
    kubeconfig: Path | None = None

    def __call__(self, *arguments: str | Path) -> str:
        """Run it and give what it prints; raises ToolRefusedError."""
        environment = {
            f"HELM_{each}_HOME": str(self.home / each.lower()) for each in ("CACHE", "CONFIG", "DATA")
        }
        environment["KUBECONFIG"] = str(self.kubeconfig or os.devnull)
        return run_tool(tool(self.program), *arguments, environment=environment)

    def render(self, *values: str, chart: Path = CHART, release: str = RELEASE) -> list[Raw]:
        """The objects of the chart with these values, given as for `--set`."""
        return objects(self("template", release, chart, f"--namespace={NAMESPACE}", *sets(values)))

    def hooks(self) -> list[Raw]:
        """What `helm test` makes."""
        return [each for each in self.render() if "helm.sh/hook" in each["metadata"].get("annotations", {})]


def sets(values: Iterable[str]) -> list[str]:
    """`a=1` as arguments; `a:=[1]` for JSON."""
    return [
        f"--set-json={each.replace(':=', '=', 1)}" if ":=" in each else f"--set={each}" for each in values
    ]


def kustomize(folder: str) -> list[Raw]:
    """The objects of a folder of `config/`."""
    return objects(run_tool(tool("kustomize"), "build", ROOT / "config" / folder))


def conform(given: Sequence[Raw], schemas: Path) -> None:
    """Hold objects against schemas, unknown fields refused; raises ToolRefusedError."""
    location = f"{schemas}/{{{{ .ResourceKind }}}}{{{{ .KindSuffix }}}}.json"
    stream = "\n---\n".join(json.dumps(each) for each in given)
    run_tool(tool("kubeconform"), "-strict", "-output=json", f"-schema-location={location}", text=stream)


def objects(stream: str) -> list[Raw]:
    """The objects of a stream of YAML."""
    return [each for each in yaml.safe_load_all(stream) if each]


def by_name(given: Iterable[Raw]) -> dict[tuple[str, str], Raw]:
    """Objects by kind and name."""
    return {(each["kind"], each["metadata"]["name"]): each for each in given}
