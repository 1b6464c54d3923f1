"""Every table and figure by its name; one more here is one more on the command line and in the document."""

from collections.abc import Callable, Mapping

from flexlbf.evaluation.artefact import Artefact
from flexlbf.evaluation.figure_8 import figure_8
from flexlbf.evaluation.figures_6_7 import figure_6, figure_7
from flexlbf.evaluation.figures_9_10 import figure_9, figure_10
from flexlbf.evaluation.study import Study
from flexlbf.evaluation.table_1 import table_1
from flexlbf.evaluation.table_2 import table_2
from flexlbf.evaluation.table_3 import table_3

ARTEFACTS: Mapping[str, Callable[[Study], Artefact]] = {
    "table1": table_1,
    "table2": table_2,
    "table3": table_3,
    "figure6": figure_6,
    "figure7": figure_7,
    "figure8": figure_8,
    "figure9": figure_9,
    "figure10": figure_10,
}
"""In the order of the paper."""
