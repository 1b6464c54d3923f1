"""The way of the README: CRDs, role and operator, as manifests; and the same way back."""

import time
from pathlib import Path
from typing import Any

from demo.clusters import Cluster
from localcluster.errors import LocalClusterError
from localcluster.kubectl import wait_until
from localcluster.progress import say, step

ROOT = Path(__file__).resolve().parents[2]
CRDS = ROOT / "crds"
OPERATOR = (ROOT / "config/rbac", ROOT / "config/admission", ROOT / "config/manager")
SYSTEM = "flexlbf-system"
DEPLOYMENT = "deployment/flexlbf-operator"
PODS = "--selector=app.kubernetes.io/name=flexlbf-operator"
START_SECONDS = 60
READY_SECONDS = 120


def install(cluster: Cluster) -> None:
    """Install the operator, which runs in the cluster under its own service account."""
    with step("Installing the CRDs, the role and the operator"):
        cluster.apply(CRDS)
        cluster.kubectl("wait", "--for=condition=Established", "--timeout=60s", f"--filename={CRDS}")
        kinds = len(list(CRDS.glob("*.yaml")))
        # kubectl remembers what it saw before they were there; this looks anew.
        listed = ("api-resources", "--api-group=flexlbf.io", "--output=name")
        wait_until(lambda: len(cluster.kubectl(*listed).split()) == kinds, 30, "the kinds of flexlbf.io")
        cluster.apply(*OPERATOR)
        await_operator(cluster)


def await_operator(cluster: Cluster) -> None:
    """Wait until the operator answers its probes; if it doesn't, say what it logged."""
    patience = f"--timeout={START_SECONDS}s"
    try:
        cluster.kubectl("rollout", "status", DEPLOYMENT, f"--namespace={SYSTEM}", patience)
    except LocalClusterError as error:
        pods = cluster.kubectl("get", "pods", f"--namespace={SYSTEM}", "--output=wide")
        raise LocalClusterError(f"{error}\n{pods}\nThe operator's log:\n{operator_log(cluster)}") from error


def operator_log(cluster: Cluster) -> str:
    """What the operator's pods have said so far."""
    return cluster.kubectl("logs", PODS, f"--namespace={SYSTEM}", "--tail=-1", "--prefix", "--ignore-errors")


def uninstall(cluster: Cluster, samples: tuple[Path, ...]) -> None:
    """Remove what was applied; the policies' CronJobs go with them."""
    ignoring = ("--ignore-not-found", "--wait=true", "--timeout=120s")
    for folder in (*samples, *reversed(OPERATOR), CRDS):
        with step(f"Deleting what {folder.relative_to(ROOT)} brought"):
            cluster.kubectl("delete", *ignoring, f"--filename={folder}")


def is_installed(cluster: Cluster) -> bool:
    """Whether somebody has installed the operator already."""
    return "flexlbf.io" in cluster.kubectl("get", "customresourcedefinitions", "--output=name")


def await_policies(cluster: Cluster, namespace: str | None = None) -> None:
    """Wait until every policy, or all of a namespace, are Ready as written now; say how far they are."""
    where = f"--namespace={namespace}" if namespace else "--all-namespaces"
    deadline = time.monotonic() + READY_SECONDS
    told = -1
    while True:
        policies = cluster.items("backuppolicies", where)
        ready = sum(condition(each, "Ready") == "True" for each in policies)
        if ready != told:
            told = ready
            say(f"  {ready} of {len(policies)} policies are ready")
        if ready == len(policies):
            return
        if time.monotonic() > deadline:
            raise LocalClusterError(_why_not(cluster, policies))
        time.sleep(0.5)


def condition(raw: dict[str, Any], kind: str) -> str | None:
    """A condition's status; none as long as it tells of an older version."""
    found = [each for each in raw.get("status", {}).get("conditions", ()) if each["type"] == kind]
    current = [each for each in found if each["observedGeneration"] == raw["metadata"]["generation"]]
    return current[0]["status"] if current else None


def _why_not(cluster: Cluster, policies: list[dict[str, Any]]) -> str:
    lines = []
    for each in policies:
        if condition(each, "Ready") != "True":
            metadata, conditions = each["metadata"], each.get("status", {}).get("conditions", ())
            said = "; ".join(one["message"] for one in conditions if one["type"] == "Ready")
            lines.append(f"  {metadata['namespace']}/{metadata['name']}: {said or 'no status yet'}")
    listed = "\n".join(lines)
    return f"not every policy is ready:\n{listed}\nThe operator's log:\n{operator_log(cluster)}"
