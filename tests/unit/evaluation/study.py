"""The evaluation as the tests see it: each artefact of the default study made once a process."""

from functools import cache

from flexlbf.evaluation import ARTEFACTS, Artefact, Contender, Study, Table
from flexlbf.evaluation.study import CONTENDERS
from flexlbf.scheduling import FlexLBF

TWIN = Contender("Twin", FlexLBF)
"""As good as FlexLBF, by another name."""

DEFAULT = Study()
WITH_TWIN = Study(contenders=(CONTENDERS[0], TWIN))


@cache
def artefact(name: str) -> Artefact:
    """An artefact of the default study."""
    return ARTEFACTS[name](DEFAULT)


@cache
def with_twin(name: str) -> Artefact:
    """An artefact of a study of two schedulers."""
    return ARTEFACTS[name](WITH_TWIN)


def column(table: Table, name: str) -> list[str]:
    """The cells of a column."""
    return [row[table.columns.index(name)] for row in table.rows]


def row(table: Table, name: str) -> tuple[str, ...]:
    """The cells of a row, without its name."""
    return next(cells[1:] for cells in table.rows if cells[0] == name)
