"""The API server takes and refuses what the examples say, with messages that say what to write instead."""

import pytest

from flexlbf.api.crd import build_crd
from flexlbf.api.rules import VALIDATIONS
from flexlbf.api.schema import walk
from integration.api.client import Api
from localcluster.bare import BareControlPlane
from unit.api.case_tables import BOUNDS, RULES
from unit.api.cases import BASES, MODELS, Case

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("case", [*RULES, *BOUNDS], ids=str)
def test_what_is_right_is_admitted(api: Api, case: Case):
    """No rule stands in the way of what should work."""
    for value in case.accepts:
        answer = api.create(case.resource(value), dry_run=True)
        assert answer.status == 201, (value, answer.message)


@pytest.mark.parametrize("case", [*RULES, *BOUNDS], ids=str)
def test_what_is_wrong_is_refused_with_what_to_write(api: Api, case: Case):
    """The answer names the field and says what to write instead."""
    for value in case.refuses:
        answer = api.create(case.resource(value), dry_run=True)
        assert answer.status == 422, (value, answer.body)
        assert case.says in answer.message, (value, answer.message)
        assert case.rule.replace("[]", "[0]") in answer.message, (value, answer.message)


def test_no_rule_goes_without_examples(control_plane: BareControlPlane):
    """Every rule that the API server holds, as it holds it, is met by an example of each side."""
    rules = [
        (kind, path, rule["message"])
        for kind, model in MODELS.items()
        for path, node in walk(build_crd(model)["spec"]["versions"][0]["schema"]["openAPIV3Schema"])
        for rule in node.get(VALIDATIONS, ())
    ]
    held = control_plane.kubectl("get", "crd", "-o", "json").count('"rule": ')
    with_examples = {
        rule
        for rule in rules
        for case in RULES
        if (case.kind, case.rule) == rule[:2]
        and rule[2].startswith(case.says)
        and case.accepts
        and case.refuses
    }
    assert held == len(rules)
    assert set(rules) == with_examples


@pytest.mark.parametrize("kind", BASES)
def test_server_and_models_agree_on_defaults(api: Api, kind: str):
    """What the API server fills in is what the command line assumes of the same file."""
    resource = {
        "apiVersion": "flexlbf.io/v1alpha1",
        "kind": kind,
        "metadata": {"name": "defaults"},
        "spec": BASES[kind],
    }
    answer = api.create(resource, dry_run=True)
    assert answer.status == 201, answer.message
    assert answer.body["spec"] == MODELS[kind].read(resource).to_api()["spec"]
