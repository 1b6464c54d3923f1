"""The command lines of the bare control plane's programs."""

from collections.abc import Sequence
from pathlib import Path

SCHEDULER_QPS = 50
"""The scheduler's own client limit."""


def etcd(programs: Path, directory: Path, client: int, peer: int) -> list[str | Path]:
    """An etcd that never waits for the disk: its data lives as long as the test."""
    return [
        programs / "etcd",
        f"--data-dir={directory / 'etcd'}",
        f"--listen-client-urls=http://127.0.0.1:{client}",
        f"--advertise-client-urls=http://127.0.0.1:{client}",
        f"--listen-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-cluster=default=http://127.0.0.1:{peer}",
        "--unsafe-no-fsync",
        "--quota-backend-bytes=8589934592",
        "--log-level=warn",
    ]


def api_server(programs: Path, directory: Path, client: int, port: int) -> list[str | Path]:
    """An API server for tests: tokens from a file, RBAC, and limits that no test meets by accident."""
    return [
        programs / "kube-apiserver",
        f"--etcd-servers=http://127.0.0.1:{client}",
        f"--cert-dir={directory / 'certificates'}",
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        f"--secure-port={port}",
        "--endpoint-reconciler-type=none",
        "--service-cluster-ip-range=10.0.0.0/24",
        f"--token-auth-file={directory / 'tokens.csv'}",
        "--authorization-mode=Node,RBAC",
        "--allow-privileged=true",
        f"--service-account-key-file={directory / 'service-account.key'}",
        f"--service-account-signing-key-file={directory / 'service-account.key'}",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--max-requests-inflight=3000",
        "--max-mutating-requests-inflight=1500",
        "--profiling=false",
    ]


def audit(policy: Path, log: Path) -> list[str]:
    """Every request in the log before its answer is sent, so that a test can count what it caused."""
    return [
        f"--audit-policy-file={policy}",
        f"--audit-log-path={log}",
        "--audit-log-mode=blocking",
        "--audit-log-maxsize=100000",  # megabytes; by itself it begins a new file after 100
    ]


def controller_manager(
    programs: Path, directory: Path, qps: int, extra: Sequence[str] = ()
) -> list[str | Path]:
    """The controllers, among them those of CronJobs, Jobs and garbage collection.

    They share one user: an account for each, as in a real cluster, costs four seconds at the start.
    """
    return [
        programs / "kube-controller-manager",
        f"--kubeconfig={directory / 'kube-controller-manager.kubeconfig'}",
        f"--service-account-private-key-file={directory / 'service-account.key'}",
        "--leader-elect=false",
        "--secure-port=0",
        f"--kube-api-qps={qps}",
        f"--kube-api-burst={qps * 3 // 2}",
        *extra,
    ]


def scheduler(programs: Path, directory: Path, qps: int) -> list[str | Path]:
    """The scheduler, for tests that bring nodes of their own."""
    return [
        programs / "kube-scheduler",
        f"--kubeconfig={directory / 'kube-scheduler.kubeconfig'}",
        "--leader-elect=false",
        "--secure-port=0",
        f"--kube-api-qps={max(qps, SCHEDULER_QPS)}",
        f"--kube-api-burst={2 * max(qps, SCHEDULER_QPS)}",
    ]
