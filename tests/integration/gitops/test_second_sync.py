"""A second sync changes nothing, by the ways in which Flux and Argo CD apply; nor one after a session."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from integration.handlers.audit import AuditTrail
from integration.handlers.cluster import eventually
from integration.sessions.theatre import Theatre
from integration.sessions.workload import Library, lasting
from localcluster.errors import LocalClusterError
from support.charttools import ROOT, Raw
from support.gitopstools import out_of_sync

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("operator")]

SAMPLES = ROOT / "config/samples"
LIBRARY = Library(count=2, mbps=20)
TRACKED = {"app.kubernetes.io/instance": "backup", "kustomize.toolkit.fluxcd.io/name": "backup"}
"""By such labels Argo CD and Flux know what is theirs to prune."""
WAYS = {
    "flux": ("--server-side", "--field-manager=kustomize-controller"),
    "argo": ("--field-manager=argocd-controller",),
}
ADDED_BY_KUBECTL = "kubectl.kubernetes.io/last-applied-configuration"


@dataclass
class Repository:
    """Files, and the way in which they come to the cluster's one namespace."""

    theatre: Theatre
    folder: Path
    how: Sequence[str]
    wanted: list[Raw] = field(init=False)

    def __post_init__(self) -> None:
        files = sorted(self.folder.glob("*.yaml"))
        self.wanted = [each for file in files for each in yaml.safe_load_all(file.read_text()) if each]

    def sync(self) -> str:
        """Apply all of it."""
        return self._kubectl("apply", *self.how)

    def differences(self) -> str:
        """What `kubectl diff` says: nothing, or it ends with status 1, which raises."""
        return self._kubectl("diff", *self.how)

    def live(self) -> list[Raw]:
        """Its objects as they are in the cluster."""
        found = [self.theatre.get(each["kind"], each["metadata"]["name"]) for each in self.wanted]
        return [each for each in found if each is not None]

    def versions(self) -> dict[str, str]:
        """The resource version of each of its objects."""
        return {each["metadata"]["uid"]: each["metadata"]["resourceVersion"] for each in self.live()}

    def remove(self) -> None:
        """Delete what is not the namespace's."""
        self._kubectl("delete", "--ignore-not-found", "--wait=false")

    def _kubectl(self, verb: str, *arguments: str) -> str:
        where = (f"--namespace={self.theatre.namespace}", f"--filename={self.folder}")
        return self.theatre.plane.kubectl(verb, *arguments, *where)


@pytest.fixture
def repository(theatre: Theatre) -> Iterator[Callable[[Path, str], Repository]]:
    """Makes a repository; what came of it goes with the test."""
    made: list[Repository] = []

    def make(folder: Path, way: str) -> Repository:
        made.append(Repository(theatre, folder, WAYS[way]))
        return made[-1]

    yield make
    for each in made:
        each.remove()


def assert_in_sync(repository: Repository) -> None:
    """By kubectl, by Argo CD's own diff, and by a sync that leaves every version as it was."""
    AuditTrail(repository.theatre.plane).settle()
    before = repository.versions()
    assert len(before) == len(repository.wanted)
    assert repository.differences() == ""
    assert out_of_sync(zip(repository.wanted, repository.live(), strict=True)) == []
    said = repository.sync()
    assert repository.versions() == before, said


def assert_no_difference(repository: Repository) -> None:
    """By kubectl, which also shows a status that was written while it looked: so it may be asked again."""
    try:
        said = repository.differences()
    except LocalClusterError as error:
        raise AssertionError(str(error)) from error
    assert said == ""


def assert_left_to_the_user(repository: Repository) -> None:
    """The operator owns nothing but statuses; labels and annotations are those of the files."""
    by_hand = {each.partition("=")[2] for each in repository.how if each.startswith("--field-manager=")}
    for want, live in zip(repository.wanted, repository.live(), strict=True):
        metadata = live["metadata"]
        for entry in metadata["managedFields"]:
            if entry.get("subresource") == "status":
                assert entry["manager"].startswith("flexlbf-operator")
                assert entry["fieldsV1"].keys() == {"f:status"}
            else:
                assert entry["manager"] in by_hand, json.dumps(entry)
        annotations = {
            key: each for key, each in metadata.get("annotations", {}).items() if key != ADDED_BY_KUBECTL
        }
        assert annotations == want["metadata"].get("annotations", {})
        assert metadata.get("labels", {}) == want["metadata"].get("labels", {})
        assert "finalizers" not in metadata


@pytest.mark.parametrize("way", WAYS)
def test_a_second_sync_of_the_samples_changes_nothing(
    theatre: Theatre, repository: Callable[[Path, str], Repository], way: str
):
    samples = repository(SAMPLES, way)
    samples.sync()
    policies = (f"--namespace={theatre.namespace}", "bpol", "--all", "--timeout=120s")
    theatre.plane.kubectl("wait", "--for=condition=Ready", *policies)
    assert_in_sync(samples)
    assert_left_to_the_user(samples)


@pytest.mark.parametrize("way", WAYS)
def test_a_sync_after_a_session_changes_nothing(
    theatre: Theatre, repository: Callable[[Path, str], Repository], tmp_path: Path, way: str
):
    """Nor does one while it runs; what the session was measured to is elsewhere, and the plan follows it."""
    work = lasting(4, 4, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    sets = work.sets("weekly")
    policy = theatre.a_policy().backing_up(*(each.name for each in sets))
    policy = policy.setting(execution="Adaptive", window="8h", schedule="0 0 29 2 1")
    for each in (*sets, policy.labelled(TRACKED)):
        (tmp_path / f"{each.name}.yaml").write_text(yaml.safe_dump(each.build()))
    files = repository(tmp_path, way)
    files.sync()
    theatre.ready()
    session = theatre.begin()
    theatre.await_streams(session, 1)
    generations = {each["metadata"]["name"]: each["metadata"]["generation"] for each in files.live()}
    eventually(lambda: assert_no_difference(files))
    files.sync()
    theatre.await_end(session, 120)

    def measured() -> None:
        assert theatre.policy()["status"]["lastSession"]["objects"] == len(work.names)

    eventually(measured)
    assert_in_sync(files)
    assert_left_to_the_user(files)
    for kind in ("CronJob", "Job", "BackupHistory"):
        made = theatre.list(kind)
        assert made
        assert not [each for each in made if TRACKED.keys() & each["metadata"]["labels"].keys()]
    assert generations == {each["metadata"]["name"]: each["metadata"]["generation"] for each in files.live()}


def test_a_difference_is_found(
    theatre: Theatre, repository: Callable[[Path, str], Repository], tmp_path: Path
):
    """So the tests above can fail: a field that somebody changed, also one that the API server fills in."""
    theatre.apply(theatre.with_a_plain_setup())
    (tmp_path / "policy.yaml").write_text(yaml.safe_dump(theatre.a_policy("mine").build()))
    files = repository(tmp_path, "argo")
    files.sync()
    theatre.ready("mine")
    theatre.patch("BackupPolicy", "mine", {"spec": {"schedule": "0 1 * * *"}})
    assert out_of_sync(zip(files.wanted, files.live(), strict=True)) == ["BackupPolicy mine"]
