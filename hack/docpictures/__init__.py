"""The drawings of the documentation, made by the same code that draws the report and the evaluation.

They show the sample generator's server 3, and its set of 400 objects, so that what a page's commands print
and what its drawings show is one workload.
"""

from functools import cache
from types import MappingProxyType

from docpictures import charts, sessions
from docpictures.workload import Workload

FOLDER = "concepts"


@cache
def pictures() -> MappingProxyType[str, str]:
    """The text of every drawing by its path below `docs/`; kept, since a check may ask twice."""
    workload = Workload()
    drawn = {
        "arbitrary-order": sessions.arbitrary_order(workload),
        "longest-first": sessions.longest_first(workload),
        "load": charts.load(workload),
        "price": charts.price(workload),
        "bounds": charts.bounds(workload),
        "overload": charts.overload(workload),
    }
    return MappingProxyType({f"{FOLDER}/{name}.svg": text for name, text in drawn.items()})
