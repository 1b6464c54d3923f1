"""A set with everything at its maximum is one that the API server can hold."""

import pytest

from flexlbf.api.v1alpha1 import BackupSet
from flexlbf.api.v1alpha1.backupset import MAX_CHARACTERS, MAX_OBJECTS
from unit.api.largest import WIDEST, largest_set, stored_bytes

LIMIT = 1_572_864
"""etcd's limit on a request."""


def test_the_largest_set_is_at_every_bound():
    """All objects, all history, and no character more."""
    spec = BackupSet.read(largest_set()).spec
    assert len(spec.objects) == MAX_OBJECTS
    assert {len(one.history) for one in spec.objects} == {7}
    assert sum(len(one.name) + len("/") + len("h") for one in spec.objects) == MAX_CHARACTERS


@pytest.mark.parametrize("filler", [WIDEST, "<", '"', "\\", "x"])
def test_the_largest_set_stays_well_below_the_limit_on_an_object(filler: str):
    """Whatever characters fill it, there is room for labels, annotations and what the server adds."""
    assert stored_bytes(largest_set(filler)) < LIMIT * 0.86
