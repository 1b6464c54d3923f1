"""The verbs of the command line; results go to standard output, everything else to standard error."""

import argparse
import signal
import sys
import time
from pathlib import Path

from localcluster import baseimage, daemon, docker, gobuild, kind, nodeimage
from localcluster.bare import BareControlPlane
from localcluster.errors import LocalClusterError
from localcluster.progress import duration, say
from localcluster.versions import (
    CHART_TOOLS,
    CONTROL_PLANE,
    GITOPS_TOOLS,
    KIND_ITSELF,
    KWOK_ITSELF,
    MONITORING,
    NODE_IMAGE_SETS,
    PROMETHEUS_TOOLS,
)


def main(arguments: list[str] | None = None) -> int:
    """Run one verb; problems that a person can do something about come without a traceback."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except LocalClusterError as problem:
        say(f"error: {problem}")
        return 1
    except KeyboardInterrupt:
        say("stopped")
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="localcluster", description=sys.modules["localcluster"].__doc__)
    verbs = parser.add_subparsers(required=True, metavar="VERB")

    verb = verbs.add_parser("build", help="build the programs into the cache")
    sets = ("bare", "kind", "chart", "prometheus", "gitops")
    verb.add_argument("what", choices=sets, nargs="?", default="bare")
    verb.set_defaults(run=_build)

    verb = verbs.add_parser("bare", help="run a control plane without nodes until Ctrl-C")
    verb.add_argument("--scheduler", action="store_true", help="also run the scheduler")
    verb.add_argument(
        "--played-nodes", type=int, default=0, help="so many nodes that kwok plays, and the scheduler"
    )
    verb.add_argument("--kube-api-qps", type=int, default=20, help="the controllers' client limit")
    verb.set_defaults(run=_bare)

    verb = verbs.add_parser("docker-start", help="see to it that a Docker daemon answers")
    verb.set_defaults(run=lambda _: docker.ensure())

    verb = verbs.add_parser("docker-stop", help="stop the Docker daemon that was started from here")
    verb.set_defaults(run=lambda _: daemon.stop())

    verb = verbs.add_parser("base-image", help="print the name of an image with Python, made when needed")
    verb.set_defaults(run=lambda _: print(baseimage.base_image()))

    verb = verbs.add_parser("node-image", help="print the name of kind's node image, made when needed")
    verb.set_defaults(run=lambda _: print(nodeimage.node_image()))

    verb = verbs.add_parser("kind-up", help="create a kind cluster and print the path of its kubeconfig")
    verb.add_argument("--name", default=kind.DEFAULT_NAME)
    verb.add_argument("--mount", action="append", default=[], metavar="HOST_DIR:NODE_DIR", type=_mount)
    verb.set_defaults(run=lambda given: print(kind.up(given.name, dict(given.mount)).kubeconfig))

    verb = verbs.add_parser("kind-down", help="delete a kind cluster")
    verb.add_argument("--name", default=kind.DEFAULT_NAME)
    verb.set_defaults(run=lambda given: kind.down(given.name))

    verb = verbs.add_parser("kind-load", help="bring images of the Docker daemon into a kind cluster")
    verb.add_argument("--name", default=kind.DEFAULT_NAME)
    verb.add_argument("image", nargs="+")
    verb.set_defaults(run=lambda given: kind.KindCluster(given.name).load(*given.image))
    return parser


def _mount(text: str) -> tuple[Path, str]:
    host, colon, inside = text.partition(":")
    if not colon or not inside.startswith("/"):
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST_DIR:NODE_DIR")
    return Path(host), inside


def _build(options: argparse.Namespace) -> None:
    sets = {
        "bare": (CONTROL_PLANE, KWOK_ITSELF),
        "kind": (KIND_ITSELF, *NODE_IMAGE_SETS),
        "chart": (CHART_TOOLS,),
        "prometheus": (PROMETHEUS_TOOLS,),
        "gitops": GITOPS_TOOLS,
    }
    for programs in sets[options.what]:
        print(gobuild.programs(programs))
    if options.what == "prometheus":
        gobuild.module_directory(MONITORING, "prometheusoperator")


def _bare(options: argparse.Namespace) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    started = time.monotonic()
    with BareControlPlane(
        scheduler=options.scheduler, played_nodes=options.played_nodes, kube_api_qps=options.kube_api_qps
    ) as plane:
        say(f"The control plane serves at {plane.url} after {duration(time.monotonic() - started)}.")
        say("Ctrl-C ends it and removes everything. In another shell:")
        print(f"export KUBECONFIG={plane.kubeconfig}", flush=True)
        signal.pause()
