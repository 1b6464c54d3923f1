"""What kstatus, Flux and Argo CD take real objects for, from when they are made to their end."""

from collections.abc import Iterable

import pytest

from integration.handlers.cluster import eventually
from integration.handlers.operatorprocess import OperatorProcess
from integration.sessions.theatre import Theatre
from integration.sessions.workload import Library, lasting
from support.gitopstools import argo, flux, kstatus
from support.resources import Raw

pytestmark = pytest.mark.integration

LIBRARY = Library(count=2, mbps=20)
NO_HEALTH = "none"


def verdict(resource: Raw) -> tuple[str, str, str]:
    """What the three say of an object."""
    (offer,) = argo([resource])
    health = offer.health.status if offer.health else NO_HEALTH
    return kstatus([resource])[0].status, flux([resource])[0].status, health


def seen(theatre: Theatre, kind: str, name: str) -> tuple[str, str, str]:
    """What they say of an object as it is now."""
    found = theatre.get(kind, name)
    assert found is not None
    return verdict(found)


def await_verdict(
    theatre: Theatre, want: tuple[str, str, str], kind: str = "BackupPolicy", name: str = "weekly"
) -> None:
    """Wait until they say so."""

    def check() -> None:
        assert seen(theatre, kind, name) == want

    eventually(check)


def in_turn(verdicts: Iterable[str]) -> list[str]:
    """Without repetitions."""
    found: list[str] = []
    for each in verdicts:
        if found[-1:] != [each]:
            found.append(each)
    return found


def test_what_was_just_made_is_in_progress_until_it_is_planned(theatre: Theatre, operator: OperatorProcess):
    """Also while no operator runs: else a sync would go on as if the backups were planned."""
    operator.kill()
    policy = theatre.with_a_plain_setup()
    theatre.apply(policy)
    waiting = ("InProgress", "InProgress", "Progressing")
    assert seen(theatre, "BackupPolicy", "weekly") == waiting
    assert seen(theatre, "TapePool", theatre.namespace) == waiting
    for kind, name in (("BackupSet", "fleet"), ("BackupClass", theatre.namespace)):
        assert seen(theatre, kind, name) == ("Current", "Current", NO_HEALTH)
    operator.start()
    theatre.ready()
    assert seen(theatre, "BackupPolicy", "weekly") == ("Current", "Current", "Healthy")
    await_verdict(theatre, ("Current", "Current", "Healthy"), "TapePool", theatre.namespace)


@pytest.mark.usefixtures("operator")
def test_what_can_not_be_planned_has_failed_until_it_is_mended(theatre: Theatre):
    policy = theatre.with_a_plain_setup()
    theatre.apply(policy.backing_up("nowhere"))
    theatre.stalled("BackupSetNotFound")
    assert seen(theatre, "BackupPolicy", "weekly") == ("Failed", "Failed", "Degraded")
    theatre.apply(policy)
    theatre.ready()
    assert seen(theatre, "BackupPolicy", "weekly") == ("Current", "Current", "Healthy")


@pytest.mark.usefixtures("operator")
def test_one_that_is_switched_off_or_only_asked_is_done(theatre: Theatre):
    policy = theatre.with_a_plain_setup()
    for setting, health in (({"suspend": True}, "Suspended"), ({"mode": "Recommend"}, "Healthy")):
        theatre.apply(policy.setting(**setting))
        theatre.ready()
        assert seen(theatre, "BackupPolicy", "weekly") == ("Current", "Current", health)


@pytest.mark.usefixtures("operator")
def test_one_that_is_going_is_terminating(theatre: Theatre):
    policy = theatre.with_a_plain_setup()
    theatre.apply(policy)
    theatre.ready()
    theatre.patch("BackupPolicy", "weekly", {"metadata": {"finalizers": ["example.com/held"]}})
    theatre.delete("BackupPolicy", "weekly")
    first, _, health = seen(theatre, "BackupPolicy", "weekly")
    theatre.patch("BackupPolicy", "weekly", {"metadata": {"finalizers": None}})
    assert (first, health) == ("Terminating", "Progressing")


def test_an_edit_is_never_taken_for_done_with_the_plan_of_before(theatre: Theatre, operator: OperatorProcess):
    """Looked at again and again: what is Current tells of the window that the spec has."""
    policy = theatre.with_a_plain_setup()
    looks: list[Raw] = []
    for hours in range(2, 10):
        operator.freeze()  # so that the edit is seen before the operator sees it
        try:
            theatre.apply(policy.setting(window=f"{hours}h"))
            looks.append(theatre.policy())
        finally:
            operator.thaw()
        while verdict_of_the_operator(looks[-1]) != "True":
            looks.append(theatre.policy())
            assert len(looks) < 20_000, "the policy does not become ready"
    judged = [each.status for each in kstatus(looks)]
    assert judged == [each.status for each in flux(looks)]
    assert in_turn(judged) == ["InProgress", "Current"] * 8
    for look, said in zip(looks, judged, strict=True):
        told = {each["type"]: each["message"] for each in look["status"].get("conditions", ())}
        if said == "Current":
            assert f"of the {look['spec']['window']} there are" in told["WindowFit"]


def verdict_of_the_operator(policy: Raw) -> str:
    """Whether a policy is ready as it is now; empty if it was not looked at yet."""
    if policy["status"].get("observedGeneration") != policy["metadata"]["generation"]:
        return ""
    ready = [each["status"] for each in policy["status"]["conditions"] if each["type"] == "Ready"]
    return str(ready[0])


@pytest.mark.usefixtures("operator")
def test_a_session_shows_only_when_it_failed(theatre: Theatre):
    """While it runs the policy stays healthy, or a sync would wait for it all night."""
    work = lasting(6, 4, LIBRARY)
    theatre.with_drives(LIBRARY)
    theatre.with_class()
    theatre.adaptive(work)
    looks: list[Raw] = []

    def await_state(want: str) -> None:
        def check() -> None:
            looks.append(theatre.policy())
            assert looks[-1]["status"].get("session", {}).get("state") == want

        eventually(check)

    for name, want, health in (("good", "Succeeded", "Healthy"), ("bad", "Failed", "Degraded")):
        if name == "bad":
            theatre.apply(work.failing_at_first(*work.names).sets("weekly")[0])
            theatre.ready()
        session = theatre.begin(session=name)
        await_state("Running")
        theatre.await_end(session, 120)
        await_state(want)
        assert verdict(looks[-1]) == ("Current", "Current", health)
    while_running = [each for each in looks if each["status"].get("session", {}).get("state") == "Running"]
    assert {each.status for each in kstatus(while_running)} == {"Current"}
    assert {each.health.status for each in argo(while_running) if each.health} == {"Healthy"}
    (history,) = (each for each in theatre.list("BackupHistory") if each["spec"]["totals"]["runs"])
    assert verdict(history) == ("Current", "Current", NO_HEALTH)


@pytest.mark.usefixtures("operator")
@pytest.mark.parametrize("action", ["run", "suspend"])
def test_an_action_of_argo_does_what_it_says(theatre: Theatre, action: str):
    """What Argo makes of the object is taken by the API server, and the operator heeds it."""
    theatre.apply(theatre.with_a_plain_setup())
    before = theatre.ready()
    (offer,) = argo([before], action=action)
    changed = offer.resources[0]["resource"]["spec"]
    difference = {key: changed[key] for key in changed if changed[key] != before["spec"].get(key)}
    theatre.patch("BackupPolicy", "weekly", {"spec": difference})
    assert difference.keys() == ({"runToken"} if action == "run" else {"suspend"})
    if action == "run":
        eventually(lambda: theatre.policy()["status"]["session"]["name"])
    else:
        await_verdict(theatre, ("Current", "Current", "Suspended"))
