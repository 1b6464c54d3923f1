"""Fluent builders of the API's resources, so that a test says only what it is about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

Raw = dict[str, Any]

GROUP_VERSION = "flexlbf.io/v1alpha1"


@dataclass(frozen=True)
class Resource:
    """A resource of one kind; every method gives another one and leaves this one as it is."""

    kind: str
    name: str
    spec: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def setting(self, **fields: Any) -> Self:
        """With these fields of the spec, in the API's spelling; None takes a field out."""
        spec = {key: value for key, value in {**self.spec, **fields}.items() if value is not None}
        return replace(self, spec=spec)

    def labelled(self, labels: Mapping[str, str]) -> Self:
        """With these labels besides."""
        return replace(self, labels={**self.labels, **labels})

    def build(self, namespace: str | None = None, **metadata: Any) -> Raw:
        """The resource as a file or the API server has it."""
        placed = {"namespace": namespace} if namespace else {}
        labels = {"labels": dict(self.labels)} if self.labels else {}
        return {
            "apiVersion": GROUP_VERSION,
            "kind": self.kind,
            "metadata": {"name": self.name, **placed, **labels, **metadata},
            "spec": dict(self.spec),
        }

    def observed(self, namespace: str | None = None, *, version: int = 1, generation: int = 1) -> Raw:
        """The resource as the API server gives it back."""
        return self.build(
            namespace,
            uid=f"uid-of-{self.kind}-{self.name}",
            resourceVersion=str(version),
            generation=generation,
        )


@dataclass(frozen=True)
class Pool(Resource):
    """A TapePool."""

    def with_drives(
        self,
        name: str = "lto",
        count: int = 2,
        *,
        max_throughput: str = "80M",
        max_agents: int = 10,
        devices: Sequence[str] = (),
        unavailable: Sequence[str] = (),
    ) -> Self:
        """One group of drives more."""
        group = {"name": name, "count": count, "maxThroughput": max_throughput, "maxAgents": max_agents}
        if devices:
            group["devices"] = list(devices)
        if unavailable:
            group["unavailable"] = [{"drive": each, "reason": "being cleaned"} for each in unavailable]
        return self.setting(drives=[*self.spec.get("drives", ()), group])

    def for_namespaces(self, labels: Mapping[str, str]) -> Self:
        """For namespaces with these labels only."""
        return self.setting(allowedNamespaces={"matchLabels": dict(labels)})


@dataclass(frozen=True)
class Class(Resource):
    """A BackupClass."""

    def with_pod(self, **fields: Any) -> Self:
        """With these fields of the pod's spec."""
        template = self.spec["podTemplate"]
        return self.setting(podTemplate={**template, "spec": {**template["spec"], **fields}})

    def with_container(self, **fields: Any) -> Self:
        """With these fields of the first container."""
        first, *others = self.spec["podTemplate"]["spec"]["containers"]
        return self.with_pod(containers=[{**first, **fields}, *others])

    def without_container_field(self, name: str) -> Self:
        """Without this field of the first container."""
        first, *others = self.spec["podTemplate"]["spec"]["containers"]
        kept = {key: value for key, value in first.items() if key != name}
        return self.with_pod(containers=[kept, *others])

    def allowing(self, *overrides: str) -> Self:
        """Policies may set these."""
        return self.setting(allowedOverrides=list(overrides))

    def for_namespaces(self, labels: Mapping[str, str]) -> Self:
        """For namespaces with these labels only."""
        return self.setting(allowedNamespaces={"matchLabels": dict(labels)})

    def with_sources(self, **source: Any) -> Self:
        """With these fields of `source`."""
        return self.setting(source={**self.spec.get("source", {}), **source})


@dataclass(frozen=True)
class Set(Resource):
    """A BackupSet."""

    def with_object(self, name: str, duration: str = "10m", throughput: str = "10M", **fields: Any) -> Self:
        """One object more, with an estimate."""
        estimate = {"duration": duration, "throughput": throughput}
        return self._with({"name": name, "estimate": estimate, **fields})

    def with_unmeasured(self, name: str, **fields: Any) -> Self:
        """One object more of which nothing is known."""
        return self._with({"name": name, **fields})

    def with_objects(self, count: int, prefix: str = "fs:/d", minutes: int = 5) -> Self:
        """So many objects more, each some seconds longer than the one before."""
        grown = self
        for index in range(count):
            grown = grown.with_object(
                f"{prefix}{index}", f"{minutes * 60 + index * 7}s", f"{5 + index % 13}M"
            )
        return grown

    def on_host(self, host: str) -> Self:
        """With all objects so far on this host, unless they are on another."""
        return self.setting(objects=[{"host": host, **each} for each in self.spec["objects"]])

    def without_object(self, name: str) -> Self:
        """Without this one."""
        return self.setting(objects=[each for each in self.spec["objects"] if each["name"] != name])

    def with_history_from(self, config_map: str, key: str | None = None) -> Self:
        """With history from a ConfigMap."""
        return self.setting(historyFrom={"configMap": config_map, **({"key": key} if key else {})})

    def _with(self, added: Raw) -> Self:
        return self.setting(objects=[*self.spec.get("objects", ()), added])


@dataclass(frozen=True)
class Policy(Resource):
    """A BackupPolicy."""

    def at(self, schedule: str, time_zone: str | None = None) -> Self:
        """Starting by this schedule."""
        return self.setting(schedule=schedule, timeZone=time_zone)

    def backing_up(self, *names: str) -> Self:
        """With these sets."""
        return self.setting(backupSets={"names": list(names)})

    def selecting(self, labels: Mapping[str, str]) -> Self:
        """With the sets of these labels."""
        return self.setting(backupSets={"selector": {"matchLabels": dict(labels)}})

    def on(self, pool: str) -> Self:
        """On the drives of this pool."""
        return self.setting(tapePool=pool)

    def by(self, backup_class: str) -> Self:
        """By this class."""
        return self.setting(backupClass=backup_class)

    def overriding(self, **overrides: Any) -> Self:
        """With these of `podOverrides`."""
        return self.setting(podOverrides={**self.spec.get("podOverrides", {}), **overrides})


def a_pool(name: str = "library") -> Pool:
    """A pool that has no drives yet."""
    return Pool("TapePool", name)


def a_class(name: str = "directories") -> Class:
    """A class with one container, which gets the object's name as argument."""
    container = {"name": "agent", "image": "example.test/agent:1", "args": ["agent", "$(FLEXLBF_OBJECT)"]}
    return Class("BackupClass", name, {"podTemplate": {"spec": {"containers": [container]}}})


def a_set(name: str = "fleet") -> Set:
    """A set that has no objects yet."""
    return Set("BackupSet", name)


def a_policy(name: str = "weekly") -> Policy:
    """A policy that backs up set `fleet` on pool `library` by class `directories` on Saturday evenings."""
    policy = Policy("BackupPolicy", name)
    return policy.at("0 22 * * 6").backing_up("fleet").on("library").by("directories")


def a_config_map(name: str, **data: str) -> Raw:
    """A ConfigMap; `history_csv` stands for the key `history.csv`."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name},
        "data": {key.replace("_csv", ".csv"): text for key, text in data.items()},
    }
