"""Nothing is written by who does not lead: the client that writes, on a real API server."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from kubernetes.aio import config
from kubernetes.aio.client import Configuration

from flexlbf.cluster.client import ApiError, KubeClient, NotLeader
from flexlbf.cluster.resources import CONFIG_MAPS, LEASES
from localcluster.bare import BareControlPlane

pytestmark = pytest.mark.integration

Raw = dict[str, Any]
Write = Callable[[KubeClient, Raw], Awaitable[object]]


def edited(there: Raw) -> Raw:
    """The same object with other data."""
    return {**there, "data": {"written": "yes"}}


def to_apply(there: Raw) -> Raw:
    """What makes the same change by server-side apply."""
    name = {each: there["metadata"][each] for each in ("name", "namespace")}
    return edited({"apiVersion": "v1", "kind": "ConfigMap", "metadata": name})


def place(there: Raw) -> tuple[str, str]:
    """Name and namespace."""
    return there["metadata"]["name"], there["metadata"]["namespace"]


WRITES: dict[str, Write] = {
    "apply": lambda client, there: client.apply(CONFIG_MAPS, to_apply(there)),
    "patch": lambda client, there: client.patch(CONFIG_MAPS, *place(there), edited({})),
    "replace": lambda client, there: client.replace(CONFIG_MAPS, edited(there)),
    "create": lambda client, there: client.create(
        CONFIG_MAPS, place(there)[1], {"metadata": {"name": "new"}}
    ),
    "delete": lambda client, there: client.delete(CONFIG_MAPS, *place(there), there["metadata"]["uid"]),
}


@pytest.fixture
async def client(control_plane: BareControlPlane) -> AsyncIterator[KubeClient]:
    """A client that does not lead."""
    configuration = Configuration()
    file = str(control_plane.kubeconfig)
    await config.load_kube_config(file, client_configuration=configuration, persist_config=False)
    async with KubeClient(configuration) as connected:
        yield connected


@pytest.fixture
def there(control_plane: BareControlPlane, namespace: str) -> Raw:
    """An object to write to."""
    control_plane.kubectl("create", "configmap", "there", "--namespace", namespace)
    return {"metadata": {"name": "there", "namespace": namespace}}


async def all_of(client: KubeClient, namespace: str) -> list[tuple[str, Any]]:
    """What there is, with its data."""
    found = [each async for page, _ in client.pages(CONFIG_MAPS) for each in page]
    mine = [each for each in found if each["metadata"]["namespace"] == namespace]
    return sorted((each["metadata"]["name"], each.get("data")) for each in mine)


async def read(client: KubeClient, there: Raw) -> Raw:
    return await client.get(CONFIG_MAPS, *place(there))


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
async def test_who_does_not_lead_writes_nothing(client: KubeClient, there: Raw, write: Write):
    """Whatever the verb; reading is free."""
    object_there = await read(client, there)
    before = await all_of(client, place(there)[1])
    with pytest.raises(NotLeader):
        await write(client, object_there)
    assert await all_of(client, place(there)[1]) == before


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
async def test_who_leads_writes(client: KubeClient, there: Raw, write: Write):
    """And the API server takes the time limit that is sent along."""
    object_there = await read(client, there)
    before = await all_of(client, place(there)[1])
    client.leadership.renewed(client.leadership.clock())
    await write(client, object_there)
    assert await all_of(client, place(there)[1]) != before


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
async def test_who_is_stopped_between_the_question_and_the_request_writes_nothing(
    client: KubeClient, there: Raw, write: Write
):
    """The clock has gone on when the body is handed over."""
    object_there = await read(client, there)
    before = await all_of(client, place(there)[1])
    leadership = client.leadership
    leadership.renewed(leadership.clock())
    now, asked = leadership.clock(), []

    def clock() -> float:
        asked.append(now)
        return now if len(asked) == 1 else now + 20

    leadership.clock = clock
    with pytest.raises(NotLeader):
        await write(client, object_there)
    assert len(asked) == 2
    assert leadership.settled
    assert await all_of(client, place(there)[1]) == before


async def test_who_is_cancelled_in_a_write_has_its_answer_first(client: KubeClient, there: Raw):
    """So that nothing is under way when the lead is given away."""
    object_there = await read(client, there)
    client.leadership.renewed(client.leadership.clock())
    writing = asyncio.create_task(client.replace(CONFIG_MAPS, edited(object_there)))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert (await read(client, there))["data"] == {"written": "yes"}


async def test_the_lease_alone_is_written_by_who_does_not_lead(client: KubeClient, namespace: str):
    """Else nobody ever would."""
    body = {"metadata": {"name": "flexlbf-operator", "namespace": namespace}, "spec": {}}
    made = await client.create(LEASES, namespace, body)
    await client.replace(LEASES, {**made, "spec": {"holderIdentity": "first", "leaseDurationSeconds": 15}})
    with pytest.raises(ApiError, match="modified"):
        await client.replace(LEASES, made)
