"""The operator's role, held against what it used in all the other tests of this folder: that, and no more."""

import json
from pathlib import Path

import pytest

from e2e.conftest import ACCOUNT
from e2e.node import Node
from e2e.release import roles
from localcluster.kind import AUDIT_LOG
from support.permissions import granted, usage

# A Job is read only when it was made by a request whose answer got lost.
RARE = {"get jobs.batch"}
# The last word of an operator that is uninstalled: its role is gone before its pods are.
FAREWELL = "update leases.coordination.k8s.io in flexlbf-system"

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("e2e")]


def test_every_permission_is_used_and_none_is_missing(request: pytest.FixtureRequest, node: Node) -> None:
    run = {item.path.name for item in request.session.items}
    events = [json.loads(line) for line in node.run("cat", AUDIT_LOG).splitlines()]
    assert events
    seen = usage(events, ACCOUNT)
    assert [each for each in seen.denied if each != FAREWELL] == []
    assert seen.used <= granted(roles())
    if not run >= {path.name for path in Path(__file__).parent.glob("test_*.py")}:
        pytest.skip("some tests of this folder were left out, and with them what they make the operator do")
    assert {str(each) for each in granted(roles()) - seen.used} <= RARE
