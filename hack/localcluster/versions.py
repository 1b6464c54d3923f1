"""What is built, in which version: the one place to bump.

The Go modules under ``files/modules`` pin the same versions with their checksums; a unit test keeps the
two in step.
"""

from dataclasses import dataclass

KUBERNETES = "v1.36.3"
MAJOR, MINOR, _ = KUBERNETES.removeprefix("v").split(".")
ETCD = "v3.6.8"  # the one that this Kubernetes is built against
KIND = "v0.33.0"
KWOK = "v0.8.0"
CRI_TOOLS = "v1.36.0"
COREDNS = "v1.14.2"
HELM = "v4.3.1"
HELM_3 = "v3.22.0"
KUSTOMIZE = "v5.8.1"
KUBECONFORM = "v0.8.0"
PROMETHEUS = "v0.312.0"  # Prometheus 3.12; its modules are numbered so
PROMETHEUS_OPERATOR = "v0.85.0"
MONITORING = "github.com/prometheus-operator/prometheus-operator"
"""Nothing of it is built: our ServiceMonitor and PrometheusRule are held against its CRDs."""
KSTATUS = "v0.37.2"  # sigs.k8s.io/cli-utils
FLUX_RUNTIME = "v0.110.0"  # github.com/fluxcd/pkg/runtime
ARGO_CD = "v3.5.7"
DEBIAN = "bookworm"

PUBLIC_NODE_IMAGES = (
    f"kindest/node:{KUBERNETES}",
    # the one that this version of kind comes with
    "kindest/node:v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5",
)
PYTHON_IMAGE = "python:3.13-slim"

MINIMUM_GO = (1, 21)  # from here on, `go` fetches the toolchain that a module asks for


@dataclass(frozen=True)
class ProgramSet:
    """Programs that are built together because they share most of their packages."""

    name: str
    version: str
    module: str  # folder under files/modules
    programs: dict[str, str]  # program -> Go package
    usual_minutes: int  # on two cores, from nothing
    facts: tuple[tuple[str, str], ...] = ()  # Go variables that the linker sets
    tags: tuple[str, ...] = ()  # of Go, for what to build


CONTROL_PLANE = ProgramSet(
    name="control-plane",
    version=KUBERNETES,
    module="kubernetes",
    programs={
        "etcd": "go.etcd.io/etcd/server/v3",
        "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
        "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
        "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
        "kubectl": "k8s.io/kubernetes/cmd/kubectl",
    },
    usual_minutes=6,
)
KIND_ITSELF = ProgramSet(
    name="kind",
    version=KIND,
    module="kubernetes",
    programs={"kind": "sigs.k8s.io/kind"},
    usual_minutes=1,
)
KWOK_ITSELF = ProgramSet(
    name="kwok",
    version=KWOK,
    module="kwok",
    programs={"kwok": "sigs.k8s.io/kwok/cmd/kwok"},
    usual_minutes=2,
)
NODE = ProgramSet(
    name="node",
    version=KUBERNETES,
    module="kubernetes",
    programs={
        "crictl": "sigs.k8s.io/cri-tools/cmd/crictl",
        "kube-proxy": "k8s.io/kubernetes/cmd/kube-proxy",
        "kubeadm": "k8s.io/kubernetes/cmd/kubeadm",
        "kubelet": "k8s.io/kubernetes/cmd/kubelet",
    },
    usual_minutes=3,
)
DNS = ProgramSet(
    name="coredns",
    version=COREDNS,
    module="coredns",
    programs={"coredns": "github.com/coredns/coredns"},
    usual_minutes=2,
)
PAUSE = ProgramSet(
    name="pause",
    version=KUBERNETES,
    module="pause",
    programs={"pause": "localcluster/pause"},
    usual_minutes=1,
)
CHART_TOOLS = ProgramSet(
    name="chart-tools",
    version=HELM,
    module="charttools",
    programs={
        "helm": "helm.sh/helm/v4/cmd/helm",
        "helm3": "helm.sh/helm/v3/cmd/helm",
        "kubeconform": "github.com/yannh/kubeconform/cmd/kubeconform",
        "kustomize": "sigs.k8s.io/kustomize/kustomize/v5",
    },
    usual_minutes=5,
    facts=(
        ("helm.sh/helm/v4/internal/version.version", HELM),
        ("helm.sh/helm/v3/internal/version.version", HELM_3),
        # What Helm 3 takes a cluster for when it renders without one; Helm 4 finds it by itself.
        ("helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor", MAJOR),
        ("helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor", MINOR),
        ("sigs.k8s.io/kustomize/api/provenance.version", KUSTOMIZE),
        ("main.version", KUBECONFORM),
    ),
)
PROMETHEUS_TOOLS = ProgramSet(
    name="prometheus-tools",
    version=PROMETHEUS,
    module="prometheus",
    programs={"promtool": "github.com/prometheus/prometheus/cmd/promtool"},
    usual_minutes=3,
    tags=("remove_all_sd",),  # or it would be built with the clients of every cloud
)
# Small programs of our own around what kstatus, Flux and Argo CD judge objects with.
STATUS_TOOLS = ProgramSet(
    name="status-tools",
    version=KSTATUS,
    module="health",
    programs={"kstatus": "localcluster/health/kstatus", "fluxhealth": "localcluster/health/fluxhealth"},
    usual_minutes=2,
)
ARGO_TOOLS = ProgramSet(
    name="argo-tools",
    version=ARGO_CD,
    module="argo",
    programs={"argolua": "localcluster/argo/argolua"},
    usual_minutes=3,
)
GITOPS_TOOLS = (STATUS_TOOLS, ARGO_TOOLS)
NODE_IMAGE_SETS = (CONTROL_PLANE, NODE, DNS, PAUSE)
