"""Names of CronJobs and values of labels: valid, stable, and each for one object only."""

import re
from hashlib import sha256

from hypothesis import assume, given
from hypothesis import strategies as st

from flexlbf.manifests.names import cron_job_name, label_value
from support.strategies import examples

POLICIES = st.from_regex(r"[a-z0-9]([-a-z0-9.]{0,60}[a-z0-9])?", fullmatch=True)
OBJECTS = st.text(min_size=1, max_size=253) | st.from_regex(r"srv[0-9]:/[a-z/]{1,40}", fullmatch=True)
LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")


@given(POLICIES, OBJECTS)
@examples(150)
def test_a_name_is_short_and_valid_whatever_the_object_is_called(policy: str, obj: str):
    """A DNS label of at most 52 characters: the API server takes no longer one of a CronJob."""
    name = cron_job_name(policy, obj)
    assert len(name) <= 52
    assert LABEL.fullmatch(name)
    assert cron_job_name(policy, obj) == name


@given(POLICIES, OBJECTS, POLICIES, OBJECTS)
@examples(150)
def test_another_object_has_another_name(policy: str, obj: str, other_policy: str, other: str):
    """And so has the same object of another policy."""
    assume((policy, obj) != (other_policy, other))
    assert cron_job_name(policy, obj) != cron_job_name(other_policy, other)


def test_near_equal_objects_have_names_of_their_own():
    """What is left out of the readable part is told apart by the digest."""
    near = [
        "fs:/a",
        "fs:/A",
        "fs/a",
        "fs:/a ",
        "fs-a",
        "fs:/a/",
        "fs:\uff0fa",
        "fs:/a" + "x" * 200,
        "fs:/a" + "x" * 201,
    ]
    assert len({cron_job_name("weekly", each) for each in near}) == len(near)
    assert cron_job_name("a", "b-c") != cron_job_name("a-b", "c")


def test_a_name_stays_the_same_from_version_to_version():
    """Another one would delete every CronJob of a cluster and make it anew on an upgrade."""
    assert cron_job_name("weekly", "fs07:/data") == "weekly-fs07-data-a51b26ca57"
    assert cron_job_name("weekly", "日本") == "weekly-" + sha256("weekly\0日本".encode()).hexdigest()[:10]


@given(st.from_regex(r"[a-z0-9]([-a-z0-9.]{0,250}[a-z0-9])?", fullmatch=True))
@examples(100)
def test_a_label_value_is_valid_for_any_resources_name(name: str):
    """The name itself where it fits."""
    value = label_value(name)
    assert len(value) <= 63
    assert re.fullmatch(r"[a-z0-9]([-a-z0-9._]*[a-z0-9])?", value)
    if len(name) <= 63:
        assert value == name


def test_long_names_that_begin_alike_have_label_values_of_their_own():
    """The digest again."""
    assert label_value("a" * 64) != label_value("a" * 65)
