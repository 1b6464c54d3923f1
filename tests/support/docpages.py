"""The documentation's pages as tests read them: their code, the commands in it, and what they should print.

The conventions, which a page needs no more than Markdown for:

- A fenced block with `title="jobs.csv"` is a file of that name, there for the commands of the page.
- In a `console` block a line that begins with `$ ` is a command, which goes on in the next line after a
  backslash, and in lines that begin with `> `; what follows is what it prints. `…` stands for anything
  within a line, and alone on a line for any lines. A command that shows no output may print what it likes.
  Every command succeeds.
- `<!-- not run: why -->` above a block says that its commands can't be run in a test.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
ROOT_PAGES = ("README.md", "charts/flexlbf-operator/README.md", "CONTRIBUTING.md")

ANYTHING = "…"

_FENCE = re.compile(
    r"(?:^[ ]*<!-- not run: (?P<reason>[^\n]*?) -->\n+)?"
    r"^(?P<indent>[ ]*)```(?P<language>\w+)(?P<settings>[^\n]*)\n(?P<text>.*?)^(?P=indent)```[ ]*$",
    re.MULTILINE | re.DOTALL,
)
_TITLE = re.compile(r'title="([^"]+)"')
_CODE = re.compile(r"`([^`\n]+)`")
_IN_CLUSTER = re.compile(
    r"\b(kubectl|helm)\b|flexlbf (status|run|suspend|resume|selftest)\b|--against cluster"
)


@dataclass(frozen=True)
class Command:
    """A command of a page.

    Attributes:
        line: its number in the page.
        text: as it is typed.
        expected: what it should print, None if the page does not show it.
    """

    line: int
    text: str
    expected: str | None

    @property
    def needs_cluster(self) -> bool:
        """Whether it speaks to a cluster."""
        return bool(_IN_CLUSTER.search(self.text))


@dataclass(frozen=True)
class Block:
    """A fenced block; `skipped` says why its commands are not run, None if they are."""

    line: int
    language: str
    title: str | None
    text: str
    skipped: str | None

    def commands(self) -> Iterator[Command]:
        """The commands of a console block."""
        if self.language != "console":
            return
        lines = self.text.splitlines()
        starts = [number for number, each in enumerate(lines) if each.startswith("$ ")]
        for start, end in pairwise([*starts, len(lines)]):
            after = start + 1
            while after < end and (lines[after - 1].endswith("\\") or lines[after].startswith("> ")):
                after += 1
            typed = "\n".join(line.removeprefix("> ") for line in lines[start:after]).removeprefix("$ ")
            shown = "\n".join(lines[after:end]).strip("\n")
            yield Command(self.line + 1 + start, typed, shown or None)


@dataclass(frozen=True)
class Page:
    """A page of the documentation."""

    path: Path

    @property
    def name(self) -> str:
        """Its path in the repository."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def text(self) -> str:
        """What it says."""
        return self.path.read_text(encoding="utf-8")

    def blocks(self) -> list[Block]:
        """Its fenced blocks, in order."""
        text, found = self.text, []
        for each in _FENCE.finditer(text):
            title = _TITLE.search(each["settings"])
            indent = len(each["indent"])
            body = "".join(line[indent:] or "\n" for line in each["text"].splitlines(keepends=True))
            line = text.count("\n", 0, each.start("language")) + 1
            found.append(Block(line, each["language"], title and title[1], body, each["reason"]))
        return found

    def commands(self) -> list[Command]:
        """The commands that tests run, in order."""
        return [command for block in self.blocks() if block.skipped is None for command in block.commands()]

    @property
    def needs_cluster(self) -> bool:
        """Whether any of its commands speaks to a cluster."""
        return any(each.needs_cluster for each in self.commands())

    def manifests(self) -> list[tuple[int, object]]:
        """The documents of its YAML blocks, with the line of the block."""
        return [
            (block.line, document)
            for block in self.blocks()
            if block.language == "yaml"
            for document in yaml.safe_load_all(block.text)
        ]

    def inline_code(self) -> list[str]:
        """What is set as code within its sentences."""
        return _CODE.findall(_FENCE.sub("", self.text))


def pages() -> list[Page]:
    """All pages that people read for how to use the operator: those of the site, and the READMEs."""
    found = [*sorted(DOCS.rglob("*.md")), *(ROOT / name for name in ROOT_PAGES)]
    return [Page(path) for path in found if path.parent.name != "decisions"]


def matches(expected: str, printed: str) -> bool:
    """Whether a command printed what its page shows; how many blanks there are in a row does not matter."""
    pattern = "".join(
        r"(?:[^\n]*\n)*?" if line == ANYTHING else f"{_line_pattern(line)}\n"
        for line in _tidied(expected).splitlines()
    )
    return re.fullmatch(pattern, _tidied(printed)) is not None


def _line_pattern(line: str) -> str:
    return r"[^\n]*?".join(map(re.escape, line.split(ANYTHING)))


def _tidied(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.strip().splitlines())
    return "".join(f"{line}\n" for line in lines)
