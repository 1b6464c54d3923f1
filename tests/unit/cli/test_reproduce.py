"""`flexlbf reproduce` writes tables and figures."""

from functools import partial
from pathlib import Path

import pytest

from flexlbf.evaluation import ARTEFACTS, CONTENDERS, Study, document
from unit.cli.terminal import flexlbf

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture
def only_flexlbf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other schedulers and seeds take their time and say nothing new here."""
    monkeypatch.setattr("flexlbf.cli.reproduce.Study", partial(Study, contenders=CONTENDERS[:1]))
    monkeypatch.setattr("flexlbf.cli.reproduce.document", partial(document, others=()))


@pytest.mark.parametrize(
    ("what", "names"),
    [("table1", ["table1.md"]), ("figure9", ["figure9.md", "figure9.svg"])],
)
def test_a_table_or_figure_is_written(what: str, names: list[str], tmp_path: Path):
    ended = flexlbf("reproduce", what, "-o", tmp_path / "new/folder")
    assert ended.status == 0
    assert sorted(path.name for path in (tmp_path / "new/folder").iterdir()) == names
    assert ended.out.count("wrote ") == len(names)


@pytest.mark.slow
@pytest.mark.usefixtures("only_flexlbf")
def test_all_is_the_document_with_its_drawings_beside_it(tmp_path: Path):
    assert flexlbf("reproduce", "all", "-o", tmp_path).status == 0
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert written == document(Study(contenders=CONTENDERS[:1]), others=())
    for name in ("figure6.svg", "figure10.svg"):
        assert written[name] == (DOCS / "evaluation" / name).read_text()


def test_another_seed_gives_other_figures(tmp_path: Path):
    flexlbf("reproduce", "figure6", "-o", tmp_path / "a")
    flexlbf("reproduce", "figure6", "--seed", 1, "-o", tmp_path / "b")
    assert (tmp_path / "a/figure6.svg").read_text() != (tmp_path / "b/figure6.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "mend"),
    [
        pytest.param([], "Missing argument 'WHAT'", id="nothing asked for"),
        pytest.param(["table1"], "Missing option '-o'", id="no folder"),
        pytest.param(["table4", "-o", "x"], "is not one of 'table1', 'table2'", id="no such table"),
        pytest.param(["table1", "-o", "x", "--seed", -1], "write a whole number from 0", id="negative seed"),
    ],
)
def test_a_mistake_is_told(arguments: list[object], mend: str):
    assert mend in flexlbf("reproduce", *arguments).mistake()


def test_a_folder_that_can_not_be_is_told(tmp_path: Path):
    (tmp_path / "file").touch()
    assert flexlbf("reproduce", "figure6", "-o", tmp_path / "file").mistake().endswith("can be written to")


def test_every_artefact_is_named_in_the_help_of_a_wrong_one():
    mistake = flexlbf("reproduce", "figure11", "-o", "x").mistake()
    assert all(f"'{name}'" in mistake for name in (*ARTEFACTS, "all"))
