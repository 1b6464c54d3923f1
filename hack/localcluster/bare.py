"""A control plane without nodes, for integration tests: real admission, storage and controllers in seconds.

No root, no containers: etcd, the API server, the controller manager and, when asked for, the scheduler and
kwok's nodes run as plain processes on loopback ports. Any number can run beside each other.
"""

import json
import secrets
import shutil
import signal
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from localcluster import flags, gobuild, kubeconfig, played, ports
from localcluster.errors import LocalClusterError
from localcluster.kubectl import run_kubectl
from localcluster.processes import ProcessGroup
from localcluster.progress import tail
from localcluster.versions import CONTROL_PLANE

START_SECONDS = 60.0
ATTEMPTS = 3
CONTROLLERS = ("kube-controller-manager", "kube-scheduler", "kwok")  # users apart from the test's own
EVERY_REQUEST: Mapping[str, Any] = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [{"level": "Metadata"}],
}


@dataclass(kw_only=True)
class BareControlPlane:
    """Use it as a context manager; every field is optional.

    Attributes:
        scheduler: Also run the scheduler (for nodes that the test plays itself).
        played_nodes: So many nodes that kwok plays, and the scheduler to bind pods to them; see `played`.
        controller_manager: Run the controllers; without them, no CronJob fires and nothing is collected.
        users: Further users and their groups; see `kubeconfig_for`.
        kube_api_qps: The client limit of the controller manager and the scheduler; 20 is Kubernetes' own for
            the former.
        audit: Write every request to `audit_log`; turn it off to measure speed.
        audit_policy: What to write instead of one line for each request.
        api_server_args: Further flags for the API server.
        controller_manager_args: Further flags for the controller manager, such as
            ``--use-service-account-credentials`` where it matters which controller wrote something.
    """

    scheduler: bool = False
    played_nodes: int = 0
    controller_manager: bool = True
    users: Mapping[str, Sequence[str]] = field(default_factory=dict)
    kube_api_qps: int = 20
    audit: bool = True
    audit_policy: Mapping[str, Any] = field(default_factory=lambda: EVERY_REQUEST)
    api_server_args: Sequence[str] = ()
    controller_manager_args: Sequence[str] = ()

    def __post_init__(self) -> None:
        self.token = secrets.token_hex(16)
        self._tokens = {user: secrets.token_hex(16) for user in self.users}
        self._claims: list[ports.ClaimedPort] = []
        self._group: ProcessGroup | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def directory(self) -> Path:
        """The temporary directory with everything in it; gone after `stop`."""
        return self._running.directory

    @property
    def url(self) -> str:
        """Where the API server listens."""
        return f"https://127.0.0.1:{self._claims[2].number}"

    @property
    def certificate(self) -> Path:
        """What to trust when speaking to the API server."""
        return self.directory / "certificates" / "apiserver.crt"

    @property
    def kubeconfig(self) -> Path:
        """An administrator's kubeconfig."""
        return self.directory / "admin.kubeconfig"

    @property
    def audit_log(self) -> Path:
        """One JSON object for each request, in the file before the request is answered."""
        return self.directory / "audit.log"

    @property
    def pids(self) -> dict[str, int]:
        """The running programs, for tests that look at their memory or stop them for a while."""
        return self._running.pids()

    def start(self) -> None:
        """Start everything and wait until it serves."""
        programs = gobuild.programs(CONTROL_PLANE)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._start(programs)
            except LocalClusterError as problem:
                self.stop()
                if attempt == ATTEMPTS or "address already in use" not in str(problem):
                    raise
            except BaseException:
                self.stop()
                raise
            else:
                return

    def stop(self) -> None:
        """End all programs and remove the directory; once more does nothing."""
        if self._group is not None:
            self._group.stop()
            self._group = None
        for claim in self._claims:
            claim.release()
        self._claims = []

    def start_api_server(self) -> None:
        """Start the API server (again, on the same port and data) and wait until it serves."""
        self._running.start("kube-apiserver", self._api_server)
        self._await("/readyz")

    def stop_api_server(self, *, graceful: bool = False) -> None:
        """End the API server at once, as a crash would; gracefully lets open requests end."""
        self._running.kill("kube-apiserver", signal.SIGTERM if graceful else signal.SIGKILL)

    def restart_api_server(self) -> None:
        """A crash of the API server and its return."""
        self.stop_api_server()
        self.start_api_server()

    def kubectl(self, *arguments: str, input: str | None = None) -> str:  # noqa: A002 - subprocess' name
        """Run kubectl as the administrator and return what it prints."""
        return run_kubectl(self._programs / "kubectl", self.kubeconfig, arguments, input)

    def kubeconfig_for(self, user: str) -> Path:
        """The kubeconfig of one of `users`."""
        return self._write_kubeconfig(f"user-{user}", user, self._tokens[user])

    def audit_events(self) -> list[dict[str, Any]]:
        """The requests so far."""
        lines = self.audit_log.read_text().splitlines() if self.audit_log.exists() else []
        return [json.loads(line) for line in lines]

    @property
    def _running(self) -> ProcessGroup:
        if self._group is None:
            raise LocalClusterError("the control plane is not running")
        return self._group

    def _start(self, programs: Path) -> None:
        self._programs = programs
        self._claims = [ports.claim() for _ in range(3)]
        client, peer, secure = (claim.number for claim in self._claims)
        self._group = group = ProcessGroup("flexlbf-bare-")
        self._write_files()
        group.start("etcd", flags.etcd(programs, self.directory, client, peer))
        self._api_server = [
            *flags.api_server(programs, self.directory, client, secure),
            *self.api_server_args,
        ]
        if self.audit:
            self._api_server += flags.audit(self.directory / "audit-policy.json", self.audit_log)
        self.start_api_server()
        if self.controller_manager:
            group.start(
                "kube-controller-manager",
                flags.controller_manager(
                    programs, self.directory, self.kube_api_qps, self.controller_manager_args
                ),
            )
        if self.scheduler or self.played_nodes:
            group.start("kube-scheduler", flags.scheduler(programs, self.directory, self.kube_api_qps))
        if self.controller_manager:  # pods are refused until the controllers have made the account
            self._await("/api/v1/namespaces/default/serviceaccounts/default")
        if self.played_nodes:
            self._play_nodes()

    def _play_nodes(self) -> None:
        """Start kwok and wait until pods can be bound to its nodes."""
        self._running.start("kwok", played.command(self.directory / "kwok.kubeconfig", self.directory))
        self.kubectl("apply", "-f", "-", input=json.dumps(played.nodes(self.played_nodes)))
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self.kubectl("wait", "--for=condition=Ready", "node", "--all", "--timeout=2s")
            except LocalClusterError:
                self._running.check()
                if time.monotonic() > deadline:
                    raise
            else:
                return

    def _write_files(self) -> None:
        _make_key(self.directory / "service-account.key")
        (self.directory / "audit-policy.json").write_text(json.dumps(self.audit_policy))
        tokens = {"admin": self.token, **{f"system:{name}": secrets.token_hex(16) for name in CONTROLLERS}}
        rows = [f'{token},{user},{user},"system:masters"' for user, token in tokens.items()]
        rows += [f'{self._tokens[user]},{user},{user},"{",".join(self.users[user])}"' for user in self.users]
        file = self.directory / "tokens.csv"
        file.touch(mode=0o600)
        file.write_text("\n".join(rows) + "\n")
        for user, token in tokens.items():
            self._write_kubeconfig(user.removeprefix("system:"), user, token)

    def _write_kubeconfig(self, name: str, user: str, token: str) -> Path:
        path = self.directory / f"{name}.kubeconfig"
        return kubeconfig.write(path, server=self.url, certificate=self.certificate, user=user, token=token)

    def _await(self, path: str) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(self.url + path, self.token):
            self._running.check()
            if time.monotonic() > deadline:
                log = self._running.log("kube-apiserver")
                raise LocalClusterError(
                    f"{self.url}{path} did not answer within {START_SECONDS:.0f} s. "
                    f"The end of the API server's log:\n{tail(log)}"
                )
            time.sleep(0.05)


def _make_key(path: Path) -> None:
    """The key that signs service accounts' tokens."""
    openssl = shutil.which("openssl")
    if openssl is None:
        raise LocalClusterError("openssl is needed to make the service accounts' key; please install it")
    subprocess.run([openssl, "genrsa", "-out", path, "2048"], check=True, capture_output=True)


def _answers(url: str, token: str) -> bool:
    """Whether the API server serves ``url``; its certificate is not looked at, the port is ours."""
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})  # noqa: S310
    trust = ssl.create_default_context()
    trust.check_hostname = False
    trust.verify_mode = ssl.CERT_NONE
    # the person's proxy has no business on the loopback
    direct = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trust)
    )
    try:
        with direct.open(request, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
