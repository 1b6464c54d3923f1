"""What an administrator has set up: two namespaces, who may do what in them, a class and a pool for each."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from localcluster.bare import BareControlPlane
from localcluster.errors import LocalClusterError
from localcluster.kubectl import wait_until
from support.resources import Raw, a_class, a_policy, a_pool, a_set

TENANT = ("--as=alice", "--as-group=tenants")
"""May write policies and sets in `team`, and has no other right anywhere."""
DEVELOPER = ("--as=bob", "--as-group=developers")
"""Has Kubernetes' own role `edit` in `team`, with pods and Jobs, and by mistake may write histories."""
TAPE_ADMIN = ("--as=carol", "--as-group=tape-admins")
"""Administers pools and classes."""

BINDINGS = (
    ("rolebinding", "tenants", "--clusterrole=backup-editor", "--group=tenants", "--namespace=team"),
    ("rolebinding", "developers", "--clusterrole=edit", "--group=developers", "--namespace=team"),
    ("role", "writers", "--verb=create,patch", "--resource=backuphistories.flexlbf.io", "--namespace=team"),
    ("rolebinding", "writers", "--role=writers", "--group=developers", "--namespace=team"),
    ("clusterrolebinding", "tape-admins", "--clusterrole=tape-admin", "--group=tape-admins"),
)


def the_class(name: str = "directory") -> Any:
    """Folders below /srv, as the account `agent`; a policy may set how fast it reads and nothing else."""
    return (
        a_class(name)
        .with_sources(hostPaths=["/srv"], claims=True)
        .setting(serviceAccountName="agent")
        .allowing("RateLimit")
    )


def the_pool(name: str = "lto") -> Any:
    """Two drives."""
    return a_pool(name).with_drives()


def the_set(name: str = "fleet") -> Any:
    """One folder that the class allows."""
    return a_set(name).with_object("fs:/a", source={"hostPath": "/srv/a"})


def the_policy(name: str = "weekly", backup_set: str = "fleet") -> Any:
    """What a tenant may write."""
    names = {"names": [backup_set]}
    return a_policy(name).setting(backupSets=names, tapePool="lto", backupClass="directory")


@dataclass(frozen=True)
class Site:
    """The cluster, as several people see it."""

    plane: BareControlPlane

    def set_up(self) -> None:
        """Make all of it."""
        for name in ("team", "other"):
            self.plane.kubectl("create", "namespace", name)
            self.plane.kubectl("label", "namespace", name, f"team={name}")
        for binding in BINDINGS:
            self.plane.kubectl("create", *binding)
        for each in (the_class(), the_class("closed").for_namespaces({"team": "other"})):
            self.apply(each.build())
        for each in (the_pool(), the_pool("closed").for_namespaces({"team": "other"})):
            self.apply(each.build())
        self.apply(the_set().build("team"), *TENANT)

    def apply(self, raw: Raw, *who: str) -> str:
        """Apply an object as somebody; raises LocalClusterError with the API server's words."""
        how = ("--server-side", "--force-conflicts", "--validate=strict")
        return self.plane.kubectl("apply", *how, *who, "-f", "-", input=json.dumps(raw))

    def refusal(self, raw: Raw, *who: str) -> str:
        """Why somebody may not apply an object; empty if he may."""
        try:
            self.apply(raw, *who, "--dry-run=server")
        except LocalClusterError as error:
            return str(error)
        return ""

    def await_refusal(self, raw: Raw, *who: str) -> str:
        """The same, once the API server knows the latest classes and pools."""
        wait_until(lambda: bool(self.refusal(raw, *who)), 60, f"a refusal of {raw}")
        return self.refusal(raw, *who)

    def get(self, kind: str, name: str) -> Raw:
        """An object of the team's namespace."""
        found: Raw = json.loads(self.plane.kubectl("get", kind, name, "--namespace=team", "--output=json"))
        return found

    def cron_jobs(self, policy: str) -> list[Raw]:
        """What the operator made for a policy of the team."""
        where = ("--namespace=team", f"--selector=flexlbf.io/policy={policy}", "--output=json")
        found: list[Raw] = json.loads(self.plane.kubectl("get", "cronjobs", *where))["items"]
        return found

    def condition(self, policy: str, kind: str) -> Raw:
        """A policy's condition, if it is for the policy as it is now."""
        raw = self.get("bpol", policy)
        found = [each for each in raw.get("status", {}).get("conditions", ()) if each["type"] == kind]
        current = [each for each in found if each["observedGeneration"] == raw["metadata"]["generation"]]
        return current[0] if current else {}

    def await_condition(self, policy: str, kind: str, holds: Callable[[Raw], bool]) -> Raw:
        """A condition, once it is as it should be."""
        wait_until(lambda: holds(self.condition(policy, kind)), 60, f"{kind} of {policy}")
        return self.condition(policy, kind)

    def stalled(self, policy: str) -> tuple[str, str]:
        """Why the operator does not plan a policy."""
        found = self.await_condition(policy, "Stalled", lambda each: each.get("status") == "True")
        return found["reason"], found["message"]
