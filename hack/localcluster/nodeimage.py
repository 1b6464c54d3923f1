"""kind's node image: the public one, or one made from packages and our own builds of the programs.

It is made like kind's own: a base with systemd and containerd, then the images of Kubernetes' components
loaded into the containerd inside, then a commit.
"""

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from localcluster import cache, daemon, docker, gobuild, images, rootfs
from localcluster.progress import Run, say, step
from localcluster.versions import (
    CONTROL_PLANE,
    DEBIAN,
    DNS,
    KUBERNETES,
    NODE,
    NODE_IMAGE_SETS,
    PAUSE,
    PUBLIC_NODE_IMAGES,
    ProgramSet,
)

FILES = Path(__file__).parent / "files"
REPOSITORY = "flexlbf-local/kind-node"
RETRY = "PYTHONPATH=hack python3 -m localcluster node-image"
PACKAGES = (
    *("bash", "ca-certificates", "curl", "jq", "procps", "util-linux", "mount"),
    *("systemd", "systemd-sysv", "kmod", "e2fsprogs", "pigz"),
    *("conntrack", "ethtool", "iproute2", "iptables", "nftables"),
    *("containerd", "containernetworking-plugins", "libseccomp2", "runc"),
)
IN_NODE = {"kubeadm": NODE, "kubelet": NODE, "crictl": NODE, "kubectl": CONTROL_PLANE}
IN_IMAGES = {
    "coredns": DNS,
    "etcd": CONTROL_PLANE,
    "kube-apiserver": CONTROL_PLANE,
    "kube-controller-manager": CONTROL_PLANE,
    "kube-scheduler": CONTROL_PLANE,
    "pause": PAUSE,
}
EXECUTABLE_FOLDERS = ("kind/bin", "usr/local/bin")


def node_image() -> str:
    """The name of a node image that the Docker daemon has after this.

    FLEXLBF_NODE_IMAGE names one and skips everything.
    """
    if chosen := os.environ.get("FLEXLBF_NODE_IMAGE"):
        return chosen
    docker.ensure()
    with cache.locked("node-image"):
        # The public image lowers OOM scores, which a host without the capability does not let it.
        public = PUBLIC_NODE_IMAGES if daemon.has_sys_resource() else ()
        found = next(filter(docker.has_image, (*public, local_name())), None)
        return found or next(filter(docker.pull, public), None) or _make()


def local_name() -> str:
    """Named after all that it is made of, so that a changed recipe makes a new image."""
    return f"{REPOSITORY}:{KUBERNETES}-{_recipe()}"


def _recipe() -> str:
    keys = [gobuild.key(programs) for programs in NODE_IMAGE_SETS]
    code = Path(__file__).read_bytes() + Path(images.__file__).read_bytes()
    trees = [*cache.tree_parts(FILES / "node"), *cache.tree_parts(FILES / "kube-proxy")]
    return cache.fingerprint([*keys, code, *_rootfs_recipe(), *trees])


def _rootfs_recipe() -> list[str | bytes]:
    return [rootfs.recipe(), *PACKAGES]


def _make() -> str:
    say("No image registry can be reached: making kind's node image from packages instead.")
    rootfs.ensure_tool()
    for programs in NODE_IMAGE_SETS:
        gobuild.programs(programs)
    log = cache.log_path("node-image")
    log.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix=".node-image-", dir=cache.folder(".")) as work:
        return _assemble(Path(work), Run(log, RETRY))


def _assemble(work: Path, run: Run) -> str:
    names = images.wanted_by(_program("kubeadm", NODE))
    wanted = [names[name] for name in (*IN_IMAGES, "kube-proxy")]
    base = f"{REPOSITORY}-base:{_recipe()}"
    debian = _root_image(work / "root.tar", run)
    try:
        with step(f"Assembling the node; log in {run.log}", "20 s"):
            _stage_node(work / "node")
            arguments = {"ROOTFS": debian, "PAUSE_IMAGE": names["pause"], "KUBERNETES_VERSION": KUBERNETES}
            docker.build_quietly(work / "node", base, arguments, run)
        with step(f"Making the images of {len(wanted)} components", "20 s"):
            for name, programs in IN_IMAGES.items():
                images.import_program(_program(name, programs), names[name])
            _build_proxy(work / "kube-proxy", names["kube-proxy"], debian, run)
        with step("Loading them into the node", "30 s"):
            _load(base, wanted, run)
    finally:
        subprocess.run(["docker", "rmi", base, *wanted], check=False, capture_output=True)
    return local_name()


def _program(name: str, programs: ProgramSet) -> Path:
    return gobuild.programs(programs) / name


def _root_image(archive: Path, run: Run) -> str:
    """Debian with the node's packages; an image of its own, remade only for a new list."""
    image = f"{REPOSITORY}-root:{DEBIAN}-{cache.fingerprint(_rootfs_recipe())}"
    if not docker.has_image(image):
        with step(f"Installing the node's packages; log in {run.log}", "a minute"):
            rootfs.make(archive, PACKAGES, run)
            docker.import_tree(archive, image, ["ENV container=docker"], run)
        archive.unlink()
    return image


def _stage_node(context: Path) -> None:
    """Lay out what the Dockerfile copies; a Go module's files have lost their modes."""
    theirs = context / "kind-files"
    shutil.copytree(gobuild.module_directory("sigs.k8s.io/kind") / "images/base/files", theirs)
    shutil.copytree(FILES / "node", context / "node", ignore=shutil.ignore_patterns("Dockerfile"))
    shutil.copy(FILES / "node" / "Dockerfile", context)
    for path in context.rglob("*"):
        runs = any(path.parent.as_posix().endswith(folder) for folder in EXECUTABLE_FOLDERS)
        path.chmod(0o755 if path.is_dir() or runs else 0o644)
    (context / "programs").mkdir()
    for name, programs in IN_NODE.items():
        shutil.copy(_program(name, programs), context / "programs" / name)


def _build_proxy(context: Path, image: str, debian: str, run: Run) -> None:
    context.mkdir()
    shutil.copy(FILES / "kube-proxy" / "Dockerfile", context)
    shutil.copy(_program("kube-proxy", NODE), context / "kube-proxy")
    docker.build_quietly(context, image, {"ROOTFS": debian}, run)


def _load(base: str, wanted: list[str], run: Run) -> None:
    with tempfile.TemporaryDirectory(prefix=".images-", dir=cache.folder(".")) as work:
        archive = Path(work) / "images.tar"
        run("docker", "save", "--output", archive, *wanted)
        with _sleeping(base, run) as container:
            within = ("docker", "exec", "--interactive", container)
            run("docker", "exec", "--detach", container, "containerd")
            run(*within, "sh", "-c", "until ctr version; do sleep 0.2; done")
            arguments = ("--all-platforms", "--no-unpack", "-")
            run(*within, "ctr", "--namespace=k8s.io", "images", "import", *arguments, source=archive)
            run(*within, "pkill", "-x", "containerd")
            run(*within, "sh", "-c", "while pgrep -x containerd; do sleep 0.1; done")
            entry = 'ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]'
            changes = ("--change", entry, "--change", "CMD []")
            run("docker", "commit", *changes, container, local_name())


@contextmanager
def _sleeping(image: str, run: Run) -> Iterator[str]:
    """A container of the image in which nothing runs yet."""
    name = f"flexlbf-node-image-{uuid.uuid4().hex[:8]}"
    run("docker", "run", "--detach", "--name", name, "--entrypoint", "sleep", image, "infinity")
    try:
        yield name
    finally:
        subprocess.run(["docker", "rm", "--force", name], check=False, capture_output=True)
