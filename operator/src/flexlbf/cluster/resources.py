"""The kinds that the operator reads or writes, and their paths on the API server."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Resource:
    """A kind of the API, as its URLs name it; lists of it are read so many objects at a time."""

    group: str
    version: str
    plural: str
    namespaced: bool = True
    page: int = 500

    @property
    def api_version(self) -> str:
        """Group and version as manifests give them."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def path(self, namespace: str | None = None, name: str | None = None, subresource: str = "") -> str:
        """The URL path of a collection or, with a name, of an object."""
        base = f"/apis/{self.group}" if self.group else "/api"
        scope = f"/namespaces/{namespace}" if self.namespaced and namespace else ""
        suffix = f"/{name}" if name else ""
        return f"{base}/{self.version}{scope}/{self.plural}{suffix}{f'/{subresource}' if subresource else ''}"


BACKUP_POLICIES = Resource("flexlbf.io", "v1alpha1", "backuppolicies")
BACKUP_SETS = Resource("flexlbf.io", "v1alpha1", "backupsets")
BACKUP_HISTORIES = Resource("flexlbf.io", "v1alpha1", "backuphistories", page=5)
TAPE_POOLS = Resource("flexlbf.io", "v1alpha1", "tapepools", namespaced=False)
BACKUP_CLASSES = Resource("flexlbf.io", "v1alpha1", "backupclasses", namespaced=False)
CRON_JOBS = Resource("batch", "v1", "cronjobs")
JOBS = Resource("batch", "v1", "jobs")
PODS = Resource("", "v1", "pods")
CONFIG_MAPS = Resource("", "v1", "configmaps")
NAMESPACES = Resource("", "v1", "namespaces", namespaced=False)
EVENTS = Resource("events.k8s.io", "v1", "events")
LEASES = Resource("coordination.k8s.io", "v1", "leases")

OWN_KINDS = (TAPE_POOLS, BACKUP_CLASSES, BACKUP_SETS, BACKUP_POLICIES)
"""Our own kinds, in the order in which they are read: what is referred to before what refers to it."""
