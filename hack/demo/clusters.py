"""The cluster that the demo runs on: kind with a name of its own, or the one that a person gives it."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import image
from localcluster import docker, gobuild, kind
from localcluster.errors import LocalClusterError
from localcluster.kubectl import run_kubectl
from localcluster.progress import say
from localcluster.versions import CONTROL_PLANE

KIND_NAME = "flexlbf-demo"


@dataclass(frozen=True)
class Cluster:
    """Where everything happens, and the image that its nodes have or can pull."""

    program: Path
    kubeconfig: Path
    image: str

    def kubectl(self, *arguments: str, text: str | None = None) -> str:
        """Run kubectl and return what it prints."""
        return run_kubectl(self.program, self.kubeconfig, arguments, text)

    def get(self, *arguments: str) -> Any:
        """What `kubectl get` answers, parsed."""
        return json.loads(self.kubectl("get", *arguments, "--output=json"))

    def items(self, *arguments: str) -> list[dict[str, Any]]:
        """The objects that `kubectl get` lists."""
        found: list[dict[str, Any]] = self.get(*arguments)["items"]
        return found

    def one_node(self) -> dict[str, str]:
        """A node selector that keeps pods together: a folder of a node is on that node only."""
        nodes = self.items("nodes")
        free = [
            each for each in nodes if not each["spec"].get("taints") and not each["spec"].get("unschedulable")
        ]
        names = sorted(each["metadata"]["labels"]["kubernetes.io/hostname"] for each in free)
        return {"kubernetes.io/hostname": names[0]} if len(nodes) > 1 and names else {}

    def apply(self, *paths: Path) -> None:
        """Apply manifests, as many as a folder has, with this cluster's image in place of the built one."""
        for path in paths:
            for file in sorted(path.glob("*.yaml")) if path.is_dir() else [path]:
                text = file.read_text().replace(image.IMAGE, self.image)
                self.kubectl("apply", "--server-side", "--filename=-", text=text)


@contextmanager
def kind_cluster(
    name: str = KIND_NAME, *, keep: bool = False, audit_policy: Mapping[str, Any] | None = None
) -> Iterator[Cluster]:
    """A new kind cluster with the image; unless it is kept, it is deleted however the block ends."""
    if reason := kind.can_run_kind():
        raise LocalClusterError(f"{reason}; or use a cluster of yours: make demo USE_KUBECONFIG=1")
    docker.ensure()
    built = image.build()
    if name in kind.existing():
        say(f"There is a cluster {name} from before.")
        kind.down(name)
    try:
        running = kind.up(name, audit_policy=audit_policy)
        running.load(built)
        yield Cluster(gobuild.programs(CONTROL_PLANE) / "kubectl", running.kubeconfig, built)
    finally:
        if not keep:
            with undisturbed():
                kind.down(name)


@contextmanager
def given_cluster(kubeconfig: str, image_name: str | None) -> Iterator[Cluster]:
    """The cluster of a kubeconfig's current context; the file is read and never written."""
    found = shutil.which("kubectl")
    program = Path(found) if found else gobuild.programs(CONTROL_PLANE) / "kubectl"
    with tempfile.TemporaryDirectory(prefix="flexlbf-demo-") as work:
        # A copy: kubectl keeps its discovery beside it, and the person may switch contexts meanwhile.
        copy = Path(work) / "kubeconfig"
        copy.touch(mode=0o600)
        copy.write_text(_current_context(program, kubeconfig))
        context = json.loads(copy.read_text())["current-context"]
        say(f"Using the cluster of {kubeconfig}, context {context}.")
        yield Cluster(program, copy, image_name or _loaded(context))


def _current_context(program: Path, kubeconfig: str) -> str:
    """The part of a kubeconfig, which may be several files, that is used at present."""
    view: list[str | Path] = [program, "config", "view", "--raw", "--flatten", "--minify", "--output=json"]
    environment = {**os.environ, "KUBECONFIG": kubeconfig}
    done = subprocess.run(view, check=False, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise LocalClusterError(f"{kubeconfig} leads to no cluster: {done.stderr.strip()}")
    return done.stdout


def _loaded(context: str) -> str:
    """The image, brought into a given cluster when that is kind's."""
    name = context.removeprefix("kind-")
    if name == context or kind.can_run_kind() or name not in kind.existing():
        raise LocalClusterError(
            "the nodes of this cluster need the image: push what `make image` builds to a registry of yours, "
            "and say make demo USE_KUBECONFIG=1 ARGS='--image=REGISTRY/flexlbf-operator:TAG'"
        )
    built = image.build()
    kind.KindCluster(name).load(built)
    return built


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let a second Ctrl-C not stop the cleaning up after the first."""
    signals = (signal.SIGINT, signal.SIGTTOU)
    before = [signal.signal(each, signal.SIG_IGN) for each in signals]
    # The terminal signals a group, and the tools that clean up would listen to it: so leave that group.
    group = os.getpgrp()
    with contextlib.suppress(PermissionError):  # the leader of a session can't
        os.setpgid(0, 0)
    try:
        yield
    finally:
        with contextlib.suppress(PermissionError, ProcessLookupError):
            os.setpgid(0, group)
        for each, handler in zip(signals, before, strict=True):
            signal.signal(each, handler)
