"""The operator as a chart's user has it: packaged, installed from the package, upgraded and uninstalled."""

from dataclasses import dataclass
from pathlib import Path

from demo.clusters import Cluster
from demo.install import SYSTEM, operator_log
from support.charttools import CHART, RELEASE, Helm, Raw, ToolRefusedError, kustomize, sets

RESTRICTED = "pod-security.kubernetes.io/enforce=restricted"
PATIENCE = "--timeout=120s"


@dataclass(frozen=True)
class Release:
    """The release of the chart in a cluster, under the names that `config/default` has as well."""

    cluster: Cluster
    helm: Helm
    package: Path

    @classmethod
    def of(cls, cluster: Cluster, home: Path) -> "Release":
        """Package the chart."""
        helm = Helm("helm", home, cluster.kubeconfig)
        helm("package", CHART, "--destination", home)
        (package,) = home.glob("*.tgz")
        return cls(cluster, helm, package)

    def install(self) -> None:
        """Install it where Pod Security is restricted, and wait until all of it is ready."""
        self.cluster.kubectl("create", "namespace", SYSTEM)
        self.cluster.kubectl("label", "namespace", SYSTEM, RESTRICTED)
        self._run("install")

    def upgrade(self, *values: str) -> None:
        """Upgrade it, and wait until all of it is ready."""
        self._run("upgrade", *values)

    def uninstall(self) -> None:
        """Uninstall it, and delete its namespace."""
        self.helm("uninstall", RELEASE, f"--namespace={SYSTEM}", "--wait", PATIENCE)
        self.cluster.kubectl("delete", "namespace", SYSTEM, PATIENCE)

    def test(self) -> str:
        """What `helm test` says, with the words of its pod."""
        return self.helm("test", RELEASE, f"--namespace={SYSTEM}", "--logs", PATIENCE)

    def _run(self, verb: str, *values: str) -> None:
        repository, _, tag = self.cluster.image.partition(":")
        chosen = (f"image.repository={repository}", f"image.tag={tag}", "image.pullPolicy=Never", *values)
        try:
            self.helm(verb, RELEASE, self.package, f"--namespace={SYSTEM}", "--wait", PATIENCE, *sets(chosen))
        except ToolRefusedError as error:
            raise AssertionError(f"{error}\n{operator_log(self.cluster)}") from error


def roles() -> list[Raw]:
    """The operator's own roles, as they are in `config/rbac`."""
    kinds = {"Role", "ClusterRole"}
    return [
        each for each in kustomize("rbac") if each["kind"] in kinds and each["metadata"]["name"] == RELEASE
    ]
