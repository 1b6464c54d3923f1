"""Asks the running operator a question whose answer is known, from outside, as any client would.

The question is a policy that names a set which isn't there: it needs nothing that only an administrator may
make, and no Job can come of it. An operator that watches, plans and writes statuses says `BackupSetNotFound`.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import kubernetes.client
import kubernetes.config

from flexlbf.cluster.resources import BACKUP_POLICIES, Resource

EXPECTED = "BackupSetNotFound"
POLL_SECONDS = 0.5
_ABSENT = "flexlbf-selftest-absent"


class SelfTestFailed(Exception):  # noqa: N818 - it is an outcome, told to a person
    """The operator did not answer, or not as it should."""


def ask(namespace: str, patience: float) -> float:
    """Apply the question, await the answer, and take the question back.

    Args:
        namespace: where the policy is made, under a name that nobody else has.
        patience: seconds to wait.

    Returns:
        Seconds until the answer was there.

    Raises:
        SelfTestFailed: there was no answer, another one, or the API server refused the question.
    """
    kubernetes.config.load_config()
    api = kubernetes.client.CustomObjectsApi()
    place = _place(BACKUP_POLICIES, namespace)
    try:
        with _question(api, place) as name:
            return _await_answer(api, place, name, patience)
    except kubernetes.client.ApiException as error:
        raise SelfTestFailed(f"the API server refused the question: {error.body or error.reason}") from error


def question(namespace: str) -> dict[str, Any]:
    """The policy that asks."""
    return {
        "apiVersion": BACKUP_POLICIES.api_version,
        "kind": "BackupPolicy",
        "metadata": {"generateName": "flexlbf-selftest-", "namespace": namespace},
        "spec": {
            "schedule": "0 0 1 1 *",
            "mode": "Recommend",
            "backupSets": {"names": [_ABSENT]},
            "tapePool": _ABSENT,
            "backupClass": _ABSENT,
        },
    }


def _place(resource: Resource, namespace: str) -> tuple[str, str, str, str]:
    return resource.group, resource.version, namespace, resource.plural


@contextmanager
def _question(api: Any, place: tuple[str, str, str, str]) -> Iterator[str]:
    made = api.create_namespaced_custom_object(*place, question(place[2]))
    name = str(made["metadata"]["name"])
    try:
        yield name
    finally:
        api.delete_namespaced_custom_object(*place, name)


def _await_answer(api: Any, place: tuple[str, str, str, str], name: str, patience: float) -> float:
    begun = time.monotonic()
    while (passed := time.monotonic() - begun) < patience:
        policy = api.get_namespaced_custom_object(*place, name)
        answer = _stalled(policy)
        if answer is not None:
            if answer["reason"] != EXPECTED:
                raise SelfTestFailed(
                    f"it answered {answer['reason']} ({answer['message']}) and not {EXPECTED}"
                )
            return passed
        time.sleep(POLL_SECONDS)
    raise SelfTestFailed(
        f"no answer within {patience:g} s: does the operator run (kubectl get pods), lead and log no errors?"
    )


def _stalled(policy: dict[str, Any]) -> dict[str, Any] | None:
    """The condition, once it is for the policy as it is."""
    generation = policy["metadata"]["generation"]
    for each in policy.get("status", {}).get("conditions", ()):
        if (each["type"], each["status"], each["observedGeneration"]) == ("Stalled", "True", generation):
            found: dict[str, Any] = each
            return found
    return None
