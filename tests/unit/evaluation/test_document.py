"""The evaluation as a document."""

import re
from pathlib import Path

import pytest

from flexlbf.evaluation import ARTEFACTS, CONTENDERS, DOCUMENT, Study, document, files
from flexlbf.evaluation.document import LINE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
COMMITTED = (ROOT / "docs" / DOCUMENT).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """Without other seeds and schedulers, which take their time and say nothing new here."""
    return document(Study(7, CONTENDERS[:1]), drawings="figures", others=())


def test_every_artefact_is_a_section(written: dict[str, str]):
    sections = re.findall(r"^## (.*)$", written[DOCUMENT], re.MULTILINE)
    assert [title.split(":")[0] for title in sections] == [
        "In short",
        "Table I",
        "Table II",
        "Table III",
        *(f"Figure {n}" for n in range(6, 11)),
    ]
    assert len(sections) == len(ARTEFACTS) + 1


def test_every_drawing_is_shown_and_told(written: dict[str, str]):
    shown = re.findall(r"^!\[(.+)\]\((.+)\)$", written[DOCUMENT], re.MULTILINE)
    assert {path for _, path in shown} == set(written) - {DOCUMENT}
    assert all(path.startswith("figures/") for _, path in shown)


def test_the_seed_is_told(written: dict[str, str]):
    assert "ours, seed 7" in written[DOCUMENT]


def test_prose_is_wrapped(written: dict[str, str]):
    prose = [line for line in written[DOCUMENT].splitlines() if not line.startswith(("|", "!"))]
    assert max(map(len, prose)) <= LINE
    assert not [line for line in prose if line != line.strip()]


def test_long_tables_are_folded(written: dict[str, str]):
    text = written[DOCUMENT]
    assert "<summary>Every set under FlexLBF</summary>\n\n| " in text
    assert text.count("<details>") == text.count("</details>") == 1


def test_the_committed_document_says_that_the_workloads_are_made_up():
    assert "**The workloads are made up.**" in COMMITTED
    assert "The paper's backup histories are not public." in COMMITTED


def test_the_committed_document_has_other_seeds_beside_the_default_one():
    assert "| paper | ours, seed 2010 | seed 1 | seed 2 |" in COMMITTED


def test_the_committed_drawings_are_those_of_the_document():
    shown = set(re.findall(r"\]\((evaluation/.+)\)$", COMMITTED, re.MULTILINE))
    assert shown == {f"evaluation/{path.name}" for path in (ROOT / "docs/evaluation").iterdir()}


def test_one_artefact_is_a_page_of_its_own():
    assert list(files(["figure6"], Study())) == ["figure6.md", "figure6.svg"]
    page = files(["table3"], Study())["table3.md"]
    assert page.startswith("# Table III")
    assert page.endswith("\n")
