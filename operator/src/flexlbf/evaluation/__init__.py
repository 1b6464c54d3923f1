"""Evaluation, pure: the paper's tables and figures on sample workloads, its own figures beside ours."""

from flexlbf.evaluation.artefact import Artefact, Headline, Table
from flexlbf.evaluation.document import DOCUMENT, document, files
from flexlbf.evaluation.registry import ARTEFACTS
from flexlbf.evaluation.study import CONTENDERS, Contender, Study

__all__ = [
    "ARTEFACTS",
    "CONTENDERS",
    "DOCUMENT",
    "Artefact",
    "Contender",
    "Headline",
    "Study",
    "Table",
    "document",
    "files",
]
