"""What kstatus, Flux and Argo CD take objects for: their own code, asked from the tests."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from localcluster import gobuild
from localcluster.versions import ARGO_TOOLS, STATUS_TOOLS
from support.charttools import ROOT, Raw, run_tool

SETTINGS = ROOT / "config/argocd/argocd-cm.yaml"
APPLICATION = ROOT / "config/argocd/application.yaml"
KUSTOMIZATION = ROOT / "config/flux/backup.yaml"


@dataclass(frozen=True)
class Verdict:
    """What a tool says of an object.

    Attributes:
        status: in the tool's own words.
        message: why; empty if it does not say.
    """

    status: str
    message: str = ""


class NoVerdictError(AssertionError):
    """A tool could not judge an object; its words."""


def kstatus(objects: Iterable[Raw]) -> list[Verdict]:
    """InProgress, Current, Failed or Terminating, by kstatus itself."""
    return _judged(gobuild.programs(STATUS_TOOLS) / "kstatus", objects)


def flux(objects: Iterable[Raw], kustomization: Path = KUSTOMIZATION) -> list[Verdict]:
    """The same, by Flux with the expressions of a Kustomization.

    Raises:
        NoVerdictError: an expression failed.
        ToolRefusedError: the Kustomization is not one that Flux takes.
    """
    return _judged(gobuild.programs(STATUS_TOOLS) / "fluxhealth", objects, kustomization)


@dataclass(frozen=True)
class Offer:
    """What Argo CD makes of an object.

    Attributes:
        health: None for a kind whose health it does not look at.
        actions: whether each of the actions is enabled.
        listed: the actions as Argo lists them.
        resources: what an action comes to.
    """

    health: Verdict | None
    actions: dict[str, bool]
    listed: Sequence[Raw]
    resources: Sequence[Raw]


def argo(
    objects: Iterable[Raw], action: str = "", settings: Path = SETTINGS, applications: Sequence[Path] = ()
) -> list[Offer]:
    """Health and actions of objects, by Argo CD's own Lua machine with an argocd-cm.

    Raises:
        NoVerdictError: a script failed.
        ToolRefusedError: the settings, or Applications beside them, are not as Argo takes them.
    """
    asked = [{"object": each, "action": action} for each in objects]
    program = gobuild.programs(ARGO_TOOLS) / "argolua"
    answers = json.loads(run_tool(program, settings, *applications, text=json.dumps(asked)))
    return [_offer(each) for each in answers]


def out_of_sync(pairs: Iterable[tuple[Raw, Raw]]) -> list[str]:
    """Of objects as they are in git and as they are in the cluster, those that Argo CD finds to differ."""
    asked = [{"wanted": wanted, "object": live} for wanted, live in pairs]
    answers = json.loads(run_tool(gobuild.programs(ARGO_TOOLS) / "argolua", SETTINGS, text=json.dumps(asked)))
    errors = [each["error"] for each in answers if each.get("error")]
    if errors:
        raise NoVerdictError("; ".join(errors))
    return [
        f"{each['object']['kind']} {each['object']['metadata']['name']}"
        for each, answer in zip(asked, answers, strict=True)
        if answer["outOfSync"]
    ]


def _offer(answer: Raw) -> Offer:
    if answer.get("error"):
        raise NoVerdictError(answer["error"])
    health, listed = answer["health"], answer["actions"] or []
    return Offer(
        Verdict(health["status"], health.get("message", "")) if health else None,
        {each["name"]: not each.get("disabled", False) for each in listed},
        listed,
        answer["resources"] or [],
    )


def _judged(program: Path, objects: Iterable[Raw], *arguments: Path) -> list[Verdict]:
    answers = json.loads(run_tool(program, *arguments, text=json.dumps(list(objects))))
    for each in answers:
        if each.get("error"):
            raise NoVerdictError(each["error"])
    return [Verdict(each["status"], each["message"]) for each in answers]
