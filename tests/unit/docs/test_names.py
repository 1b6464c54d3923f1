"""What the documentation names is there, and documented: commands, options, fields, metrics and alerts."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from clireference import all_commands, options
from flexlbf.api.crd import build_crd
from flexlbf.api.model import ApiModel, explain
from flexlbf.api.schema import walk
from flexlbf.api.v1alpha1 import KINDS
from support.docpages import DOCS, ROOT, Page, pages

PAGES = pages()
MODELS: Mapping[str, type[ApiModel]] = {model.DEFINITION.kind: model for model in KINDS}
COMMANDS = all_commands()
HELP = {"-h", "--help", "--version"}

OTHERS_OPTIONS = {
    "--server-side": "kubectl apply",
    "--from": "kubectl create job",
    "--set": "helm",
    "--take-ownership": "helm install",
    "--concurrent-job-syncs": "kube-controller-manager",
    "--kube-api-burst": "kube-controller-manager",
    "--kube-api-qps": "kube-controller-manager",
}
"""Options of other programs that sentences name."""

_OPTION = re.compile(r"(?<![\w-])(--?[a-zA-Z][\w-]*)")
_FIELD = re.compile(r"(spec|status)\.[a-z][\w.\[\]]*")
_METRIC = re.compile(r"\bflexlbf_[a-z_]+")
_ALERT = re.compile(r"^#+ (FlexLBF\w+)$", re.MULTILINE)
_CALL = re.compile(r"(?:^|[$>&|;(] *|kubectl |\w=\S+ )flexlbf (?P<arguments>[^|;&>)]*)")


def calls() -> Iterator[tuple[str, str]]:
    """Every call of `flexlbf` in code, as the page and what follows the program's name."""
    for page in PAGES:
        blocks = [block.text for block in page.blocks() if block.language in {"console", "sh"}]
        for text in (*page.inline_code(), *_command_lines(blocks)):
            for call in _CALL.finditer(text.partition(" #")[0]):
                yield page.name, call["arguments"]


def _command_lines(blocks: list[str]) -> Iterator[str]:
    """The lines that are typed: without what they print."""
    for text in blocks:
        lines = text.replace("\\\n", " ").splitlines()
        prompts = any(line.startswith("$ ") for line in lines)
        yield from (line for line in lines if not prompts or line.startswith(("$ ", "> ")))


def _command(arguments: str) -> tuple[str, list[str]]:
    """The longest command that a call begins with, and what is left of it."""
    words = arguments.split()
    path = ["flexlbf"]
    while words and " ".join((*path, words[0])) in COMMANDS:
        path.append(words.pop(0))
    return " ".join(path), words


def test_every_command_that_is_named_is_there():
    unknown = []
    for page, arguments in calls():
        path, rest = _command(arguments)
        is_group = path in {"flexlbf", "flexlbf agent"}
        if is_group and rest and re.fullmatch(r"[a-z][a-z-]+", rest[0]):
            unknown.append((page, arguments))
    assert unknown == []


def test_every_option_that_is_named_is_one_of_its_command():
    unknown = []
    for page, arguments in calls():
        path, rest = _command(arguments)
        known = HELP | {name for each in options(COMMANDS[path]) for name in each.opts}
        found = set(_OPTION.findall(" ".join(rest)))
        unknown += [(page, path, option) for option in sorted(found - known)]
    assert unknown == []


def test_every_option_that_stands_alone_is_one_of_some_command():
    known = HELP | {name for command in COMMANDS.values() for each in options(command) for name in each.opts}
    named = {
        (page.name, code.split()[0].split("=")[0])
        for page in PAGES
        for code in page.inline_code()
        if re.match(r"--[a-z]", code)
    }
    assert {each for each in named if each[1] not in known | OTHERS_OPTIONS.keys()} == set()


def test_every_command_and_option_is_in_the_reference():
    reference = Page(DOCS / "reference/cli.md").text
    sections = {text.partition("\n")[0]: text for text in reference.split("\n## ")[1:]}
    assert sections.keys() == COMMANDS.keys() - {"flexlbf"}
    missing = [
        (path, option)
        for path, section in sections.items()
        for each in options(COMMANDS[path])
        for option in each.opts
        if option not in section
    ]
    assert missing == []


def our_manifests() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every manifest of ours in a page, with its place."""
    for page in PAGES:
        for line, document in page.manifests():
            if isinstance(document, dict) and str(document.get("apiVersion", "")).startswith("flexlbf.io"):
                yield f"{page.name}:{line}", document


def test_every_manifest_is_valid_and_names_no_field_that_is_not_there():
    wrong = []
    found = list(our_manifests())
    for place, document in found:
        try:
            kept = MODELS[document["kind"]].read(document).to_api()
        except (KeyError, ValidationError) as error:
            wrong.append((place, explain(error) if isinstance(error, ValidationError) else repr(error)))
        else:
            spec = {key: value for key, value in document.items() if key != "metadata"}
            wrong += [(place, field) for field in _lost(spec, kept)]
    assert wrong == []
    assert {document["kind"] for _, document in found} >= MODELS.keys() - {"BackupHistory"}


def _lost(written: Any, kept: Any, path: str = "") -> Iterator[str]:
    """The fields of a document that reading it has dropped, since no schema knows them."""
    if isinstance(written, dict):
        for key, value in written.items():
            if key not in kept:
                yield f"{path}.{key}".lstrip(".")
            else:
                yield from _lost(value, kept[key], f"{path}.{key}")
    elif isinstance(written, list):
        for index, (one, other) in enumerate(zip(written, kept, strict=True)):
            yield from _lost(one, other, f"{path}[{index}]")


def test_a_field_that_is_not_there_is_found():
    policy = {"apiVersion": "flexlbf.io/v1alpha1", "kind": "TapePool", "metadata": {"name": "lto"}}
    drives = [{"name": "lto", "count": 1, "maxThroughput": "80M", "speed": 3}]
    document = {**policy, "spec": {"drives": drives}}
    assert list(_lost(document["spec"], MODELS["TapePool"].read(document).to_api()["spec"])) == [
        "drives[0].speed"
    ]


def test_every_field_that_sentences_name_is_there():
    known = set()
    for model in KINDS:
        schema = build_crd(model)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]
        for part in ("spec", "status"):
            known |= {path for path, _ in walk(schema[part], part)} if part in schema else set()
    named = {(page.name, code) for page in PAGES for code in page.inline_code() if _FIELD.fullmatch(code)}
    assert len(named) > 20
    assert {(page, path) for page, path in named if path not in known} == set()


def _metrics_in(page: Page) -> set[str]:
    names = _METRIC.findall(page.text)
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in names}


def test_every_metric_that_is_named_is_in_the_reference():
    """Which is generated from what the operator exports."""
    reference = Page(DOCS / "reference/metrics.md")
    known = _metrics_in(reference) if reference.path.exists() else set()
    named = {(page.name, metric) for page in PAGES if page != reference for metric in _metrics_in(page)}
    assert {each for each in named if each[1] not in known} == set()


def test_every_alert_has_an_entry_and_every_entry_is_one():
    page = DOCS / "alerts.md"
    entries = _ALERT.findall(page.read_text(encoding="utf-8")) if page.exists() else []
    rules = [
        document
        for path in sorted((ROOT / "config").rglob("*.yaml"))
        if "kind: PrometheusRule" in (text := path.read_text(encoding="utf-8"))
        for document in yaml.safe_load_all(text)
        if document["kind"] == "PrometheusRule"
    ]
    alerts = [
        rule["alert"]
        for document in rules
        for group in document["spec"]["groups"]
        for rule in group["rules"]
        if "alert" in rule
    ]
    assert sorted(entries) == sorted(alerts)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_says_what_it_is(page: Page):
    """Else the site can't colour it, and the tests don't know what to do with it."""
    fences = [line.strip() for line in page.text.splitlines() if line.lstrip().startswith("```")]
    assert [fence for fence in fences[0::2] if fence == "```"] == []
    assert [fence for fence in fences[1::2] if fence != "```"] == []
