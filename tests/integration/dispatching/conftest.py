"""The parts that run sessions, on a control plane that no operator serves."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from kubernetes.aio.client import Configuration
from kubernetes.aio.config import load_kube_config

from flexlbf.cluster.client import KubeClient
from flexlbf.cluster.leadership import suspend_aware_clock
from integration.dispatching.stage import Stage
from integration.handlers.cluster import Cluster
from localcluster.bare import BareControlPlane


@pytest.fixture
async def stage(control_plane: BareControlPlane, namespace: str) -> AsyncIterator[Stage]:
    """Ready to run sessions, as an operator that leads."""
    cluster = Cluster(control_plane, namespace)
    configuration = Configuration()
    file = str(control_plane.kubeconfig)
    await load_kube_config(file, client_configuration=configuration, persist_config=False)
    async with KubeClient(configuration) as client:

        async def renew() -> None:
            while True:
                client.leadership.renewed(suspend_aware_clock())
                await asyncio.sleep(1)

        renewing = asyncio.create_task(renew())
        await asyncio.sleep(0)
        yield Stage(cluster, client)
        renewing.cancel()
    cluster.clean_up()
