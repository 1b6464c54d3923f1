"""The command line of `make demo`."""

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demo import files, install, restore, session
from demo.clusters import KIND_NAME, Cluster, given_cluster, kind_cluster, undisturbed
from demo.install import ROOT
from demo.plans import planned_objects, show_alternatives, show_cron_jobs, show_table
from demo.text import heading, show
from flexlbf.api.quantities import parse_quantity
from localcluster.errors import LocalClusterError
from localcluster.progress import duration, say, step

NAMESPACE, POLICY, SET, POOL, CLASS = "demo", "nightly", "office", "demo", "demo"
SAMPLES = ROOT / "config/samples"
DEMO = SAMPLES / "demo"


def main(arguments: list[str] | None = None) -> int:
    """Run the demo; problems that a person can do something about come without a traceback."""
    options = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    started = time.monotonic()
    try:
        with _cluster(options) as cluster:
            run(cluster)
            say(f"\nThe demo took {duration(time.monotonic() - started)}.")
            if options.keep:
                _tell_how_to_go_on(cluster, given=options.kubeconfig)
    except LocalClusterError as problem:
        say(f"error: {problem}")
        return 1
    except KeyboardInterrupt:
        say("stopped; everything is cleaned up" if not options.keep else "stopped")
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make demo", description=sys.modules["demo"].__doc__)
    parser.add_argument("--keep", action="store_true", help="leave the cluster, or what was installed in it")
    parser.add_argument(
        "--kubeconfig",
        default=os.environ.get("KUBECONFIG") if os.environ.get("USE_KUBECONFIG") == "1" else None,
        help="use this cluster instead of kind (USE_KUBECONFIG=1: that of $KUBECONFIG)",
    )
    parser.add_argument("--image", help="with --kubeconfig: the image, as the cluster's nodes can pull it")
    return parser


@contextmanager
def _cluster(options: argparse.Namespace) -> Iterator[Cluster]:
    if not options.kubeconfig:
        with kind_cluster(keep=options.keep) as cluster:
            yield cluster
        return
    with given_cluster(options.kubeconfig, options.image) as cluster:
        if install.is_installed(cluster):
            raise LocalClusterError(
                "this cluster has FlexLBF already, and the demo would replace it: use kind"
            )
        try:
            yield cluster
        finally:
            if not options.keep:
                with undisturbed():
                    _clean_up(cluster)


def run(cluster: Cluster) -> None:
    """From an empty cluster to a restored object."""
    install.install(cluster)
    _apply_samples(cluster)
    show_table(cluster, "get", "bpol", "--all-namespaces")
    where = f"--namespace={NAMESPACE}"
    policy = cluster.get("backuppolicy", POLICY, where)
    show_alternatives(policy)
    objects = cluster.get("backupset", SET, where)["spec"]["objects"]
    plan = planned_objects(cluster, NAMESPACE, POLICY, objects)
    show_cron_jobs(plan)
    show_table(cluster, "get", "tp")

    heading("One session, with the clock wound forward")
    show(
        "  The CronJobs' minutes are not waited for: each Job is made from its CronJob, in the plan's order,"
    )
    show("  as soon as the drive that it is planned for has room. The files are a thousandth of the plan's.")
    drives = _drives(cluster, policy["status"]["recommendation"]["maxAgents"])
    files.make(cluster, NAMESPACE, objects, [each.name for each in drives])
    running = session.Session(cluster, NAMESPACE, drives)
    outcomes = running.run(plan)
    session.show_outcomes(outcomes)
    failed = [each.planned.object for each in outcomes if not each.succeeded]
    if failed:
        raise LocalClusterError(f"{len(failed)} of {len(outcomes)} backups failed: {', '.join(failed)}")
    total = sum(each.message["bytes"] for each in outcomes)
    show(f"  All {len(outcomes)} succeeded: {total / 1e6:.1f} MB in {duration(running.seconds)}.")

    first = plan[0]
    heading(f"Restoring {first.object} from {first.drive}, and comparing it with its source")
    wanted = next(each for each in objects if each["name"] == first.object)
    number = restore.restore_and_compare(cluster, NAMESPACE, wanted, f"{files.TAPES}/{first.drive}")
    show(f"  The same: {number} files, their names, contents, modes and times, and links (diff -r).")


def _apply_samples(cluster: Cluster) -> None:
    with step("Applying config/samples and config/samples/demo"):
        cluster.apply(*_samples())
        if node := cluster.one_node():
            spec = {"podTemplate": {"spec": {"nodeSelector": node}}}
            patch = json.dumps({"spec": spec})
            cluster.kubectl("patch", "backupclass", CLASS, "--type=merge", f"--patch={patch}")
    with step("Waiting until every policy has its plan"):
        install.await_policies(cluster)


def _samples() -> tuple[Path, ...]:
    return (SAMPLES, DEMO) if list(SAMPLES.glob("*.yaml")) else (DEMO,)


def _drives(cluster: Cluster, max_agents: int) -> list[session.Drive]:
    """All drives of the pool, with the agents that the plan gives each."""
    return [
        session.Drive(f"{group['name']}-{index}", max_agents, parse_quantity(group["maxThroughput"]))
        for group in cluster.get("tapepool", POOL)["spec"]["drives"]
        for index in range(group["count"])
    ]


def _clean_up(cluster: Cluster) -> None:
    """Leave a given cluster as it was."""
    with step("Removing the demo's files from the node"):
        if cluster.kubectl("get", "namespace", NAMESPACE, "--ignore-not-found"):
            files.remove(cluster, NAMESPACE)
    install.uninstall(cluster, tuple(reversed(_samples())))


def _tell_how_to_go_on(cluster: Cluster, *, given: str | None) -> None:
    if given:
        say("What was installed stays, as you asked. To remove it:")
        for folder in (*reversed(_samples()), *reversed(install.OPERATOR), install.CRDS):
            say(f"  kubectl delete -f {folder.relative_to(ROOT)}")
        return
    say("The cluster stays, as you asked. To look around:")
    say(f"  export KUBECONFIG={cluster.kubeconfig}")
    say("  kubectl get bpol,cronjobs,jobs --namespace=demo")
    say("  kubectl explain bpol.spec")
    say("To remove it:")
    say(f"  PYTHONPATH=hack python3 -m localcluster kind-down --name {KIND_NAME}")


if __name__ == "__main__":
    sys.exit(main())
