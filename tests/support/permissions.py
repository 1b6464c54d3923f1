"""What an account was granted, held against what it used by the API server's audit log."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Raw = dict[str, Any]
CREATED = 201
FORBIDDEN = 403
TERMINATING = "because it is being terminated"
"""Of a namespace in which nothing may be created any more, whoever asks."""


@dataclass(frozen=True, order=True)
class Permission:
    """One verb on one resource."""

    verb: str
    group: str
    resource: str

    def __str__(self) -> str:
        return f"{self.verb} {self.resource}{f'.{self.group}' if self.group else ''}"


@dataclass
class Usage:
    """What an account did."""

    used: set[Permission] = field(default_factory=set)
    denied: list[str] = field(default_factory=list)


def granted(roles: Iterable[Raw]) -> set[Permission]:
    """The permissions that the rules of roles give; raises AssertionError for a wildcard."""
    found = set()
    for role in roles:
        for rule in role["rules"]:
            assert not rule.get("nonResourceURLs"), f"{role['metadata']['name']} grants URLs"
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    found |= {Permission(verb, group, resource) for verb in rule["verbs"]}
    wild = [str(each) for each in found if "*" in {each.verb, each.group, each.resource}]
    assert not wild, f"wildcards are granted: {wild}"
    return found


def usage(events: Iterable[Raw], account: str) -> Usage:
    """What an account did by an audit log, discovery aside, which everybody may do."""
    seen = Usage()
    for event in events:
        if event["user"]["username"] != account or not event.get("objectRef", {}).get("resource"):
            continue
        place, code = event["objectRef"], event.get("responseStatus", {}).get("code", 0)
        resource = "/".join(filter(None, (place["resource"], place.get("subresource"))))
        permission = Permission(event["verb"], place.get("apiGroup", ""), resource)
        if code == FORBIDDEN and TERMINATING in event["responseStatus"].get("message", ""):
            continue  # allowed by the role, and too late
        if code == FORBIDDEN:
            seen.denied.append(f"{permission} in {place.get('namespace', 'the cluster')}")
            continue
        seen.used.add(permission)
        if (event["verb"], code) == ("patch", CREATED):  # an apply that finds nothing asks for both
            seen.used.add(Permission("create", permission.group, permission.resource))
    return seen
