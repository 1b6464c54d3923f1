"""What-if for the policies of manifests, for `flexlbf whatif -f` and `flexlbf plan --what-if`."""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from flexlbf.cli.errors import BadInput
from flexlbf.cli.progress import Step, progress
from flexlbf.cli.resourcefiles import ResourceFileError, load
from flexlbf.planning.findings import Unplannable
from flexlbf.planning.offline import Fleet
from flexlbf.planning.snapshot import RawObject
from flexlbf.planning.whatif import PolicyCase, policy_case
from flexlbf.tuning import Questions, WhatIf, what_if


def fleet_of(filenames: Sequence[str], namespace: str) -> Fleet:
    """The resources of files, with a policy at least."""
    try:
        fleet = load(filenames, namespace)
    except ResourceFileError as error:
        raise BadInput(str(error)) from error
    if not fleet.policies():
        raise BadInput(f"there is no BackupPolicy in {', '.join(filenames)}: add one")
    return fleet


def ask_policies(
    fleet: Fleet, policies: Iterable[RawObject], questions: Questions, more: Sequence[RawObject] = ()
) -> tuple[dict[str, WhatIf], list[str]]:
    """The answers for each policy by its namespace and name, and why others have none."""
    cases, mistakes = _cases(fleet, policies, more)
    found = {}
    with progress("asking") as step:
        for place, case in enumerate(cases):
            asked = replace(questions, added={**questions.added, **case.added})
            on_step = functools.partial(_tell_share, step, place, len(cases))
            found[case.name] = what_if(case.situation, asked, case.sets, on_step)
    return found, mistakes


def _tell_share(step: Step, place: int, cases: int, done: int, whole: int) -> None:
    step(place + done / whole, cases)


def _cases(
    fleet: Fleet, policies: Iterable[RawObject], more: Sequence[RawObject]
) -> tuple[list[PolicyCase], list[str]]:
    cases, mistakes = [], []
    for policy in policies:
        try:
            cases.append(policy_case(fleet, policy, more))
        except Unplannable as verdict:
            finding, metadata = verdict.finding, policy["metadata"]
            name = f"{metadata['namespace']}/{metadata['name']}"
            mistakes.append(f"BackupPolicy {name}: {finding.reason}: {finding.message}")
    return cases, mistakes
