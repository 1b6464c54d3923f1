"""What the tests of the API share."""

import http.client
import ssl
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from integration.api.client import Api
from localcluster.bare import BareControlPlane


@pytest.fixture
def api(control_plane: BareControlPlane, namespace: str) -> Iterator[Api]:
    """The API server, for a namespace of the test's own."""
    place = urlsplit(control_plane.url)
    trust = ssl.create_default_context(cafile=str(control_plane.certificate))
    connection = http.client.HTTPSConnection(str(place.hostname), place.port, context=trust, timeout=30)
    yield Api(connection, control_plane.token, namespace)
    connection.close()
