"""The models refuse what the API server refuses, in the same words; the integration tests ask the server."""

import pytest
from pydantic import ValidationError

from flexlbf.api.crd import build_crd
from flexlbf.api.model import explain
from flexlbf.api.rules import VALIDATIONS
from flexlbf.api.schema import walk
from unit.api.case_tables import BOUNDS, RULES
from unit.api.cases import MODELS, Case


def test_every_rule_has_its_examples():
    """A rule without both sides of its example is a rule that nobody has seen at work."""
    rules = [
        (kind, path, rule["message"])
        for kind, model in MODELS.items()
        for path, node in walk(build_crd(model)["spec"]["versions"][0]["schema"]["openAPIV3Schema"])
        for rule in node.get(VALIDATIONS, ())
    ]
    without = [
        rule
        for rule in rules
        if not any(
            (case.kind, case.rule) == rule[:2]
            and rule[2].startswith(case.says)
            and case.accepts
            and case.refuses
            for case in RULES
        )
    ]
    assert len(rules) > 40
    assert without == []


@pytest.mark.parametrize("case", [*RULES, *BOUNDS], ids=str)
def test_what_is_right_is_read(case: Case):
    """Every accepted example becomes a model, and comes back as something that is read again."""
    for value in case.accepts:
        model = MODELS[case.kind]
        read = model.read(case.resource(value))
        assert model.read(read.to_api()) == read


@pytest.mark.parametrize("case", RULES, ids=str)
def test_what_is_wrong_is_refused_with_what_to_write(case: Case):
    """Every refused example names its field and says what to write instead."""
    for value in case.refuses:
        with pytest.raises(ValidationError) as refusal:
            MODELS[case.kind].read(case.resource(value))
        lines = explain(refusal.value)
        assert any(case.says in line for line in lines), (value, lines)
        assert any(line.startswith(case.rule.replace("[]", "[0]")) for line in lines), (value, lines)


@pytest.mark.parametrize("case", BOUNDS, ids=str)
def test_what_is_out_of_bounds_is_refused(case: Case):
    """Bounds hold without an API server, too."""
    for value in case.refuses:
        with pytest.raises(ValidationError):
            MODELS[case.kind].read(case.resource(value))
